"""Findings as evidence holds them: text cleaned at the door, times only from the source, and what was known when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

from agents.models import EvidenceItem
from agents.tools.protocol import Question
from feeds.documents.text import clean, html_to_text, safe_url
from feeds.models import Entry, Item, ParsedFeed, Precision, TimeKind
from feeds.stories import likeness
from feeds.stories.story import Sketch, sketch

TEXT: Final = 300
"""Longest text of a finding, in characters."""
LIVE: Final = timedelta(hours=24)
"""An item older than this is judged as of its own time: nothing that came later may count."""


def finding(
    text: str,
    *,
    url: str = "",
    source: str = "",
    at: datetime | None = None,
    precision: Precision = "unknown",
    time_kind: TimeKind = "published",
    values: Sequence[tuple[str, float]] = (),
    markup: bool = False,
) -> EvidenceItem:
    """One finding from outside text. With `markup` the text is HTML or has its characters escaped."""
    plain = html_to_text(text, limit=TEXT) if markup else clean(text, limit=TEXT)
    return EvidenceItem(
        plain,
        safe_url(url) if url else "",
        clean(source, limit=80),
        at,
        precision if at is not None else "unknown",
        time_kind,
        tuple(values),
    )


def of_entry(entry: Entry, source: str, values: Sequence[tuple[str, float]] = ()) -> EvidenceItem:
    """A finding from an entry of a feed. A time in doubt is left out, not repaired."""
    dated = entry.published.at is not None and entry.published.doubt is None
    return EvidenceItem(
        clean(entry.title, limit=TEXT),
        entry.url,
        entry.outlet or source,
        entry.published.at if dated else None,
        entry.published.precision if dated else "unknown",
        "published",
        tuple(values),
    )


def newest(feed: ParsedFeed) -> list[Entry]:
    """The entries of a feed, newest first; a search feed gives them by relevance. Undated ones come last."""
    return sorted(feed.entries, key=lambda entry: entry.published.at or _NEVER, reverse=True)


def as_of(question: Question) -> datetime:
    """The moment the item is judged at: now, and for an old item when it was published (to the end of a day)."""
    published = question.item.published
    if published.at is None or published.doubt is not None or question.now - published.at <= LIVE:
        return question.now
    return published.at + (timedelta(days=1) if published.precision in ("day", "month") else timedelta())


def known_then(items: Iterable[EvidenceItem], question: Question) -> tuple[EvidenceItem, ...]:
    """What was known when the item is judged. Of the past an undated finding proves nothing and is left out."""
    moment = as_of(question)
    live = moment == question.now
    return tuple(item for item in items if (live if item.at is None else item.at <= moment))


_WORD: Final = re.compile(r"[^\W_]+")
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


class SameStory:
    """Tells whether a title reports the same event as an item."""

    def __init__(self, item: Item) -> None:
        self._at = item.first_seen_at
        self._own = self._sketch(item.title, item.summary)
        self._words = _telling(item.title) | _telling(item.summary[:1_000])

    def holds(self, title: str) -> bool:
        """Whether `title` reports the item's event; doubt means no. Titles that share no two words are not compared."""
        if len(self._words & _telling(title)) < 2:
            return False
        other = self._sketch(title, "")
        similarity, copy = likeness.compare(other, self._own)
        if similarity < likeness.SAME_STORY or likeness.contradicts(other, self._own):
            return False
        return copy or likeness.akin(other, self._own)

    def _sketch(self, title: str, summary: str) -> Sketch:
        return sketch("", "", title, summary, "", self._at)


@lru_cache(maxsize=64)
def _story(item: Item) -> SameStory:
    """Made once for all the tools that ask about an item."""
    return SameStory(item)


def _telling(text: str) -> frozenset[str]:
    """The words of a text that can tell what it is about, cut so that other forms of them are the same."""
    return frozenset(word[:5] for word in _WORD.findall(text.casefold()) if len(word) > 2)


def marked(items: Iterable[EvidenceItem], question: Question) -> list[EvidenceItem]:
    """News findings, each with `same_story` 1 or 0, those of the item's own story first. Repeats of a title are left
    out, and so is the item itself under its own address."""
    story = _story(question.item)
    seen: set[tuple[str, str]] = set()
    found: list[EvidenceItem] = []
    for item in items:
        key = (item.source.casefold(), item.text.casefold())
        if key in seen or (item.url and item.url == question.item.url):
            continue
        seen.add(key)
        found.append(replace(item, values=(*item.values, ("same_story", float(story.holds(item.text))))))
    return sorted(found, key=lambda item: -dict(item.values)["same_story"])
