"""Whether a past investigation awaits information that has come out: one row decides, and nothing is loaded for it."""

from __future__ import annotations

from datetime import datetime

from storage.encoding import stamp
from storage.readers import Readable


async def any_due(database: Readable, now: datetime) -> bool:
    """Whether the next information on any investigation has come out by `now`."""
    async with database.read() as connection:
        rows = await connection.execute_fetchall(
            "SELECT 1 FROM investigation WHERE recheck_at IS NOT NULL AND recheck_at <= ? LIMIT 1", (stamp(now),)
        )
    return bool(list(rows))
