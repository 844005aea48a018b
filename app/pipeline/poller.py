"""Polls the sources: whichever is due, several hosts at once, each by the rules of `feeds.schedule`.

The wall clock is compared at least every `TICK_S` seconds, so that a suspended machine polls soon after it wakes.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Protocol
from urllib.parse import urlsplit

from app.clock import Clock
from app.events import Bus, SourceChecked
from app.pipeline.intake import Accepted, hand_on
from app.pipeline.trouble import Troubles
from app.pipeline.write_pause import WritePause
from feeds import schedule
from feeds.errors import FeedError
from feeds.models import ParsedFeed, PollState, Source, Validators
from feeds.network.outcomes import Fetched, NotModified
from storage.errors import StorageError
from storage.items import Items
from storage.sources import Sources

log = logging.getLogger(__name__)

TICK_S = 15.0
AT_ONCE = 24
OFFLINE = "offline"

Fetch = Callable[[Source, Validators], Awaitable[Fetched | NotModified]]


class Parse(Protocol):
    """Turns a document into entries in a process that can be killed."""

    async def parse(self, body: bytes, content_type: str, *, base_url: str, now: datetime) -> ParsedFeed: ...


class Poller:
    """Keeps every subscribed source up to date; one that fails comes back by itself."""

    def __init__(
        self,
        subscribed: Sequence[Source],
        *,
        sources: Sources,
        items: Items,
        fetch: Fetch,
        parser: Parse,
        pause: WritePause,
        troubles: Troubles,
        clock: Clock,
        bus: Bus,
        dice: Random,
    ) -> None:
        self._subscribed = {source.id: source for source in subscribed}
        self._sources = sources
        self._items = items
        self._fetch = fetch
        self._parser = parser
        self._pause = pause
        self._troubles = troubles
        self._clock = clock
        self._bus = bus
        self._dice = dice
        self._states: dict[str, PollState] = {}
        self._busy: set[str] = set()
        self._asked: set[str] = set()
        self._refused: dict[str, list[str]] = {}
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._wake = asyncio.Event()
        self._outage = schedule.Outage()

    @property
    def feeds_ok(self) -> int:
        """How many sources answered at their last check."""
        return sum(state.status in ("ok", "unchanged") for state in self._states.values())

    @property
    def feeds_total(self) -> int:
        """How many sources are subscribed."""
        return len(self._subscribed)

    def check_now(self, source_id: str | None = None) -> None:
        """Makes one source due at once, or all of them; the request stays conditional."""
        self._asked.update(self._subscribed if source_id is None else {source_id} & self._subscribed.keys())
        self._wake.set()

    async def run(self, accepted: Accepted) -> None:
        """Polls until cancelled."""
        await self._pause.through(lambda: self._sources.sync(tuple(self._subscribed.values()), self._clock.now()))
        known = {row.source.id: row.state for row in await self._sources.rows()}
        self._states = {source_id: known.get(source_id, PollState()) for source_id in self._subscribed}
        self._busy.clear()
        async with asyncio.TaskGroup() as checks:
            checks.create_task(self._recall(), name="recall stories")
            while True:
                await self._pause.over()
                self._wake.clear()
                for source_id in self._due(self._clock.now()):
                    self._busy.add(source_id)
                    checks.create_task(self._check(self._subscribed[source_id], accepted), name=f"check {source_id}")
                await self._rest()

    async def _recall(self) -> None:
        """Reads the stories of the last days while the first answers are on their way."""
        await self._pause.through(lambda: self._items.recall(now=self._clock.now()))
        gc.freeze()  # they and all the code live as long as the program: no collection need look at them again

    def _due(self, now: datetime) -> list[str]:
        """Sources to check now, those asked for first, then the longest overdue."""
        due = [
            source_id
            for source_id, state in self._states.items()
            if source_id not in self._busy and (source_id in self._asked or schedule.due(state, now))
        ]
        never = now - timedelta(days=36_500)
        due.sort(key=lambda source_id: (source_id not in self._asked, self._states[source_id].next_check_at or never))
        self._asked.difference_update(due)
        return due

    async def _rest(self) -> None:
        """Sleeps until the next source is due, at most a tick, or until somebody asks for a check."""
        now = self._clock.now()
        waiting = [
            (state.next_check_at - now).total_seconds()
            for source_id, state in self._states.items()
            if source_id not in self._busy and state.next_check_at is not None
        ]
        nap = asyncio.ensure_future(self._clock.sleep(min(TICK_S, max(0.05, min(waiting, default=TICK_S)))))
        call = asyncio.ensure_future(self._wake.wait())
        try:
            await asyncio.wait((nap, call), return_when=asyncio.FIRST_COMPLETED)
        finally:
            # Not awaited: a cancellation of the poller that came while waiting for them would be taken for theirs.
            nap.cancel()
            call.cancel()

    async def _check(self, source: Source, accepted: Accepted) -> None:
        """One check from request to recorded state. Only trouble with the database itself comes out."""
        try:
            async with self._slots:
                before = self._states[source.id]
                outcome = await self._outcome(source, before, accepted)
                now = self._clock.now()
                state = self._named(source, self._judged(source, before, outcome, now))
                await self._pause.through(lambda: self._sources.record(source.id, state))
                self._states[source.id] = state
                self._bus.publish(SourceChecked(source.id))
        finally:
            self._busy.discard(source.id)
            self._wake.set()

    async def _outcome(self, source: Source, state: PollState, accepted: Accepted) -> schedule.Outcome:
        asked, validators = schedule.request(source, state, self._clock.now())
        try:
            answer = await self._fetch(asked, validators)
            if isinstance(answer, Fetched):
                await self._take_in(source, answer, accepted)
        except FeedError as error:
            return error
        except StorageError:
            raise
        except Exception as error:
            log.exception("check of %s failed in an unforeseen way", source.id)
            return FeedError(f"{source.name}: unforeseen {type(error).__name__} in this program; it is tried again")
        return answer

    async def _take_in(self, source: Source, answer: Fetched, accepted: Accepted) -> None:
        """Parses the document and commits what is new; ids go on only after the commit."""
        now = self._clock.now()
        feed = await self._parser.parse(answer.body, answer.content_type, base_url=answer.final_url, now=now)
        for notice in feed.notices:
            log.info("%s: %s", source.id, notice)
        ingested = await self._pause.through(lambda: self._items.ingest(source, feed.entries, now=now))
        if ingested.restructured:
            log.warning("%s renamed its whole archive; nothing in it counts as new", source.id)
        for entry, fault in ingested.refused:
            log.error("%s: the entry %r is left out, it fails in this program: %s", source.id, entry.title, fault)
            self._refused.setdefault(source.id, []).append(f"{entry.title!r} ({fault})")
        hand_on(ingested, accepted, self._bus)

    def _named(self, source: Source, state: PollState) -> PollState:
        """The state of a source that is well with what had to be left out of its documents since the start."""
        refused = self._refused.get(source.id)
        if not refused or state.last_error:
            return state
        count = "1 entry" if len(refused) == 1 else f"{len(refused)} entries"
        return replace(state, last_error=f"{count} left out, a fault of this program: {refused[-1]}")

    def _judged(self, source: Source, before: PollState, outcome: schedule.Outcome, now: datetime) -> PollState:
        """The state after the check; says a failure once, and a dead network once for all feeds."""
        self._outage.seen(urlsplit(source.url).netloc, outcome, now)
        offline = self._outage.offline(now)
        if not offline:
            self._troubles.clear(OFFLINE)
        elif self._troubles.raise_(OFFLINE, "no network: nothing can be reached, tried again every few seconds"):
            log.warning("no network: nothing can be reached")
        state = schedule.after(source, before, outcome, now, self._dice, offline=offline)
        if isinstance(outcome, FeedError) and not offline and state.last_error != before.last_error:
            log.warning("%s: %s", source.id, outcome)
        if state.failures == 0 and before.failures:
            log.info("%s answers again", source.id)
        return state
