"""A recording as intake: items of a file are accepted at their time of receipt instead of polled."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, BinaryIO

from pydantic import Field

from app.clock import Clock
from app.errors import UsageError
from app.events import Bus, SourceChecked
from app.lines.contract import ItemInput
from app.lines.items import Broken, read_items, to_item
from app.pipeline.intake import Accepted, hand_on
from app.pipeline.write_pause import WritePause
from feeds.documents.dates import read_date
from feeds.models import Entry, PollState, Source, Tier
from storage.items import Items
from storage.models import Ingested
from storage.sources import Sources

DAY_S = 86_400


class RecordedInput(ItemInput):
    """An item with what a recording adds: when it was received, and how close its source is to the fact."""

    at: str | None = None
    tier: Annotated[int, Field(ge=1, le=4)] | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """One entry of a source and the moment it was received."""

    at: datetime
    source: Source
    entry: Entry


def read_recording(stream: BinaryIO, broken: Callable[[Broken], None]) -> list[Recorded]:
    """The recording in order of receipt: `at`, else the time of publication, else that of the line before.

    Lines that are no items go to `broken`. Raises UsageError where nothing is left or no line has a time.
    """
    found: list[Recorded] = []
    last: datetime | None = None
    for line in read_items(stream, RecordedInput):
        if isinstance(line, Broken):
            broken(line)
            continue
        moment = _received(line.item) or last
        if moment is None:
            broken(Broken(line.number, "no time of receipt, and no line before it has one"))
            continue
        last = moment
        found.append(_recorded(line.item, moment))
    if not found:
        raise UsageError("the recording holds no item with a time")
    return sorted(found, key=lambda one: one.at)


class Recording:
    """Plays a recording into the database. `reach` waits for a moment to come, or makes it come."""

    def __init__(
        self,
        recorded: Sequence[Recorded],
        *,
        sources: Sources,
        items: Items,
        pause: WritePause,
        clock: Clock,
        bus: Bus,
        reach: Callable[[datetime], Awaitable[None]],
    ) -> None:
        self._recorded = recorded
        self._subscribed = {one.source.id: one.source for one in recorded}
        self._sources = sources
        self._items = items
        self._pause = pause
        self._clock = clock
        self._bus = bus
        self._reach = reach
        self._position = 0

    @property
    def feeds_ok(self) -> int:
        """All of them: a recording cannot be down."""
        return len(self._subscribed)

    @property
    def feeds_total(self) -> int:
        """How many sources the recording holds."""
        return len(self._subscribed)

    def check_now(self, source_id: str | None = None) -> None:
        """Does nothing: a recording is not asked."""

    async def run(self, accepted: Accepted) -> None:
        """Plays on from where it stopped until the recording ends."""
        await self._subscribe()
        while self._position < len(self._recorded):
            one = self._recorded[self._position]
            await self._reach(one.at)
            ingested = await self._take_in(one)
            self._position += 1
            hand_on(ingested, accepted, self._bus)

    async def _take_in(self, one: Recorded) -> Ingested:
        now = self._clock.now()
        return await self._pause.through(lambda: self._items.ingest(one.source, (one.entry,), now=now, backlog=False))

    async def _subscribe(self) -> None:
        """Enters the sources as healthy ones, since none of them can be asked."""
        now = self._clock.now()
        await self._pause.through(lambda: self._sources.sync(tuple(self._subscribed.values()), now))
        state = PollState(status="ok", last_checked_at=now, last_ok_at=now, last_full_at=now)
        for source in self._subscribed.values():
            await self._sources.record(source.id, state)
            self._bus.publish(SourceChecked(source.id))


def _recorded(given: RecordedInput, at: datetime) -> Recorded:
    item = to_item(given, now=at)
    name = item.source_name or "recording"
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or f"source-{sum(name.encode())}"
    tier = Tier(given.tier) if given.tier else Tier.NEWSROOM
    source = Source(slug, name, "", tier, interval_s=DAY_S, builtin=False)
    return Recorded(at, source, Entry(item.id, item.url, item.title, item.summary, item.published))


def _received(given: RecordedInput) -> datetime | None:
    """The time of receipt that the line gives; None where neither of its times can be read."""
    for text in (given.at, given.published_at):
        if text is not None and (at := read_date(str(text), now=datetime.now(UTC)).at) is not None:
            return at
    return None
