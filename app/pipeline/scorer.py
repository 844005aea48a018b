"""Takes accepted items to their end: judged by the desk, saved with its alert in one transaction, told."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta

from agents.desk import Desk
from agents.models import Outcome, Signal
from app.alerts.rule import alert_reason
from app.alerts.terminal import TerminalAlerts
from app.clock import Clock
from app.events import Bus, CardChanged
from app.pipeline.lag import Lag
from app.pipeline.score_queue import ScoreQueue, Waiting
from app.write_pause import WritePause
from feeds.models import Item
from storage.items import Items
from storage.models import AlertDraft, Work
from storage.signals import Signals

log = logging.getLogger(__name__)

WORKERS = 2
BATCH = 32
"""So many items are read together, and what is saved at the same moment shares a commit."""
THINKING_AT_ONCE = 3
"""The rules analyst thinks on the event loop. So few at once leave the screen its turn every few milliseconds."""
SWEEP_S = 10.0
SWEEP_SOON_S = 0.5
SWEEP_LIMIT = 1_000

Saved = Callable[[Item, Signal], Awaitable[None]]
"""Takes each signal that reached its end, after the commit."""


class Scorer:
    """Scores what waits in the queue; what fails stays pending in the database and is offered again."""

    def __init__(
        self,
        *,
        items: Items,
        signals: Signals,
        desk: Desk,
        queue: ScoreQueue,
        alerts: TerminalAlerts,
        pause: WritePause,
        clock: Clock,
        bus: Bus,
        max_age: timedelta,
        saved: Saved | None = None,
    ) -> None:
        self._items = items
        self._signals = signals
        self._desk = desk
        self._queue = queue
        self._alerts = alerts
        self._pause = pause
        self._clock = clock
        self._bus = bus
        self._max_age = max_age
        self._saved = saved
        self._thinking = asyncio.Semaphore(THINKING_AT_ONCE)
        self.lag = Lag()

    @property
    def desk(self) -> Desk:
        """Who examines the items."""
        return self._desk

    async def work(self) -> None:
        """One worker: scores until the queue is closed."""
        while batch := await self._queue.take(BATCH):
            try:
                work = {one.item.id: one for one in await self._items.work([waiting.item_id for waiting in batch])}
                await asyncio.gather(*(self._score(one, work.get(one.item_id)) for one in batch))
            finally:
                for waiting in batch:
                    self._queue.done(waiting.item_id)

    async def sweep(self) -> None:
        """Offers what the database holds as due: left by a kill, due for another try, or too much for the queue."""
        while True:
            due = await self._items.pending(SWEEP_LIMIT, now=self._clock.now())
            self._queue.overflowed = False
            self._queue.recover(due)
            soon = self._queue.overflowed or len(due) == SWEEP_LIMIT
            await self._clock.sleep(SWEEP_SOON_S if soon else SWEEP_S)

    async def _score(self, waiting: Waiting, work: Work | None) -> None:
        """One item to its end. A failure stops no other item; this one is tried again later, and not for ever."""
        try:
            if work is not None:
                async with self._thinking:
                    signal = await self._judge(work)
                await self._finish(waiting, work.item, signal)
        except Exception:
            log.exception("item %s could not be scored now", waiting.item_id)
            if work is not None:
                await self._pause.through(
                    lambda: self._signals.failed(work.item.id, work.item.revision, now=self._clock.now())
                )
        finally:
            self._queue.done(waiting.item_id)

    async def _finish(self, waiting: Waiting, item: Item, signal: Signal) -> None:
        """Saves the signal and its alert in one transaction, then tells whoever watches."""
        now = self._clock.now()
        accepted_at = waiting.accepted_at or item.first_seen_at
        reason = alert_reason(item, signal, accepted_at=accepted_at, now=now, max_age=self._max_age)
        draft = AlertDraft(reason, now) if reason else None
        saved = await self._pause.through(lambda: self._signals.save(signal, alert=draft))
        if waiting.since is not None:
            self.lag.add(time.monotonic() - waiting.since)
        self._bus.publish(CardChanged(saved.card_key))
        if saved.alert_key:
            await self._alerts.raise_(saved.alert_key)
        if self._saved and saved.state != "pending":
            await self._saved(item, signal)

    async def _judge(self, work: Work) -> Signal:
        """The signal; outcomes that cost money or time are kept as they land, and not asked for twice."""

        async def landed(outcome: Outcome) -> None:
            await self._pause.through(lambda: self._signals.save_outcome(work.item.id, work.item.revision, outcome))

        free = self._desk.analyst.engine == "rules"
        return await self._desk.judge(
            work.item,
            now=self._clock.now(),
            prior=work.prior,
            new_fact=work.new_fact,
            done=work.done,
            landed=None if free else landed,
        )
