"""Our own database as the first source of the Narrative collector: what was seen when, around a move."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from agents.investigation.errors import SourceDown
from agents.investigation.models import Record
from agents.investigation.ports import Inquiry
from feeds.models import Tier
from storage.encoding import load_linked, moment, stamp
from storage.errors import StorageError
from storage.readers import Readable
from storage.rows import published

LIMIT: Final = 400
"""At most so many items, those nearest to the onset."""


class FirstSeen:
    """Items that touch the symbol, or whose text holds one of the case's names, first seen within the span.

    An item whose publication time is in doubt is timed by when we first saw it, and says so.
    """

    name = "own database of first-seen times"
    exhaustive = True

    def __init__(self, database: Readable) -> None:
        self._database = database

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """The records, nearest to the onset first; raises SourceDown where the database cannot be read."""
        case, onset = inquiry.case, stamp(inquiry.anchor.onset_at)
        span = (stamp(inquiry.since), stamp(inquiry.until))
        asked: list[tuple[str, tuple[Any, ...]]] = [(_BY_SYMBOL, (case.symbol, *span, onset, LIMIT))]
        if case.names:
            named = " OR ".join("item.title LIKE ? OR item.summary LIKE ?" for _ in case.names)
            words = tuple(f"%{name}%" for name in case.names for _ in range(2))
            asked.append((_BY_TEXT.format(named), (*span, *words, onset, LIMIT)))
        found: dict[str, Record] = {}
        try:
            async with self._database.read() as connection:
                for sql, values in asked:
                    for row in await connection.execute_fetchall(sql, values):
                        record = _record(tuple(row))
                        found.setdefault(record.id, record)
        except StorageError as error:
            raise SourceDown(f"the database could not be read: {error}") from error
        return tuple(found.values())[:LIMIT]


def _record(row: tuple[Any, ...]) -> Record:
    item_id, title, summary, url, source, tier, at, precision, doubt, first_seen, tickers = row
    told = published(at, precision, doubt)
    dated = told.at is not None and told.doubt is None
    return Record(
        id=item_id,
        title=title,
        summary=summary,
        url=url,
        source=source,
        published_at=told.at if dated else moment(first_seen),
        precision=told.precision if dated else "second",
        time_kind="published" if dated else "first_seen",
        tickers=tuple(tickers.split()),
        tier=Tier(tier),
    )


_COLUMNS: Final = (
    "SELECT item.item_id, item.title, item.summary, item.url, coalesce(nullif(item.outlet, ''), item.source_name),"
    " source.tier, item.published_at, item.precision, item.doubt, item.first_seen_at, item.tickers"
)
_NEAREST: Final = "ORDER BY abs(item.first_seen_at - ?), item.id LIMIT ?"
_BY_SYMBOL: Final = (
    f"{_COLUMNS} FROM ticker AS found JOIN item ON item.id = found.item JOIN source ON source.key = item.source"
    f" WHERE found.symbol = ? AND found.first_seen_at >= ? AND found.first_seen_at < ? {_NEAREST}"
)
_BY_TEXT: Final = (
    f"{_COLUMNS} FROM item JOIN source ON source.key = item.source"
    f" WHERE item.first_seen_at >= ? AND item.first_seen_at < ? AND ({{}}) {_NEAREST}"
)


async def asked_signal(database: Readable, item_id: str) -> tuple[str, str, datetime] | None:
    """(symbol, title, time) to investigate for a scored item: its strongest linked ticker, and when it was published
    or first seen. None for an id nobody knows or an item that links to nothing."""
    async with database.read() as connection:
        rows = list(
            await connection.execute_fetchall(
                "SELECT item.title, item.published_at, item.doubt, item.first_seen_at, signal.linked, item.tickers"
                " FROM item LEFT JOIN signal ON signal.item = item.id WHERE item.item_id = ?"
                " ORDER BY signal.revision DESC LIMIT 1",
                (item_id,),
            )
        )
    if not rows:
        return None
    title, at, doubt, first_seen, linked, tickers = rows[0]
    symbols = [one.symbol for one in load_linked(linked)] if linked else tickers.split()
    if not symbols:
        return None
    return symbols[0], title, moment(at if at is not None and doubt is None else first_seen)
