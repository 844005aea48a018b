"""The kept items of a period with their signals, one after another: however many there are, a few are in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from agents.models import Signal, Urgency
from feeds.models import Item
from storage.encoding import RANK, Row, stamp
from storage.readers import Readable
from storage.reports import EVIDENCE_COLUMNS, REPORT_COLUMNS, outcomes_of
from storage.rows import ITEM_COLUMNS, ITEM_JOINS, item_of
from storage.saving import SIGNAL_COLUMNS
from storage.signals import signal_of

BATCH: Final = 200


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which items: first seen in the period (open where None), of one of the urgencies and one of the symbols where
    any are given."""

    since: datetime | None = None
    until: datetime | None = None
    urgencies: Collection[Urgency] = ()
    symbols: Collection[str] = ()


async def history(database: Readable, wanted: Wanted) -> AsyncIterator[tuple[Item, Signal]]:
    """The items in the order of acceptance, each with its newest signal; one that never had a signal is left out."""
    since = 0 if wanted.since is None else stamp(wanted.since)
    until = _FOREVER if wanted.until is None else stamp(wanted.until)
    ranks = {RANK[urgency] for urgency in wanted.urgencies}
    after = 0
    while True:
        async with database.read() as connection:
            rows = [tuple(row) for row in await connection.execute_fetchall(_ITEMS, (after, since, until, BATCH))]
            found = [row for row in rows if _fits(row, ranks, wanted.symbols)]
            marks = ", ".join("?" * len(found))
            keys = [row[0] for row in found]
            reports = list(await connection.execute_fetchall(_REPORTS.format(marks), keys)) if keys else []
            evidence = list(await connection.execute_fetchall(_EVIDENCE.format(marks), keys)) if keys else []
        for pair in _pairs(found, [tuple(row) for row in reports], [tuple(row) for row in evidence]):
            yield pair
        if len(rows) < BATCH:
            return
        after = rows[-1][0]


def _fits(row: Row, ranks: Collection[int | None], symbols: Collection[str]) -> bool:
    signal = row[3 + _ITEM_WIDTH :]
    if ranks and signal[_URGENCY] not in ranks:
        return False
    return not symbols or bool(set(symbols) & set(row[2].upper().split()))


def _pairs(rows: list[Row], reports: list[Row], evidence: list[Row]) -> list[tuple[Item, Signal]]:
    said: dict[int, list[Row]] = defaultdict(list)
    for row in reports:
        said[row[0]].append(row[1:])
    shown: dict[int, list[Row]] = defaultdict(list)
    for row in evidence:
        shown[row[0]].append(row[1:])
    pairs = []
    for key, revision, _, *rest in rows:
        item, signal = item_of(tuple(rest[:_ITEM_WIDTH])), tuple(rest[_ITEM_WIDTH:])
        pairs.append((item, signal_of(item.id, revision, signal, outcomes_of(said[key], shown[key]))))
    return pairs


_FOREVER: Final = 2**62
_ITEM_WIDTH: Final = ITEM_COLUMNS.count(",") + 1
_URGENCY: Final = 1
_NEWEST: Final = "(SELECT max(revision) FROM signal AS newest WHERE newest.item = item.id)"
_ITEMS: Final = (
    f"SELECT item.id, signal.revision, scoring.linked, {ITEM_COLUMNS}, signal."
    + SIGNAL_COLUMNS.replace(", ", ", signal.")
    + f" FROM item {ITEM_JOINS} JOIN scoring ON scoring.item = item.id"
    f" JOIN signal ON signal.item = item.id AND signal.revision = {_NEWEST}"
    " WHERE item.id > ? AND item.first_seen_at >= ? AND item.first_seen_at < ? ORDER BY item.id LIMIT ?"
)
_REPORTS: Final = (
    f"SELECT report.item, {REPORT_COLUMNS} FROM report WHERE report.item IN ({{}}) AND report.revision ="
    " (SELECT max(revision) FROM signal WHERE signal.item = report.item) ORDER BY report.id"
)
_EVIDENCE: Final = (
    f"SELECT report.item, {EVIDENCE_COLUMNS} FROM report JOIN evidence ON evidence.report = report.id"
    " WHERE report.item IN ({}) AND report.revision ="
    " (SELECT max(revision) FROM signal WHERE signal.item = report.item) ORDER BY report.id, evidence.place"
)
