"""What is kept for a while only, so that the file does not grow for ever: old stories, and before them bulky details.

A story goes as a whole, once its last report is older than is to be kept. What a person holds on to stays: starred,
with a note, a FLASH nobody has acknowledged, cited by an investigation, or not scored to its end yet. The work is done
in pieces of a few milliseconds, and pages that become free are used again.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from agents.models import Urgency
from storage import search
from storage.connection import rows_among
from storage.database import Database
from storage.encoding import RANK, Row, stamp

PIECE: Final = 20
"""Stories looked at, or items whose details are looked at, per transaction."""
MOST: Final = 20_000
"""Stories taken away per run; what is left goes at the next."""
_ITEM_ID: Final = re.compile(r"[0-9a-f]{16}")
_DETAILS_DONE: Final = "details_done"


@dataclass(frozen=True, slots=True)
class Keeping:
    """For how long stories are kept, and how long the raw answers of tools and the calls to a model.

    None is for ever.
    """

    stories: timedelta | None
    details: timedelta | None


@dataclass(frozen=True, slots=True)
class Piece:
    """What one piece of work did: the cards that are gone, and from where to go on; None at the end."""

    gone: tuple[int, ...]
    next: int | None


class Retention:
    """Takes away what is old. Each method does one piece, to be called again with the `next` it gave."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def cited(self) -> frozenset[str]:
        """The ids of all items that an investigation may cite."""
        found: set[str] = set()
        async with self._database.read() as connection:
            for sql in ("SELECT case_json FROM investigation", "SELECT result FROM investigation_node"):
                async with connection.execute(sql) as rows:
                    async for (text,) in rows:
                        found.update(_ITEM_ID.findall(text))
        return frozenset(found)

    async def stories(self, before: datetime, cited: Collection[str], after: int = 0) -> Piece:
        """Takes away stories whose last report was first seen before `before`, looking at those after card `after`."""

        def job(connection: sqlite3.Connection) -> Piece:
            keys = [row[0] for row in connection.execute(_OLD_CARDS, (after, stamp(before), PIECE))]
            gone = tuple(key for (key,) in rows_among(connection, _PASSING, keys, stamp(before), RANK[Urgency.FLASH]))
            items = list(rows_among(connection, _ITEMS_OF, gone))
            held = {row[2] for row in items if row[1] in cited}
            gone = tuple(key for key in gone if key not in held)
            _take_away(connection, gone, [row for row in items if row[2] not in held], self._database.full_text)
            return Piece(gone, keys[-1] if len(keys) == PIECE else None)

        return await self._database.write(job)

    async def details(self, before: datetime) -> bool:
        """Empties raw answers and deletes calls of items first seen before `before`; returns whether more is left."""

        def job(connection: sqlite3.Connection) -> bool:
            row = connection.execute("SELECT value FROM fact WHERE name = ?", (_DETAILS_DONE,)).fetchone()
            done = int(row[0]) if row else 0
            some = [one[0] for one in connection.execute(_OLD_ITEMS, (done, stamp(before), PIECE))]
            for item in some:
                connection.execute(_EMPTY_RAW, (item,))
                connection.execute("DELETE FROM call WHERE item = ?", (item,))
            if some:
                connection.execute("INSERT OR REPLACE INTO fact VALUES (?, ?)", (_DETAILS_DONE, str(some[-1])))
            return len(some) == PIECE

        return await self._database.write(job)


def _take_away(connection: sqlite3.Connection, cards: Sequence[int], items: Sequence[Row], full_text: bool) -> None:
    """Deletes cards with all their items and all that hangs on them."""
    if not cards:
        return
    if full_text:
        search.remove(connection, [row[0] for row in items])
    for item, _, _, source, keys, seen, linked in items:
        connection.executemany(
            "DELETE FROM identity WHERE source = ? AND key = ? AND item = ?",
            [(source, key, item) for key in keys.split()],
        )
        connection.executemany(
            "DELETE FROM ticker WHERE symbol = ? AND first_seen_at = ? AND item = ?",
            [(symbol, seen, item) for symbol in linked.split()],
        )
    connection.executemany(
        "DELETE FROM delivery WHERE alert IN (SELECT key FROM alert WHERE card = ?)", [(card,) for card in cards]
    )
    for table, column in _OF_CARD:
        connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(card,) for card in cards])
    for table in OF_ITEM:
        connection.executemany(f"DELETE FROM {table} WHERE item = ?", [(row[0],) for row in items])
    connection.executemany("DELETE FROM item WHERE id = ?", [(row[0],) for row in items])


OF_ITEM: Final = (
    "earlier_text",
    "scoring",
    "signal",
    "earlier_score",
    "report",
    "price_mark",
    "call",
    "alert_decision",
)
"""Tables whose rows belong to one item, by their column `item`."""
_OF_CARD: Final = (("alert", "card"), ("card_outlet", "card"), ("note", "card"), ("card", "key"))
_NEWEST: Final = "(SELECT max(id) FROM item)"
_ASKED: Final = (
    "WITH asked(after, at) AS (SELECT ?, ?), old(last) AS (SELECT id FROM item WHERE first_seen_at < (SELECT at FROM"
    " asked) ORDER BY first_seen_at DESC, id DESC LIMIT 1)"
)
_OLD_CARDS: Final = (
    f"{_ASKED} SELECT card.key FROM card JOIN item ON item.id = card.key WHERE card.key > (SELECT after FROM asked)"
    " AND item.first_seen_at < (SELECT at FROM asked) AND card.key <= (SELECT last FROM old) ORDER BY card.key LIMIT ?"
)
_PASSING: Final = (
    "WITH before(at, flash) AS (SELECT ?, ?), asked(key) AS (VALUES {}) SELECT card.key FROM asked JOIN card"
    " ON card.key = asked.key WHERE card.starred = 0 AND NOT EXISTS (SELECT 1 FROM note WHERE note.card = card.key)"
    " AND NOT EXISTS (SELECT 1 FROM alert WHERE alert.card = card.key AND acknowledged_at IS NULL"
    " AND alert.urgency = (SELECT flash FROM before))"
    " AND NOT EXISTS (SELECT 1 FROM item LEFT JOIN scoring ON scoring.item = item.id LEFT JOIN unindexed"
    " ON unindexed.item = item.id WHERE item.card = card.key AND (item.first_seen_at >= (SELECT at FROM before)"
    f" OR scoring.state = 'pending' OR unindexed.item IS NOT NULL OR item.id = {_NEWEST}))"
    " ORDER BY card.key"
)
_ITEMS_OF: Final = (
    "SELECT item.id, item.item_id, item.card, item.source, item.keys, item.first_seen_at, scoring.linked"
    " FROM item JOIN scoring ON scoring.item = item.id WHERE item.card IN ({})"
)
_OLD_ITEMS: Final = (
    f"{_ASKED} SELECT id FROM item WHERE id > (SELECT after FROM asked) AND first_seen_at < (SELECT at FROM asked)"
    " AND id <= (SELECT last FROM old) ORDER BY id LIMIT ?"
)
_EMPTY_RAW: Final = "UPDATE evidence SET raw = '' WHERE raw <> '' AND report IN (SELECT id FROM report WHERE item = ?)"
