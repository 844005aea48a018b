"""A feed in unrest costs a bounded number of revisions, and its last word is taken."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from feeds.models import Entry
from storage.database import Database
from storage.items import Items
from storage.revisions import AT_ONCE, FLIP, LONGEST, PATIENCE, patience
from tests.storage.samples import NOW, WIRE, entry

MINUTE = timedelta(minutes=1)
ONE, OTHER = "Velkor cuts guidance to 3 percent", "Velkor cuts guidance to 4 percent"


def told(title: str) -> Entry:
    return Entry("guid-1", "https://wire.example/1", title, "", entry("x").published)


async def poll(items: Items, title: str, at: datetime) -> bool:
    """Whether the feed's words made a revision."""
    return bool((await items.ingest(WIRE, [told(title)], now=at)).changed)


@pytest.mark.parametrize(
    ("edits", "flips", "wait"),
    [
        (1, False, timedelta()),
        (AT_ONCE - 1, False, timedelta()),
        (AT_ONCE, False, PATIENCE),
        (AT_ONCE + 1, False, 2 * PATIENCE),
        (AT_ONCE + 90, False, LONGEST),
        (1, True, FLIP),
        (AT_ONCE + 90, True, LONGEST),
    ],
)
def test_the_present_words_must_have_stood_longer_with_each_edit(edits: int, flips: bool, wait: timedelta) -> None:
    assert patience(edits, flips=flips) == wait


async def test_two_headlines_in_turn_are_one_edit_and_the_one_that_stays_is_taken(database: Database) -> None:
    items = Items(database)
    await poll(items, ONE, NOW)
    flips = [await poll(items, OTHER if turn % 2 else ONE, NOW + turn * MINUTE) for turn in range(1, 60)]
    assert sum(flips) == 1
    (item_id,) = await items.pending(9, now=NOW + timedelta(hours=9))
    assert (await items.get(item_id)).title == OTHER
    assert await poll(items, ONE, NOW + timedelta(hours=2))
    assert (await items.get(item_id)).title == ONE


async def test_a_headline_that_is_new_at_every_poll_is_scored_ever_more_rarely(database: Database) -> None:
    items = Items(database)
    await poll(items, "Live: 100 shares halted", NOW)
    day = [await poll(items, f"Live: {turn + 101} shares halted", NOW + 5 * turn * MINUTE) for turn in range(1, 288)]
    assert AT_ONCE < sum(day) < 15
    (item_id,) = await items.pending(9, now=NOW + timedelta(days=9))
    assert await poll(items, "Live: all shares halted", NOW + timedelta(days=2))
    assert (await items.get(item_id)).title == "Live: all shares halted"


async def test_the_first_corrections_of_a_day_count_at_once(database: Database) -> None:
    items = Items(database)
    await poll(items, ONE, NOW)
    assert [await poll(items, f"Velkor cuts guidance to {n} percent", NOW + n * MINUTE) for n in (5, 6, 7)] == [
        True
    ] * 3
