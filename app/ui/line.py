"""Lines of text as data: spans with a role, measured in cells, never markup.

Everything the screen paints by hand goes through here. `said` is the door for text from outside; `Span` holds it as it
is, because nothing on this path parses markup, and the painter turns roles into theme colours.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from rich.cells import cell_len, set_cell_size

from feeds.documents.text import clean

Role: TypeAlias = Literal[
    "text",
    "strong",
    "title",
    "soft",
    "muted",
    "faint",
    "track",
    "flash",
    "alert",
    "note",
    "fyi",
    "badge",
    "red",
    "amber",
    "blue",
    "up",
    "down",
    "symbol",
    "good",
    "warn",
    "bad",
    "key",
    "tab",
    "banner",
]
ROLES: tuple[Role, ...] = get_args(Role)

_UNSTEADY = dict.fromkeys([0xFE0E, 0xFE0F, 0x200D])
"""Joiners and variation selectors: terminals disagree about their width, and columns must line up."""


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text in one role."""

    text: str
    role: Role = "text"


Line: TypeAlias = tuple[Span, ...]
BLANK: Line = ()


def said(text: str, *, limit: int = 2_000) -> str:
    """Text from outside on one line: no control, escape, bidi or invisible character, no width terminals differ in."""
    if text.isascii() and text.isprintable() and len(text) <= limit:
        return text
    kept = clean(text, limit=limit).translate(_UNSTEADY)
    return kept if kept.isprintable() else " ".join("".join(c for c in kept if c.isprintable()).split())


def width(line: Line) -> int:
    """The cells a line takes."""
    return sum(cell_len(span.text) for span in line)


def plain(line: Line) -> str:
    """The text of a line without roles."""
    return "".join(span.text for span in line)


def fit(text: str, cells: int) -> str:
    """`text` in at most `cells` cells; what does not fit ends in "…", and no wide character is split."""
    if cells <= 0:
        return ""
    if cell_len(text) <= cells:
        return text
    return set_cell_size(text, cells - 1).rstrip() + "…"


def left(text: str, cells: int) -> str:
    """`text` in exactly `cells` cells, flush left."""
    return set_cell_size(fit(text, cells), cells)


def right(text: str, cells: int) -> str:
    """`text` in exactly `cells` cells, flush right."""
    shown = fit(text, cells)
    return " " * (cells - cell_len(shown)) + shown


def spread(start: Line, end: Line, cells: int, *, gap: int = 2) -> Line:
    """`start` flush left and `end` flush right in `cells` cells; `start` gives way first."""
    end = cut(end, cells)
    taken = width(end)
    start = cut(start, cells - taken - (gap if taken else 0))
    return (*start, Span(" " * max(0, cells - width(start) - taken)), *end)


def cut(line: Line, cells: int) -> Line:
    """`line` in at most `cells` cells."""
    if width(line) <= cells:
        return line
    kept: list[Span] = []
    for span in line:
        room = cells - width(tuple(kept))
        if room <= 0:
            break
        kept.append(Span(fit(span.text, room), span.role))
    return tuple(kept)


def wrap(text: str, cells: int) -> list[str]:
    """`text` in lines of at most `cells` cells, broken between words where there are any."""
    if cells <= 0:
        return []
    if text.isascii():
        return textwrap.wrap(text, cells) or [""]
    lines: list[str] = []
    current = ""
    for word in text.split():
        joined = f"{current} {word}" if current else word
        if cell_len(joined) <= cells:
            current = joined
            continue
        if current:
            lines.append(current)
        current = word
        while cell_len(current) > cells:
            head = set_cell_size(current, cells).rstrip() or current[0]
            lines.append(head)
            current = current[len(head) :]
    lines.append(current)
    return lines
