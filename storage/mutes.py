"""What a person silenced: tickers, sources, stories, kinds of event, or everything for a while.

Mutes may also be made beside a running monitor (`beside`): each is one short transaction, which SQLite keeps apart from
the monitor's own, and the monitor looks them up whenever it decides.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final, TypeVar

from storage.alerts import Mute, MuteKind
from storage.connection import open_writing
from storage.database import Database, refuse_foreign
from storage.encoding import Row, moment, stamp, storable
from storage.errors import NotWritable, OlderSchema, translated
from storage.migrate import builtin_migrations, version

T = TypeVar("T")

_COLUMNS: Final = "id, kind, value, shown, made_at, until, made_by"
ACTIVE: Final = f"SELECT {_COLUMNS} FROM mute WHERE lifted_at IS NULL AND until > ? ORDER BY id"


def mute_of(row: Row) -> Mute:
    """A mute, from the columns of ACTIVE."""
    return Mute(row[0], row[1], row[2], row[3], moment(row[4]), moment(row[5]), row[6])


class Mutes:
    """The table of mutes. A new mute of the same thing replaces the one before; lifting one keeps it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def active(self, now: datetime) -> list[Mute]:
        """What is silenced at `now`, oldest first."""
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(ACTIVE, (stamp(now),))
        return [mute_of(tuple(row)) for row in rows]

    async def add(self, kind: MuteKind, value: str, shown: str, *, until: datetime, now: datetime, by: str) -> int:
        """Silences something until a moment; returns the number it is lifted by."""
        return await self._database.write(adding(kind, value, shown, until=until, now=now, by=by), durable=True)

    async def lift(self, ids: Sequence[int], now: datetime) -> tuple[int, ...]:
        """Lifts mutes; returns the numbers of those that were in force."""
        return await self._database.write(lifting(ids, now), durable=True)


def adding(
    kind: MuteKind, value: str, shown: str, *, until: datetime, now: datetime, by: str
) -> Callable[[sqlite3.Connection], int]:
    """The transaction that adds a mute."""

    def job(connection: sqlite3.Connection) -> int:
        connection.execute(
            "UPDATE mute SET lifted_at = ? WHERE kind = ? AND value = ? AND lifted_at IS NULL AND until > ?",
            (stamp(now), kind, storable(value), stamp(now)),
        )
        row = connection.execute(
            "INSERT INTO mute (kind, value, shown, made_at, until, made_by) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
            (kind, storable(value), storable(shown), stamp(now), stamp(until), storable(by)),
        ).fetchone()
        return int(row[0])

    return job


def lifting(ids: Sequence[int], now: datetime) -> Callable[[sqlite3.Connection], tuple[int, ...]]:
    """The transaction that lifts mutes."""

    def job(connection: sqlite3.Connection) -> tuple[int, ...]:
        statement = "UPDATE mute SET lifted_at = ? WHERE id = ? AND lifted_at IS NULL AND until > ?"
        at = stamp(now)
        return tuple(one for one in ids if connection.execute(statement, (at, one, at)).rowcount)

    return job


def requeueing(channel: str | None) -> Callable[[sqlite3.Connection], int]:
    """The transaction that lets dead letters wait again, on one channel or on all."""

    def job(connection: sqlite3.Connection) -> int:
        return connection.execute(
            "UPDATE delivery SET state = 'waiting', unanswered = 0, due_at = 0 WHERE state = 'dead'"
            " AND channel = coalesce(?, channel)",
            (channel,),
        ).rowcount

    return job


def beside(path: Path, job: Callable[[sqlite3.Connection], T]) -> T:
    """Runs `job` as one short transaction on the database at `path`, whether a monitor has it open or not.

    Raises a StorageError where there is no database yet, it must be upgraded first, or it cannot be written.
    """
    if not path.exists():
        raise NotWritable(f"{path} does not exist: open the monitor once to make it")
    with translated(path), closing(open_writing(path)) as connection:
        done = version(connection)
        refuse_foreign(path, connection.execute("PRAGMA application_id").fetchone()[0], done, empty=False)
        if done < builtin_migrations()[-1].number:
            raise OlderSchema(f"{path} was written by an older version: open the monitor once to upgrade it")
        connection.execute("BEGIN IMMEDIATE")
        try:
            value = job(connection)
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
        return value
