"""Reads items from bytes: NDJSON, one item a line, or one plain text. Memory stays bounded whatever comes.

A line that cannot be an item is a `Broken` with its number and the reason in words; the lines after it are read on.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO, Generic, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.errors import NothingScored
from app.lines.contract import ItemInput
from app.log import one_line
from feeds.documents.dates import read_date
from feeds.documents.text import clean, safe_url
from feeds.models import Item, Published, Tier

LINE_LIMIT = 2**20
"""Longest line in bytes; a longer one is skipped without being held in memory."""
TITLE_LIMIT = 500
SUMMARY_LIMIT = 20_000
NAME_LIMIT = 100
TICKERS_LIMIT = 50
_CHUNK = 2**16
_SYMBOL = re.compile(r"[A-Z0-9^][A-Z0-9.=^/:-]{0,19}")


Input = TypeVar("Input", bound=ItemInput)


@dataclass(frozen=True, slots=True)
class Given(Generic[Input]):
    """An item as it was given, with its line number from 1."""

    number: int
    item: Input


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that is no item, and why."""

    number: int
    reason: str


class LineError(ValueError):
    """Why a line is no item; `str(error)` is one line."""


def looks_like_lines(head: bytes) -> bool:
    """Whether a file that starts with `head` holds JSON lines rather than one plain text."""
    return any(line.lstrip().startswith((b"{", b"[")) for line in head.removeprefix(b"\xef\xbb\xbf").splitlines())


def refuse_binary(head: bytes, name: str) -> None:
    """Raises NothingScored where a file that starts with `head` is no text.

    A NUL among lines that are JSON is the fault of its own line only.
    """
    if b"\0" in head and not any(_closed_object(line.strip()) for line in head.splitlines()):
        raise NothingScored(f"{name}: binary, not text; give JSON lines or plain text")


def _closed_object(line: bytes) -> bool:
    return line.startswith(b"{") and line.endswith(b"}") and b"\0" not in line


def read_items(stream: BinaryIO, model: type[Input]) -> Iterator[Given[Input] | Broken]:
    """The items of an NDJSON stream in order, read as `model`; blank lines are no items and no fault."""
    for number, raw in _lines(stream):
        if raw is None:
            yield Broken(number, f"longer than {LINE_LIMIT // 2**20} MiB")
            continue
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        raw = raw.strip()
        if not raw:
            continue
        try:
            yield Given(number, parse_item(raw, model))
        except LineError as error:
            yield Broken(number, str(error))


def read_text(stream: BinaryIO, name: str) -> ItemInput:
    """One item from a plain text: its first line is the title. Raises NothingScored where there is no readable text."""
    raw = stream.read(LINE_LIMIT + 1)
    if len(raw) > LINE_LIMIT:
        raise NothingScored(f"{name}: one text longer than {LINE_LIMIT // 2**20} MiB; give one item per line as JSON")
    try:
        return text_item(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise NothingScored(f"{name}: neither UTF-8 text nor JSON lines") from None


def read_headlines(stream: BinaryIO, name: str) -> Iterator[Given[ItemInput] | Broken]:
    """One item a line of a plain text: each line that is not blank is a headline."""
    for number, raw in _lines(stream):
        if raw is None:
            yield Broken(number, f"longer than {LINE_LIMIT // 2**20} MiB")
            continue
        try:
            text = raw.decode("utf-8-sig").strip()
        except UnicodeDecodeError as error:
            yield Broken(number, f"not UTF-8 at byte {error.start + 1}")
            continue
        if clean(text, limit=TITLE_LIMIT).strip():
            yield Given(number, ItemInput(title=text))


def text_item(text: str) -> ItemInput:
    """`text` as an item: the first line that is not blank is the title, the rest the summary."""
    title, _, rest = text.strip().partition("\n")
    if not clean(title, limit=TITLE_LIMIT).strip():
        raise NothingScored("the text is empty; give a headline, a file or - for stdin")
    return ItemInput(title=title, summary=rest.strip() or None)


def parse_item(raw: bytes, model: type[Input]) -> Input:
    """The item on one line; raises LineError saying what is wrong with it."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LineError(f"not UTF-8 at byte {error.start + 1}") from None
    try:
        item = model.model_validate_json(raw)
    except ValidationError as error:
        raise LineError(_reason(error.errors(include_url=False)[0])) from None
    if not clean(item.title, limit=TITLE_LIMIT).strip():
        raise LineError("title is empty")
    if len(item.tickers or ()) > TICKERS_LIMIT:
        raise LineError(f"more than {TICKERS_LIMIT} tickers")
    if odd := next((one for one in map(_symbol, item.tickers or ()) if one and not _SYMBOL.fullmatch(one)), None):
        raise LineError(f"tickers: {odd[:20]!r} is no symbol")
    return item


def to_item(given: ItemInput, *, now: datetime) -> Item:
    """The item to score, cleaned like everything from outside. Without an id it gets one from its content."""
    title = clean(given.title, limit=TITLE_LIMIT)
    summary = clean(given.summary or "", limit=SUMMARY_LIMIT, one_line=False)
    source = clean(given.source or "", limit=NAME_LIMIT)
    stamp = "" if given.published_at is None else str(given.published_at)
    name = "" if given.id is None else clean(str(given.id), limit=NAME_LIMIT)
    item_id = name or hashlib.sha256(f"{title}\n{summary}\n{source}\n{stamp}".encode()).hexdigest()[:16]
    symbols = map(_symbol, given.tickers or ())
    return Item(
        id=item_id,
        source_id="input",
        source_name=source,
        tier=Tier.NEWSROOM,
        title=title,
        summary=summary,
        url=safe_url(given.url or ""),
        published=read_date(stamp, now=now) if stamp else Published(),
        first_seen_at=now,
        story_id=item_id,
        tickers=tuple(dict.fromkeys(symbol for symbol in symbols if symbol)),
    )


def _symbol(text: str) -> str:
    return clean(text, limit=100).strip().lstrip("$").upper()


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Numbered lines of `stream`; None for one past the limit, whose rest is read and dropped."""
    number = 0
    while raw := stream.readline(LINE_LIMIT + 1):
        number += 1
        if len(raw) <= LINE_LIMIT or raw.endswith(b"\n"):
            yield number, raw
            continue
        while raw and not raw.endswith(b"\n"):
            raw = stream.readline(_CHUNK)
        yield number, None


def _reason(problem: ErrorDetails) -> str:
    """What is wrong in one line, without quoting the input."""
    if problem["type"] == "json_invalid":
        return "not JSON: " + one_line(str(problem.get("ctx", {}).get("error", "invalid"))).replace(" at line 1", " at")
    if not problem["loc"]:
        return "not a JSON object with a title"
    key = str(problem["loc"][0])
    if problem["type"] == "missing":
        return f"{key} is missing"
    if problem["type"] == "string_too_short":
        return f"{key} is empty"
    wanted = {"title": "text", "published_at": "a time as text or a finite number", "tickers": "a list of symbols"}
    return f"{key} must be {wanted.get(key, 'text')}"
