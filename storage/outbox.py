"""The outbox: alerts that a person is to be told of, written with the signal that raised them.

A story alerts once per urgency, and again only when its urgency rises or an item brings a new fact. The key of an alert
says so ("<story>:FLASH", "<story>:ALERT:<item>") and is the same on every repeat.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from agents.models import Urgency
from storage.database import Database
from storage.encoding import BY_RANK, RANK, stamp, storable
from storage.models import AlertDraft, AlertRow
from storage.rows import ALERT_COLUMNS, ALERT_JOINS, alert_row


class Outbox:
    """The tables of alerts and deliveries. Every write survives a power cut."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def pending(self, channel: str = "terminal", *, limit: int = 500) -> list[AlertRow]:
        """What is not delivered yet on a channel, oldest first."""
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                f"SELECT {ALERT_COLUMNS} FROM alert {ALERT_JOINS} WHERE alert.key IN"
                " (SELECT alert FROM delivery WHERE channel = ? AND delivered_at IS NULL)"
                " ORDER BY alert.created_at, alert.key LIMIT ?",
                (channel, channel, limit),
            )
        return [alert_row(tuple(row)) for row in rows]

    async def attempted(self, key: str, *, channel: str = "terminal") -> None:
        """Counts an attempt to deliver, before it is made, so that a repeat after a kill can be told from the first."""

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE delivery SET attempts = attempts + 1 WHERE alert = ? AND channel = ?", (key, channel)
            )

        await self._database.write(job, durable=True)

    async def delivered(self, key: str, *, now: datetime, channel: str = "terminal") -> None:
        """Marks an alert as told on a channel; it is not pending there any more."""

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE delivery SET delivered_at = ? WHERE alert = ? AND channel = ? AND delivered_at IS NULL",
                (stamp(now), key, channel),
            )

        await self._database.write(job, durable=True)

    async def acknowledge(self, keys: Sequence[str], by: str, now: datetime) -> None:
        """Marks alerts as seen by a person; the first to do so stands."""
        rows = [(stamp(now), by, key) for key in keys]

        def job(connection: sqlite3.Connection) -> None:
            connection.executemany(
                "UPDATE alert SET acknowledged_at = ?, acknowledged_by = ? WHERE key = ? AND acknowledged_at IS NULL",
                rows,
            )

        await self._database.write(job, durable=True)


def raise_alert(
    connection: sqlite3.Connection, item: int, card: int, urgency: Urgency, draft: AlertDraft
) -> str | None:
    """Puts an alert into the outbox if the story may alert, and returns its key; None where it has alerted already."""
    rank = RANK[urgency] or 0
    told = connection.execute("SELECT urgency, item FROM alert WHERE card = ?", (card,)).fetchall()
    story_id, item_id, new_fact = connection.execute(
        "SELECT opener.item_id, item.item_id, item.new_fact FROM item JOIN item AS opener ON opener.id = item.card"
        " WHERE item.id = ?",
        (item,),
    ).fetchone()
    key = f"{story_id}:{BY_RANK[rank]}"
    if told and rank <= max(level for level, _ in told):
        if not new_fact or any(teller == item for _, teller in told):
            return None
        key += f":{item_id}"
    connection.execute(
        "INSERT INTO alert (key, card, item, urgency, reason, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        (key, card, item, rank, storable(draft.reason), stamp(draft.created_at)),
    )
    connection.executemany(
        "INSERT INTO delivery (alert, channel) VALUES (?, ?)", [(key, channel) for channel in draft.channels]
    )
    return key
