"""What a person wrote about a story."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import Final

from storage.database import Database
from storage.encoding import stamp, storable

NOTE_LIMIT: Final = 2_000
"""Characters of a note that are kept."""
NOTE_OF: Final = "SELECT text FROM note WHERE card = ?"


class Notes:
    """The table of notes; one for each story."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def write(self, card: int, text: str, now: datetime) -> str:
        """Writes the note of a story, an empty one takes it away; returns what stood there, which undoes it."""
        kept = storable(text.strip())[:NOTE_LIMIT]

        def job(connection: sqlite3.Connection) -> str:
            before = connection.execute(NOTE_OF, (card,)).fetchone()
            if kept:
                connection.execute(
                    "INSERT INTO note (card, text, written_at) VALUES (?, ?, ?) ON CONFLICT (card)"
                    " DO UPDATE SET text = excluded.text, written_at = excluded.written_at",
                    (card, kept, stamp(now)),
                )
            else:
                connection.execute("DELETE FROM note WHERE card = ?", (card,))
            return str(before[0]) if before else ""

        return await self._database.write(job)
