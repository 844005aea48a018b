"""What is old goes as a whole and leaves nothing behind; what a person holds on to stays."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agents.models import AGENT_NAMES, Evidence, Urgency
from storage.alerts import AlertDraft
from storage.calls import Calls
from storage.cards import CardReader
from storage.connection import enter_wal, open_writing
from storage.database import Database
from storage.items import Items
from storage.marks import Marks
from storage.migrate import builtin_migrations, migrate
from storage.models import CardFilter
from storage.notes import Notes
from storage.outbox import Outbox
from storage.prices import PriceMarks
from storage.retention import OF_ITEM, PIECE, Retention
from storage.signals import Signals
from tests.storage.samples import NOW, WIRE, entry, model_call, report, signal

OLD = NOW - timedelta(days=400)
HORIZON = NOW - timedelta(days=365)
COMPANIES = ("Nordia Steel", "Velkor", "Amberline", "Tessaly", "Brackwater", "Pellworth Air", "Orrin Foods")
EMPTIED = (
    *OF_ITEM,
    "item",
    "card",
    "card_outlet",
    "identity",
    "ticker",
    "evidence",
    "alert",
    "delivery",
    "note",
    "unindexed",
)


class Past:
    """Stories of long ago, scored and alerted, and one of today."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.items, self.signals, self.retention = Items(database), Signals(database), Retention(database)

    async def tell(self, title: str, *, at: object = OLD, urgency: Urgency = Urgency.NOTE) -> str:
        assert isinstance(at, type(OLD))
        (item_id,) = (await self.items.ingest(WIRE, [entry(title, at=at)], now=at)).new
        proof = Evidence("web_search#1", "web_search", "ok", "x", at, raw="the answer as it came")
        scored = replace(
            signal(item_id, urgency, tickers=("NVDA",)),
            outcomes=tuple(replace(report(agent), evidence=(proof,)) for agent in AGENT_NAMES),
        )
        await self.signals.save(
            scored, alert=AlertDraft("why", at) if urgency in (Urgency.ALERT, Urgency.FLASH) else None
        )
        await Calls(self.database).keep(model_call(item_id))
        return item_id

    async def tidy(self) -> int:
        cited, gone, after = await self.retention.cited(), 0, 0
        while True:
            piece = await self.retention.stories(HORIZON, cited, after)
            gone += len(piece.gone)
            if piece.next is None:
                return gone
            after = piece.next

    def titles(self) -> set[str]:
        with CardReader(self.database.path) as cards:
            return {card.title for card in cards.cards(cards.order(CardFilter()))}

    def found(self, words: str) -> int:
        with CardReader(self.database.path) as cards:
            return len(cards.order(CardFilter(text=words)))

    def count(self, table: str) -> int:
        with closing(sqlite3.connect(self.database.path)) as connection:
            return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.fixture
async def past(database: Database) -> Past:
    return Past(database)


