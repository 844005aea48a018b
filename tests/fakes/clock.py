"""A clock that moves only when a test moves it."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta


class ManualClock:
    """Stands at `start`; a sleep on it ends once the clock was advanced by so much. Wall jumps wake nobody."""

    def __init__(self, start: datetime) -> None:
        self._now = start
        self._slept = timedelta()
        self._sleepers: list[tuple[timedelta, asyncio.Event]] = []

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        woken = asyncio.Event()
        sleeper = (self._slept + timedelta(seconds=seconds), woken)
        self._sleepers.append(sleeper)
        try:
            await woken.wait()
        finally:
            self._sleepers.remove(sleeper)

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
