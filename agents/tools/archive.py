"""Tools that the program's own database answers: what other feeds said before about the story, company or event.

An item is never judged by what came after it: only items first seen before it count, and none that was published later.
In each finding `values` hold the source's `tier` and `same_story` (1 or 0), so that corroboration can be counted.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from agents.models import Evidence, EvidenceItem, ToolName
from agents.tools.protocol import Archive, EarlierItem, Question, SourceHealth
from agents.tools.result import empty, not_configured, ok, stale, unavailable
from feeds.models import Item

SAME_STORY = "same story"
"""The `why` of an earlier item that reports the same event."""
FINDINGS = 8
"""Most earlier items in one answer."""
SILENT_AFTER = 3
"""A source that has not answered for this many of its intervals is silent."""
NO_ARCHIVE = "a database of earlier items would answer this; this run has none"
SOURCE = "own archive"


@dataclass(frozen=True)
class EarlierNews:
    """`rss_search`: earlier items of the same story, symbols or flash event, from every subscribed source."""

    archive: Archive

    @property
    def name(self) -> ToolName:
        return "rss_search"

    async def ask(self, question: Question) -> Evidence:
        """`empty` where nothing came before; `unavailable` where the database cannot be read."""
        try:
            found = await _earlier(self.archive, question)
        except Exception as error:  # noqa: BLE001 -- the storage's errors are no types of this layer; any of them means "could not ask"
            return _unreadable(self.name, question, error)
        if not found:
            return empty(self.name, question.now, SOURCE, "no earlier item on this story, its companies or its event")
        return ok(self.name, question.now, SOURCE, _findings(found), raw=_raw(found))


@dataclass(frozen=True)
class SourceNews:
    """A tool answered by the feeds of certain publishers, `source_ids`, as far as the user subscribes to them.

    None of them subscribed: `not_configured`. None has answered for three of its intervals: `stale` with what is there,
    else `unavailable`, naming them. Otherwise `ok` or `empty`.
    """

    tool: ToolName
    archive: Archive
    source_ids: tuple[str, ...]
    about: str

    @property
    def name(self) -> ToolName:
        return self.tool

    async def ask(self, question: Question) -> Evidence:
        """Earlier items of these sources on the item's story, companies or event."""
        try:
            health = await self.archive.health(self.source_ids) if self.source_ids else ()
            if not health:
                return not_configured(self.tool, question.now, f"{self.about} would answer this; none is subscribed")
            subscribed = [source.source_id for source in health]
            found = await _earlier(self.archive, question, subscribed)
        except Exception as error:  # noqa: BLE001 -- the storage's errors are no types of this layer; any of them means "could not ask"
            return _unreadable(self.tool, question, error)
        source = ", ".join(subscribed)
        silent = [source for source in health if _silent(source, question.now)]
        said = "; ".join(_silence(source) for source in silent)
        if len(silent) < len(health):
            if found:
                return ok(self.tool, question.now, source, _findings(found), detail=said, raw=_raw(found))
            return empty(self.tool, question.now, source, said or "nothing on this story, its companies or its event")
        if found:
            return stale(self.tool, question.now, source, _findings(found), said, raw=_raw(found))
        return unavailable(self.tool, question.now, said, source=source)


async def _earlier(archive: Archive, question: Question, source_ids: Sequence[str] = ()) -> tuple[EarlierItem, ...]:
    item = question.item
    found = await archive.earlier(
        item,
        symbols=question.symbols,
        event_type=question.event_type,
        before=item.first_seen_at,
        source_ids=source_ids,
        limit=FINDINGS,
    )
    return tuple(earlier for earlier in found if _came_before(earlier, item))


def _came_before(earlier: EarlierItem, item: Item) -> bool:
    """Whether `earlier` could be known when `item` came. An unknown or doubtful publication time decides nothing."""
    if earlier.item_id == item.id or earlier.first_seen_at >= item.first_seen_at:
        return False
    theirs, ours = earlier.published, item.published
    if theirs.at is None or ours.at is None or theirs.doubt or ours.doubt:
        return True
    return theirs.at <= ours.at


def _findings(found: Sequence[EarlierItem]) -> tuple[EvidenceItem, ...]:
    return tuple(_finding(earlier) for earlier in found)


def _finding(earlier: EarlierItem) -> EvidenceItem:
    """An earlier item with the time it was published, or where that is in doubt the time it was first seen."""
    published = earlier.published
    dated = published.at is not None and published.doubt is None
    return EvidenceItem(
        text=f"{earlier.title} · {earlier.why}",
        url=earlier.url,
        source=earlier.source_name,
        at=published.at if dated else earlier.first_seen_at,
        precision=published.precision if dated else "second",
        time_kind="published" if dated else "first_seen",
        values=(("tier", float(earlier.tier)), ("same_story", float(earlier.why == SAME_STORY))),
    )


def _raw(found: Sequence[EarlierItem]) -> str:
    """The rows behind the findings, one JSON object a line."""
    return "\n".join(
        json.dumps(
            {
                "item_id": earlier.item_id,
                "source_id": earlier.source_id,
                "title": earlier.title,
                "why": earlier.why,
                "first_seen_at": earlier.first_seen_at.isoformat(),
            },
            ensure_ascii=False,
        )
        for earlier in found
    )


def _silent(source: SourceHealth, now: datetime) -> bool:
    allowed = timedelta(seconds=SILENT_AFTER * source.interval_s)
    return source.last_ok_at is None or now - source.last_ok_at > allowed


def _silence(source: SourceHealth) -> str:
    if source.last_ok_at is None:
        return f"{source.source_id} has never answered"
    return f"{source.source_id} last answered {source.last_ok_at:%Y-%m-%d %H:%M:%S} UTC"


def _unreadable(tool: ToolName, question: Question, error: Exception) -> Evidence:
    return unavailable(tool, question.now, f"the database could not be read: {error}", source=SOURCE)
