"""Items: accepted once, kept for ever, pending until they are scored or given up."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from agents.models import AgentName, Report
from agents.novelty import WINDOW, PriorReport
from feeds.models import Entry, Item, Source
from storage.database import Database
from storage.encoding import Row, moment, stamp
from storage.errors import UnknownItem
from storage.models import Ingested, Work
from storage.readers import Readable
from storage.reports import EVIDENCE_COLUMNS, REPORT_COLUMNS, outcomes_of
from storage.rows import ITEM_COLUMNS, ITEM_JOINS, item_of
from storage.stories import Stories
from storage.taking_in import take_in

PRIOR_LIMIT: Final = 64
"""So many earlier reports of a story are looked at; each halves the novelty, so that more change nothing."""

REFUSED_KEPT: Final = 2_000
"""So many refused entries are remembered."""

PIECE: Final = 50
"""Items read per piece: some ten milliseconds of the writer's time."""


class Items:
    """The table of items. One instance per database: it holds the stories of the last two days in memory."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._stories = Stories()
        self._refused: set[Entry] = set()

    async def recall(self, *, now: datetime) -> None:
        """Reads the stories of the last two days into memory, in pieces between which other writes have their turn.

        `ingest` waits for it.
        """
        while not self._stories.whole:
            await self._database.write(lambda connection: self._stories.read(connection, now, PIECE))

    async def ingest(
        self, source: Source, entries: Sequence[Entry], *, now: datetime, backlog: bool | None = None
    ) -> Ingested:
        """Takes in the entries of one poll in one transaction; what it returns is committed.

        The first document of a source is backlog, unless `backlog` says otherwise. Entries seen before change nothing;
        one that fails in an unforeseen way is refused, costs no other and is not tried again before the next start.
        """

        await self.recall(now=now)
        sound = [entry for entry in entries if entry not in self._refused] if self._refused else entries

        def job(connection: sqlite3.Connection) -> Ingested:
            return take_in(connection, source, sound, now, self._stories, backlog, full_text=self._database.full_text)

        taken = await self._database.write(job, rolled_back=self._stories.forget)
        if taken.refused and len(self._refused) < REFUSED_KEPT:
            self._refused.update(entry for entry, _ in taken.refused)
        return taken

    async def pending(self, limit: int, *, now: datetime) -> list[str]:
        """Ids of items that wait to be scored and are due, oldest first, those that a kill left behind included."""
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT item.item_id FROM scoring JOIN item ON item.id = scoring.item"
                " WHERE scoring.state = 'pending' AND scoring.retry_at <= ?"
                " ORDER BY scoring.retry_at, scoring.item LIMIT ?",
                (stamp(now), limit),
            )
        return [row[0] for row in rows]

    async def get(self, item_id: str) -> Item:
        """The item as it is now. Raises UnknownItem."""
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(_ITEM, (item_id,))
        for row in rows:
            return item_of(tuple(row))
        raise UnknownItem(f"there is no item {item_id}")

    async def work(self, item_ids: Sequence[str]) -> list[Work]:
        """What is needed to score these items, in the order asked; those that are not pending are left out."""
        marks = ", ".join("?" * len(item_ids))
        async with self._database.read() as connection:
            rows = list(await connection.execute_fetchall(_WORK.format(marks), tuple(item_ids)))
            numbers = [tuple(row)[-4] for row in rows]
            inner = ", ".join("?" * len(numbers))
            prior = await connection.execute_fetchall(_PRIOR.format(inner), numbers)
            reports = list(await connection.execute_fetchall(_LANDED.format(inner), numbers))
            evidence = await connection.execute_fetchall(_LANDED_EVIDENCE.format(inner), numbers) if reports else ()
        by_item: dict[int, list[PriorReport]] = defaultdict(list)
        for number, at, new_fact in prior:
            by_item[number].append(PriorReport(moment(at), bool(new_fact)))
        done = _landed(reports, list(evidence))
        found: dict[str, Work] = {}
        for row in map(tuple, rows):
            item, (number, card, new_fact, attempts) = item_of(row), row[-4:]
            landed = done[number, item.revision]
            found[item.id] = Work(item, card, tuple(by_item[number]), bool(new_fact), attempts, landed)
        return [found[item_id] for item_id in item_ids if item_id in found]


_DAY: Final = int(WINDOW.total_seconds() * 1_000_000)
_ITEM: Final = f"SELECT {ITEM_COLUMNS} FROM item {ITEM_JOINS} WHERE item.item_id = ?"
_WORK: Final = (
    f"SELECT {ITEM_COLUMNS}, item.id, item.card, item.new_fact, scoring.attempts FROM item {ITEM_JOINS}"
    " JOIN scoring ON scoring.item = item.id WHERE item.item_id IN ({}) AND scoring.state = 'pending'"
)
_PRIOR: Final = (
    "SELECT this.id, prior.first_seen_at, prior.new_fact FROM item AS this JOIN item AS prior ON prior.id IN"
    f" (SELECT id FROM item WHERE card = this.card AND id < this.id ORDER BY id DESC LIMIT {PRIOR_LIMIT})"
    f" WHERE this.id IN ({{}}) AND prior.first_seen_at >= this.first_seen_at - {_DAY} ORDER BY prior.id"
)
_LANDED: Final = (
    f"SELECT report.item, report.revision, {REPORT_COLUMNS} FROM item JOIN report ON report.item = item.id"
    " AND report.revision = item.revision WHERE item.id IN ({}) AND report.cause IS NULL ORDER BY report.id"
)
_LANDED_EVIDENCE: Final = (
    f"SELECT {EVIDENCE_COLUMNS} FROM item JOIN report ON report.item = item.id AND report.revision = item.revision"
    " JOIN evidence ON evidence.report = report.id WHERE item.id IN ({}) ORDER BY report.id, place"
)


def _landed(
    reports: Sequence[sqlite3.Row], evidence: Sequence[sqlite3.Row]
) -> dict[tuple[int, int], dict[AgentName, Report]]:
    """The reports of several items by item and revision, and by agent."""
    rows: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for row in reports:
        rows[row[0], row[1]].append(tuple(row)[2:])
    found: dict[tuple[int, int], dict[AgentName, Report]] = defaultdict(dict)
    for revision, mine in rows.items():
        ids = {row[0] for row in mine}
        for outcome in outcomes_of(mine, [tuple(row) for row in evidence if row[0] in ids]):
            if isinstance(outcome, Report):
                found[revision][outcome.agent] = outcome
    return found


async def matching(readable: Readable, beginning: str, *, limit: int) -> list[Item]:
    """The items whose id begins so, at most `limit`; one of exactly this id comes first."""
    async with readable.read() as connection:
        rows = await connection.execute_fetchall(
            f"SELECT {ITEM_COLUMNS} FROM item {ITEM_JOINS} WHERE substr(item.item_id, 1, ?) = ?"
            " ORDER BY item.item_id <> ?, item.id LIMIT ?",
            (len(beginning), beginning, beginning, limit),
        )
    return [item_of(tuple(row)) for row in rows]
