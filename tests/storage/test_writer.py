"""Transactions: accepted means committed, one job's failure is its own, and nothing cuts a transaction."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from storage.connection import enter_wal, open_writing
from storage.errors import DatabaseBusy, DatabaseClosed, DiskFull
from storage.writer import Writer


@pytest.fixture
async def writer(path: Path) -> AsyncIterator[Writer]:
    connection = open_writing(path, busy_timeout_ms=50)
    enter_wal(connection, path)
    connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT)")
    opened = Writer(connection, path, busy_timeout_ms=50)
    yield opened
    await opened.close()


def insert(number: int, text: str = ""):  # type: ignore[no-untyped-def]
    def job(connection: sqlite3.Connection) -> int:
        connection.execute("INSERT INTO t VALUES (?, ?)", (number, text))
        return number

    return job


def numbers(path: Path) -> list[int]:
    """What another connection sees: only what is committed."""
    with closing(sqlite3.connect(path)) as other:
        return [row[0] for row in other.execute("SELECT n FROM t ORDER BY n")]


async def hold(writer: Writer) -> threading.Event:
    """Keeps the writer busy until the event is set, so that the jobs after it form one group."""
    go, started = threading.Event(), threading.Event()

    def job(_: sqlite3.Connection) -> None:
        started.set()
        go.wait(5)

    task = asyncio.ensure_future(writer.write(job))
    await asyncio.to_thread(started.wait, 5)
    task.add_done_callback(lambda done: done.exception())
    return go


async def test_write_returns_the_value_once_it_is_committed(writer: Writer, path: Path) -> None:
    assert await writer.write(insert(1)) == 1
    assert numbers(path) == [1]


async def test_waiting_jobs_share_a_commit_and_each_keeps_its_own_outcome(writer: Writer, path: Path) -> None:
    commits: list[str] = []
    go = await hold(writer)
    traced = writer.write(lambda connection: connection.set_trace_callback(commits.append))
    jobs = [writer.write(insert(n)) for n in (1, 2, 1, 3)]
    waiting = asyncio.gather(traced, *jobs, return_exceptions=True)
    await asyncio.sleep(0)
    go.set()
    results = (await waiting)[1:]
    assert [type(one) for one in results] == [int, int, type(results[2]), int]
    assert isinstance(results[2], Exception)
    assert numbers(path) == [1, 2, 3]
    assert commits.count("COMMIT") == 1


async def test_a_failing_job_leaves_nothing_of_itself(writer: Writer, path: Path) -> None:
    def half(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO t VALUES (7, '')")
        raise LookupError("half way")

    with pytest.raises(LookupError, match="half way"):
        await writer.write(half)
    await writer.write(insert(8))
    assert numbers(path) == [8]


async def test_a_cancelled_waiter_does_not_cut_its_transaction(writer: Writer, path: Path) -> None:
    go = await hold(writer)
    task = asyncio.ensure_future(writer.write(insert(1)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go.set()
    await writer.write(insert(2))
    assert numbers(path) == [1, 2]


async def test_a_full_disk_fails_the_job_that_does_not_fit_and_later_ones_work(writer: Writer, path: Path) -> None:
    pages = await writer.write(lambda connection: connection.execute("PRAGMA page_count").fetchone()[0])
    await writer.write(lambda connection: connection.execute(f"PRAGMA max_page_count = {pages + 4}").fetchone())
    undone: list[int] = []
    go = await hold(writer)
    jobs = [
        writer.write(insert(1)),
        writer.write(insert(2, "x" * 200_000), rolled_back=lambda: undone.append(2)),
        writer.write(insert(3)),
    ]
    waiting = asyncio.gather(*jobs, return_exceptions=True)
    await asyncio.sleep(0)
    go.set()
    first, second, third = await waiting
    assert (first, third) == (1, 3)
    assert isinstance(second, DiskFull)
    assert "no space left" in str(second)
    assert set(undone) == {2}
    assert numbers(path) == [1, 3]
    await writer.write(lambda connection: connection.execute("PRAGMA max_page_count = 1000000").fetchone())
    await writer.write(insert(2, "x" * 200_000))
    assert numbers(path) == [1, 2, 3]


async def test_what_was_kept_in_memory_is_undone_after_every_run_that_did_not_commit(writer: Writer) -> None:
    memory: list[int] = []

    def job(connection: sqlite3.Connection) -> None:
        memory.append(1)
        connection.execute("INSERT INTO nowhere VALUES (1)")

    with pytest.raises(Exception, match="no such table"):
        await writer.write(job, rolled_back=memory.clear)
    assert memory == []


async def test_a_commit_that_fails_undoes_the_group_and_says_so_to_each(path: Path) -> None:
    connection = open_writing(path, busy_timeout_ms=50)
    enter_wal(connection, path)
    connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT)")
    broken = [True]

    def before_commit(connection: sqlite3.Connection) -> None:
        if broken[0]:
            connection.execute("INSERT INTO nowhere VALUES (1)")

    writer = Writer(connection, path, before_commit=before_commit)
    undone: list[int] = []
    jobs = [writer.write(insert(n), rolled_back=lambda n=n: undone.append(n)) for n in (1, 2)]  # type: ignore[misc]
    results = await asyncio.gather(*jobs, return_exceptions=True)
    assert [type(one).__name__ for one in results] == ["StorageError", "StorageError"]
    assert set(undone) == {1, 2}
    broken[0] = False
    assert await writer.write(insert(1)) == 1
    assert numbers(path) == [1]
    await writer.close()


async def test_a_lock_held_by_another_program_is_busy_and_the_next_try_works(writer: Writer, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusy, match="locked by another program"):
            await writer.write(insert(1))
        other.execute("COMMIT")
    await writer.write(insert(1))
    assert numbers(path) == [1]


async def test_durable_transactions_alone_wait_for_the_disk(writer: Writer) -> None:
    def level(connection: sqlite3.Connection) -> int:
        return int(connection.execute("PRAGMA synchronous").fetchone()[0])

    assert [await writer.write(level, durable=durable) for durable in (False, True, False)] == [1, 2, 1]


async def test_close_finishes_what_waits_and_then_refuses(writer: Writer, path: Path) -> None:
    go = await hold(writer)
    waiting = asyncio.gather(*(writer.write(insert(n)) for n in range(5)))
    await asyncio.sleep(0)
    closing_now = asyncio.ensure_future(writer.close())
    go.set()
    assert await waiting == [0, 1, 2, 3, 4]
    await closing_now
    assert numbers(path) == [0, 1, 2, 3, 4]
    with pytest.raises(DatabaseClosed):
        await writer.write(insert(9))
    await writer.close()


async def test_a_waiter_whose_loop_has_ended_stops_nobody(writer: Writer, path: Path) -> None:
    go = await hold(writer)

    def elsewhere() -> None:
        loop = asyncio.new_event_loop()
        task = loop.create_task(writer.write(insert(1)))
        loop.call_soon(loop.stop)
        loop.run_forever()
        loop.close()
        task._log_destroy_pending = False  # type: ignore[attr-defined]

    await asyncio.to_thread(elsewhere)
    go.set()
    await writer.write(insert(2))
    assert numbers(path) == [1, 2]
