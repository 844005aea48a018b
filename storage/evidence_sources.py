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
    from agents.tools.health import SourceState

EVIDENCE_SOURCES: Final = (
    "SELECT name, standing, reason, requests, latency_ms, last_ok_at, next_try_at, seen_at FROM evidence_source"
    " ORDER BY name"
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
            )
            for one in states
        ]

        def job(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR REPLACE INTO evidence_source VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

        await self._database.write(job)


async def evidence_sources(database: Readable) -> list[EvidenceSource]:
    """All of them as they were last seen."""
    async with database.read() as connection:
        return [evidence_source_of(tuple(row)) for row in await connection.execute_fetchall(EVIDENCE_SOURCES)]


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
    )
