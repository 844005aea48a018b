"""Reads items from JSON that is not one object a line: an array of items, or objects written over several lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from app.lines.items import Broken, Given, Input, LineError, parse_item

LARGEST: Final = 64 * 2**20
"""Longest document in bytes: it has to be read whole."""


def looks_like_document(head: bytes) -> bool:
    """Whether a file that starts with `head` is one JSON document rather than JSON lines."""
    lines = head.removeprefix(b"\xef\xbb\xbf").lstrip().splitlines()
    first = lines[0].strip() if lines else b""
    return first.startswith(b"[") or first == b"{"


def read_document(stream: BinaryIO, model: type[Input]) -> Iterator[Given[Input] | Broken]:
    """The items of the document in order, numbered from 1; arrays are gone through. Past a fault nothing is read."""
    body = stream.read(LARGEST + 1)
    if len(body) > LARGEST:
        yield Broken(1, f"the document is longer than {LARGEST // 2**20} MiB; give one item per line instead")
        return
    number = 0
    for number, value in enumerate(_values(body), 1):
        if isinstance(value, LineError):
            yield Broken(number, str(value))
            continue
        try:
            yield Given(number, parse_item(json.dumps(value).encode("utf-8", "surrogatepass"), model))
        except LineError as error:
            yield Broken(number, str(error))


def _values(body: bytes) -> Iterator[Any]:
    """Every item of the document; a LineError in place of what cannot be read, and nothing after it."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        yield LineError(f"not UTF-8 at byte {error.start + 1}")
        return
    decoder, at = json.JSONDecoder(), 0
    while (at := _past_blanks(text, at)) < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            where = getattr(error, "lineno", None)
            yield LineError(f"not JSON{f' on line {where}' if where else ''}; nothing after it was read")
            return
        yield from value if isinstance(value, list) else (value,)


def _past_blanks(text: str, at: int) -> int:
    """Where the next value begins; a comma between two objects is let pass."""
    while at < len(text) and text[at] in " \t\r\n,":
        at += 1
    return at
