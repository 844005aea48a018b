"""How the evidence sources are doing, as the running monitor last saw them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from storage.database import Database
from storage.encoding import Row, moment, moment_or_none, stamp, stamp_or_none
from storage.models import EvidenceSource
from storage.readers import Readable

if TYPE_CHECKING:
    from agents.tools.asking.health import SourceState

EVIDENCE_SOURCES: Final = (
    "SELECT name, standing, reason, requests, latency_ms, last_ok_at, next_try_at, seen_at, used, most, last_error,"
    " last_error_at, skew_ms FROM evidence_source ORDER BY name"
)


class EvidenceSources:
    """The table of evidence sources."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, states: Iterable[SourceState], now: datetime) -> None:
        """Keeps the state of every source that was ever asked or may not be."""
        rows = [
            (
                one.name,
                one.standing,
                one.reason,
                one.requests,
                one.last_latency_ms,
                stamp_or_none(one.last_ok_at),
                None if one.next_try_s is None else stamp(now + timedelta(seconds=one.next_try_s)),
                stamp(now),
                one.used,
                one.most,
                one.last_error,
                stamp_or_none(one.last_error_at),
                None if one.skew_s is None else round(one.skew_s * 1000),
            )
            for one in states
        ]

        def job(connection: sqlite3.Connection) -> None:
            connection.executemany(_KEEP, rows)

        await self._database.write(job)


async def evidence_sources(database: Readable) -> list[EvidenceSource]:
    """All of them as they were last seen."""
    async with database.read() as connection:
        return [evidence_source_of(tuple(row)) for row in await connection.execute_fetchall(EVIDENCE_SOURCES)]


async def still_resting(database: Readable, now: datetime) -> dict[str, tuple[float, str]]:
    """The sources that an earlier run was to leave alone, for how many seconds more and why."""
    return {
        one.name: ((one.next_try_at - now).total_seconds(), one.reason)
        for one in await evidence_sources(database)
        if one.standing == "resting" and one.next_try_at is not None and one.next_try_at > now
    }


def evidence_source_of(row: Row) -> EvidenceSource:
    """A source, from EVIDENCE_SOURCES."""
    return EvidenceSource(
        name=row[0],
        standing=row[1],
        reason=row[2],
        requests=row[3],
        latency_ms=row[4],
        last_ok_at=moment_or_none(row[5]),
        next_try_at=moment_or_none(row[6]),
        seen_at=moment(row[7]),
        used=row[8],
        most=row[9],
        last_error=row[10],
        last_error_at=moment_or_none(row[11]),
        skew_s=None if row[12] is None else row[12] / 1000,
    )


_KEEP: Final = (
    "INSERT INTO evidence_source (name, standing, reason, requests, latency_ms, last_ok_at, next_try_at, seen_at, used,"
    " most, last_error, last_error_at, skew_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (name) DO UPDATE SET standing = excluded.standing, reason = excluded.reason,"
    " requests = excluded.requests, next_try_at = excluded.next_try_at, seen_at = excluded.seen_at,"
    " latency_ms = coalesce(excluded.latency_ms, latency_ms), last_ok_at = coalesce(excluded.last_ok_at, last_ok_at),"
    " used = coalesce(excluded.used, used), most = excluded.most,"
    " last_error = iif(excluded.last_error_at IS NULL, last_error, excluded.last_error),"
    " last_error_at = coalesce(excluded.last_error_at, last_error_at),"
    " skew_ms = coalesce(excluded.skew_ms, skew_ms)"
)
"""What a run has not learned of a source stays as an earlier run knew it."""
