"""Replies of the model by the digest of their request: the same again costs nothing."""

from __future__ import annotations

import sqlite3
import zlib
from datetime import datetime

from storage.encoding import stamp
from storage.usage_file import UsageFile


class Replies:
    """The cache of replies (`agents.calls.ReplyCache`). A reply is kept for `storage.usage_file.KEPT_FOR`."""

    def __init__(self, file: UsageFile) -> None:
        self._file = file

    async def find(self, digest: str) -> str | None:
        """The reply to the request of this digest; None where there is none or it cannot be read any more."""
        body = self._file.one("SELECT body FROM reply WHERE digest = ?", digest)
        try:
            return zlib.decompress(body).decode() if body else None
        except (zlib.error, UnicodeDecodeError):
            return None

    async def keep(self, digest: str, reply: str, *, now: datetime) -> None:
        """Keeps a reply in place of an older one to the same request."""
        body = zlib.compress(reply.encode("utf-8", "replace"))

        def job(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO reply VALUES (?, ?, ?)", (digest, stamp(now), body))

        await self._file.write(job)
