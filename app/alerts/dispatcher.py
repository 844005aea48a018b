"""Alerts as the pipeline sees them: what a signal is worth, and who is told once it is saved."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime

from agents.models import Signal
from app.alerts.decision import Policy, decide
from app.alerts.no_screen import NoScreen
from app.alerts.rule import LOUD
from app.alerts.worker import Desk, Worker
from feeds.models import Item
from storage.alerts import AlertDraft


class Dispatcher:
    """Decides by the policy and what is muted now, and wakes the workers of the channels."""

    def __init__(self, policy: Policy, desk: Desk, workers: Sequence[Worker | NoScreen]) -> None:
        self._policy = policy
        self._desk = desk
        self._workers = tuple(workers)

    async def draft(self, item: Item, signal: Signal, *, accepted_at: datetime) -> AlertDraft | None:
        """The alert a signal is worth, to be saved with it; None where there is nothing to tell or to record."""
        if signal.synthesis is None or (signal.urgency not in LOUD and not self._policy.rules):
            return None
        now = self._desk.clock.now()
        mutes = await self._desk.mutes.active(now)
        return decide(item, signal, policy=self._policy, mutes=mutes, accepted_at=accepted_at, now=now)

    def raised(self, key: str) -> None:
        """An alert is in the outbox."""
        self.wake()

    def wake(self) -> None:
        """Something may be due, or may not be held any more."""
        for worker in self._workers:
            worker.wake()

    def tasks(self) -> Iterator[tuple[str, Callable[[], Awaitable[None]]]]:
        """The work of every channel, by name; what earlier channels left is given up first."""
        yield "alerts", self._begin
        for worker in self._workers:
            yield f"alerts to {worker.label}", worker.run

    async def _begin(self) -> None:
        labels = [worker.label for worker in self._workers]
        await self._desk.pause.through(lambda: self._desk.outbox.abandon(labels))
