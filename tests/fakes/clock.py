"""A clock that moves only when a test moves it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import datetime, timedelta


class ManualClock:
    """Stands at `start`; a sleep on it ends once the clock was advanced by so much. Wall jumps wake nobody."""

    def __init__(self, start: datetime) -> None:
        self._now = start
        self._slept = timedelta()
        self._sleepers: list[tuple[timedelta, asyncio.Event]] = []

    def now(self) -> datetime:
        return self._now

    def sleep(self, seconds: float) -> Coroutine[None, None, None]:
        """Counts from the call, not from when the event loop gets to it: nothing slips between the two."""
        woken = asyncio.Event()
        sleeper = (self._slept + timedelta(seconds=seconds), woken)
        self._sleepers.append(sleeper)

        async def wait() -> None:
            try:
                await woken.wait()
            finally:
                self._sleepers.remove(sleeper)

        return wait()

    def jump(self, by: timedelta) -> None:
        """Moves the wall clock alone, as a suspended machine or a corrected clock does."""
        self._now += by

    async def advance(self, seconds: float) -> None:
        """Lets so much time pass and gives those who wake the chance to act."""
        self._now += timedelta(seconds=seconds)
        self._slept += timedelta(seconds=seconds)
        for due, woken in tuple(self._sleepers):
            if due <= self._slept:
                woken.set()
        await asyncio.sleep(0)


class LeapingClock:
    """A clock on which every sleep is over at once, and has taken its time. What waits for it loses no real time."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        return self._now

    def jump(self, by: timedelta) -> None:
        """Moves the wall clock."""
        self._now += by

    async def sleep(self, seconds: float) -> None:
        """Lets so much time pass. A longer sleep is longer than what the event loop is doing meanwhile."""
        await asyncio.sleep(0.001)
        self._now += timedelta(seconds=seconds)
