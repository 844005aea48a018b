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
    """A clock that starts at `start` and runs `speed` times as fast as the machine's, from `until` on as fast as it."""

    def __init__(self, start: datetime, speed: float = 1.0, *, until: datetime | None = None) -> None:
        self._start = start
        self._speed = speed
        self._origin = time.monotonic()
        self._span_s = (until - start).total_seconds() if until is not None else float("inf")

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._passed_s())

    async def sleep(self, seconds: float) -> None:
        quick = min(seconds, max(self._span_s - self._passed_s(), 0.0))
        await asyncio.sleep(quick / self._speed + (seconds - quick))

    def _passed_s(self) -> float:
        real = time.monotonic() - self._origin
        quick = min(real, self._span_s / self._speed)
        return quick * self._speed + (real - quick)


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
