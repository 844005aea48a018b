"""What a person marks on cards: read and starred. Every change can be undone from what it returns."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from storage.database import Database


class Marks:
    """The marks on cards."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, keys: Sequence[int]) -> tuple[int, ...]:
        """Marks cards as read and returns the keys of those that were not; `unread` of these undoes it."""
        return await self._mark("unread = 0", "unread = 1", keys)

    async def unread(self, keys: Sequence[int]) -> tuple[int, ...]:
        """Marks cards as unread and returns the keys of those that were read."""
        return await self._mark("unread = 1", "unread = 0", keys)

    async def star(self, key: int, on: bool) -> bool:
        """Stars a card or takes the star off; returns whether that changed anything."""
        state = ("starred = 1", "starred = 0")
        wanted, other = state if on else reversed(state)
        return bool(await self._mark(wanted, other, [key]))

    async def _mark(self, wanted: str, other: str, keys: Sequence[int]) -> tuple[int, ...]:
        def job(connection: sqlite3.Connection) -> tuple[int, ...]:
            statement = f"UPDATE card SET {wanted} WHERE key = ? AND {other}"
            return tuple(key for key in keys if connection.execute(statement, (key,)).rowcount)

        return await self._database.write(job)
