"""The one writer: a thread that runs each transaction as one synchronous function and commits waiting ones together.

A job that was accepted runs to its end even if nobody waits for it any more, so no cancellation can cut a transaction.
Each job of a group stands in a savepoint of its own; if the whole group is lost (a full disk), each runs again alone.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from storage.connection import BUSY_TIMEOUT_MS
from storage.errors import DatabaseClosed, storage_error

T = TypeVar("T")
Transaction = Callable[[sqlite3.Connection], T]

GROUP: Final = 256
"""At most so many jobs share a commit."""
WAL_LIMIT: Final = 32 * 2**20
"""Bytes of write-ahead log from which the writer asks for it to be cut back."""


class _Lost(Exception):
    """The group's transaction is gone; the cause says why."""


class Job:
    """One function to run in a transaction, and who waits for it."""

    __slots__ = ("durable", "error", "function", "future", "loop", "rolled_back", "value")

    def __init__(self, function: Transaction[Any], durable: bool, rolled_back: Callable[[], None] | None) -> None:
        self.function = function
        self.durable = durable
        self.rolled_back = rolled_back
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()
        self.value: Any = None
        self.error: BaseException | None = None

    def settle(self) -> None:
        """Tells the waiter, if there still is one. Runs in its loop."""
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.value)


class Writer:
    """Owns the writing connection from its start to `close`. `before_commit` is the last thing in each transaction."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        *,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
        before_commit: Callable[[sqlite3.Connection], None] | None = None,
    ) -> None:
        self._connection = connection
        self._path = path
        self._busy_timeout_ms = busy_timeout_ms
        self._before_commit = before_commit
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="tapewatch-writer", daemon=True)
        self._thread.start()

    async def write(
        self, function: Transaction[T], *, durable: bool = False, rolled_back: Callable[[], None] | None = None
    ) -> T:
        """Runs `function` in a transaction of its own and returns its value once that is committed.

        `durable` survives a power cut and not only a kill. `function` may run more than once and only its last run
        counts, so it changes nothing outside the database, or undoes that in `rolled_back`, which runs after each run
        that did not commit. Raises what the function raises, SQLite's errors as StorageError.
        """
        if self._closed:
            raise DatabaseClosed(f"{self._path} is closed")
        job = Job(function, durable, rolled_back)
        self._jobs.put(job)
        value: T = await job.future
        return value

    async def close(self) -> None:
        """Finishes the waiting jobs, cuts the log back and closes the connection."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while group := self._next_group():
            self._commit(group)
            self._settle(group)
            self._trim()
        self._finish()

    def _next_group(self) -> list[Job]:
        """The jobs that wait, at least one; empty when the writer is to end."""
        first = self._jobs.get()
        group = [first] if first else []
        while group and len(group) < GROUP:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                break
            if job is None:
                self._jobs.put(None)
                break
            group.append(job)
        return group

    def _commit(self, group: Sequence[Job]) -> None:
        """Runs a group in one transaction; afterwards every job has its value or its error."""
        try:
            self._transact(group)
        except (sqlite3.Error, _Lost) as error:
            self._discard(group)
            if len(group) > 1:
                for job in group:
                    self._commit([job])
            else:
                cause = error.__cause__ if isinstance(error, _Lost) else error
                group[0].error = storage_error(cause, self._path) if isinstance(cause, sqlite3.Error) else cause

    def _transact(self, group: Sequence[Job]) -> None:
        connection = self._connection
        durable = any(job.durable for job in group)
        if durable:
            connection.execute("PRAGMA synchronous = FULL")
        try:
            connection.execute("BEGIN IMMEDIATE")
            for job in group:
                job.error = None
                self._attempt(job)
            if self._before_commit:
                self._before_commit(connection)
            connection.execute("COMMIT")
        finally:
            if durable:
                connection.execute("PRAGMA synchronous = NORMAL")

    def _attempt(self, job: Job) -> None:
        """Runs one job in a savepoint, so that its failure leaves the others of the group alone."""
        connection = self._connection
        connection.execute("SAVEPOINT job")
        try:
            job.value = job.function(connection)
        except Exception as error:  # whatever a job raises belongs to its waiter, not to this thread
            if not connection.in_transaction:
                raise _Lost from error
            connection.execute("ROLLBACK TO job")
            job.error = storage_error(error, self._path) if isinstance(error, sqlite3.Error) else error
            if job.rolled_back:
                job.rolled_back()
        connection.execute("RELEASE job")

    def _discard(self, group: Sequence[Job]) -> None:
        """Leaves the transaction, if SQLite has not done so, and lets the jobs undo what they keep in memory."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        for job in group:
            if job.rolled_back and job.error is None:
                job.rolled_back()

    @staticmethod
    def _settle(group: Sequence[Job]) -> None:
        for loop in {job.loop for job in group}:
            mine = [job for job in group if job.loop is loop]
            try:
                loop.call_soon_threadsafe(_settle_all, mine)
            except RuntimeError:  # the loop is closed: nobody waits
                continue

    def _trim(self) -> None:
        """Cuts the write-ahead log back when it has grown. While a reader holds it, that waits for a later commit."""
        if wal_bytes(self._path) < WAL_LIMIT:
            return
        self._connection.execute("PRAGMA busy_timeout = 0")
        try:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error:  # only housekeeping: the group is committed
            pass
        finally:
            self._connection.execute(f"PRAGMA busy_timeout = {self._busy_timeout_ms}")

    def _finish(self) -> None:
        try:
            self._connection.execute("PRAGMA analysis_limit = 400")
            self._connection.execute("PRAGMA optimize")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error:  # only housekeeping: everything accepted is committed
            pass
        finally:
            self._connection.close()


def _settle_all(jobs: Sequence[Job]) -> None:
    for job in jobs:
        job.settle()


def wal_bytes(path: Path) -> int:
    """The size of the write-ahead log of the database at `path` in bytes."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size
    except FileNotFoundError:
        return 0
