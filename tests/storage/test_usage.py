"""Money: reserved before, settled after, one cap for all programs, and nothing forgotten by a kill."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from agents.budget import BudgetSpent
from storage.errors import ForeignFile
from storage.usage import SpendLedger
from storage.usage_file import UsageFile, beside
from tests.storage.samples import NOW

TODAY = date(2026, 3, 10)
CAP = 1_000


@pytest.fixture
async def ledger(tmp_path: Path) -> AsyncIterator[SpendLedger]:
    async with UsageFile.open(tmp_path / "usage.db", now=NOW) as file:
        yield SpendLedger(file)


async def test_a_reservation_counts_until_it_is_settled_for_what_the_call_cost(ledger: SpendLedger) -> None:
    first = await ledger.reserve(300, day=TODAY, cap_nano=CAP)
    assert await ledger.spent(TODAY) == 300
    await ledger.settle(first, 120)
    assert await ledger.spent(TODAY) == ledger.known(TODAY) == 120


async def test_what_would_pass_the_cap_is_refused_and_reserves_nothing(ledger: SpendLedger) -> None:
    await ledger.reserve(CAP, day=TODAY, cap_nano=CAP)
    with pytest.raises(BudgetSpent, match="budget"):
        await ledger.reserve(1, day=TODAY, cap_nano=CAP)
    assert await ledger.spent(TODAY) == CAP


async def test_settling_twice_changes_nothing(ledger: SpendLedger) -> None:
    reservation = await ledger.reserve(300, day=TODAY, cap_nano=CAP)
    await ledger.settle(reservation, 100)
    await ledger.settle(reservation, 0)
    assert await ledger.spent(TODAY) == 100


async def test_each_day_has_its_own_sum_and_a_call_is_settled_on_the_day_it_began(ledger: SpendLedger) -> None:
    late = await ledger.reserve(300, day=TODAY, cap_nano=CAP)
    tomorrow = TODAY + timedelta(days=1)
    await ledger.reserve(CAP, day=tomorrow, cap_nano=CAP)
    await ledger.settle(late, 200)
    assert (await ledger.spent(TODAY), await ledger.spent(tomorrow)) == (200, CAP)


async def test_the_cap_holds_with_fifty_calls_at_once_from_two_programs(tmp_path: Path) -> None:
    path = tmp_path / "usage.db"
    async with UsageFile.open(path, now=NOW) as one, UsageFile.open(path, now=NOW) as other:
        ledgers = (SpendLedger(one), SpendLedger(other))
        tries = [ledgers[number % 2].reserve(60, day=TODAY, cap_nano=CAP) for number in range(50)]
        given = await asyncio.gather(*tries, return_exceptions=True)
        granted = [one for one in given if isinstance(one, int)]
        assert len(granted) == len(set(granted)) == CAP // 60
        assert await ledgers[0].spent(TODAY) == await ledgers[1].spent(TODAY) == len(granted) * 60


async def test_the_sum_is_the_same_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "usage.db"
    async with UsageFile.open(path, now=NOW) as file:
        ledger = SpendLedger(file)
        await ledger.settle(await ledger.reserve(300, day=TODAY, cap_nano=CAP), 250)
        await ledger.reserve(400, day=TODAY, cap_nano=CAP)
    async with UsageFile.open(path, now=NOW) as file:
        ledger = SpendLedger(file)
        assert await ledger.spent(TODAY) == 650
        with pytest.raises(BudgetSpent):
            await ledger.reserve(351, day=TODAY, cap_nano=CAP)


_VICTIM = """
import asyncio, sys
from pathlib import Path
from storage.usage import SpendLedger
from storage.usage_file import UsageFile
from tests.storage.samples import NOW
from tests.storage.test_usage import CAP, TODAY

async def main():
    async with UsageFile.open(Path(sys.argv[1]), now=NOW) as file:
        ledger = SpendLedger(file)
        await ledger.settle(await ledger.reserve(500, day=TODAY, cap_nano=CAP), 100)
        await ledger.reserve(700, day=TODAY, cap_nano=CAP)
        print("in flight", flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_a_call_cut_by_kill_minus_9_counts_as_spent(tmp_path: Path) -> None:
    path = tmp_path / "usage.db"
    _killed_in_flight(path)
    async with UsageFile.open(path, now=NOW) as file:
        assert await SpendLedger(file).spent(TODAY) == 800


def _killed_in_flight(path: Path) -> None:
    victim = subprocess.Popen([sys.executable, "-c", _VICTIM, str(path)], stdout=subprocess.PIPE, text=True)
    assert victim.stdout is not None
    with victim, victim.stdout as said:
        assert said.readline() == "in flight\n"
        os.kill(victim.pid, signal.SIGKILL)


async def test_another_programs_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "usage.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (a)")
    connection.close()
    with pytest.raises(ForeignFile, match="belongs to another program"):
        async with UsageFile.open(path, now=NOW):
            pass


async def test_the_file_is_for_its_owner_alone_and_lies_beside_its_database(tmp_path: Path) -> None:
    path = beside(tmp_path / "tapewatch.db")
    assert path == tmp_path / "tapewatch-usage.db"
    async with UsageFile.open(path, now=NOW):
        assert path.stat().st_mode & 0o777 == 0o600
