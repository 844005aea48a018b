"""A list of feeds taken into the configuration: which of them are new, and why the others are not taken."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.errors import AppError, UsageError
from feeds.documents.opml import Outline, read_opml
from feeds.errors import ParseError, Refused
from feeds.models import Source, Tier
from feeds.registry import source_from_url

LARGEST = 8 * 2**20
"""Longest list in bytes."""
MOST = 2_000
"""The most feeds one list may bring: more could not be polled politely in time."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """What a list holds: feeds to add, how many are polled already, and the outlines that are no feeds, with why."""

    new: tuple[Source, ...]
    known: int
    refused: tuple[tuple[Outline, str], ...]


def read_list(file: Path) -> list[Outline]:
    """The outlines of an OPML file. Raises UsageError where it cannot be read and AppError where it is no list."""
    try:
        with file.open("rb") as stream:
            body = stream.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{file}: cannot be read ({error.strerror})") from error
    if len(body) > LARGEST:
        raise AppError(f"{file}: longer than {LARGEST // 2**20} MiB; split it")
    try:
        outlines = read_opml(body)
    except ParseError as error:
        raise AppError(f"{file}: {error}") from None
    if not outlines:
        raise AppError(f"{file}: the list holds no feed: no outline has an xmlUrl")
    if len(outlines) > MOST:
        raise AppError(f"{file}: {len(outlines)} feeds are too many to poll; give at most {MOST}")
    return outlines


def sort_list(outlines: Iterable[Outline], known: Collection[Source], *, tier: Tier, interval_s: int) -> Sorted:
    """The outlines against what is polled already. One address, one source; two addresses never share an id."""
    ids = {source.id: source.url for source in known}
    new: list[Source] = []
    refused: list[tuple[Outline, str]] = []
    again = 0
    for outline in outlines:
        try:
            source = source_from_url(outline.url, name=outline.name, tier=tier, interval_s=interval_s)
        except Refused as error:
            refused.append((outline, str(error)))
            continue
        if source.id not in ids:
            ids[source.id] = source.url
            new.append(source)
        elif ids[source.id] == source.url:
            again += 1
        else:
            refused.append((outline, f"its id {source.id} is that of another feed"))
    return Sorted(tuple(new), again, tuple(refused))


def told(file: Path, found: Sorted, named: int = 20) -> Sequence[str]:
    """What is not taken, a line each, the rest counted."""
    lines = [
        f"{file}: feed {outline.place} ({outline.name or 'without a name'}): {why}; skipped"
        for outline, why in found.refused[:named]
    ]
    more = len(found.refused) - named
    return [*lines, f"{file}: {more} more skipped"] if more > 0 else lines
