"""Takes accepted items to their end: judged by the desk, saved with its alert in one transaction, told.

With a model behind the final score the desk here is the rules' own: its signal is saved at once as provisional, without
an alert, and the item is handed over to be thought about (`app.pipeline.thinking`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from agents.desk import Desk
from agents.models import Outcome, Signal
from app.alerts.dispatcher import Dispatcher
from app.clock import Clock
from app.events import Bus, CardChanged
from app.pipeline.desk_process import DeskProcess
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
BATCH_BESIDE = 48
"""So many items are handed to the second process at once."""
LANES = 2
"""While one batch is judged there, another is saved here."""
LINGER_S = 10.0
"""So long the second process stays with nothing to do."""
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
        beside: DeskProcess | None = None,
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
        self.beside = beside
        self._thinking = asyncio.Semaphore(THINKING_AT_ONCE)
        self.lag = Lag()

    @property
    def desk(self) -> Desk:
        """Who gives the final score."""
        return self.model.desk if self.model else self._desk

    async def work(self) -> None:
        """One worker: scores until the queue is closed."""
        while batch := await self._queue.take(BATCH):
            await self._through(batch, None)

    async def work_beside(self) -> None:
        """Has the second process judge as long as more waits than this one gets through."""
        beside = self.beside
        if beside is None:
            return
        try:
            while beside.usable and not self._queue.crowd.over:
                await self._queue.crowd.here()
                async with asyncio.TaskGroup() as lanes:
                    for _ in range(LANES):
                        lanes.create_task(self._lane(beside))
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LINGER_S):
                        await self._queue.crowd.here()
                        continue
                await beside.stop()
        finally:
            await beside.stop()

    async def _lane(self, beside: DeskProcess) -> None:
        while beside.usable and (batch := self._queue.take_now(BATCH_BESIDE)):
            await self._through(batch, beside)

    async def _through(self, batch: Sequence[Waiting], beside: DeskProcess | None) -> None:
        """A batch to its end; what the second process does not answer is judged here."""
        scored = 0
        try:
            works = await self._items.work([waiting.item_id for waiting in batch])
            answers = await beside.judge(works, self._clock.now()) if beside and works else [None] * len(works)
            found = {work.item.id: (work, answer) for work, answer in zip(works, answers, strict=True)}
            await asyncio.gather(*(self._score(one, *found.get(one.item_id, (None, None))) for one in batch))
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

    async def _score(self, waiting: Waiting, work: Work | None, judged: Signal | None) -> None:
        """One item to its end. A failure stops no other item; this one is tried again later, and not for ever."""
        handed_over = False
        try:
            if work is not None:
                if judged is None:
                    async with self._thinking:
                        judged = await self._judge(work)
                signal = replace(judged, provisional=True) if self.model and self.model.takes(work.item) else judged
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
        return await self._desk.judge(
            work.item,
            now=self._clock.now(),
            prior=work.prior,
            new_fact=work.new_fact,
            done=self.model.paid(work) if self.model else work.done,
            landed=None if free else landed,
        )
