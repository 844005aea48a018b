"""The time of the program. Everything below the screen takes `now` as an argument; only the edges hold a clock."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Wall time (aware UTC) and a sleep that belongs to it."""

    def now(self) -> datetime: ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class SimulatedClock:
    """A clock that starts at `start` and runs `speed` times as fast as the machine's."""

    def __init__(self, start: datetime, speed: float = 1.0) -> None:
        self._start = start
        self._speed = speed
        self._origin = time.monotonic()

    def now(self) -> datetime:
        return self._start + timedelta(seconds=(time.monotonic() - self._origin) * self._speed)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._speed)


class SteppedClock:
    """A clock that stands still until it is set; a sleep on it is a short pause of the machine's."""

    PAUSE_S = 0.01

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        return self._now

    def step(self, to: datetime) -> None:
        """Sets the time to `to`; it never goes back."""
        self._now = max(self._now, to)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, self.PAUSE_S))
