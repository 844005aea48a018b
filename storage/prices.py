"""Price marks: what a signal's symbols cost when its item became public and later, filled in as time passes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from storage.database import Database
from storage.encoding import Row, load_linked, moment, moment_or_none, stamp, stamp_or_none
from storage.models import PriceMark

AFTER: Final = (timedelta(0), timedelta(minutes=5), timedelta(hours=1), timedelta(days=1))
"""The moments after publication at which a symbol is priced; the first is publication itself."""
SYMBOLS: Final = 5
"""Symbols of one signal that are priced, the strongest linked first."""
LAG: Final = timedelta(seconds=90)
"""So long after a moment its price is first looked for."""
LAST_TRY: Final = timedelta(days=5)
"""A price that cannot be had so long after its moment is given up: minutes are not kept for ever, and a market that is
closed for longer than a long weekend is no market."""
_PAGE: Final = 500
_MARK: Final = "after_s, moment, state, price, change_pct, traded_at, width_s, currency, source, reason"
PRICES_OF: Final = f"SELECT symbol, {_MARK} FROM price_mark WHERE item = ? ORDER BY symbol, after_s"


@dataclass(frozen=True, slots=True)
class DuePrices:
    """The marks of one symbol of one item that wait to be filled. `published` is the moment of the first mark.

    `base` is the price at publication where it is known already, `attempts` how often these marks were looked for.
    """

    item: int
    card_key: int
    symbol: str
    published: datetime
    waiting: tuple[timedelta, ...]
    base: float | None
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class Priced:
    """What one mark became: a price, a reason why there is none, or neither yet (`retry_at`).

    A price with `traded_at` after the mark's moment is that of the next trade: the market was closed.
    """

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

        after, opened = (stamp(scored), -1), 0
        while True:
            page = await self._database.write(partial(_open_page, after=after))
            opened += page.opened
            if page.last is None:
                return opened
            after = page.last

    async def due(self, now: datetime, limit: int = 200) -> list[DuePrices]:
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
                attempts,
            )
            for item, card, symbol, first, waiting, base, attempts in rows
        ]

    async def fill(self, found: Iterable[tuple[DuePrices, Sequence[Priced]]]) -> None:
        """Keeps what became of the marks, all or nothing."""
        rows = [_filled(due, one) for due, priced in found for one in priced]

        def job(connection: sqlite3.Connection) -> None:
            connection.executemany(_FILL, rows)

        await self._database.write(job)


def _filled(due: DuePrices, one: Priced) -> Row:
    return (
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


@dataclass(frozen=True, slots=True)
class _Page:
    """How many marks a page of signals opened, and where the next one begins; None after the last."""

    opened: int
    last: tuple[int, int] | None


def _open_page(connection: sqlite3.Connection, after: tuple[int, int]) -> _Page:
    rows = connection.execute(_SCORED, (*after, _PAGE)).fetchall()
    opened = sum(_open(connection, row[1:]) for row in rows)
    return _Page(opened, (rows[-1][0], rows[-1][1]) if len(rows) == _PAGE else None)


def _open(connection: sqlite3.Connection, row: Row) -> int:
    item, published, precision, doubt, first_seen, linked = row
    exact = published is not None and doubt is None and precision in ("second", "minute")
    began = moment(published if exact and published <= first_seen else first_seen)
    marks = [
        (item, one.symbol, int(after.total_seconds()), stamp(began + after), stamp(began + after + LAG))
        for one in load_linked(linked)[:SYMBOLS]
        for after in AFTER
    ]
    before = connection.total_changes
    connection.executemany(
        "INSERT OR IGNORE INTO price_mark (item, symbol, after_s, moment, retry_at) VALUES (?, ?, ?, ?, ?)", marks
    )
    return connection.total_changes - before


_FILL: Final = (
    "UPDATE price_mark SET state = ?, retry_at = coalesce(?, retry_at), attempts = attempts + 1, price = ?,"
    " change_pct = ?, traded_at = ?, width_s = ?, currency = ?, source = ?, reason = ?"
    " WHERE item = ? AND symbol = ? AND after_s = ? AND state = 'waiting'"
)
_SCORED: Final = (
    "SELECT signal.scored_at, item.id, item.published_at, item.precision, item.doubt, item.first_seen_at, signal.linked"
    " FROM signal JOIN item ON item.id = signal.item WHERE (signal.scored_at, item.id) > (?, ?)"
    " AND signal.linked IS NOT NULL AND item.backlog = 0 ORDER BY signal.scored_at, item.id LIMIT ?"
)
_DUE: Final = (
    "SELECT mark.item, item.card, mark.symbol, min(mark.moment - mark.after_s * 1000000),"
    " group_concat(mark.after_s), (SELECT price FROM price_mark AS first WHERE first.item = mark.item"
    " AND first.symbol = mark.symbol AND first.after_s = 0), max(mark.attempts)"
    " FROM price_mark AS mark JOIN item ON item.id = mark.item WHERE mark.state = 'waiting' AND mark.retry_at <= ?"
    " GROUP BY mark.item, mark.symbol ORDER BY min(mark.retry_at) LIMIT ?"
)
