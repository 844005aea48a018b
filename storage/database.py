"""The open database: one writer, a few readers, one instance.

Accepted means committed: `write` returns after the commit, and what it committed survives a kill at any later point.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import aiosqlite

from storage import location, search
from storage.connection import BUSY_TIMEOUT_MS, enter_wal, open_writing, refuse_old_sqlite
from storage.errors import ForeignFile, NewerSchema, NotWritable, OlderSchema, translated
from storage.lock import InstanceLock
from storage.migrate import APPLICATION_ID, builtin_migrations, migrate, version
from storage.readers import Readers
from storage.writer import Transaction, Writer, wal_bytes

T = TypeVar("T")


class Database:
    """What the other modules of this package write and read through. Made by `open`."""

    def __init__(self, path: Path, writer: Writer, readers: Readers, *, full_text: bool) -> None:
        self.path = path
        self.full_text = full_text
        """Whether this SQLite has FTS5; without it a search goes through the titles one by one."""
        self._writer = writer
        self._readers = readers

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        path: Path,
        *,
        now: datetime,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
        full_text: bool | None = None,
    ) -> AsyncIterator[Database]:
        """Opens or makes the database at `path` for this instance alone.

        Raises a subclass of Unusable (in use, newer, foreign, damaged, on a network drive, not writable) in one line.
        `full_text` False does without FTS5 even where SQLite has it.
        """
        lock = InstanceLock(path)
        try:
            connection, text = await _in_thread(lambda: _begin(path, lock, now, busy_timeout_ms, full_text))
            catch_up = search.catch_up if text else None
            writer = Writer(connection, path, busy_timeout_ms=busy_timeout_ms, before_commit=catch_up)
            readers = Readers(path, busy_timeout_ms=busy_timeout_ms)
            try:
                yield cls(path, writer, readers, full_text=text)
            finally:
                await asyncio.shield(_end(writer, readers))
        finally:
            lock.release()

    async def write(
        self, function: Transaction[T], *, durable: bool = False, rolled_back: Callable[[], None] | None = None
    ) -> T:
        """Runs `function` in the writer's thread as one transaction and returns its value once it is committed.

        See `storage.writer.Writer.write`. Raises DiskFull, DatabaseBusy or DiskFault where nothing was changed and a
        later try may work.
        """
        return await self._writer.write(function, durable=durable, rolled_back=rolled_back)

    def read(self) -> AbstractAsyncContextManager[aiosqlite.Connection]:
        """Lends a reading connection; see `storage.readers.Readers.read`."""
        return self._readers.read()

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Answers a quick question at once; see `storage.readers.Readers.ask`."""
        return self._readers.ask(question)

    @property
    def wal_bytes(self) -> int:
        """The size of the write-ahead log; it grows only while some reader holds an old state open."""
        return wal_bytes(self.path)


class View:
    """A database opened to read only, beside the instance that writes it. Made by `open`."""

    def __init__(self, path: Path, readers: Readers) -> None:
        self.path = path
        self._readers = readers

    @classmethod
    @asynccontextmanager
    async def open(cls, path: Path) -> AsyncIterator[View]:
        """Opens an existing database. Raises a subclass of Unusable, OlderSchema where it must first be upgraded."""
        refuse_old_sqlite()
        readers = Readers(path)
        try:
            with _readable(path):
                location.check(path)
            async with readers.read() as connection:
                found = [(await connection.execute_fetchall(f"PRAGMA {name}")) for name in _HEADER]
            application, done = (int(next(iter(rows))[0]) for rows in found)
            refuse_foreign(path, application, done, empty=False)
            if done < builtin_migrations()[-1].number:
                raise OlderSchema(f"{path} was written by an older version: open the monitor once to upgrade it")
            yield cls(path, readers)
        finally:
            await asyncio.shield(readers.close())

    def read(self) -> AbstractAsyncContextManager[aiosqlite.Connection]:
        """Lends a reading connection; see `storage.readers.Readers.read`."""
        return self._readers.read()

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Answers a quick question at once; see `storage.readers.Readers.ask`."""
        return self._readers.ask(question)


_HEADER = ("application_id", "user_version")


def refuse_foreign(path: Path, application: int, done: int, *, empty: bool) -> None:
    """Raises where a file's header says that it is another program's, or of a later version of this one."""
    if application != APPLICATION_ID and not (empty and application == 0):
        raise ForeignFile(f"{path} belongs to another program: choose another file")
    if done > builtin_migrations()[-1].number:
        raise NewerSchema(f"{path} was written by a newer version (schema {done}): upgrade, or choose another file")


def _begin(
    path: Path, lock: InstanceLock, now: datetime, busy_timeout_ms: int, full_text: bool | None
) -> tuple[sqlite3.Connection, bool]:
    """Everything between a path and a connection that may write."""
    refuse_old_sqlite()
    location.prepare(path)
    with translated(path):
        connection = open_writing(path, busy_timeout_ms=busy_timeout_ms)
        try:
            _refuse_other(connection, path)
            lock.take(now)
            _refuse_other(connection, path)  # another instance may have upgraded it before it let go
            path.chmod(0o600)
            enter_wal(connection, path)
            migrate(connection, path, builtin_migrations())
            return connection, search.prepare(connection, full_text)
        except BaseException:
            connection.close()
            raise


def _refuse_other(connection: sqlite3.Connection, path: Path) -> None:
    """Raises where the file is not ours to write; only reads."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    refuse_foreign(path, application, version(connection), empty=empty)


async def _in_thread(function: Callable[[], tuple[sqlite3.Connection, bool]]) -> tuple[sqlite3.Connection, bool]:
    """Runs `function` in a thread; a cancellation waits for it and closes what it opened."""
    running = asyncio.ensure_future(asyncio.to_thread(function))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        if not running.cancelled() and running.exception() is None:
            running.result()[0].close()
        raise


async def _end(writer: Writer, readers: Readers) -> None:
    await readers.close()
    await writer.close()


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise NotWritable(f"{path} does not exist: open the monitor once to make it") from error
    except OSError as error:
        raise NotWritable(f"{path} cannot be read ({error.strerror}): check its permissions") from error
