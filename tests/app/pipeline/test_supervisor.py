from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime

import pytest

from app.pipeline.supervisor import Supervisor
from app.pipeline.trouble import Troubles


class Impatient:
    """A clock whose sleeps take no time and are written down."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def now(self) -> datetime:
        return datetime(2026, 3, 10, tzinfo=UTC)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


async def test_a_task_that_crashes_is_said_and_started_again_with_a_growing_pause(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock, troubles, seen = Impatient(), Troubles(), list[str]()
    runs = 0
    done = asyncio.Event()

    async def work() -> None:
        nonlocal runs
        runs += 1
        seen.append(troubles.text)
        if runs < 4:
            raise ExceptionGroup("several", [ValueError("bad\nluck"), OSError("other")])
        done.set()

    supervisor = Supervisor(clock, troubles)
    with caplog.at_level(logging.ERROR):
        supervisor.start("poller", work)
        await asyncio.wait_for(done.wait(), 1)
        await asyncio.sleep(0)
    assert clock.slept == [1.0, 2.0, 4.0]
    assert seen[1] == "poller failed and restarts: bad\\nluck"
    assert troubles.text == ""
    assert caplog.text.count("poller failed and is started again") == 3
    await supervisor.stop()


async def test_stopping_waits_for_the_grace_and_then_cancels() -> None:
    supervisor = Supervisor(Impatient(), Troubles())
    ended: list[str] = []
    release = asyncio.Event()

    async def polite() -> None:
        await release.wait()
        ended.append("polite")

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("endless")

    supervisor.start("polite", polite, ends=True)
    supervisor.start("endless", endless)
    supervisor.start("stubborn", endless, ends=True)
    await asyncio.sleep(0)
    assert supervisor.running() == {"polite", "endless", "stubborn"}
    release.set()
    await supervisor.stop(grace_s=0.05)
    assert ended == ["polite", "endless", "endless"]
    assert supervisor.running() == set()
