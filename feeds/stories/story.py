"""Items that report the same event are one story; events that only look alike stay apart.

Two headlines are compared by what they name (`feeds.stories.terms`): actors, events, figures, periods. Agreement of an
actor and an event joins them however they are worded; a contradiction (another subject, another counterpart, another
figure of a series, another period, a preview against a result) keeps them apart however alike the words are. Where
doubt remains they stay apart: two cards for one event cost a glance, one card for two events hides news.
"""

from __future__ import annotations

import heapq
import re
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain
from zlib import crc32

from feeds.stories import likeness
from feeds.stories.likeness import Sketch
from feeds.stories.terms import read

__all__ = ["Sketch", "StoryIndex", "StoryMatch", "sketch"]

_WORD = re.compile(r"[^\W_]+")
_SUMMARY_READ = 500
"""Characters of a summary that are compared to find copies."""

_SUPPORT_READ = 300
"""Characters of a summary that tell its event; few, because thousands of summaries are kept in memory."""

_SHINGLE = 4
_SHINGLES_KEPT = 16
_POSTINGS_READ = 32
"""Newest sketches looked at under one key: what bounds a match however full the window is."""
_COMPARED = 8
"""Sketches compared in full per match, those that share the most keys."""


@dataclass(frozen=True, slots=True)
class StoryMatch:
    """The story an item belongs to. `similarity` is 0..1; `syndicated` means a copy of a text the story already holds;
    `new_fact` that it names a number, an actor or an event of weight the story did not hold."""

    story_id: str
    similarity: float
    syndicated: bool
    new_fact: bool


def sketch(item_id: str, story_id: str, title: str, summary: str, outlet: str, at: datetime) -> Sketch:
    """What is remembered of an item to recognise other reports of its event; a pure function of its arguments."""
    terms = read(title)
    body = _WORD.findall(summary[:_SUMMARY_READ].casefold())
    heading = _WORD.findall(title.casefold())
    weights = likeness.weigh(terms)
    return Sketch(
        item_id=item_id,
        story_id=story_id,
        outlet=outlet.casefold(),
        at=at,
        terms=terms,
        weights=weights,
        total=sum(weights.values()),
        support=likeness.support(summary[:_SUPPORT_READ]) if summary else (),
        heading=crc32(" ".join(heading).encode()) if len(heading) >= 4 else 0,
        shingles=_shingles(body) if len(body) >= 2 * _SHINGLE else array("I"),
    )


def _shingles(words: list[str]) -> array[int]:
    """The smallest hashes of all runs of four words: a sample whose overlap estimates that of the texts."""
    one = [crc32(word.encode()) for word in words]
    runs = zip(one, one[1:], one[2:], one[3:], strict=False)
    hashes = {(a * 0x9E3779B1 + b * 0x85EBCA6B + c * 0xC2B2AE35 + d * 0x27D4EB2F) & 0xFFFFFFFF for a, b, c, d in runs}
    return array("I", sorted(hashes)[:_SHINGLES_KEPT])


@dataclass(slots=True)
class _Story:
    """The reports of one event that are still in the window, and the one that opened it."""

    opening: Sketch
    reports: list[Sketch] = field(default_factory=list)


