"""What can happen, as data (`events.toml`): ten flash events and seven kinds of news, with the words that report each.

A flash pattern is verb-driven: a named actor does it or a named target suffers it, now. Nouns alone ("trade war
fears", "bankruptcy lawyer") report nothing. `reading` adds negation, hedges, previews and the rest.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

from agents.analysts.rules.scan import Scan, Watched, scan_of, watched
from agents.models import FlashEvent, SignalType


@dataclass(frozen=True, slots=True)
class Pattern:
    """One happening and the ways to report it."""

    label: str
    words: Watched
    signal: SignalType
    event: FlashEvent | None = None
    strength: float = 0.0


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern that matched, with its words and where."""

    pattern: Pattern
    quote: str
    start: int
    end: int


def data(name: str) -> dict[str, Any]:
    """A data file of this package."""
    return tomllib.loads(resources.files("agents.analysts.rules").joinpath(name).read_text(encoding="utf-8"))


def joined(patterns: Sequence[str], parts: Mapping[str, str] | None = None, flags: int = 0) -> re.Pattern[str]:
    """Alternatives as one pattern, with <name> replaced by the part of that name."""
    text = "|".join(patterns)
    for name, part in (parts or {}).items():
        text = text.replace(f"<{name}>", part)
    return re.compile(text, flags)


def find(text: str | Scan, patterns: Iterable[Pattern]) -> tuple[Found, ...]:
    """The first match of each pattern in the text."""
    scan = scan_of(text)
    found = []
    for pattern in patterns:
        match = scan.in_lead(pattern.words)
        if match:
            start, end = match.start(), word_end(scan.text, match.end())
            found.append(Found(pattern, scan.text[start:end].strip(), start, end))
    return tuple(found)


def word_end(text: str, end: int) -> int:
    """Where the word ends that a match stopped in, so that a quotation is whole words."""
    while 0 < end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    return end


def _pattern(row: Mapping[str, Any], parts: Mapping[str, str], flags: int) -> Pattern:
    return Pattern(
        label=row["label"],
        words=watched(joined(row["patterns"], parts, flags), row["stems"], row.get("also", ())),
        signal=row["signal"],
        event=row.get("event"),
        strength=row.get("strength", 0.0),
    )


_DATA: Final = data("events.toml")

FLASH: Final = tuple(_pattern(row, _DATA["parts"], 0) for row in _DATA["flash"])
"""The ten flash events; their patterns tell names by capitals."""

KINDS: Final = tuple(_pattern(row, _DATA["parts"], re.IGNORECASE) for row in _DATA["kind"])
"""The kinds of news besides flash events; `routine_news` is what remains."""
