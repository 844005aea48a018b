"""Prices on a signal: the last trade before the news, and where it stood five minutes, an hour and a day later."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agents.models import Urgency
from agents.prices import Bar, BarWidth, NoPrices, PriceSeries
from app.events import Bus, CardChanged, Event
from app.pipeline.price_marks import PriceMarker, priced_marks
from storage.cards import CardReader
from storage.database import Database
from storage.items import Items
from storage.models import CardFilter
from storage.prices import AFTER, DuePrices, PriceMarks
from storage.signals import Signals
from tests.fakes.clock import ManualClock
from tests.storage.samples import NOW, WIRE, entry, signal

MINUTE = timedelta(minutes=1)
PUBLICATION, FIVE, HOUR, DAY = AFTER


def series(*closes: tuple[float, float], width: BarWidth = "1m") -> PriceSeries:
    """Bars that begin so many minutes after NOW, with a close."""
    bars = tuple(Bar(NOW + minutes * MINUTE, close, close, close, close) for minutes, close in closes)
    return PriceSeries("AAPL", width, bars, "Yahoo Finance", "https://y.example", "USD", NOW)


def due(*waiting: timedelta, base: float | None = None) -> DuePrices:
    return DuePrices(1, 1, "AAPL", NOW, waiting, base)


def test_the_price_at_publication_is_from_before_the_news_and_changes_are_against_it() -> None:
    bars = series((-2, 99.0), (-1, 100.0), (0, 110.0), (3, 103.0), (4, 104.0), (5, 105.0))
    first, second = priced_marks(due(PUBLICATION, FIVE), [PUBLICATION, FIVE], bars, NOW + 60 * MINUTE)
    assert (first.price, first.traded_at, first.change_pct) == (100.0, NOW, None)
    assert (second.price, second.change_pct) == (104.0, 4.0)
    assert second.source == "Yahoo Finance, last trade"


def test_a_price_known_before_is_the_one_compared_with() -> None:
    (mark,) = priced_marks(due(HOUR, base=50.0), [HOUR], series((-1, 100.0), (59, 55.0)), NOW + 2 * HOUR)
    assert mark.change_pct == pytest.approx(10.0)


def test_a_closed_market_has_no_price_and_says_so() -> None:
    bars = series((-600, 100.0))
    first, second = priced_marks(due(PUBLICATION, FIVE), [PUBLICATION, FIVE], bars, NOW + 2 * HOUR)
    assert first.price == 100.0
    assert (second.price, second.retry_at) == (None, None)
    assert "market was closed" in second.reason


def test_a_source_that_may_still_be_catching_up_is_asked_once_more() -> None:
    (mark,) = priced_marks(due(FIVE, base=100.0), [FIVE], series((-1, 100.0)), NOW + 7 * MINUTE)
    assert mark.price is None
    assert mark.retry_at == NOW + 17 * MINUTE


class Tape:
    """Gives the bars it holds, or says why not."""

    def __init__(self, given: PriceSeries | NoPrices) -> None:
        self.given = given
        self.asked: list[tuple[str, datetime, datetime, BarWidth]] = []

    async def bars(
        self, symbol: str, start: datetime, end: datetime, width: BarWidth, *, now: datetime
    ) -> PriceSeries | NoPrices:
        self.asked.append((symbol, start, end, width))
        return self.given


async def marked(path: Path, tape: Tape, minutes: float) -> tuple[list[tuple[str, float | None, str]], list[Event]]:
    """The marks of one signal so many minutes after its publication, and what was told meanwhile."""
    clock, bus = ManualClock(NOW), Bus()
    events: list[Event] = []
    bus.subscribe(events.append)
    async with Database.open(path / "tape.db", now=NOW) as database:
        item = (await Items(database).ingest(WIRE, [entry("Mill stops")], now=NOW, backlog=False)).new[0]
        await Signals(database).save(signal(item, Urgency.ALERT, tickers=("AAPL",)), alert=None)
        clock.jump(minutes * MINUTE)
        marker = PriceMarker(PriceMarks(database), tape, clock, bus)
        running = asyncio.create_task(marker.run())
        async with asyncio.timeout(3):
            while not clock._sleepers:  # noqa: ASYNC110 -- what is waited for has no event of its own
                await asyncio.sleep(0.005)
        running.cancel()
        with CardReader(database.path) as cards:
            detail = cards.detail(cards.order(CardFilter())[0])
            assert detail is not None
            return [(mark.state, mark.price, mark.reason) for mark in detail.prices], events


async def test_marks_are_filled_as_time_passes_and_the_card_is_told(tmp_path: Path) -> None:
    tape = Tape(series((-1, 100.0), (4, 104.0), (30, 99.0)))
    states, events = await marked(tmp_path, tape, 10)
    assert [state for state, _, _ in states] == ["known", "known", "waiting", "waiting"]
    assert [type(event) for event in events] == [CardChanged]
    assert [asked[3] for asked in tape.asked] == ["1m"]


async def test_no_price_is_said_as_such(tmp_path: Path) -> None:
    states, _ = await marked(tmp_path, Tape(NoPrices("AAPL", "no source has prices of it", answered=True)), 10)
    assert states[0] == ("none", None, "no source has prices of it")


async def test_a_source_that_is_down_leaves_the_marks_open(tmp_path: Path) -> None:
    states, _ = await marked(tmp_path, Tape(NoPrices("AAPL", "Yahoo rests", answered=False)), 10)
    assert states[0] == ("waiting", None, "Yahoo rests")
