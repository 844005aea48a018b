"""What the pipeline said since the screen looked last: ids collected for a moment, so that a burst is one repaint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from app.events import AlertRaised, CardChanged, Event, ItemAccepted, SourceChecked, StorageTrouble

BATCH_S = 0.15
"""How long arrivals are collected, in seconds."""


@dataclass(slots=True)
class Batch:
    """Everything one look has to take in."""

    cards: set[int] = field(default_factory=set)
    alerts: list[str] = field(default_factory=list)
    sources: bool = False
    trouble: str | None = None


class Arrivals:
    """Listens to the bus. `wake` is called once per batch, at its first event."""

    def __init__(self, wake: Callable[[], object]) -> None:
        self._wake = wake
        self._batch = Batch()
        self._woken = False

    def hear(self, event: Event) -> None:
        """Takes one event in; returns at once."""
        match event:
            case CardChanged(key):
                self._batch.cards.add(key)
            case AlertRaised(key):
                self._batch.alerts.append(key)
            case SourceChecked():
                self._batch.sources = True
            case StorageTrouble(message):
                self._batch.trouble = message
            case ItemAccepted():
                return
        if not self._woken:
            self._woken = True
            self._wake()

    def take(self) -> Batch:
        """Everything since the last take."""
        batch, self._batch, self._woken = self._batch, Batch(), False
        return batch
