"""What the pipeline tells the screen: ids only, never content. The screen re-reads the database by id."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class ItemAccepted:
    """An item is committed and waits to be scored."""

    item_id: str


@dataclass(frozen=True, slots=True)
class CardChanged:
    """A card is new or differs; `key` reads it."""

    key: int


@dataclass(frozen=True, slots=True)
class SourceChecked:
    """A source was polled; its state has changed."""

    source_id: str


@dataclass(frozen=True, slots=True)
class AlertRaised:
    """A row of the outbox is due on this terminal."""

    alert_key: str


@dataclass(frozen=True, slots=True)
class StorageTrouble:
    """The database refuses writes (disk full) or takes them again; `message` is one line, empty when it recovered."""

    message: str


Event: TypeAlias = ItemAccepted | CardChanged | SourceChecked | AlertRaised | StorageTrouble
Listener: TypeAlias = Callable[[Event], None]


class Bus:
    """Calls each listener in the event loop, in the order of subscription. A listener returns at once."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Adds `listener`; the returned function takes it off again."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def publish(self, event: Event) -> None:
        """Hands `event` to every listener."""
        for listener in tuple(self._listeners):
            listener(event)