async def test_an_old_story_goes_with_all_that_hangs_on_it(past: Past) -> None:
    before = {table: past.count(table) for table in EMPTIED}
    for company in COMPANIES:
        await past.tell(f"{company} files for bankruptcy", urgency=Urgency.ALERT)
    await PriceMarks(past.database).open_since(OLD - timedelta(days=1))
    await past.tell("Lumen Grid opens a mill", at=NOW)
    one = {table: past.count(table) for table in EMPTIED}
    assert all(one[table] > before[table] for table in ("item", "identity", "ticker", "alert", "delivery", "call"))
    assert await past.tidy() == len(COMPANIES)
    assert past.titles() == {"Lumen Grid opens a mill"}
    assert past.count("item") == 1
    assert {past.count(table) for table in ("alert", "delivery", "alert_decision", "price_mark", "earlier_text")} == {0}
    assert (past.count("ticker"), past.count("report"), past.count("call"), past.count("evidence")) == (1, 5, 1, 5)
    assert past.found("bankruptcy") == 0
    assert past.found("mill") == 1
    with CardReader(past.database.path) as cards:
        assert cards.counts().total == 1
    with closing(sqlite3.connect(past.database.path)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


Hold = Callable[[Past, str, int], Awaitable[object]]
HOLDS: dict[str, Hold] = {
    "starred": lambda past, item, card: Marks(past.database).star(card, True),
    "noted": lambda past, item, card: Notes(past.database).write(card, "watch this", NOW),
    "cited": lambda past, item, card: _investigate(past, item),
}


async def _investigate(past: Past, item_id: str) -> None:
    def job(connection: sqlite3.Connection) -> None:
        connection.execute(
            "INSERT INTO investigation (case_id, symbol, question, asked_at, case_json)"
            " VALUES ('c', 'VLK', '?', 1, '{}')"
        )
        connection.execute(
            "INSERT INTO investigation_node (investigation, round, node, kept_at, result) VALUES (1, 1, 'n', 1, ?)",
            (f'{{"records":["{item_id}"]}}',),
        )

    await past.database.write(job)


@pytest.mark.parametrize("name", HOLDS)
async def test_what_is_held_on_to_stays(past: Past, name: str) -> None:
    held = await past.tell("Velkor files for bankruptcy")
    await past.tell("Nordia Steel opens a mill")
    await past.tell("Lumen Grid names a chairman", at=NOW)
    await HOLDS[name](past, held, 1)
    assert await past.tidy() == 1
    assert past.titles() == {"Velkor files for bankruptcy", "Lumen Grid names a chairman"}


async def test_a_flash_stays_until_somebody_has_acknowledged_it(past: Past) -> None:
    flash = await past.tell("Velkor files for bankruptcy", urgency=Urgency.FLASH)
    await past.tell("Lumen Grid names a chairman", at=NOW)
    assert await past.tidy() == 0
    await Outbox(past.database).acknowledge([f"{flash}:FLASH"], "test", NOW)
    assert await past.tidy() == 1


async def test_a_story_with_a_later_report_stays_whole(past: Past) -> None:
    await past.tell("Velkor files for bankruptcy protection")
    later = HORIZON + timedelta(days=1)

    def job(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE item SET card = 1 WHERE id = 2")

    await past.tell("Velkor is bankrupt", at=later)
    await past.database.write(job)
    await past.tell("Lumen Grid names a chairman", at=NOW)
    assert await past.tidy() == 0


async def test_an_item_that_waits_for_its_score_stays(past: Past) -> None:
    await past.items.ingest(WIRE, [entry("Velkor files for bankruptcy", at=OLD)], now=OLD)
    await past.tell("Lumen Grid names a chairman", at=NOW)
    assert await past.tidy() == 0


async def test_raw_answers_and_calls_go_before_their_story(past: Past) -> None:
    await past.tell("Velkor files for bankruptcy")
    await past.tell("Lumen Grid names a chairman", at=NOW)
    while await past.retention.details(HORIZON):
        pass
    with closing(sqlite3.connect(past.database.path)) as connection:
        raws = connection.execute(
            "SELECT item, raw <> '' FROM evidence JOIN report ON report.id = report GROUP BY item, 2"
        ).fetchall()
        assert raws == [(1, 0), (2, 1)]
        assert connection.execute("SELECT DISTINCT item FROM call").fetchall() == [(2,)]
    assert past.titles() == {"Velkor files for bankruptcy", "Lumen Grid names a chairman"}


async def test_the_file_does_not_grow_while_as_much_goes_as_comes(past: Past) -> None:
    sizes = []
    for year in range(4):
        at = OLD - timedelta(days=4000) + timedelta(days=400 * year)
        jobs = [past.tell(f"{_name(n + 1000 * year)} names {_name(n)} chairman", at=at) for n in range(4 * PIECE)]
        await asyncio.gather(*jobs)
        await past.tidy()
        with closing(sqlite3.connect(past.database.path)) as connection:
            sizes.append(connection.execute("PRAGMA page_count").fetchone()[0])
        assert past.count("card") <= 1
    assert sizes[-1] <= sizes[1] * 1.1


def _name(number: int) -> str:
    letters = "bcdfglmnprst"
    return "".join(letters[number // 12**place % 12] + "ae"[place % 2] for place in range(4)).title()


def test_every_table_that_belongs_to_an_item_or_a_card_is_emptied_by_index(path: Path) -> None:
    with closing(open_writing(path)) as connection:
        enter_wal(connection, path)
        migrate(connection, path, builtin_migrations())
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in tables:
            for row in connection.execute(f"PRAGMA foreign_key_list({table})").fetchall():
                if row[2] not in ("item", "card", "alert", "report"):
                    continue
                assert table in EMPTIED, f"{table} refers to {row[2]}, and retention does not know it"
                plan = connection.execute(f"EXPLAIN QUERY PLAN SELECT 1 FROM {table} WHERE {row[3]} = 1").fetchall()
                assert "SEARCH" in plan[0][3], f"{table}.{row[3]} has no index: each item that goes reads it whole"
