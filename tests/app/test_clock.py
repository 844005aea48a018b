from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from app.clock import SimulatedClock, SteppedClock, SystemClock

START = datetime(2026, 3, 10, tzinfo=UTC)


def test_the_machines_clock_is_aware_utc() -> None:
    assert SystemClock().now().tzinfo is UTC


async def test_a_simulated_clock_runs_faster_and_its_sleep_with_it() -> None:
    clock = SimulatedClock(START, speed=3600)
    began = asyncio.get_running_loop().time()
    await clock.sleep(36)
    real = asyncio.get_running_loop().time() - began
    assert 0.009 < real < 0.3
    assert timedelta(seconds=30) < clock.now() - START < timedelta(seconds=1200)


async def test_a_stepped_clock_stands_still_until_it_is_set_and_never_goes_back() -> None:
    clock = SteppedClock(START)
    await clock.sleep(3600)
    assert clock.now() == START
    clock.step(START + timedelta(hours=1))
    clock.step(START)
    assert clock.now() == START + timedelta(hours=1)
