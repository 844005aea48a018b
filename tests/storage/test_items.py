"""Items: accepted once, changed in meaning, pending until their end."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agents.models import AGENT_NAMES, Urgency
from agents.novelty import PriorReport
from feeds.models import Entry, Item, Published, TimeDoubt
from storage.cards import CardReader
from storage.database import Database
from storage.errors import DiskFull, UnknownItem
from storage.items import Items
from storage.models import CardFilter
from storage.signals import Signals
from tests.storage.samples import GAZETTE, NOW, WIRE, entry, published, report, signal

MILL = entry("Nordia Steel halts its mill in Orlow", summary="All shifts stop.", outlet="Orlow Post")
SUIT = entry("Velkor sues Amberline over patents")
MINUTE = timedelta(minutes=1)


@pytest.fixture
def items(database: Database) -> Items:
    return Items(database)


async def test_an_item_comes_back_as_it_was_accepted(items: Items) -> None:
    taken = await items.ingest(WIRE, [MILL], now=NOW)
    (item_id,) = taken.new
    assert await items.get(item_id) == Item(
        id=item_id,
        source_id="wire",
        source_name="Harbour Wire",
        tier=WIRE.tier,
        title=MILL.title,
        summary=MILL.summary,
        url=MILL.url,
        published=MILL.published,
        first_seen_at=NOW,
        story_id=item_id,
        outlet="Orlow Post",
        backlog=True,
    )


@pytest.mark.parametrize(
    "when",
    [
        Published(),
        Published(NOW, "minute", None),
        Published(NOW, "second", TimeDoubt.ZONE_UNKNOWN),
        Published(NOW + timedelta(days=400), "day", TimeDoubt.FUTURE),
        Published(None, "unknown", TimeDoubt.UNREADABLE),
    ],
)
async def test_times_and_doubts_come_back(items: Items, when: Published) -> None:
    taken = await items.ingest(WIRE, [replace(MILL, published=when)], now=NOW)
    assert (await items.get(taken.new[0])).published == when


async def test_a_poll_seen_before_writes_nothing(items: Items, path: Path) -> None:
    await items.ingest(WIRE, [MILL, SUIT], now=NOW)
    with closing(sqlite3.connect(path)) as connection:
        before = connection.execute("PRAGMA data_version").fetchone()
        taken = await items.ingest(WIRE, [SUIT, MILL], now=NOW + MINUTE)
        assert (taken.new, taken.changed, taken.known, taken.cards) == ((), (), 2, ())
        assert connection.execute("PRAGMA data_version").fetchone() == before


async def test_the_first_document_of_each_source_is_backlog_and_nothing_after_it(items: Items) -> None:
    first = await items.ingest(WIRE, [MILL], now=NOW)
    second = await items.ingest(WIRE, [MILL, SUIT], now=NOW + MINUTE)
    other = await items.ingest(GAZETTE, [entry("Rate decision at noon")], now=NOW + MINUTE)
    assert [first.backlog, second.backlog, other.backlog] == [True, False, True]
    assert [(await items.get(taken.new[0])).backlog for taken in (first, second, other)] == [True, False, True]


async def test_an_empty_first_document_is_a_first_document(items: Items) -> None:
    await items.ingest(WIRE, [], now=NOW)
    assert not (await items.ingest(WIRE, [MILL], now=NOW)).backlog


async def test_a_recording_may_say_that_nothing_is_backlog(items: Items) -> None:
    assert not (await items.ingest(WIRE, [MILL], now=NOW, backlog=False)).backlog


async def test_the_same_event_from_another_outlet_joins_its_story(items: Items, path: Path) -> None:
    first = await items.ingest(WIRE, [MILL], now=NOW)
    second = await items.ingest(GAZETTE, [entry("Nordia Steel halts its Orlow mill")], now=NOW + MINUTE)
    joined = await items.get(second.new[0])
    assert joined.story_id == first.new[0]
    assert second.cards == first.cards
    with CardReader(path) as reader:
        assert reader.order(CardFilter()) == [first.cards[0]]


async def test_a_story_is_joined_after_a_restart(path: Path) -> None:
    async with Database.open(path, now=NOW) as database:
        first = await Items(database).ingest(WIRE, [MILL], now=NOW)
    async with Database.open(path, now=NOW) as database:
        second = await Items(database).ingest(GAZETTE, [entry("Nordia Steel halts its Orlow mill")], now=NOW + MINUTE)
    assert second.cards == first.cards


async def test_a_story_is_joined_after_a_recall_in_pieces(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.items.PIECE", 2)
    async with Database.open(path, now=NOW) as database:
        others = [entry(f"{name} names a new head") for name in ("Velkor", "Amberline", "Tessaly", "Pellworth")]
        first = await Items(database).ingest(WIRE, [*others[:2], MILL, *others[2:]], now=NOW)
    async with Database.open(path, now=NOW) as database:
        items = Items(database)
        await items.recall(now=NOW)
        await items.recall(now=NOW)
        second = await items.ingest(GAZETTE, [entry("Nordia Steel halts its Orlow mill")], now=NOW + MINUTE)
    assert second.cards == (first.cards[2],)


async def test_only_so_many_items_are_held_and_the_oldest_go_first(
    items: Items, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.stories.HELD", 3)
    names = ("Velkor", "Amberline", "Tessaly")
    for n, title in enumerate((MILL.title, *(f"{name} names a new head" for name in names))):
        await items.ingest(WIRE, [entry(title, at=NOW + n * MINUTE)], now=NOW + n * MINUTE)
    retold = entry("Nordia Steel halts its Orlow mill", at=NOW + 5 * MINUTE)
    late = await items.ingest(GAZETTE, [retold], now=NOW + 5 * MINUTE)
    assert (await items.get(late.new[0])).story_id == late.new[0]


async def test_a_story_of_a_poll_that_was_rolled_back_is_joined_by_nobody(items: Items, database: Database) -> None:
    await items.ingest(GAZETTE, [], now=NOW)
    await items.ingest(WIRE, [], now=NOW)
    pages = await database.write(lambda connection: connection.execute("PRAGMA page_count").fetchone()[0])
    await database.write(lambda connection: connection.execute(f"PRAGMA max_page_count = {pages}").fetchone())
    with pytest.raises(DiskFull):
        await items.ingest(WIRE, [replace(MILL, summary="x" * 100_000)], now=NOW)
    await database.write(lambda connection: connection.execute("PRAGMA max_page_count = 1000000").fetchone())
    taken = await items.ingest(GAZETTE, [entry("Nordia Steel halts its Orlow mill")], now=NOW)
    assert (await items.get(taken.new[0])).story_id == taken.new[0]
    again = await items.ingest(WIRE, [replace(MILL, summary="x" * 100_000)], now=NOW)
    assert len(again.new) == 1


async def test_a_change_of_meaning_is_a_revision_that_is_scored_again(
    items: Items, database: Database, path: Path
) -> None:
    signals = Signals(database)
    (item_id,) = (await items.ingest(WIRE, [MILL], now=NOW)).new
    await signals.save(signal(item_id), alert=None)
    assert await items.pending(9, now=NOW + timedelta(hours=9)) == []
    changed = replace(MILL, title="CORRECTED: Nordia Steel halts two mills in Orlow")
    taken = await items.ingest(WIRE, [changed], now=NOW + MINUTE)
    assert (taken.new, taken.changed, taken.known) == ((), (item_id,), 0)
    item = await items.get(item_id)
    assert (item.title, item.revision, item.change, item.story_id) == (changed.title, 1, "corrected", item_id)
    assert await items.pending(9, now=NOW + MINUTE) == [item_id]
    with closing(sqlite3.connect(path)) as connection:
        kept = connection.execute("SELECT revision, title, summary FROM earlier_text").fetchall()
    assert kept == [(0, MILL.title, MILL.summary)]
    with CardReader(path) as reader:
        card = reader.cards(taken.cards)[0]
        assert (card.title, card.change, card.urgency) == (changed.title, "corrected", Urgency.NOTE)
        assert reader.order(CardFilter(text="two mills")) == [card.key]


async def test_the_first_publication_stays_and_a_doubtful_one_is_mended(items: Items) -> None:
    dated, undated = (await items.ingest(WIRE, [MILL, replace(SUIT, published=Published())], now=NOW)).new
    later = published(NOW + timedelta(minutes=3))
    await items.ingest(
        WIRE,
        [
            replace(MILL, title="CORRECTED: Nordia Steel halts two mills in Orlow", published=later),
            replace(SUIT, title="CORRECTED: Velkor sues Amberline over 12 patents", published=later),
        ],
        now=NOW + timedelta(minutes=5),
    )
    assert (await items.get(dated)).published == MILL.published
    assert (await items.get(undated)).published == later


async def test_pending_is_oldest_first_limited_and_of_its_time(items: Items) -> None:
    first = (await items.ingest(WIRE, [MILL, SUIT], now=NOW)).new
    second = (await items.ingest(WIRE, [entry("Queen Mab Foods recalls oats")], now=NOW + MINUTE)).new
    assert await items.pending(9, now=NOW + MINUTE) == [*first, *second]
    assert await items.pending(2, now=NOW + MINUTE) == list(first)
    assert await items.pending(9, now=NOW) == list(first)


async def test_work_holds_all_that_scoring_needs_in_the_order_asked(items: Items, database: Database) -> None:
    first = (await items.ingest(WIRE, [MILL], now=NOW)).new
    second = (await items.ingest(GAZETTE, [entry("Nordia Steel halts its Orlow mill")], now=NOW + MINUTE)).new
    landed = report(AGENT_NAMES[2])
    await Signals(database).save_outcome(second[0], 0, landed)
    works = await items.work([*second, "nothing", *first])
    assert [work.item.id for work in works] == [*second, *first]
    assert [work.prior for work in works] == [(PriorReport(NOW, False),), ()]
    assert [dict(work.done) for work in works] == [{AGENT_NAMES[2]: landed}, {}]
    assert works[0].card_key == works[1].card_key
    assert await items.work([]) == []


async def test_work_leaves_out_what_is_scored(items: Items, database: Database) -> None:
    first, second = (await items.ingest(WIRE, [MILL, SUIT], now=NOW)).new
    await Signals(database).save(signal(first), alert=None)
    assert [work.item.id for work in await items.work([first, second])] == [second]


async def test_reports_of_the_text_before_an_edit_are_not_taken_for_those_of_the_new_one(
    items: Items, database: Database
) -> None:
    (item_id,) = (await items.ingest(WIRE, [MILL], now=NOW)).new
    await Signals(database).save_outcome(item_id, 0, report(AGENT_NAMES[0]))
    await items.ingest(WIRE, [replace(MILL, title="CORRECTED: Nordia Steel halts two mills in Orlow")], now=NOW)
    (work,) = await items.work([item_id])
    assert (work.item.revision, work.done) == (1, {})


async def test_reports_older_than_a_day_do_not_count_as_prior(items: Items) -> None:
    await items.ingest(WIRE, [MILL], now=NOW)
    retold = replace(MILL, guid="again", url="https://gazette.example/2")
    second = (await items.ingest(GAZETTE, [retold], now=NOW + timedelta(hours=25))).new
    assert (await items.work(second))[0].prior == ()


async def test_polls_at_once_lose_nothing(items: Items, path: Path) -> None:
    sources = [replace(WIRE, id=f"wire-{n}", url=f"https://wire.example/{n}") for n in range(30)]
    polls = [
        [entry(f"Company {chr(65 + n)}{n}{k} names a new head", guid=f"{n}-{k}") for k in range(5)] for n in range(30)
    ]
    taken = await asyncio.gather(
        *(items.ingest(source, poll, now=NOW) for source, poll in zip(sources, polls, strict=True))
    )
    assert sum(len(one.new) for one in taken) == 150
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*), count(DISTINCT item_id) FROM item").fetchone() == (150, 150)


@pytest.mark.parametrize("title", ["a\x00b", "half \ud800 pair", "'; DROP TABLE item; --", "%_\\", ""])
async def test_any_text_is_only_text(items: Items, title: str) -> None:
    (item_id,) = (await items.ingest(WIRE, [Entry("g", "", title, title, published())], now=NOW)).new
    assert (await items.get(item_id)).title == title.replace("\ud800", "\ufffd")


async def test_an_item_nobody_accepted_is_unknown(items: Items) -> None:
    with pytest.raises(UnknownItem, match="there is no item nothing"):
        await items.get("nothing")


async def test_a_feed_that_renames_an_item_at_every_poll_does_not_grow_it(items: Items, path: Path) -> None:
    for number in range(40):
        renamed = replace(MILL, guid=f"g{number}", url=f"https://wire.example/a?session={number}")
        await items.ingest(WIRE, [renamed], now=NOW + number * MINUTE)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM item").fetchone() == (1,)
        (keys,) = connection.execute("SELECT keys FROM item").fetchone()
        assert len(keys.split()) == connection.execute("SELECT count(*) FROM identity").fetchone()[0] == 24
