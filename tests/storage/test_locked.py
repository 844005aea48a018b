"""Every public method while another program writes: a typed error in time, never a hang, and later it works."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from agents.models import AGENT_NAMES, Urgency
from feeds.models import Item, PollState
from storage.archive import Archive
from storage.cards import CardReader
from storage.database import Database
from storage.errors import DatabaseBusy
from storage.items import Items
from storage.marks import Marks
from storage.models import AlertDraft, CardFilter
from storage.outbox import Outbox
from storage.signals import Signals
from storage.sources import Sources
from tests.storage.samples import GAZETTE, NOW, WIRE, entry, report, signal


class Everything:
    """All that is public, on one database with one scored item and one that waits."""

    def __init__(self, database: Database) -> None:
        self.sources, self.items, self.signals = Sources(database), Items(database), Signals(database)
        self.outbox, self.marks, self.archive = Outbox(database), Marks(database), Archive(database)
        self.scored = self.waiting = ""
        self.key = ""
        self.item: Item

    async def begin(self) -> None:
        await self.sources.sync([WIRE], NOW)
        titles = ("Velkor names a new head", "Amberline recalls oats")
        self.scored, self.waiting = (await self.items.ingest(WIRE, [entry(title) for title in titles], now=NOW)).new
        saved = await self.signals.save(signal(self.scored, Urgency.FLASH), alert=AlertDraft("why", NOW))
        self.key = saved.alert_key or ""
        self.item = await self.items.get(self.scored)


WRITES: dict[str, Callable[[Everything], Awaitable[object]]] = {
    "sources.sync": lambda all: all.sources.sync([WIRE, GAZETTE], NOW),
    "sources.record": lambda all: all.sources.record("wire", PollState()),
    "items.recall": lambda all: all.items.recall(now=NOW),
    "items.ingest": lambda all: all.items.ingest(WIRE, [entry("Tessaly opens a mine")], now=NOW),
    "signals.save_outcome": lambda all: all.signals.save_outcome(all.waiting, 0, report(AGENT_NAMES[0])),
    "signals.save": lambda all: all.signals.save(signal(all.waiting), alert=None),
    "signals.failed": lambda all: all.signals.failed(all.waiting, 0, now=NOW),
    "outbox.attempted": lambda all: all.outbox.attempted(all.key),
    "outbox.delivered": lambda all: all.outbox.delivered(all.key, now=NOW),
    "outbox.acknowledge": lambda all: all.outbox.acknowledge([all.key], "terminal", NOW),
    "marks.read": lambda all: all.marks.read([1]),
    "marks.unread": lambda all: all.marks.unread([1]),
    "marks.star": lambda all: all.marks.star(1, True),
}
READS: dict[str, Callable[[Everything], Awaitable[object]]] = {
    "sources.due": lambda all: all.sources.due(NOW),
    "sources.rows": lambda all: all.sources.rows(),
    "items.pending": lambda all: all.items.pending(9, now=NOW),
    "items.get": lambda all: all.items.get(all.scored),
    "items.work": lambda all: all.items.work([all.waiting]),
    "items.prior_reports": lambda all: all.items.prior_reports(all.scored, before=all.scored),
    "signals.outcomes": lambda all: all.signals.outcomes(all.scored, 0),
    "signals.load": lambda all: all.signals.load(all.scored, 0),
    "outbox.pending": lambda all: all.outbox.pending(),
    "archive.earlier": lambda all: all.archive.earlier(all.item, symbols=["NVDA"], event_type=None, before=NOW),
    "archive.health": lambda all: all.archive.health(["wire"]),
}
SCREEN: dict[str, Callable[[CardReader], object]] = {
    "order": lambda reader: reader.order(CardFilter()),
    "order, limited": lambda reader: reader.order(CardFilter(), 10),
    "order, searched": lambda reader: reader.order(CardFilter(text="velkor"), 10),
    "fyi_start": lambda reader: reader.fyi_start(CardFilter()),
    "cards": lambda reader: reader.cards([1]),
    "card": lambda reader: reader.card(1),
    "detail": lambda reader: reader.detail(1),
    "key_of_story": lambda reader: reader.key_of_story("nothing"),
    "counts": lambda reader: reader.counts(),
    "alerts_unacknowledged": lambda reader: reader.alerts_unacknowledged(),
    "alert": lambda reader: reader.alert("nothing"),
    "sources": lambda reader: reader.sources(),
}


@pytest.fixture
async def everything(path: Path) -> AsyncIterator[Everything]:
    async with Database.open(path, now=NOW, busy_timeout_ms=20) as database:
        made = Everything(database)
        await made.begin()
        yield made


@pytest.fixture
def other(everything: Everything, path: Path) -> Iterator[sqlite3.Connection]:
    """Another program that has begun to write."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO fact VALUES ('other', '1')")
        yield connection


@pytest.mark.parametrize("name", WRITES)
async def test_a_write_is_busy_in_words_and_succeeds_once_the_lock_is_gone(
    everything: Everything, other: sqlite3.Connection, name: str
) -> None:
    with pytest.raises(DatabaseBusy, match="is locked by another program: close it, the next try may work"):
        await WRITES[name](everything)
    other.execute("ROLLBACK")
    await WRITES[name](everything)


@pytest.mark.parametrize("name", READS)
async def test_a_read_goes_on_beside_a_writer(everything: Everything, other: sqlite3.Connection, name: str) -> None:
    await READS[name](everything)


@pytest.mark.parametrize("name", SCREEN)
def test_the_screen_goes_on_beside_a_writer(other: sqlite3.Connection, path: Path, name: str) -> None:
    with CardReader(path) as reader:
        SCREEN[name](reader)


def public(kind: type) -> set[str]:
    return {name for name, value in vars(kind).items() if not name.startswith("_") and callable(value)}


def test_no_public_method_is_missing_here() -> None:
    named = {name.split(",")[0] for name in (*WRITES, *READS)}
    kinds = {
        "sources": Sources,
        "items": Items,
        "signals": Signals,
        "outbox": Outbox,
        "marks": Marks,
        "archive": Archive,
    }
    assert named == {f"{noun}.{method}" for noun, kind in kinds.items() for method in public(kind)}
    assert {name.split(",")[0] for name in SCREEN} == public(CardReader) - {"close"}
