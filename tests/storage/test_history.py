"""The history: every kept signal of a period once, in the order of acceptance, whole."""

from __future__ import annotations

from datetime import timedelta

from agents.models import Signal, Urgency
from feeds.models import Item
from storage import history as module
from storage.database import Database
from storage.history import Wanted, history
from storage.items import Items
from storage.signals import Signals
from tests.storage.samples import NOW, WIRE, entry, later, signal


async def keep(database: Database, count: int) -> list[str]:
    """So many scored items, a minute apart, the urgencies taking turns."""
    kept = []
    for number in range(count):
        now = NOW + timedelta(minutes=number)
        told = entry(f"Plant number {number} of company {number} opens")
        item = (await Items(database).ingest(WIRE, [told], now=now, backlog=False)).new[0]
        urgency = (Urgency.FYI, Urgency.NOTE, Urgency.FLASH)[number % 3]
        await Signals(database).save(signal(item, urgency, tickers=("NVDA",) if number % 2 else ("AAPL",)), alert=None)
        kept.append(item)
    return kept


async def read(database: Database, wanted: Wanted = Wanted()) -> list[tuple[Item, Signal]]:  # noqa: B008 - frozen
    return [pair async for pair in history(database, wanted)]


async def test_every_item_comes_once_in_order_over_any_number_of_batches(database: Database) -> None:
    kept = await keep(database, 7)
    before, module.BATCH = module.BATCH, 3  # type: ignore[misc]
    try:
        found = await read(database)
    finally:
        module.BATCH = before  # type: ignore[misc]
    assert [item.id for item, _ in found] == kept
    assert all(one.item_id == item.id and len(one.outcomes) == 5 for item, one in found)
    assert all(outcome.evidence for _, one in found for outcome in one.outcomes)


async def test_a_signal_comes_back_as_it_was_saved(database: Database) -> None:
    (item,) = await keep(database, 1)
    ((_, found),) = await read(database)
    assert found == await Signals(database).load(item, 0)


async def test_only_the_period_the_urgencies_and_the_symbols_asked_for_come(database: Database) -> None:
    kept = await keep(database, 6)
    minute = timedelta(minutes=1)
    span = Wanted(since=NOW + minute, until=NOW + 3 * minute)
    assert [item.id for item, _ in await read(database, span)] == kept[1:3], "the end is left out"
    loud = Wanted(urgencies={Urgency.FLASH, Urgency.NOTE})
    assert [item.id for item, _ in await read(database, loud)] == [kept[1], kept[2], kept[4], kept[5]]
    assert [item.id for item, _ in await read(database, Wanted(symbols={"NVDA"}))] == kept[1::2]
    assert await read(database, Wanted(symbols={"NV"})) == []


async def test_the_newest_score_of_an_item_is_the_one_told_and_unscored_ones_are_among_them(database: Database) -> None:
    first, second = await keep(database, 2)
    again = later(signal(first, Urgency.ALERT, impact=0.7), minutes=5)
    await Signals(database).save(again, alert=None)
    item = (await Items(database).ingest(WIRE, [entry("Nobody could judge this")], now=NOW, backlog=False)).new[0]
    await Signals(database).save(signal(item, None), alert=None)
    found = {one.id: told for one, told in await read(database)}
    assert set(found) == {first, second, item}
    assert (found[first].urgency, found[first].scored_at) == (Urgency.ALERT, again.scored_at)
    assert (found[item].synthesis, found[item].urgency) == (None, None)
