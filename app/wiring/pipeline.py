"""The pipeline and all it works with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

from agents.tools.access import Access
from app.alerts.terminal import TerminalAlerts
from app.clock import Clock, SteppedClock
from app.config import Config
from app.events import Bus
from app.pipeline import Pipeline
from app.pipeline.intake import Intake
from app.pipeline.poller import Poller
from app.pipeline.score_queue import ScoreQueue
from app.pipeline.scorer import Saved, Scorer
from app.pipeline.supervisor import Supervisor
from app.trouble import Troubles
from app.wiring.desk import build_desk
from app.wiring.tools import allowed_hosts, build_access
from app.write_pause import WritePause
from feeds.fetch import fetch
from feeds.http import HttpClient
from feeds.models import Source
from feeds.parse import FeedParser
from storage.archive import Archive
from storage.database import Database
from storage.items import Items
from storage.marks import Marks
from storage.outbox import Outbox
from storage.signals import Signals
from storage.sources import Sources

if TYPE_CHECKING:
    from app.recording import Recorded


class Parts:
    """What the parts of one pipeline share."""

    def __init__(self, config: Config, database: Database, clock: Clock, bus: Bus, saved: Saved | None) -> None:
        self.config = config
        self.clock = clock
        self.bus = bus
        self.saved = saved
        self.database = database
        self.troubles = Troubles()
        self.queue = ScoreQueue()
        self.pause = WritePause(clock, bus, self.troubles)
        self.items = Items(database)
        self.sources = Sources(database)
        self.max_age = timedelta(seconds=config.alerts.max_age_s)

    @asynccontextmanager
    async def running(
        self, subscribed: Sequence[Source], recording: Sequence[Recorded] | None
    ) -> AsyncIterator[Pipeline]:
        """The pipeline at work; it is stopped before what it uses is closed."""
        async with AsyncExitStack() as stack:
            access: Access | None = None
            if recording is None:
                intake, access = await self._online(stack, subscribed)
            else:
                intake = self._recording(recording)
            pipeline = await self._pipeline(intake, [source.id for source in subscribed], access)
            await pipeline.start()
            try:
                yield pipeline
            finally:
                await pipeline.stop()

    async def _pipeline(self, intake: Intake, ids: Sequence[str], access: Access | None) -> Pipeline:
        desk = await asyncio.to_thread(
            build_desk, self.config, Archive(self.database), tools=True, source_ids=ids, access=access
        )
        outbox = Outbox(self.database)
        alerts = TerminalAlerts(outbox, self.bus, self.clock, self.pause, max_age=self.max_age)
        scorer = Scorer(
            items=self.items,
            signals=Signals(self.database),
            desk=desk,
            queue=self.queue,
            alerts=alerts,
            pause=self.pause,
            clock=self.clock,
            bus=self.bus,
            max_age=self.max_age,
            saved=self.saved,
        )
        return Pipeline(
            intake=intake,
            scorer=scorer,
            queue=self.queue,
            alerts=alerts,
            outbox=outbox,
            marks=Marks(self.database),
            supervisor=Supervisor(self.clock, self.troubles),
            troubles=self.troubles,
            clock=self.clock,
        )

    async def _online(self, stack: AsyncExitStack, subscribed: Sequence[Source]) -> tuple[Intake, Access | None]:
        """The poller and, where tools may use the network, the public sources; both share limits and connections."""
        client = HttpClient(contact=self.config.network.contact, allow_hosts=allowed_hosts(self.config))
        http = await stack.enter_async_context(client)
        worker = await stack.enter_async_context(FeedParser())
        access: Access | None = None
        if self.config.tools.enabled:
            access = build_access(self.config, http, worker)
            stack.push_async_callback(access.aclose)
        return self._poller(http, worker, subscribed), access

    def _poller(self, http: HttpClient, worker: FeedParser, subscribed: Sequence[Source]) -> Intake:
        return Poller(
            subscribed,
            sources=self.sources,
            items=self.items,
            fetch=lambda source, validators: fetch(http, source, validators, now=self.clock.now()),
            parser=worker,
            pause=self.pause,
            troubles=self.troubles,
            clock=self.clock,
            bus=self.bus,
            dice=Random(),
        )

    def _recording(self, recorded: Sequence[Recorded]) -> Intake:
        from app.recording import Recording  # a monitor that polls does without it

        return Recording(
            recorded,
            sources=self.sources,
            items=self.items,
            pause=self.pause,
            clock=self.clock,
            bus=self.bus,
            reach=self._reach,
        )

    async def _reach(self, moment: datetime) -> None:
        """Waits for `moment`; a clock that stands still is set to it once everything before it is scored."""
        if isinstance(self.clock, SteppedClock):
            await self.queue.settled()
            self.clock.step(moment)
        elif (left := (moment - self.clock.now()).total_seconds()) > 0:
            await self.clock.sleep(left)
