"""How often the public sources with a limit of their own were asked, counted for all programs of the user."""

from __future__ import annotations

import logging
import sqlite3
from datetime import datetime, timedelta
from typing import Final

from agents.tools.asking.allowance import OwnAskings, Taken
from storage.encoding import moment, stamp
from storage.errors import StorageError
from storage.usage_file import UsageFile

_log = logging.getLogger(__name__)

KEPT_FOR: Final = timedelta(days=2)
COUNT: Final = "SELECT count(*), min(at) FROM source_request WHERE source = ? AND at > ? AND at <= ?"
"""How many requests of a source went out in (since, now], and the first of them."""


class SourceRequests:
    """The ledger of `allowance.Askings`. Where the file fails, this program counts for itself alone."""

    def __init__(self, file: UsageFile) -> None:
        self._file = file
        self._own = OwnAskings()

    async def take(self, source: str, most: int, since: datetime, now: datetime) -> Taken:
        """Counts one request unless `most` have gone out since `since`.

        One that a clock set forward has dated after `now` does not count, or it would block its source for days.
        """

        def job(connection: sqlite3.Connection) -> Taken:
            used, oldest = connection.execute(COUNT, (source, stamp(since), stamp(now))).fetchone()
            if used >= most:
                return Taken(False, used, moment(oldest) if oldest is not None else None)
            connection.execute("DELETE FROM source_request WHERE at < ?", (stamp(now - KEPT_FOR),))
            connection.execute("INSERT INTO source_request (source, at) VALUES (?, ?)", (source, stamp(now)))
            return Taken(True, used + 1, moment(oldest) if oldest is not None else now)

        try:
            return await self._file.write(job)
        except StorageError as error:
            _log.warning("requests to %s are counted for this program alone: %s", source, error)
            return await self._own.take(source, most, since, now)
