"""On which line of a TOML text a key stands, for error messages; `tomllib` gives values without places."""

from __future__ import annotations

import re
from collections.abc import Iterator

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=""")
_STEP = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")


def line_of(text: str, path: tuple[int | str, ...]) -> int | None:
    """The line, from 1, of the deepest part of `path` that is written in `text`; None where no part is."""
    best: tuple[int, int] | None = None
    for line, written in _written(text):
        depth = _shared(path, written)
        if depth and (best is None or depth > best[0]):
            best = (depth, line)
    return best[1] if best else None


def _shared(path: tuple[int | str, ...], written: tuple[int | str, ...]) -> int:
    """How deep `written` leads towards `path`; 0 where it leads elsewhere."""
    return len(written) if path[: len(written)] == written else 0


def _written(text: str) -> Iterator[tuple[int, tuple[int | str, ...]]]:
    """Every table header and key of `text` with its full path; elements of a table array are numbered."""
    table: tuple[int | str, ...] = ()
    counts: dict[tuple[int | str, ...], int] = {}
    quote = ""
    for number, line in enumerate(text.splitlines(), 1):
        if quote:
            quote = "" if quote in line else quote
            continue
        if header := _HEADER.match(line):
            table = _resolved(_steps(header[2]), counts, opens=header[1] == "[[")
            yield number, table
        elif key := _KEY.match(line):
            yield number, table + _steps(key[1])
            quote = next((mark for mark in ('"""', "'''") if line.count(mark) == 1), "")


def _steps(dotted: str) -> tuple[int | str, ...]:
    return tuple(step.strip("\"'") for step in _STEP.findall(dotted))


def _resolved(
    steps: tuple[int | str, ...], counts: dict[tuple[int | str, ...], int], *, opens: bool
) -> tuple[int | str, ...]:
    """`steps` with the number of the current element after each table array on the way."""
    path: tuple[int | str, ...] = ()
    for position, step in enumerate(steps):
        path = (*path, step)
        last = position == len(steps) - 1
        if last and opens:
            counts[path] = counts.get(path, -1) + 1
        if path in counts and (opens or not last):
            path = (*path, counts[path])
    return path
