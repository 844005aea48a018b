"""Answers of slow public sources, kept for all programs of the user and bounded in number and size."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import zlib
from datetime import timedelta
from typing import Final

from agents.tools.asking.request import Reply
from agents.tools.asking.shelf import KeptReply
from storage.encoding import moment, stamp
from storage.errors import StorageError
from storage.usage_file import UsageFile

_log = logging.getLogger(__name__)

LARGEST: Final = 4 * 2**20
"""Compressed bytes of one answer; a larger one is not kept."""
MOST_BYTES: Final = 48 * 2**20
MOST_ANSWERS: Final = 2_000
STALE_FOR: Final = timedelta(days=1)
"""So long after its time an answer is still of use, where its source is down."""
_LONGEST: Final = 64 * 2**20
"""Bytes to which a body may unfold."""


class SourceAnswers:
    """The shelf of `agents.tools.asking.shelf.Shelf`. Where the file fails, nothing is found and nothing is kept."""

    def __init__(self, file: UsageFile) -> None:
        self._file = file

    async def find(self, digest: str) -> KeptReply | None:
        """What is kept under this digest, fresh or not."""
        return await asyncio.to_thread(self._read, digest)

    async def keep(self, digest: str, source: str, kept: KeptReply) -> None:
        """Keeps an answer in the place of the one before, and drops what is too old or too much."""
        reply = kept.reply
        body = await asyncio.to_thread(zlib.compress, reply.body, 6)
        if len(body) > LARGEST:
            return
        row = (
            digest, source, reply.status, reply.content_type, reply.url, stamp(kept.fetched_at), stamp(kept.until),
            len(body), body,
        )  # fmt: skip
        old = stamp(kept.fetched_at - STALE_FOR)

        def job(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO source_answer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            connection.execute("DELETE FROM source_answer WHERE fresh_until < ?", (old,))
            connection.execute(_TRIM, (MOST_BYTES, MOST_ANSWERS))

        try:
            await self._file.write(job)
        except StorageError as error:
            _log.warning("an answer of %s is not kept: %s", source, error)

    def _read(self, digest: str) -> KeptReply | None:
        try:
            row = self._file.row(_FIND, digest)
            if row is None:
                return None
            status, content_type, url, fetched_at, until, packed = row
            inflating = zlib.decompressobj()
            body = inflating.decompress(packed, _LONGEST)
        except (StorageError, zlib.error) as error:
            _log.warning("a kept answer cannot be read: %s", error)
            return None
        if not inflating.eof:
            return None
        return KeptReply(Reply(status, content_type, body, url), moment(fetched_at), moment(until))


_FIND: Final = "SELECT status, content_type, url, fetched_at, fresh_until, body FROM source_answer WHERE digest = ?"
_TRIM: Final = (
    "DELETE FROM source_answer WHERE digest IN (SELECT digest FROM (SELECT digest,"
    " sum(bytes) OVER newest AS total, row_number() OVER newest AS place FROM source_answer"
    " WINDOW newest AS (ORDER BY fetched_at DESC, digest)) WHERE total > ? OR place > ?)"
)
