"""Every public method while another program writes: a typed error in time, never a hang, and later it works."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from agents.models import AGENT_NAMES, Urgency
from agents.tools.asking.health import SourceState
from feeds.models import Item, PollState
from storage.alerts import AlertDraft
from storage.archive import Archive
from storage.calls import Calls
from storage.cards import CardReader
from storage.database import Database
from storage.errors import DatabaseBusy
from storage.evidence_sources import EvidenceSources
from storage.items import Items
from storage.marks import Marks
from storage.models import CardFilter
from storage.mutes import Mutes
from storage.notes import Notes
from storage.outbox import Outbox
from storage.prices import AFTER, DuePrices, Priced, PriceMarks
from storage.signals import Signals
from storage.sources import Sources
from tests.storage.samples import GAZETTE, NOW, WIRE, entry, model_call, report, signal

LATER = NOW + timedelta(hours=1)


class Everything:
    """All that is public, on one database with one scored item and one that waits."""

    def __init__(self, database: Database) -> None:
        self.sources, self.items, self.signals = Sources(database), Items(database), Signals(database)
        self.beginning = Items(database)
        self.outbox, self.marks, self.archive = Outbox(database), Marks(database), Archive(database)
        self.calls, self.mutes, self.notes = Calls(database), Mutes(database), Notes(database)
        self.prices, self.evidence = PriceMarks(database), EvidenceSources(database)
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
    "items.recall": lambda all: all.beginning.recall(now=NOW),
    "items.ingest": lambda all: all.items.ingest(WIRE, [entry("Tessaly opens a mine")], now=NOW),
    "signals.save_outcome": lambda all: all.signals.save_outcome(all.waiting, 0, report(AGENT_NAMES[0])),
    "signals.save": lambda all: all.signals.save(signal(all.waiting), alert=None),
    "signals.failed": lambda all: all.signals.failed(all.waiting, 0, now=NOW),
    "outbox.attempted": lambda all: all.outbox.attempted([all.key]),
    "outbox.delivered": lambda all: all.outbox.delivered([all.key], now=NOW),
    "outbox.failed": lambda all: all.outbox.failed([all.key], "no", channel="terminal", answered=True),
    "outbox.hold": lambda all: all.outbox.hold([all.key], "quiet hours", channel="terminal"),
    "outbox.abandon": lambda all: all.outbox.abandon(["push"]),
    "outbox.give_up": lambda all: all.outbox.give_up([all.key], "no", channel="push"),
    "outbox.skip": lambda all: all.outbox.skip([all.key], "old", now=NOW, channel="push"),
    "mutes.add": lambda all: all.mutes.add("ticker", "NVDA", "NVDA", until=LATER, now=NOW, by="test"),
    "mutes.lift": lambda all: all.mutes.lift([1], NOW),
    "notes.write": lambda all: all.notes.write(1, "watch this", NOW),
    "outbox.acknowledge": lambda all: all.outbox.acknowledge([all.key], "terminal", NOW),
    "marks.read": lambda all: all.marks.read([1]),
    "calls.keep": lambda all: all.calls.keep(model_call(all.scored)),
    "marks.unread": lambda all: all.marks.unread([1]),
    "prices.open_since": lambda all: all.prices.open_since(NOW),
    "prices.fill": lambda all: all.prices.fill([(DuePrices(1, 1, "VELK", NOW, AFTER, None), [Priced(AFTER[0], 1.0)])]),
    "evidence.keep": lambda all: all.evidence.keep([SourceState("bis", "BIS", "answering", "none needed")], NOW),
    "marks.star": lambda all: all.marks.star(1, True),
}
READS: dict[str, Callable[[Everything], Awaitable[object]]] = {
    "prices.due": lambda all: all.prices.due(NOW),
    "sources.due": lambda all: all.sources.due(NOW),
    "sources.rows": lambda all: all.sources.rows(),
    "items.pending": lambda all: all.items.pending(9, now=NOW),
    "items.get": lambda all: all.items.get(all.scored),
    "items.work": lambda all: all.items.work([all.waiting]),
    "signals.outcomes": lambda all: all.signals.outcomes(all.scored, 0),
    "signals.load": lambda all: all.signals.load(all.scored, 0),
    "outbox.due": lambda all: all.outbox.due("terminal", NOW),
    "mutes.active": lambda all: all.mutes.active(NOW),
    "outbox.pending": lambda all: all.outbox.pending(),
    "archive.earlier": lambda all: all.archive.earlier(all.item, symbols=["NVDA"], event_type=None, before=NOW),
    "archive.health": lambda all: all.archive.health(["wire"]),
}
SCREEN: dict[str, Callable[[CardReader], object]] = {
    "order": lambda reader: reader.order(CardFilter()),
    "order, limited": lambda reader: reader.order(CardFilter(), 10),
    "order, searched": lambda reader: reader.order(CardFilter(text="velkor"), 10),
    "matching": lambda reader: reader.matching(CardFilter(), [1]),
    "cards": lambda reader: reader.cards([1]),
    "card": lambda reader: reader.card(1),
    "detail": lambda reader: reader.detail(1),
    "counts": lambda reader: reader.counts(),
    "alerts_unacknowledged": lambda reader: reader.alerts_unacknowledged(),
    "alert": lambda reader: reader.alert("nothing"),
    "sources": lambda reader: reader.sources(),
    "calls": lambda reader: reader.calls("nothing", 0, "MacroMind"),
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
        "mutes": Mutes,
        "notes": Notes,
        "marks": Marks,
        "archive": Archive,
        "calls": Calls,
        "prices": PriceMarks,
        "evidence": EvidenceSources,
    }
    assert named == {f"{noun}.{method}" for noun, kind in kinds.items() for method in public(kind)}
    assert {name.split(",")[0] for name in SCREEN} == public(CardReader) - {"close"}
