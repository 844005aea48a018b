"""The outbox: alerts that a person is to be told of, written with the signal that raised them.

A story alerts once per urgency, and again only when its urgency rises or an item brings a new fact. The key of an alert
says so ("<story>:FLASH", "<story>:ALERT:<item>") and is the same on every repeat. On each channel an alert waits until
it was sent, is given up ("dead") or has become too old to be told ("skipped").
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from feeds.models import Tier
from storage.alerts import TERMINAL, AlertContent, AlertDue
from storage.database import Database
from storage.encoding import BY_RANK, Row, load_linked, moment, stamp, storable
from storage.models import AlertRow, CardTicker
from storage.rows import ALERT_COLUMNS, ALERT_JOINS, alert_row, published

CONTENT_COLUMNS: Final = (
    "alert.key, alert.urgency, alert.reason, alert.created_at, alert.card, item.item_id, item.title, item.source_name,"
    " source.tier, coalesce(card.outlets, 1), item.url, item.published_at, item.precision, item.doubt,"
    " item.first_seen_at, signal.impact, signal.confidence, signal.signal_type, signal.event_type, signal.linked"
)
CONTENT_JOINS: Final = (
    "JOIN item ON item.id = alert.item JOIN source ON source.key = item.source"
    " LEFT JOIN card ON card.key = alert.card LEFT JOIN scoring ON scoring.item = item.id"
    " LEFT JOIN signal ON signal.item = item.id AND signal.revision = scoring.revision"
)
_DUE: Final = (
    f"SELECT {CONTENT_COLUMNS}, delivery.attempts, delivery.unanswered, delivery.message, delivery.held"
    f" FROM delivery JOIN alert ON alert.key = delivery.alert {CONTENT_JOINS}"
    " WHERE delivery.channel = ? AND delivery.state = 'waiting' AND delivery.due_at <= ?"
    " ORDER BY alert.created_at, alert.key LIMIT ?"
)
_WAITS: Final = "WHERE alert = ? AND channel = ? AND state = 'waiting'"


def content_of(row: Row) -> AlertContent:
    """What an alert says, from CONTENT_COLUMNS."""
    linked = load_linked(row[19]) if row[19] else ()
    return AlertContent(
        key=row[0],
        urgency=BY_RANK[row[1]],
        reason=row[2],
        created_at=moment(row[3]),
        card_key=row[4],
        item_id=row[5],
        title=row[6],
        source_name=row[7],
        tier=Tier(row[8]),
        outlets=max(row[9], 1),
        url=row[10],
        published=published(row[11], row[12], row[13]),
        first_seen_at=moment(row[14]),
        impact_score=row[15],
        confidence_score=row[16],
        signal_type=row[17],
        event_type=row[18],
        tickers=tuple(CardTicker(one.symbol, one.impact_score, one.link_type, one.direction) for one in linked),
    )


class Outbox:
    """The tables of alerts and deliveries. Every write survives a power cut."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def pending(self, channel: str = TERMINAL, *, limit: int = 500) -> list[AlertRow]:
        """What waits on a channel, held or not, oldest first."""
        rows = await self._read(
            f"SELECT {ALERT_COLUMNS} FROM alert {ALERT_JOINS} WHERE delivery.state = 'waiting'"
            " ORDER BY alert.created_at, alert.key LIMIT ?",
            (channel, limit),
        )
        return [alert_row(row) for row in rows]

    async def due(self, channel: str, now: datetime, *, limit: int = 1_000) -> list[AlertDue]:
        """What may go out on a channel now, oldest first, with all that a message says of it."""
        rows = await self._read(_DUE, (channel, stamp(now), limit))
        return [AlertDue(content_of(row[:20]), *row[20:]) for row in rows]

    async def attempted(self, keys: Sequence[str], *, channel: str = TERMINAL, message: str = "") -> None:
        """Counts an attempt before it is made. Until an answer is recorded it is unanswered, so that after a kill a
        repeat can be told from the first and goes out as the same `message`."""
        await self._each(
            f"UPDATE delivery SET attempts = attempts + 1, unanswered = unanswered + 1, message = ? {_WAITS}",
            [(message or key, key, channel) for key in keys],
        )

    async def delivered(self, keys: Sequence[str], *, now: datetime, channel: str = TERMINAL) -> None:
        """Marks alerts as told on a channel; the answer has come."""
        await self._each(
            "UPDATE delivery SET state = 'sent', delivered_at = ?, error = '', unanswered = max(unanswered - 1, 0)"
            f" {_WAITS}",
            [(stamp(now), key, channel) for key in keys],
        )

    async def failed(self, keys: Sequence[str], error: str, *, channel: str, answered: bool) -> None:
        """Notes why an attempt failed; the alerts stay waiting. `answered`: it surely did not arrive."""
        await self._each(
            f"UPDATE delivery SET error = ?, unanswered = max(unanswered - ?, 0) {_WAITS}",
            [(storable(error), int(answered), key, channel) for key in keys],
        )

    async def give_up(self, keys: Sequence[str], error: str, *, channel: str) -> None:
        """Makes alerts dead letters of a channel."""
        await self._each(
            f"UPDATE delivery SET state = 'dead', error = ? {_WAITS}",
            [(storable(error), key, channel) for key in keys],
        )

    async def skip(self, keys: Sequence[str], error: str, *, now: datetime, channel: str = TERMINAL) -> None:
        """Ends alerts that have become too old to wake anybody."""
        await self._each(
            f"UPDATE delivery SET state = 'skipped', delivered_at = ?, error = ? {_WAITS}",
            [(stamp(now), storable(error), key, channel) for key in keys],
        )

    async def hold(self, keys: Sequence[str], why: str, *, channel: str) -> None:
        """Notes that alerts were kept back and why; they stay waiting."""
        await self._each(f"UPDATE delivery SET held = ? {_WAITS}", [(storable(why), key, channel) for key in keys])

    async def abandon(self, known: Iterable[str]) -> int:
        """Makes dead letters of what waits on channels that are not configured any more; returns how many."""
        names = tuple(known)

        def job(connection: sqlite3.Connection) -> int:
            return connection.execute(
                "UPDATE delivery SET state = 'dead', error = 'this channel is not configured any more'"
                f" WHERE state = 'waiting' AND channel NOT IN ({', '.join('?' * len(names))})",
                names,
            ).rowcount

        return await self._database.write(job, durable=True)

    async def acknowledge(self, keys: Sequence[str], by: str, now: datetime) -> None:
        """Marks alerts as seen by a person; the first to do so stands."""
        await self._each(
            "UPDATE alert SET acknowledged_at = ?, acknowledged_by = ? WHERE key = ? AND acknowledged_at IS NULL",
            [(stamp(now), by, key) for key in keys],
        )

    async def _each(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        def job(connection: sqlite3.Connection) -> None:
            connection.executemany(statement, rows)

        if rows:
            await self._database.write(job, durable=True)

    async def _read(self, sql: str, values: tuple[Any, ...]) -> list[Row]:
        async with self._database.read() as connection:
            return [tuple(row) for row in await connection.execute_fetchall(sql, values)]
