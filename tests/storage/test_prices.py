"""Price marks: opened once for each signal with a symbol, filled in as time passes, a missing price said as such."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from agents.models import Urgency
from feeds.models import Published, TimeDoubt
from storage import prices
from storage.cards import CardReader
from storage.database import Database
from storage.items import Items
from storage.models import CardFilter
from storage.prices import AFTER, LAG, SYMBOLS, Priced, PriceMarks
from storage.signals import Signals
from tests.storage.samples import NOW, WIRE, entry, signal

MINUTE = timedelta(minutes=1)
SYMBOLS_TOLD = ("AAPL", "MSFT", "TSLA", "NVDA", "AMD", "INTC", "QCOM")


async def scored(database: Database, *, backlog: bool = False, minutes: float = 0.0) -> str:
    """An item published so many minutes before it was seen at NOW, with a signal that links seven symbols."""
    told = entry("Mill stops work", at=NOW - minutes * MINUTE)
    item = (await Items(database).ingest(WIRE, [told], now=NOW, backlog=backlog)).new[0]
    await Signals(database).save(signal(item, Urgency.ALERT, tickers=SYMBOLS_TOLD), alert=None)
    return item


async def test_a_signal_with_symbols_gets_four_marks_for_each_of_the_five_strongest(database: Database) -> None:
    await scored(database, minutes=2)
    marks = PriceMarks(database)
    assert await marks.open_since(NOW - MINUTE) == SYMBOLS * len(AFTER) == 20
    assert await marks.open_since(NOW - MINUTE) == 0, "the same signal opened marks twice"
    with CardReader(database.path) as cards:
        (key,) = cards.order(CardFilter())
        detail = cards.detail(key)
        assert detail is not None
        assert [mark.moment - (NOW - 2 * MINUTE) for mark in detail.prices[:4]] == list(AFTER)
        assert {mark.state for mark in detail.prices} == {"waiting"}


async def test_history_and_signals_without_a_symbol_get_none(database: Database) -> None:
    await scored(database, backlog=True)
    assert await PriceMarks(database).open_since(NOW - MINUTE) == 0


async def test_marks_are_due_once_their_moment_has_come_and_are_filled_for_good(database: Database) -> None:
    await scored(database)
    marks = PriceMarks(database)
    await marks.open_since(NOW - MINUTE)
    assert await marks.due(NOW) == []
    due = {one.symbol: one for one in await marks.due(NOW + 5 * MINUTE + LAG)}
    assert {one.symbol: (one.waiting, one.base, one.attempts) for one in due.values()} == dict.fromkeys(
        SYMBOLS_TOLD[:SYMBOLS], (AFTER[:2], None, 0)
    )
    found = [Priced(AFTER[0], 100.0, None, NOW, MINUTE, "USD", "Yahoo"), Priced(AFTER[1], reason="closed")]
    await marks.fill([(due["AAPL"], found)])
    again = {one.symbol: one for one in await marks.due(NOW + 70 * MINUTE)}
    assert (again["MSFT"].waiting, again["MSFT"].base) == (AFTER[:3], None)
    assert (again["AAPL"].waiting, again["AAPL"].base) == (AFTER[2:3], 100.0)
    with CardReader(database.path) as cards:
        detail = cards.detail(cards.order(CardFilter())[0])
        assert detail is not None
        first, second, *_ = detail.prices
        assert (first.state, first.price, first.source, first.width) == ("known", 100.0, "Yahoo", MINUTE)
        assert (second.state, second.price, second.reason) == ("none", None, "closed")


async def test_a_price_that_is_not_to_be_had_yet_is_looked_for_later(database: Database) -> None:
    await scored(database)
    marks = PriceMarks(database)
    await marks.open_since(NOW - MINUTE)
    due = (await marks.due(NOW + 2 * MINUTE))[0]
    await marks.fill([(due, [Priced(AFTER[0], reason="down", retry_at=NOW + 30 * MINUTE)])])
    assert "AAPL" not in [one.symbol for one in await marks.due(NOW + 4 * MINUTE)]
    (again,) = [one for one in await marks.due(NOW + 30 * MINUTE) if one.symbol == "AAPL"]
    assert again.attempts == 1


@pytest.mark.parametrize("doubt", [TimeDoubt.ZONE_UNKNOWN, TimeDoubt.FUTURE])
async def test_a_time_in_doubt_is_no_moment_the_first_sight_stands(database: Database, doubt: TimeDoubt) -> None:
    told = entry("Mill stops work")
    told = replace(told, published=Published(NOW - 60 * MINUTE, "second", doubt))
    item = (await Items(database).ingest(WIRE, [told], now=NOW, backlog=False)).new[0]
    await Signals(database).save(signal(item, Urgency.ALERT, tickers=("AAPL",)), alert=None)
    marks = PriceMarks(database)
    await marks.open_since(NOW - MINUTE)
    assert [one.published for one in await marks.due(NOW + 2 * MINUTE)] == [NOW]


async def test_however_many_signals_were_scored_since_each_gets_its_marks(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prices, "_PAGE", 3)
    for number in range(8):
        item = (await Items(database).ingest(WIRE, [entry(f"Report {number}")], now=NOW, backlog=False)).new[0]
        await Signals(database).save(signal(item, Urgency.NOTE, tickers=("AAPL",)), alert=None)
    marks = PriceMarks(database)
    assert await marks.open_since(NOW - MINUTE) == 8 * len(AFTER)
    assert await marks.open_since(NOW - MINUTE) == 0