class StoryIndex:
    """The sketches of the last `window` hours, found by what they share. Not thread-safe; deterministic."""

    def __init__(self, window: timedelta = timedelta(hours=48)) -> None:
        self._window = window
        self._sketches: dict[str, Sketch] = {}
        self._postings: dict[str | int, list[str]] = {}
        self._stories: dict[str, _Story] = {}
        self._ages: list[tuple[datetime, str]] = []

    def __len__(self) -> int:
        return len(self._sketches)

    def add(self, sketch: Sketch) -> None:
        """Remember a sketch under its story; a sketch of the same item takes the place of the older one."""
        if sketch.item_id in self._sketches:
            self._forget(sketch.item_id)
        self._sketches[sketch.item_id] = sketch
        heapq.heappush(self._ages, (sketch.at, sketch.item_id))
        for key in _keys(sketch):
            self._postings.setdefault(key, []).append(sketch.item_id)
        self._stories.setdefault(sketch.story_id, _Story(sketch)).reports.append(sketch)

    def match(self, sketch: Sketch, now: datetime) -> StoryMatch | None:
        """The story this item reports, or None if it opens its own. Looks within the window of its time."""
        best: tuple[float, datetime, str, bool] | None = None
        for other in self._candidates(sketch, now):
            similarity, copy = likeness.compare(sketch, other)
            if similarity < likeness.SAME_STORY:
                continue
            story = self._stories[other.story_id]
            if likeness.contradicts(sketch, story.opening) or not (copy or likeness.akin(sketch, story.opening)):
                continue
            rank = (-similarity, story.opening.at, other.story_id, copy)
            if best is None or rank[:3] < best[:3]:
                best = rank
        if best is None:
            return None
        story = self._stories[best[2]]
        return StoryMatch(best[2], -best[0], best[3], not best[3] and self._tells_more(sketch, story))

    def expire(self, now: datetime) -> None:
        """Forget what is older than the window."""
        while self._ages and now - self._ages[0][0] > self._window:
            at, item_id = heapq.heappop(self._ages)
            known = self._sketches.get(item_id)
            if known and known.at == at:
                self._forget(item_id)

    def _forget(self, item_id: str) -> None:
        sketch = self._sketches.pop(item_id)
        for key in _keys(sketch):
            posting = self._postings[key]
            posting.remove(item_id)
            if not posting:
                del self._postings[key]
        story = self._stories[sketch.story_id]
        story.reports.remove(sketch)
        if not story.reports:
            del self._stories[sketch.story_id]

    def _candidates(self, sketch: Sketch, now: datetime) -> Iterator[Sketch]:
        """Those that share the most with the sketch, the newest first among equals."""
        postings = self._postings
        shared = Counter(
            chain.from_iterable(postings[key][-_POSTINGS_READ:] for key in _keys(sketch) if key in postings)
        )
        shared.pop(sketch.item_id, None)
        levels: dict[int, list[str]] = {}
        for item_id, count in shared.items():
            levels.setdefault(count, []).append(item_id)
        chosen: list[str] = []
        for _, level in sorted(levels.items(), reverse=True):
            if len(level) > 1:
                level.sort(key=lambda one: (self._sketches[one].at, one), reverse=True)
            chosen += level[: _COMPARED - len(chosen)]
            if len(chosen) == _COMPARED:
                break
        for item_id in chosen:
            other = self._sketches[item_id]
            if abs(sketch.at - other.at) <= self._window and now - other.at <= 2 * self._window:
                yield other

    def _tells_more(self, sketch: Sketch, story: _Story) -> bool:
        terms, told = sketch.terms, story.reports
        events = {event for one in told for event in one.terms.events | one.terms.stages}
        if (terms.events | terms.stages) - events - likeness.LIGHT_EVENTS:
            return True
        actors = (terms.lead & terms.sure) - terms.places
        if any(not any(name in one.weights or name in likeness.backing(one) for one in told) for name in actors):
            return True
        if "move" in terms.events:
            return False
        known = {figure for one in told for figure in one.terms.figures | likeness.figures(one.support)}
        weighty = (figure for figure in terms.figures if figure[0])
        return any(not any(likeness.same_figure(figure, other) for other in known) for figure in weighty)


def _keys(sketch: Sketch) -> list[str | int]:
    """What a sketch is found by: names that are no place, names with an event, uncommon words, and its text."""
    terms = sketch.terms
    words = [*(terms.names - terms.places), *terms.words]
    words += [f"{name}|{event}" for name in terms.names | terms.implied for event in terms.events]
    words += [f"{one}|{other}" for one in terms.places for other in terms.places if one < other]
    return [*set(words), *sorted(sketch.shingles)[:4], *([sketch.heading] if sketch.heading else [])]
