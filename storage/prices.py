"""Price marks: what a signal's symbols cost when its item became public and later, filled in as time passes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from storage.database import Database
from storage.encoding import Row, load_linked, moment, moment_or_none, stamp, stamp_or_none
from storage.models import PriceMark

AFTER: Final = (timedelta(0), timedelta(minutes=5), timedelta(hours=1), timedelta(days=1))
"""The moments after publication at which a symbol is priced; the first is publication itself."""
SYMBOLS: Final = 2
"""Symbols of one signal that are priced, the strongest linked first."""
LAG: Final = timedelta(seconds=90)
"""So long after a moment its price is first looked for."""
LAST_TRY: Final = timedelta(days=3)
"""A price that cannot be had so long after its moment is given up: minutes are not kept for ever."""
_MARK: Final = "after_s, moment, state, price, change_pct, traded_at, width_s, currency, source, reason"
PRICES_OF: Final = f"SELECT symbol, {_MARK} FROM price_mark WHERE item = ? ORDER BY symbol, after_s"


@dataclass(frozen=True, slots=True)
class DuePrices:
    """The marks of one symbol of one item that wait to be filled. `published` is the moment of the first mark."""

    item: int
    card_key: int
    symbol: str
    published: datetime
    waiting: tuple[timedelta, ...]
    base: float | None


@dataclass(frozen=True, slots=True)
class Priced:
    """What one mark became: a price, a reason why there is none, or neither yet (`retry_at`)."""

    after: timedelta
    price: float | None = None
    change_pct: float | None = None
    traded_at: datetime | None = None
    width: timedelta | None = None
    currency: str = ""
    source: str = ""
    reason: str = ""
    retry_at: datetime | None = None


class PriceMarks:
    """The table of price marks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open_since(self, scored: datetime) -> int:
        """Opens marks for the signals scored since `scored` that link a symbol; history is left out. Repeats nothing.

        A publication time in doubt, or known only to the day, is no moment: there the item's first sight stands.
        """

        def job(connection: sqlite3.Connection) -> int:
            return sum(_open(connection, row) for row in connection.execute(_SCORED, (stamp(scored),)).fetchall())

        return await self._database.write(job)

    async def due(self, now: datetime, limit: int = 20) -> list[DuePrices]:
        """Symbols with marks to fill, the longest waiting first."""
        async with self._database.read() as connection:
            rows = [tuple(row) for row in await connection.execute_fetchall(_DUE, (stamp(now), limit))]
        return [
            DuePrices(
                item,
                card,
                symbol,
                moment(first),
                tuple(timedelta(seconds=int(one)) for one in sorted(waiting.split(","), key=int)),
                base,
            )
            for item, card, symbol, first, waiting, base in rows
        ]

    async def fill(self, due: DuePrices, found: Sequence[Priced]) -> None:
        """Keeps what became of the marks, all or nothing."""

        rows = [
            (
                "known" if one.price is not None else "none" if one.retry_at is None else "waiting",
                stamp_or_none(one.retry_at),
                one.price,
                one.change_pct,
                stamp_or_none(one.traded_at),
                int(one.width.total_seconds()) if one.width else None,
                one.currency,
                one.source,
                one.reason,
                due.item,
                due.symbol,
                int(one.after.total_seconds()),
            )
            for one in found
        ]

        def job(connection: sqlite3.Connection) -> None:
            connection.executemany(_FILL, rows)

        await self._database.write(job)


def price_mark_of(row: Row) -> PriceMark:
    """A mark, from PRICES_OF."""
    return PriceMark(
        symbol=row[0],
        after=timedelta(seconds=row[1]),
        moment=moment(row[2]),
        state=row[3],
        price=row[4],
        change_pct=row[5],
        traded_at=moment_or_none(row[6]),
        width=timedelta(seconds=row[7]) if row[7] else None,
        currency=row[8],
        source=row[9],
        reason=row[10],
    )


def _open(connection: sqlite3.Connection, row: Row) -> int:
    item, published, precision, doubt, first_seen, linked = row
    exact = published is not None and doubt is None and precision in ("second", "minute")
    began = moment(published if exact and published <= first_seen else first_seen)
    symbols = [one.symbol for one in load_linked(linked)][:SYMBOLS]
    opened = 0
    for symbol in symbols:
        for after in AFTER:
            at = began + after
            values = (item, symbol, int(after.total_seconds()), stamp(at), stamp(at + LAG))
            opened += connection.execute(
                "INSERT OR IGNORE INTO price_mark (item, symbol, after_s, moment, retry_at) VALUES (?, ?, ?, ?, ?)",
                values,
            ).rowcount
    return opened


_FILL: Final = (
    "UPDATE price_mark SET state = ?, retry_at = coalesce(?, retry_at), attempts = attempts + 1, price = ?,"
    " change_pct = ?, traded_at = ?, width_s = ?, currency = ?, source = ?, reason = ?"
    " WHERE item = ? AND symbol = ? AND after_s = ? AND state = 'waiting'"
)
_SCORED: Final = (
    "SELECT item.id, item.published_at, item.precision, item.doubt, item.first_seen_at, signal.linked FROM signal"
    " JOIN item ON item.id = signal.item WHERE signal.scored_at >= ? AND signal.linked IS NOT NULL"
    " AND item.backlog = 0 ORDER BY signal.scored_at LIMIT 500"
)
_DUE: Final = (
    "SELECT mark.item, item.card, mark.symbol, min(mark.moment - mark.after_s * 1000000),"
    " group_concat(mark.after_s), (SELECT price FROM price_mark AS first WHERE first.item = mark.item"
    " AND first.symbol = mark.symbol AND first.after_s = 0)"
    " FROM price_mark AS mark JOIN item ON item.id = mark.item WHERE mark.state = 'waiting' AND mark.retry_at <= ?"
    " GROUP BY mark.item, mark.symbol ORDER BY min(mark.retry_at) LIMIT ?"
)
