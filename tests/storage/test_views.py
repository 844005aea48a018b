"""Views: a filter comes back as it was, with the watchlist and the time of the moment it is recalled."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agents.models import Urgency
from storage.database import Database
from storage.models import CardFilter, Since
from storage.views import VIEW_LIMIT, TooManyViews, Views
from tests.storage.samples import NOW

HOUR = timedelta(hours=1)
NARROW = CardFilter(
    text="rate cut",
    urgencies=frozenset({Urgency.FLASH, Urgency.NOTE}),
    tickers=frozenset({"NVDA"}),
    sources=frozenset({"Wire \ud800"}),
    kinds=frozenset({"fraud", "m_and_a"}),
    agents=frozenset({"PolicyRadar"}),
    unread_only=True,
    starred_only=True,
    fyi_last=False,
)


@pytest.mark.parametrize("wanted", [CardFilter(), NARROW])
async def test_a_filter_comes_back_as_it_was(database: Database, wanted: CardFilter) -> None:
    wanted = replace(wanted, sources=frozenset({"Wire"}) if wanted.sources else frozenset())
    views = Views(database)
    assert await views.save("  my   morning ", wanted, NOW) == 1
    [view] = await views.all()
    assert view.name == "my morning"
    assert view.wanted(frozenset({"AMD"}), NOW) == wanted


async def test_a_span_ends_and_a_watchlist_counts_when_it_is_recalled(database: Database) -> None:
    views = Views(database)
    await views.save("mine", CardFilter(watchlist=frozenset({"NVDA"}), since=Since(HOUR, NOW - HOUR)), NOW)
    [view] = await views.all()
    later = NOW + timedelta(days=3)
    recalled = view.wanted(frozenset({"AMD", "TSM"}), later)
    assert recalled.watchlist == {"AMD", "TSM"}
    assert recalled.since == Since(HOUR, later - HOUR)


async def test_the_same_name_is_replaced_and_a_free_place_is_taken(database: Database) -> None:
    views = Views(database)
    for name in ("one", "two", "three"):
        await views.save(name, CardFilter(), NOW)
    assert await views.save("two", NARROW, NOW) == 2
    assert [(view.name, view.place) for view in await views.all()] == [("one", 1), ("two", 2), ("three", 3)]
    taken = await views.remove("one")
    assert taken is not None
    assert taken.name == "one"
    assert await views.remove("one") is None
    assert await views.save("four", CardFilter(), NOW) == 1


async def test_there_is_one_for_each_digit_and_no_more(database: Database) -> None:
    views = Views(database)
    for number in range(VIEW_LIMIT):
        await views.save(f"view {number}", CardFilter(), NOW)
    with pytest.raises(TooManyViews, match="9 views already"):
        await views.save("one more", CardFilter(), NOW)
    assert len(await views.all()) == VIEW_LIMIT


async def test_words_of_a_newer_version_are_passed_over(database: Database, path: Path) -> None:
    views = Views(database)
    await views.save("mine", CardFilter(unread_only=True), NOW)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("""UPDATE view SET filter = '{"unread":true,"kinds":["alien"],"agents":["Oracle"],"x":1}'""")
    [view] = await views.all()
    assert view.filter == CardFilter(unread_only=True)
