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


async def test_from_its_end_on_a_simulated_clock_runs_as_fast_as_the_machines() -> None:
    end = START + timedelta(hours=1)
    clock = SimulatedClock(START, speed=1_000_000, until=end)
    await asyncio.sleep(0.02)
    first = clock.now()
    assert timedelta(0) < first - end < timedelta(seconds=2)
    began = asyncio.get_running_loop().time()
    await clock.sleep(0.03)
    assert asyncio.get_running_loop().time() - began > 0.02
    assert clock.now() - first < timedelta(seconds=2)


async def test_a_sleep_over_the_end_takes_both_paces() -> None:
    clock = SimulatedClock(START, speed=3600, until=START + timedelta(seconds=36))
    began = asyncio.get_running_loop().time()
    await clock.sleep(36.05)
    assert 0.05 < asyncio.get_running_loop().time() - began < 0.5
