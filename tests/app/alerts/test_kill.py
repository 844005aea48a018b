"""Kill -9 while alerts go out: every alert arrives, at most one of each kill arrives twice, and with its key."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from tests.app.alerts.outboxes import post
from tests.fakes.clock import LeapingClock
from tests.fakes.receivers import Receiver

ROOT = Path(__file__).resolve().parents[3]
ALERTS, KILLS = 200, 5


async def test_killed_at_random_points_nothing_is_lost_and_a_repeat_has_the_same_key(tmp_path: Path) -> None:
    dice = Random(5)
    async with post(tmp_path, LeapingClock(datetime.now(UTC))) as box:
        keys = await box.put(ALERTS)
    path = tmp_path / "db"
    async with Receiver() as receiver:
        url = receiver.url("/hook")
        for kill in range(KILLS + 1):
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.app.alerts.postman", str(path), url, receiver.host, cwd=ROOT
            )
            if kill < KILLS:
                target = len(receiver.taken) + dice.randrange(5, 40)
                async with asyncio.timeout(20):
                    while len(receiver.taken) < target:  # noqa: ASYNC110 -- a moment of its own is what is wanted
                        await asyncio.sleep(dice.random() * 0.004)
            else:
                async with asyncio.timeout(20):
                    while waiting(path):  # noqa: ASYNC110 -- another process empties it
                        await asyncio.sleep(0.05)
            process.kill()
            await process.wait()
        times = Counter(one.body["key"] for one in receiver.taken)
        assert set(times) == set(keys)
        assert sum(times.values()) - ALERTS <= KILLS
        assert max(times.values()) <= 2
        repeats = [one for one in receiver.taken if one.body["repeat"]]
        assert {key for key, number in times.items() if number > 1} <= {one.body["key"] for one in repeats}
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT state, count(*) FROM delivery GROUP BY state").fetchall() == [
            ("sent", ALERTS)
        ]


def waiting(path: Path) -> int:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM delivery WHERE state = 'waiting'").fetchone()[0])
