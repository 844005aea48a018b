from __future__ import annotations

import asyncio
from datetime import datetime

import pytest

from app.events import Bus, Event, StorageTrouble
from app.pipeline.trouble import Troubles
from app.pipeline.write_pause import WritePause
from storage.errors import CorruptDatabase, DiskFull
from tests.fakes.clock import ManualClock


async def test_a_refused_write_is_repeated_until_it_succeeds_and_said_once(now: datetime) -> None:
    clock, bus, troubles = ManualClock(now), Bus(), Troubles()
    events: list[Event] = []
    bus.subscribe(events.append)
    pause = WritePause(clock, bus, troubles)
    refusals = 3

    async def write() -> str:
        nonlocal refusals
        if refusals:
            refusals -= 1
            raise DiskFull("no space left")
        return "done"

    writing = asyncio.create_task(pause.through(write))
    waiting = asyncio.create_task(pause.over())
    await asyncio.sleep(0)
    assert troubles.text == "no space left"
    while not writing.done():
        assert not waiting.done()
        await clock.advance(5)
    assert await writing == "done"
    await waiting
    assert troubles.text == ""
    assert events == [StorageTrouble("no space left"), StorageTrouble("")]


async def test_what_no_time_can_heal_comes_out_as_itself(now: datetime) -> None:
    async def write() -> None:
        raise CorruptDatabase("damaged")

    with pytest.raises(CorruptDatabase):
        await WritePause(ManualClock(now), Bus(), Troubles()).through(write)
