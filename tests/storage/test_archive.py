"""The archive: earlier items of the same story, company or event, never newer ones, never the item itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agents.models import FlashEvent, Urgency
from agents.tools.protocol import Archive as ArchiveProtocol
from agents.tools.protocol import EarlierItem, SourceHealth
from feeds.models import Item, PollState, Source
from storage.archive import HORIZON, Archive
from storage.database import Database, View
from storage.items import Items
from storage.signals import Signals
from storage.sources import Sources
from tests.storage.samples import GAZETTE, NOW, WIRE, entry, signal

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
MILL = "Nordia Steel halts its mill in Orlow"
RETOLD = "Nordia Steel halts its Orlow mill"
BROKE = "Brackwater files for bankruptcy"
OTHER = "Pellworth Air files for bankruptcy"


class Past:
    """A few items with their signals, told at hours before NOW."""

    def __init__(self, database: Database) -> None:
        self.items, self.signals = Items(database), Signals(database)
        self.archive: ArchiveProtocol = Archive(database)
        self.ids: dict[str, str] = {}

    async def tell(
        self,
        title: str,
        at: datetime,
        *,
        source: Source = WIRE,
        tickers: Sequence[str] = (),
        event: FlashEvent | None = None,
    ) -> Item:
        (item_id,) = (await self.items.ingest(source, [entry(title, at=at)], now=at)).new
        self.ids[title] = item_id
        await self.signals.save(signal(item_id, Urgency.NOTE, tickers=tickers, event=event), alert=None)
        return await self.items.get(item_id)

    async def find(
        self,
        item: Item,
        *,
        symbols: Sequence[str] = (),
        event: FlashEvent | None = None,
        before: datetime = NOW,
        sources: Sequence[str] = (),
        limit: int = 8,
    ) -> list[tuple[str, str]]:
        found = await self.archive.earlier(
            item, symbols=symbols, event_type=event, before=before, source_ids=sources, limit=limit
        )
        return [(one.title, one.why) for one in found]


@pytest.fixture
async def past(database: Database) -> Past:
    told = Past(database)
    await told.tell(MILL, NOW - 5 * HOUR, tickers=["NRD"])
    await told.tell(BROKE, NOW - 4 * HOUR, tickers=["BRW"], event="bankruptcy")
    await told.tell(OTHER, NOW - 3 * HOUR, source=GAZETTE, tickers=["PLW", "NRD"], event="bankruptcy")
    return told


async def test_story_company_and_event_are_found_newest_first_each_with_its_reason(past: Past) -> None:
    item = await past.tell(RETOLD, NOW)
    assert await past.find(item, symbols=["NRD"], event="bankruptcy") == [
        (OTHER, "same company (NRD)"),
        (BROKE, "same event (bankruptcy)"),
        (MILL, "same story"),
    ]


async def test_an_earlier_item_says_where_and_when_it_was_told(past: Past) -> None:
    item = await past.tell(RETOLD, NOW)
    told = await past.items.get(past.ids[MILL])
    (found,) = await past.archive.earlier(item, symbols=(), event_type=None, before=NOW)
    assert found == EarlierItem(
        told.id, told.title, told.url, "wire", WIRE.name, WIRE.tier, told.published, told.first_seen_at, "same story"
    )


async def test_nothing_newer_than_asked_for_is_seen(past: Past) -> None:
    item = await past.items.get(past.ids[BROKE])
    assert await past.find(item, symbols=["NRD"], event="bankruptcy", before=item.first_seen_at) == [
        (MILL, "same company (NRD)")
    ]
    assert await past.find(item, symbols=["NRD"], before=NOW - 5 * HOUR) == []


async def test_the_item_itself_is_no_evidence(past: Past) -> None:
    item = await past.items.get(past.ids[MILL])
    assert await past.find(item, symbols=["NRD"], before=NOW - 4 * HOUR) == []


async def test_only_named_sources_answer_where_some_are_named(past: Past) -> None:
    item = await past.tell(RETOLD, NOW)
    for sources, titles in ((["gazette"], [OTHER]), (["wire"], [BROKE, MILL]), (["nowhere"], [])):
        found = await past.find(item, symbols=["NRD"], event="bankruptcy", sources=sources)
        assert [title for title, _ in found] == titles


async def test_the_limit_keeps_the_newest(past: Past) -> None:
    item = await past.tell(RETOLD, NOW)
    found = await past.find(item, symbols=["NRD"], event="bankruptcy", limit=1)
    assert found == [(OTHER, "same company (NRD)")]


async def test_old_items_are_history_and_no_evidence(past: Past) -> None:
    late = NOW + HORIZON
    item = await past.tell("Nordia Steel names a new head", late)
    assert await past.find(item, symbols=["NRD", "BRW"], event="bankruptcy", before=late - 3 * HOUR) == [
        (OTHER, "same company (NRD)")
    ]
    assert await past.find(item, symbols=["NRD"], event="bankruptcy", before=late + HOUR) == []


async def test_an_item_that_was_never_stored_can_be_asked_about(past: Past) -> None:
    item = replace(await past.items.get(past.ids[MILL]), id="elsewhere", story_id="elsewhere")
    assert await past.find(item) == []
    assert await past.find(item, symbols=["NRD"]) == [(OTHER, "same company (NRD)"), (MILL, "same company (NRD)")]


async def test_health_tells_of_the_subscribed_ones_alone(database: Database) -> None:
    sources, archive = Sources(database), Archive(database)
    await sources.sync([WIRE, GAZETTE], NOW)
    await sources.record("wire", PollState(last_ok_at=NOW))
    assert await archive.health(["gazette", "wire", "nowhere"]) == [
        SourceHealth("wire", NOW, WIRE.interval_s),
        SourceHealth("gazette", None, GAZETTE.interval_s),
    ]
    await sources.sync([GAZETTE], NOW)
    assert [one.source_id for one in await archive.health(["gazette", "wire"])] == ["gazette"]
    assert await archive.health([]) == []


async def test_a_view_answers_as_well(past: Past, path: Path) -> None:
    item = await past.tell(RETOLD, NOW)
    async with View.open(path) as view:
        found = await Archive(view).earlier(item, symbols=(), event_type=None, before=NOW)
    assert [one.title for one in found] == [MILL]
