"""Items that show the rules' score while the model thinks, and what becomes of them.

An item is handed over with its provisional signal. The loudest provisional goes first, then the one that waits longest;
so many are thought about at once as keep the model's calls busy. The final signal replaces the provisional one. Where
the model cannot be asked (budget, key, a limit), the rules' score becomes the final one and says why. An alert waits
for the final score, but not for ever: when it is due, it goes with what is there.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Protocol

from agents.desk import Desk
from agents.models import Abstention, AgentName, Outcome, Report, Signal, Urgency
from agents.urgency import MIN_AGENTS
from app.clock import Clock
from app.pipeline.score_queue import ScoreQueue, Waiting
from app.pipeline.trouble import Troubles
from app.pipeline.write_pause import WritePause
from feeds.models import Item
from storage.models import Work
from storage.signals import Signals

log = logging.getLogger(__name__)

TOPIC = "model"
LATE_CHECK_S = 1.0
BACKLOG_SHARE = 0.5
"""From this share of the day's budget on, what a feed already held when it was first read is left to the rules."""
BACKLOG_REASON = "it is history, and half of today's model budget is kept for news"
_LOUDEST = tuple(Urgency)

Finish = Callable[[Waiting, Item, Signal], Awaitable[None]]
"""Saves a signal with its alert and tells whoever watches."""


class Model(Protocol):
    """The engine behind the final score."""

    async def rests(self) -> str | None:
        """Why it cannot be asked at the moment, with how to mend it; None where it can."""
        ...

    async def prepare(self) -> None: ...


class AtHand:
    """An engine that is always there: the rules."""

    async def rests(self) -> str | None:
        return None

    async def prepare(self) -> None:
        """Nothing to prepare."""


@dataclass(slots=True)
class _Handed:
    """An item under way."""

    waiting: Waiting
    work: Work
    provisional: Signal
    alert_due: datetime
    landed: dict[AgentName, Outcome] = field(default_factory=dict)
    alerted: bool = False


