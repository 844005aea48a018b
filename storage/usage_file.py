"""The file that holds spending, replies and what public sources were asked and answered. Unlike the database it is
shared: any number of programs write it at once, each in short transactions of its own.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import Any, Final, TypeVar

from storage import location
from storage.connection import BUSY_TIMEOUT_MS, enter_wal, open_reading, open_writing, refuse_old_sqlite
from storage.encoding import Row, stamp
from storage.errors import ForeignFile, NewerSchema, translated
from storage.migrate import APPLICATION_ID, Migration, migrate, statements, version
from storage.writer import Transaction, Writer

T = TypeVar("T")

KEPT_FOR: Final = timedelta(days=30)
"""So long a reply can be used again, and a reservation nobody settled is remembered as one."""


class UsageFile:
    """The open file. Made by `open`."""

    def __init__(self, path: Path, writer: Writer, reader: sqlite3.Connection) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._turn = threading.Lock()

    @classmethod
    @asynccontextmanager
    async def open(cls, path: Path, *, now: datetime) -> AsyncIterator[UsageFile]:
        """Opens or makes the file; raises a subclass of Unusable in one line."""
        connection, reader = await asyncio.to_thread(_begin, path, now)
        writer = Writer(connection, path)
        try:
            yield cls(path, writer, reader)
        finally:
            reader.close()
            await asyncio.shield(writer.close())

    def one(self, sql: str, *values: str) -> Any:
        """The first value of a question answered by key; some ten microseconds, so it is asked where it stands."""
        row = self.row(sql, *values)
        return row[0] if row else None

    def row(self, sql: str, *values: str) -> Row | None:
        """The first row of a question answered by key; None without one. Any thread may ask."""
        with translated(self.path), self._turn:
            found: Row | None = self._reader.execute(sql, values).fetchone()
        return found

    async def write(self, function: Transaction[T]) -> T:
        """Runs `function` as one transaction and returns its value once it is committed."""
        return await self._writer.write(function)


def beside(database: Path) -> Path:
    """Where the usage file of a database lies."""
    return database.with_name(f"{database.stem}-usage.db")


def _steps() -> tuple[Migration, ...]:
    folder = resources.files("storage") / "schema" / "usage"
    files = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda entry: entry.name)
    return tuple(
        Migration(number, tuple(statements(entry.read_text(encoding="utf-8")))) for number, entry in enumerate(files, 1)
    )


def _begin(path: Path, now: datetime) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """The writing and the reading connection."""
    refuse_old_sqlite()
    location.prepare(path)
    with translated(path):
        connection = open_writing(path, busy_timeout_ms=BUSY_TIMEOUT_MS)
        try:
            _refuse_other(connection, path)
            path.chmod(0o600)
            enter_wal(connection, path)
            _make(connection, path)
            horizon = stamp(now - KEPT_FOR)
            connection.execute("DELETE FROM reply WHERE kept_at < ?", (horizon,))
            connection.execute("DELETE FROM reservation WHERE day < ?", ((now - KEPT_FOR).date().isoformat(),))
            return connection, open_reading(path)
        except BaseException:
            connection.close()
            raise


def _make(connection: sqlite3.Connection, path: Path) -> None:
    """Brings the schema up to date; where two programs start at once, one finds made what the other has made."""
    while (done := version(connection)) < len(_steps()):
        try:
            migrate(connection, path, _steps())
        except sqlite3.OperationalError:
            if version(connection) == done:
                raise


def _refuse_other(connection: sqlite3.Connection, path: Path) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if application != APPLICATION_ID and not (empty and application == 0):
        raise ForeignFile(f"{path} belongs to another program: move it away")
    if version(connection) > len(_steps()):
        raise NewerSchema(f"{path} was written by a newer version: upgrade, or move it away")
