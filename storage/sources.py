"""The feeds that are polled and what is known of each after its last check."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from feeds.models import PollState, Source
from storage.database import Database
from storage.encoding import stamp, stamp_or_none
from storage.errors import StorageError
from storage.models import SourceRow
from storage.public_url import public_url, url_key
from storage.rows import SOURCE_COLUMNS, source_row


class Sources:
    """The table of sources. Rows read from it have addresses without credentials; to ask a feed, the configuration has
    the real one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def sync(self, sources: Sequence[Source], now: datetime) -> None:
        """Makes the subscribed sources exactly these. States stay, also those of a source that comes back.

        A source that moves to another address starts afresh there: what the old server gave to ask with is dropped.
        """

        def job(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE source SET subscribed = 0 WHERE subscribed = 1")
            for source in sources:
                define(connection, source, subscribed=True)

        await self._database.write(job)

    async def due(self, now: datetime) -> list[tuple[Source, PollState]]:
        """The subscribed sources whose next check is due, the longest waiting first."""
        due = "AND coalesce(next_check_at, 0) <= ? ORDER BY coalesce(next_check_at, 0), key"
        rows = await self._rows(due, stamp(now))
        return [(row.source, row.state) for row in rows]

    async def record(self, source_id: str, state: PollState) -> None:
        """Keeps the state of a source after a check."""
        values = (*_state_values(state), source_id)

        def job(connection: sqlite3.Connection) -> None:
            if connection.execute(_RECORD, values).rowcount == 0:
                raise StorageError(f"there is no source {source_id}")

        await self._database.write(job)

    async def rows(self) -> list[SourceRow]:
        """The subscribed sources with their states, by name."""
        return await self._rows("ORDER BY name COLLATE NOCASE, key")

    async def _rows(self, rest: str, *values: Any) -> list[SourceRow]:
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                f"SELECT {SOURCE_COLUMNS} FROM source WHERE subscribed = 1 {rest}",
                values,
            )
        return [source_row(tuple(row)) for row in rows]


_STATE = (
    "status",
    "etag",
    "last_modified",
    "next_check_at",
    "last_checked_at",
    "last_ok_at",
    "last_full_at",
    "failures",
    "last_error",
    "redirect_url",
    "redirect_since",
    "latency_ms",
)
_RECORD = f"UPDATE source SET {', '.join(f'{column} = ?' for column in _STATE)} WHERE source_id = ?"

_DEFINE = """
INSERT INTO source (source_id, name, url, tier, interval_s, builtin, subscribed, url_key)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (source_id) DO UPDATE SET
    etag = iif(url_key = excluded.url_key, etag, NULL),
    last_modified = iif(url_key = excluded.url_key, last_modified, NULL),
    next_check_at = iif(url_key = excluded.url_key, next_check_at, NULL),
    redirect_url = iif(url_key = excluded.url_key, redirect_url, ''),
    redirect_since = iif(url_key = excluded.url_key, redirect_since, NULL),
    name = excluded.name, url = excluded.url, tier = excluded.tier, interval_s = excluded.interval_s,
    builtin = excluded.builtin, subscribed = excluded.subscribed, url_key = excluded.url_key
"""


def define(connection: sqlite3.Connection, source: Source, *, subscribed: bool) -> None:
    """Inserts a source or brings its definition up to date. Its address is kept without credentials."""
    flags = (int(source.tier), source.interval_s, int(source.builtin), int(subscribed))
    connection.execute(_DEFINE, (source.id, source.name, public_url(source.url), *flags, url_key(source.url)))


def _state_values(state: PollState) -> tuple[Any, ...]:
    # A redirect to an address with credentials is learned anew after a restart.
    redirect_url = state.redirect_url if public_url(state.redirect_url) == state.redirect_url else ""
    return (
        state.status,
        state.validators.etag,
        state.validators.last_modified,
        stamp_or_none(state.next_check_at),
        stamp_or_none(state.last_checked_at),
        stamp_or_none(state.last_ok_at),
        stamp_or_none(state.last_full_at),
        state.failures,
        state.last_error,
        redirect_url,
        stamp_or_none(state.redirect_since if redirect_url else None),
        state.latency_ms,
    )
