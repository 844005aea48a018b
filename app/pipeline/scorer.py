"""Takes accepted items to their end: judged by the desk, saved with its alert in one transaction, told.

With a model behind the final score the desk here is the rules' own: its signal is saved at once as provisional, without
an alert, and the item is handed over to be thought about (`app.pipeline.thinking`).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

from agents.desk import Desk
from agents.models import Outcome, Signal
from app.alerts.dispatcher import Dispatcher
from app.clock import Clock
from app.events import Bus, CardChanged
from app.pipeline.lag import Lag
from app.pipeline.score_queue import ScoreQueue, Waiting
from app.pipeline.thinking import Thinking
from app.pipeline.write_pause import WritePause
from feeds.models import Item
from storage.items import Items
from storage.models import Work
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
        alerts: Dispatcher,
        pause: WritePause,
        clock: Clock,
        bus: Bus,
        saved: Saved | None = None,
        thinking: Thinking | None = None,
    ) -> None:
        self._items = items
        self._signals = signals
        self._desk = desk
        self._queue = queue
        self._alerts = alerts
        self._pause = pause
        self._clock = clock
        self._bus = bus
        self._saved = saved
        self.model = thinking
        self._thinking = asyncio.Semaphore(THINKING_AT_ONCE)
        self.lag = Lag()

    @property
    def desk(self) -> Desk:
        """Who gives the final score."""
        return self.model.desk if self.model else self._desk

    async def work(self) -> None:
        """One worker: scores until the queue is closed."""
        while batch := await self._queue.take(BATCH):
            scored = 0
            try:
                work = {one.item.id: one for one in await self._items.work([waiting.item_id for waiting in batch])}
                await asyncio.gather(*(self._score(one, work.get(one.item_id)) for one in batch))
                scored = len(batch)
            finally:
                for waiting in batch[scored:]:
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
        handed_over = False
        try:
            if work is not None:
                async with self._thinking:
                    signal = await self._judge(work)
                await self._finish(waiting, work.item, signal, quiet=signal.provisional)
                if self.model and signal.provisional:
                    self.model.hand_over(waiting, work, signal, self._finish)
                    handed_over = True
        except Exception:
            log.exception("item %s could not be scored now", waiting.item_id)
            if work is not None:
                await self._pause.through(
                    lambda: self._signals.failed(work.item.id, work.item.revision, now=self._clock.now())
                )
        finally:
            if not handed_over:
                self._queue.done(waiting.item_id)

    async def _finish(self, waiting: Waiting, item: Item, signal: Signal, *, quiet: bool = False) -> None:
        """Saves the signal and, unless `quiet`, its alert in one transaction, then tells whoever watches."""
        accepted_at = waiting.accepted_at or item.first_seen_at
        draft = None if quiet else await self._alerts.draft(item, signal, accepted_at=accepted_at)
        saved = await self._pause.through(lambda: self._signals.save(signal, alert=draft))
        if waiting.since is not None and (quiet or not (self.model and self.model.takes(item))):
            self.lag.add(time.monotonic() - waiting.since)
        self._bus.publish(CardChanged(saved.card_key))
        if saved.alert_key:
            self._alerts.raised(saved.alert_key)
        if self._saved and saved.state != "pending":
            await self._saved(item, signal)

    async def _judge(self, work: Work) -> Signal:
        """The signal; outcomes that cost money or time are kept as they land, and not asked for twice."""

        async def landed(outcome: Outcome) -> None:
            await self._pause.through(lambda: self._signals.save_outcome(work.item.id, work.item.revision, outcome))

        free = self._desk.analyst.engine == "rules"
        signal = await self._desk.judge(
            work.item,
            now=self._clock.now(),
            prior=work.prior,
            new_fact=work.new_fact,
            done=self.model.paid(work) if self.model else work.done,
            landed=None if free else landed,
        )
        return replace(signal, provisional=True) if self.model and self.model.takes(work.item) else signal
