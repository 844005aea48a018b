"""Requests to sources with a limit: counted once for all programs, over restarts and kills, and forgotten in time."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

from agents.tools.asking.allowance import Taken
from storage.source_requests import SourceRequests
from storage.usage_file import UsageFile
from tests.storage.samples import NOW

DAY = timedelta(days=1)


async def test_the_limit_holds_over_two_programs_at_once_and_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "usage.db"
    async with UsageFile.open(path, now=NOW) as one, UsageFile.open(path, now=NOW) as other:
        ledgers = (SourceRequests(one), SourceRequests(other))
        taken = await asyncio.gather(*(ledgers[n % 2].take("bls", 20, NOW - DAY, NOW) for n in range(50)))
        assert sum(one.granted for one in taken) == 20
    async with UsageFile.open(path, now=NOW) as file:
        assert await SourceRequests(file).take("bls", 20, NOW - DAY, NOW) == Taken(False, 20, NOW)
        assert (await SourceRequests(file).take("youtube_api", 90, NOW - DAY, NOW)).granted


def test_two_processes_that_start_at_once_share_one_count(tmp_path: Path) -> None:
    path = tmp_path / "usage.db"
    program = (
        "import asyncio, sys\nfrom pathlib import Path\nfrom datetime import timedelta\n"
        "from storage.source_requests import SourceRequests\nfrom storage.usage_file import UsageFile\n"
        "from tests.storage.samples import NOW\n"
        "async def main():\n"
        "    async with UsageFile.open(Path(sys.argv[1]), now=NOW) as file:\n"
        "        ledger = SourceRequests(file)\n"
        "        taken = [await ledger.take('bls', 20, NOW - timedelta(days=1), NOW) for _ in range(15)]\n"
        "        print(sum(one.granted for one in taken))\n"
        "asyncio.run(main())\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    granted = [int(process.communicate(timeout=20)[0]) for process in running]
    assert sum(granted) == 20


async def test_a_new_day_grants_anew_and_what_is_old_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "usage.db"
    async with UsageFile.open(path, now=NOW) as file:
        ledger = SourceRequests(file)
        for _ in range(3):
            await ledger.take("bls", 3, NOW - timedelta(hours=5), NOW)
        tomorrow = NOW + DAY
        assert await ledger.take("bls", 3, tomorrow - timedelta(hours=5), tomorrow) == Taken(True, 1, tomorrow)
        later = NOW + 4 * DAY
        await ledger.take("bls", 3, later - timedelta(hours=5), later)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM source_request").fetchone() == (1,)
    connection.close()


async def test_a_clock_that_was_ahead_blocks_nothing_once_it_is_right(tmp_path: Path) -> None:
    async with UsageFile.open(tmp_path / "usage.db", now=NOW) as file:
        ledger = SourceRequests(file)
        for _ in range(3):
            await ledger.take("bls", 3, NOW + 29 * DAY, NOW + 30 * DAY)
        assert (await ledger.take("bls", 3, NOW - DAY, NOW)).granted


async def test_where_the_file_fails_the_program_counts_for_itself(tmp_path: Path) -> None:
    async with UsageFile.open(tmp_path / "usage.db", now=NOW) as file:
        ledger = SourceRequests(file)
    taken = [await ledger.take("bls", 2, NOW - DAY, NOW) for _ in range(3)]
    assert [one.granted for one in taken] == [True, True, False]


async def test_a_file_of_the_version_before_is_brought_up_to_date_and_keeps_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "usage.db"
    async with UsageFile.open(path, now=NOW):
        pass
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE source_request")
        connection.execute("DROP TABLE source_answer")
        connection.execute("PRAGMA user_version = 1")
        connection.execute("INSERT INTO spend VALUES ('2026-03-10', 7)")
    connection.close()
    opened = [UsageFile.open(path, now=NOW) for _ in range(2)]
    async with opened[0] as one, opened[1] as other:
        assert one.one("SELECT nano FROM spend") == other.one("SELECT nano FROM spend") == 7
        assert (await SourceRequests(other).take("bls", 1, NOW - DAY, NOW)).granted
