"""Sources: definitions follow the configuration, states stay."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from feeds.models import PollState, Validators
from storage.cards import CardReader
from storage.database import Database
from storage.errors import StorageError
from storage.items import Items
from storage.sources import Sources
from tests.storage.samples import GAZETTE, NOW, WIRE, entry

STATE = PollState(
    status="failing",
    validators=Validators('W/"a"', "Tue, 10 Mar 2026 18:00:00 GMT"),
    next_check_at=NOW + timedelta(minutes=5),
    last_checked_at=NOW,
    last_ok_at=NOW - timedelta(hours=1),
    last_full_at=NOW - timedelta(hours=2),
    failures=3,
    last_error="wire.example did not answer within 30 s",
    redirect_url="https://new.example/rss",
    redirect_since=NOW - timedelta(days=2),
    latency_ms=12.5,
)


@pytest.fixture
async def sources(database: Database) -> Sources:
    made = Sources(database)
    await made.sync([WIRE, GAZETTE], NOW)
    return made


async def test_a_new_source_is_due_at_once(sources: Sources) -> None:
    assert await sources.due(NOW) == [(WIRE, PollState()), (GAZETTE, PollState())]


async def test_a_state_comes_back_as_it_was_recorded(sources: Sources) -> None:
    await sources.record("wire", STATE)
    assert {row.source.id: row.state for row in await sources.rows()} == {"wire": STATE, "gazette": PollState()}


async def test_only_what_is_due_is_due_and_the_longest_waiting_first(sources: Sources) -> None:
    await sources.record("wire", replace(STATE, next_check_at=NOW - timedelta(seconds=1)))
    await sources.record("gazette", replace(STATE, next_check_at=NOW - timedelta(seconds=9)))
    assert [source.id for source, _ in await sources.due(NOW)] == ["gazette", "wire"]
    assert [source.id for source, _ in await sources.due(NOW - timedelta(seconds=5))] == ["gazette"]
    assert await sources.due(NOW - timedelta(minutes=1)) == []


async def test_a_source_that_left_is_not_polled_and_keeps_its_state_for_its_return(sources: Sources) -> None:
    await sources.record("wire", STATE)
    await sources.sync([GAZETTE], NOW)
    assert [row.source.id for row in await sources.rows()] == ["gazette"]
    assert await sources.due(NOW + timedelta(days=1)) == [(GAZETTE, PollState())]
    await sources.sync([WIRE], NOW)
    assert [row.state for row in await sources.rows()] == [STATE]


async def test_a_new_definition_is_taken_over(sources: Sources) -> None:
    changed = replace(WIRE, name="Wire Two", interval_s=900)
    await sources.record("wire", STATE)
    await sources.sync([changed], NOW)
    assert [(row.source, row.state) for row in await sources.rows()] == [(changed, STATE)]


async def test_another_address_starts_afresh(sources: Sources) -> None:
    await sources.record("wire", STATE)
    await sources.sync([replace(WIRE, url="https://other.example/rss")], NOW)
    state = (await sources.rows())[0].state
    assert state.validators == Validators()
    assert (state.next_check_at, state.redirect_url, state.redirect_since) == (None, "", None)


async def test_a_row_counts_what_its_source_gave(sources: Sources, database: Database) -> None:
    items = Items(database)
    await items.ingest(WIRE, [entry("Nordia Steel halts its mill"), entry("Velkor sues Amberline")], now=NOW)
    later = NOW + timedelta(minutes=1)
    await items.ingest(WIRE, [entry("Velkor sues Amberline")], now=later)
    wire = next(row for row in await sources.rows() if row.source.id == "wire")
    assert (wire.items, wire.last_item_at) == (2, NOW)
    with CardReader(database.path) as reader:
        assert reader.sources() == await sources.rows()


async def test_a_state_of_nothing_known_is_refused(sources: Sources) -> None:
    with pytest.raises(StorageError, match="there is no source nowhere"):
        await sources.record("nowhere", STATE)
