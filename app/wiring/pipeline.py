"""The pipeline and all it works with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from agents.desk import Desk
from agents.tools.asking.access import Access
from agents.tools.prices import Prices
from app.alerts.dispatcher import Dispatcher
from app.clock import Clock, SteppedClock
from app.config.config import Config
from app.config.engine import check_engine
from app.events import Bus
from app.pipeline.desk_process import DeskProcess, Setup
from app.pipeline.housekeeping import Housekeeper
from app.pipeline.intake import Intake
from app.pipeline.pipeline import Pipeline
from app.pipeline.poller import Poller
from app.pipeline.price_marks import PriceMarker
from app.pipeline.score_queue import ScoreQueue
from app.pipeline.scorer import Saved, Scorer
from app.pipeline.supervisor import Supervisor
from app.pipeline.thinking import AtHand, Thinking
from app.pipeline.trouble import Troubles
from app.pipeline.write_pause import WritePause
from app.wiring.alerts import open_dispatcher
from app.wiring.desk import build_desk, items_at_once, watchlist
from app.wiring.tools import allowed_hosts, open_sources
from feeds.documents.parse import FeedParser
from feeds.models import Source
from feeds.network.fetch import fetch
from feeds.network.http import HttpClient
from storage.archive import Archive
from storage.calls import Calls
from storage.database import Database
from storage.evidence_sources import EvidenceSources, still_resting
from storage.items import Items
from storage.marks import Marks
from storage.outbox import Outbox
from storage.prices import PriceMarks
from storage.retention import Keeping, Retention
from storage.signals import Signals
from storage.sources import Sources

if TYPE_CHECKING:
    from app.pipeline.beside_recording import Beside
    from app.pipeline.recording import Recorded
    from app.wiring.claude import Claude


EVIDENCE_AT_ONCE = 16
"""Items whose evidence is gathered at once; their questions share answers, and each source has limits of its own."""
EVIDENCE_WAIT_S = 2.0
"""So long an alert of the rules waits for the evidence."""


RECORDED_TICK_S = 30.0
"""Prices of a recording are looked for twice a minute of its own time, which runs fast."""


class Parts:
    """What the parts of one pipeline share. With `saved` the signals go there, and there is no screen."""

    def __init__(
        self, config: Config, database: Database, clock: Clock, bus: Bus, saved: Saved | None, usage_file: Path
    ) -> None:
        self.config = config
        self.clock = clock
        self.bus = bus
        self.saved = saved
        self.database = database
        self.usage_file = usage_file
        self.access: Access | None = None
        self.claude: Claude | None = None
        self.told: Beside | None = None
        self.troubles = Troubles()
        self.queue = ScoreQueue()
        self.pause = WritePause(clock, bus, self.troubles)
        self.items = Items(database)
        self.sources = Sources(database)

    @asynccontextmanager
    async def running(
        self, subscribed: Sequence[Source], recording: Sequence[Recorded] | None, told: Beside | None = None
    ) -> AsyncIterator[Pipeline]:
        """The pipeline at work; it is stopped before what it uses is closed. `told` stands beside the recording."""
        self.told = told
        async with AsyncExitStack() as stack:
            access: Access | None = None
            if recording is None:
                intake, access = await self._online(stack, subscribed)
                self.access = access
            else:
                intake = self._recording(recording)
            ids = [source.id for source in subscribed]
            alerts = await stack.enter_async_context(self._alerts(offline=recording is not None))
            pipeline = await self._pipeline(intake, ids, access, await self._thinking(stack, ids, access), alerts)
            await pipeline.start()
            try:
                yield pipeline
            finally:
                await pipeline.stop()

    def _alerts(self, *, offline: bool) -> AbstractAsyncContextManager[Dispatcher]:
        return open_dispatcher(
            self.config,
            self.database,
            self.clock,
            self.bus,
            self.pause,
            self.troubles,
            offline=offline,
            screen=self.saved is None,
        )

    async def _desk(self, ids: Sequence[str], access: Access | None, claude: Claude | None = None) -> Desk:
        if self.told is not None and claude is None:
            from app.wiring.recorded_desk import recorded_desk  # a monitor that polls does without it

            watched, earlier = watchlist(self.config), Archive(self.database)
            return await asyncio.to_thread(recorded_desk, watched, earlier, ids, self.told)
        return await asyncio.to_thread(
            build_desk,
            self.config,
            Archive(self.database),
            tools=True,
            source_ids=ids,
            access=access,
            model=claude.analyst if claude else None,
            hosted=claude.search if claude else None,
        )

    async def _thinking(self, stack: AsyncExitStack, ids: Sequence[str], access: Access | None) -> Thinking | None:
        """Who gives the final score; None where the rules give it at once, since nothing has to be waited for."""
        if check_engine(self.config.engine) != "claude":
            return await self._with_evidence(ids, access) if access else None
        from app.wiring.claude import open_claude  # a monitor by rules does without it

        claude = await stack.enter_async_context(open_claude(self.config, self.usage_file, book=Calls(self.database)))
        if access:
            stack.push_async_callback(access.aclose)  # no search is under way any more when the accounts are closed
        self.claude = claude
        limits = self.config.claude
        return Thinking(
            desk=await self._desk(ids, access, claude),
            model=claude.analyst,
            signals=Signals(self.database),
            queue=self.queue,
            pause=self.pause,
            clock=self.clock,
            troubles=self.troubles,
            at_once=items_at_once(self.config),
            alert_after=timedelta(seconds=limits.deadline_s + claude.late_s),
            money=lambda: (claude.spent_usd(), limits.daily_budget_usd),
        )

    async def _with_evidence(self, ids: Sequence[str], access: Access) -> Thinking:
        """The rules once more, with what the network has to say: a card never waits for it, an alert hardly."""
        return Thinking(
            desk=await self._desk(ids, access),
            model=AtHand(),
            signals=Signals(self.database),
            queue=self.queue,
            pause=self.pause,
            clock=self.clock,
            troubles=self.troubles,
            at_once=EVIDENCE_AT_ONCE,
            alert_after=timedelta(seconds=EVIDENCE_WAIT_S),
            money=lambda: (None, None),
            free=True,
        )

    async def _pipeline(
        self,
        intake: Intake,
        ids: Sequence[str],
        access: Access | None,
        thinking: Thinking | None,
        alerts: Dispatcher,
    ) -> Pipeline:
        # What the rules say at once must not wait for the network.
        desk = await self._desk(ids, None if thinking else access)
        scorer = Scorer(
            items=self.items,
            signals=Signals(self.database),
            desk=desk,
            queue=self.queue,
            alerts=alerts,
            pause=self.pause,
            clock=self.clock,
            bus=self.bus,
            saved=self.saved,
            thinking=thinking,
            beside=self._beside(ids),
        )
        return Pipeline(
            intake=intake,
            scorer=scorer,
            queue=self.queue,
            alerts=alerts,
            outbox=Outbox(self.database),
            marks=Marks(self.database),
            supervisor=Supervisor(self.clock, self.troubles),
            troubles=self.troubles,
            clock=self.clock,
            prices=self._prices(access) if access else self._told_prices(),
            housekeeper=self._housekeeper(),
            evidence=(lambda: access.states().values()) if access else tuple,
        )

    def _housekeeper(self) -> Housekeeper:
        kept = self.config.storage
        keeping = Keeping(timedelta(days=kept.keep_days) or None, timedelta(days=kept.details_days) or None)
        return Housekeeper(Retention(self.database), keeping, self.pause, self.clock, self.bus)

    def _beside(self, ids: Sequence[str]) -> DeskProcess | None:
        if self.told is not None:
            return None  # the other process knows nothing of what was written down
        setup = Setup(self.database.path, watchlist(self.config), tuple(ids))
        return DeskProcess(setup, "app.wiring.desk_worker")

    def _prices(self, access: Access) -> PriceMarker:
        return PriceMarker(
            PriceMarks(self.database),
            Prices(access),
            self.clock,
            self.bus,
            sources=EvidenceSources(self.database),
            states=lambda: access.states().values(),
        )

    def _told_prices(self) -> PriceMarker | None:
        if self.told is None or not self.told.prices:
            return None
        from app.pipeline.beside_recording import RecordedPrices  # a monitor that polls does without it

        prices = RecordedPrices(self.told.prices)
        return PriceMarker(PriceMarks(self.database), prices, self.clock, self.bus, tick_s=RECORDED_TICK_S)

    async def _online(self, stack: AsyncExitStack, subscribed: Sequence[Source]) -> tuple[Intake, Access | None]:
        """The poller and, where tools may use the network, the public sources; both share limits and connections."""
        client = HttpClient(contact=self.config.network.contact, allow_hosts=allowed_hosts(self.config))
        http = await stack.enter_async_context(client)
        worker = await stack.enter_async_context(FeedParser())
        access: Access | None = None
        if self.config.tools.enabled:
            opened = open_sources(self.config, http, worker, self.usage_file)
            access = await stack.enter_async_context(opened)
            access.rest(await still_resting(self.database, self.clock.now()))
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
        from app.pipeline.recording import Recording  # a monitor that polls does without it

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
