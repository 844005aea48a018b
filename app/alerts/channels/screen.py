"""The terminal's own channel: alerts are told to the screen by key, and it decides on bell, toast and banner."""

from __future__ import annotations

from datetime import timedelta

from app.alerts.channels.protocol import Pace
from app.alerts.text import Message
from app.events import AlertRaised, Bus
from storage.alerts import TERMINAL


class Screen:
    """Publishes what is due. What has become older than `max_age` meanwhile wakes nobody any more."""

    label = TERMINAL

    def __init__(self, bus: Bus, *, max_age: timedelta) -> None:
        self._bus = bus
        self.pace = Pace(
            gather=timedelta(0), singles=0, burst=1_000_000, refill=timedelta(0), shelf_life=max_age, skips=True
        )

    async def send(self, message: Message) -> None:
        """Tells the screen of every alert of the message."""
        for one in message.alerts:
            self._bus.publish(AlertRaised(one.key))

    async def aclose(self) -> None:
        """Holds nothing."""