class Thinking:
    """Takes items from their provisional to their final score.

    `money` gives what today has cost and may cost in USD; `resting` says that the last item could not be thought about.
    A `free` engine is the rules with evidence from the network: nothing is kept one by one, and history is not taken,
    since the network is not asked about it.
    """

    def __init__(
        self,
        *,
        desk: Desk,
        model: Model,
        signals: Signals,
        queue: ScoreQueue,
        pause: WritePause,
        clock: Clock,
        troubles: Troubles,
        at_once: int,
        alert_after: timedelta,
        money: Callable[[], tuple[float | None, float | None]],
        free: bool = False,
    ) -> None:
        self.desk = desk
        self._model = model
        self._signals = signals
        self._queue = queue
        self._pause = pause
        self._clock = clock
        self._troubles = troubles
        self._at_once = at_once
        self._alert_after = alert_after
        self.money = money
        self._free = free
        self.resting = False
        self._finish: Finish | None = None
        self._handed: dict[str, _Handed] = {}
        self._order: list[tuple[int, int, str]] = []
        self._number = count()
        self._arrived = asyncio.Event()

    def takes(self, item: Item) -> bool:
        """Whether an item gets a second, final score at all."""
        return not (self._free and item.backlog)

    def paid(self, work: Work) -> dict[AgentName, Report]:
        """The reports of this engine that landed before an interruption; they are not paid for twice."""
        if self._free:
            return {}
        return {agent: report for agent, report in work.done.items() if report.engine == self.desk.analyst.engine}

    def hand_over(self, waiting: Waiting, work: Work, provisional: Signal, finish: Finish) -> None:
        """Takes an item whose provisional score is saved. It is done in the queue only once its final score is."""
        self._finish = finish
        item_id = work.item.id
        self._handed[item_id] = _Handed(waiting, work, provisional, self._clock.now() + self._alert_after)
        rank = _LOUDEST.index(provisional.urgency) if provisional.urgency else len(_LOUDEST)
        heapq.heappush(self._order, (rank + (len(_LOUDEST) + 1) * work.item.backlog, next(self._number), item_id))
        self._arrived.set()

    async def work(self) -> None:
        """Thinks about what was handed over, until cancelled."""
        slots = asyncio.Semaphore(self._at_once)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._prepare())
            group.create_task(self._late())
            while True:
                await slots.acquire()
                while not self._order:
                    self._arrived.clear()
                    await self._arrived.wait()
                *_, item_id = heapq.heappop(self._order)
                if handed := self._handed.get(item_id):
                    group.create_task(self._one(handed, slots))
                else:
                    slots.release()

    async def _prepare(self) -> None:
        try:
            await self._model.prepare()
        except Exception:
            log.exception("the model service could not be prepared")

    async def _one(self, handed: _Handed, slots: asyncio.Semaphore) -> None:
        """One item to its end. A failure stops no other; this one is tried again later, and not for ever."""
        item = handed.work.item
        try:
            signal = await self._final(handed)
            if signal.synthesis is None:
                await self._alert(handed)
            await self._tell(handed, signal)
        except Exception:
            log.exception("item %s could not be thought about now", item.id)
            await self._pause.through(lambda: self._signals.failed(item.id, item.revision, now=self._clock.now()))
        finally:
            self._handed.pop(item.id, None)
            self._queue.done(item.id)
            slots.release()

    async def _final(self, handed: _Handed) -> Signal:
        """What the model says, or the rules where it cannot be asked."""
        reason = await self._model.rests()
        if reason is None:
            if handed.work.item.backlog and self._spent_share() >= BACKLOG_SHARE:
                return self._by_rules(handed, BACKLOG_REASON)
            signal = await self._judge(handed)
            if not _starved(signal.outcomes):
                self.resting = False
                self._troubles.clear(TOPIC)
                return signal
            reason = await self._model.rests() or _first_detail(signal.outcomes)
        self.resting = True
        if self._troubles.raise_(TOPIC, reason):
            log.warning("items are scored by rules: %s", reason)
        return self._by_rules(handed, reason)

    def _spent_share(self) -> float:
        """How much of today's money is gone, 0..1; 0 where nothing costs anything."""
        spent, budget = self.money()
        return spent / budget if spent and budget else 0.0

    def _by_rules(self, handed: _Handed, reason: str) -> Signal:
        notes = (*handed.provisional.notes, f"scored by rules: {reason}")
        return replace(handed.provisional, provisional=False, scored_at=self._clock.now(), notes=notes)

    async def _judge(self, handed: _Handed) -> Signal:
        work = handed.work
        done = self.paid(work)
        handed.landed.update(done)

        async def landed(outcome: Outcome) -> None:
            handed.landed[outcome.agent] = outcome
            if isinstance(outcome, Report) and not self._free:
                await self._pause.through(lambda: self._signals.save_outcome(work.item.id, work.item.revision, outcome))

        return await self.desk.judge(
            work.item,
            now=self._clock.now(),
            prior=work.prior,
            new_fact=work.new_fact,
            done=done,
            landed=landed,
            urgent=handed.provisional.urgency is Urgency.FLASH,
        )

    async def _late(self) -> None:
        """Sends the alerts that have waited long enough for a final score."""
        while True:
            now = self._clock.now()
            for handed in [one for one in self._handed.values() if not one.alerted and one.alert_due <= now]:
                try:
                    await self._alert(handed)
                except Exception:
                    log.exception("item %s: the alert could not be sent now", handed.work.item.id)
            await self._clock.sleep(LATE_CHECK_S)

    async def _alert(self, handed: _Handed) -> None:
        """Alerts with what is there: what the model has said so far where that is enough, else the rules' score."""
        if handed.alerted:
            return
        handed.alerted = True
        now = self._clock.now()
        reports = [one for one in handed.landed.values() if isinstance(one, Report)]
        signal = handed.provisional
        if len(reports) >= MIN_AGENTS:
            signal = self.desk.add_up(handed.work.item, reports, now=now, novelty=signal.novelty)
        later = max(now, handed.provisional.scored_at + timedelta(microseconds=1))  # else it is the same signal again
        await self._tell(handed, replace(signal, provisional=True, scored_at=later))

    async def _tell(self, handed: _Handed, signal: Signal) -> None:
        assert self._finish is not None, "nothing was handed over"
        await self._finish(handed.waiting, handed.work.item, signal)


def _starved(outcomes: tuple[Outcome, ...]) -> bool:
    """Whether too few agents answered because the model may not be asked any more."""
    lost = [one for one in outcomes if isinstance(one, Abstention)]
    return len(outcomes) - len(lost) < MIN_AGENTS and any(one.cause in ("budget", "authentication") for one in lost)


def _first_detail(outcomes: tuple[Outcome, ...]) -> str:
    lost = [one for one in outcomes if isinstance(one, Abstention) and one.cause in ("budget", "authentication")]
    return lost[0].detail.partition(": ")[2] or lost[0].detail
