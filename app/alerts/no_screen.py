"""The terminal's place in a monitor that has no screen: its alerts wait, marked so, for a screen that opens later."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from app.alerts.worker import Desk
from storage.alerts import TERMINAL

TICK_S = 15.0
NO_SCREEN = "no screen"
TOO_OLD = "no screen until it was too old to be told"


class NoScreen:
    """Stands where the worker of the terminal stands. What is older than `max_age` wakes nobody any more and is ended;
    an unacknowledged FLASH is in the banner of the next screen whatever its age."""

    label = TERMINAL

    def __init__(self, desk: Desk, *, max_age: timedelta) -> None:
        self._desk = desk
        self._max_age = max_age
        self._woken = asyncio.Event()
        self._noted: frozenset[str] = frozenset()

    def wake(self) -> None:
        """Says that something may be due."""
        self._woken.set()

    async def run(self) -> None:
        """Works until it is cancelled."""
        while True:
            self._woken.clear()
            await self.turn()
            nap = asyncio.ensure_future(self._desk.clock.sleep(TICK_S))
            call = asyncio.ensure_future(self._woken.wait())
            try:
                await asyncio.wait((nap, call), return_when=asyncio.FIRST_COMPLETED)
            finally:
                nap.cancel()
                call.cancel()

    async def turn(self) -> None:
        """Marks what waits and ends what has waited too long."""
        desk, now = self._desk, self._desk.clock.now()
        due = await desk.outbox.due(TERMINAL, now)
        old = [one.key for one in due if now - one.content.created_at > self._max_age]
        waiting = [one.key for one in due if now - one.content.created_at <= self._max_age]
        if fresh := [key for key in waiting if key not in self._noted]:
            await desk.pause.through(lambda: desk.outbox.failed(fresh, NO_SCREEN, channel=TERMINAL, answered=True))
        if old:
            await desk.pause.through(lambda: desk.outbox.skip(old, TOO_OLD, now=now))
        self._noted = frozenset(waiting)
