"""The terminal's side of the outbox: what is due on this screen, told at least once and marked as told."""

from __future__ import annotations

import logging
from datetime import timedelta

from app.clock import Clock
from app.events import AlertRaised, Bus
from app.write_pause import WritePause
from storage.outbox import Outbox

log = logging.getLogger(__name__)

CHANNEL = "terminal"


class TerminalAlerts:
    """Raises alerts on the bus. A kill between telling and marking repeats an alert with the same key; none is lost."""

    def __init__(self, outbox: Outbox, bus: Bus, clock: Clock, pause: WritePause, *, max_age: timedelta) -> None:
        self._outbox = outbox
        self._bus = bus
        self._clock = clock
        self._pause = pause
        self._max_age = max_age

    async def raise_(self, key: str) -> None:
        """Tells one alert and marks it as told."""
        await self._pause.through(lambda: self._outbox.attempted(key, channel=CHANNEL))
        self._bus.publish(AlertRaised(key))
        await self._mark(key)

    async def recover(self) -> None:
        """Tells what an earlier run left untold, unless it is too old to wake anybody; that is only marked."""
        for row in await self._outbox.pending(CHANNEL):
            if self._clock.now() - row.created_at <= self._max_age:
                await self.raise_(row.key)
            else:
                log.info("alert %s is too old to be told now", row.key)
                await self._mark(row.key)

    async def _mark(self, key: str) -> None:
        await self._pause.through(lambda: self._outbox.delivered(key, now=self._clock.now(), channel=CHANNEL))
