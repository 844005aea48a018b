"""Earlier items as evidence: what our own database holds on the same story, company or event before a moment."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from agents.models import FlashEvent
from agents.tools.protocol import EarlierItem, SourceHealth
from feeds.models import Item, Tier
from storage.encoding import moment, moment_or_none, stamp
from storage.readers import Answering
from storage.rows import published

HORIZON: Final = timedelta(days=30)
"""How far back it looks; older items are history, not evidence, and this bounds the cost."""


class Archive:
    """Answers from the open database or from a read-only view of one, by index and without waiting."""

    def __init__(self, database: Answering) -> None:
        self._database = database

    async def earlier(
        self,
        item: Item,
        *,
        symbols: Sequence[str],
        event_type: FlashEvent | None,
        before: datetime,
        source_ids: Sequence[str] = (),
        limit: int = 8,
    ) -> Sequence[EarlierItem]:
        """Items first seen before `before` of the same story, symbols or event, newest first, `item` itself left out.

        Only from `source_ids` where given. An item that matches in several ways is named once, by the closest of them:
        story, then company, then event.
        """
        asked = [("same story", _SAME_STORY, item.story_id)]
        asked += [(f"same company ({symbol})", _SAME_SYMBOL, symbol) for symbol in dict.fromkeys(symbols)]
        if event_type:
            asked.append((f"same event ({event_type.replace('_', ' ')})", _SAME_EVENT, event_type))
        only, sources = _only(source_ids)
        span = (stamp(before - HORIZON), stamp(before))

        def read(connection: sqlite3.Connection) -> dict[str, EarlierItem]:
            found: dict[str, EarlierItem] = {}
            for why, sql, value in asked:
                for row in connection.execute(sql.format(only), (value, *span, *sources, item.id, limit)).fetchall():
                    if row[0] not in found:
                        found[row[0]] = _earlier_of(row, why)
            return found

        found = self._database.ask(read)
        return sorted(found.values(), key=lambda one: (one.first_seen_at, one.item_id), reverse=True)[:limit]

    async def health(self, source_ids: Sequence[str]) -> Sequence[SourceHealth]:
        """The health of the subscribed ones among `source_ids`; unsubscribed ones are missing from the answer."""
        marks = ", ".join("?" * len(source_ids))
        rows = self._database.ask(
            lambda connection: connection.execute(
                "SELECT source_id, last_ok_at, interval_s FROM source"
                f" WHERE subscribed = 1 AND source_id IN ({marks}) ORDER BY key",
                tuple(source_ids),
            ).fetchall()
        )
        return [SourceHealth(row[0], moment_or_none(row[1]), row[2]) for row in rows]


def _only(source_ids: Sequence[str]) -> tuple[str, Iterable[str]]:
    """A condition on the source's row number that holds for these sources, or for all where none is named."""
    if not source_ids:
        return "", ()
    marks = ", ".join("?" * len(source_ids))
    return f" AND found.source IN (SELECT key FROM source WHERE source_id IN ({marks}))", source_ids


def _earlier_of(row: tuple[Any, ...], why: str) -> EarlierItem:
    return EarlierItem(
        item_id=row[0],
        title=row[1],
        url=row[2],
        source_id=row[3],
        source_name=row[4],
        tier=Tier(row[5]),
        published=published(row[6], row[7], row[8]),
        first_seen_at=moment(row[9]),
        why=why,
    )


_COLUMNS: Final = (
    "SELECT item.item_id, item.title, item.url, source.source_id, item.source_name, source.tier, item.published_at,"
    " item.precision, item.doubt, item.first_seen_at"
)
_SOURCE: Final = " JOIN source ON source.key = item.source"
_SPAN: Final = "found.first_seen_at >= ? AND found.first_seen_at < ?{}"
_SAME_STORY: Final = (
    f"{_COLUMNS} FROM item AS opener JOIN item AS found ON found.card = opener.card"
    f" JOIN item ON item.id = found.id{_SOURCE} WHERE opener.item_id = ? AND {_SPAN}"
    " AND item.item_id <> ? ORDER BY found.id DESC LIMIT ?"
)
_SAME_SYMBOL: Final = (
    f"{_COLUMNS} FROM ticker AS found JOIN item ON item.id = found.item{_SOURCE}"
    f" WHERE found.symbol = ? AND {_SPAN}"
    " AND item.item_id <> ? ORDER BY found.first_seen_at DESC, found.item DESC LIMIT ?"
)
_SAME_EVENT: Final = (
    f"WITH asked(event, since, until) AS (SELECT ?, ?, ?) {_COLUMNS} FROM signal"
    f" JOIN item AS found ON found.id = signal.item JOIN item ON item.id = found.id{_SOURCE}"
    " WHERE signal.event_type = (SELECT event FROM asked) AND found.first_seen_at >= (SELECT since FROM asked)"
    " AND found.first_seen_at < (SELECT until FROM asked){}"
    " AND signal.item >= (SELECT id FROM item WHERE first_seen_at >= (SELECT since FROM asked)"
    " ORDER BY first_seen_at, id LIMIT 1)"
    " AND item.item_id <> ? ORDER BY signal.item DESC LIMIT ?"
)
