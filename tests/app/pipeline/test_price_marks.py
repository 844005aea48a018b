"""Prices on a signal: the last trade before the news, and where it stood five minutes, an hour and a day later."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agents.models import Urgency
from agents.prices import Bar, BarWidth, NoPrices, PriceSeries
from app.events import Bus, CardChanged, Event
from app.pipeline.price_marks import PriceMarker, priced_marks
from storage.cards import CardReader
from storage.database import Database
from storage.items import Items
from storage.models import CardFilter, PriceMark
from storage.prices import AFTER, LAST_TRY, DuePrices, PriceMarks
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
    first, second = priced_marks(due(PUBLICATION, FIVE), bars, NOW + 60 * MINUTE)
    assert (first.price, first.traded_at, first.change_pct) == (100.0, NOW, None)
    assert (second.price, second.change_pct, second.traded_at) == (104.0, 4.0, NOW + 5 * MINUTE)
    assert second.source == "Yahoo Finance, last trade"


def test_a_price_known_before_is_the_one_compared_with() -> None:
    (mark,) = priced_marks(due(HOUR, base=50.0), series((-1, 100.0), (59, 55.0)), NOW + 2 * HOUR)
    assert mark.change_pct == pytest.approx(10.0)


def test_where_the_market_was_closed_the_next_trade_answers_with_its_own_time() -> None:
    bars = series((-600, 100.0), (3000, 103.0), (3001, 104.0))
    first, five, hour, day = priced_marks(due(*AFTER), bars, NOW + 3100 * MINUTE)
    assert (first.price, first.traded_at) == (100.0, NOW - 599 * MINUTE)
    for mark in (five, hour, day):
        assert (mark.price, mark.change_pct, mark.traded_at) == (103.0, 3.0, NOW + 3000 * MINUTE)


def test_a_trade_of_long_before_the_moment_is_not_its_price() -> None:
    bars = series((-1, 100.0), (2, 101.0), (2000, 90.0))
    (mark,) = priced_marks(due(DAY), bars, NOW + 2100 * MINUTE)
    assert (mark.price, mark.traded_at) == (90.0, NOW + 2000 * MINUTE)


def test_while_the_market_is_closed_the_mark_waits_and_asks_less_and_less_often() -> None:
    waits = []
    for attempts in range(6):
        mark = priced_marks(replace(due(FIVE), attempts=attempts), series((-600, 100.0)), NOW + 2 * HOUR)[0]
        assert mark.price is None
        assert "the market is closed" in mark.reason
        assert mark.retry_at is not None
        waits.append((mark.retry_at - NOW - 2 * HOUR) / MINUTE)
    assert waits == [10, 20, 40, 80, 120, 120]


def test_over_the_weekend_nobody_is_asked() -> None:
    friday = datetime(2026, 3, 13, 22, 0, tzinfo=UTC)
    bars = series(((friday - NOW) / MINUTE - 600, 100.0))
    for now in (datetime(2026, 3, 14, 1, 55, tzinfo=UTC), datetime(2026, 3, 15, 12, 0, tzinfo=UTC)):
        (mark,) = priced_marks(replace(due(FIVE), published=friday), bars, now)
        assert mark.retry_at == datetime(2026, 3, 15, 21, 0, tzinfo=UTC)
    (mark,) = priced_marks(replace(due(FIVE), published=friday), bars, datetime(2026, 3, 13, 23, 0, tzinfo=UTC))
    assert mark.retry_at == datetime(2026, 3, 13, 23, 10, tzinfo=UTC)


def test_after_five_days_without_a_trade_a_mark_is_given_up_with_its_reason() -> None:
    (mark,) = priced_marks(due(FIVE, base=100.0), series((-600, 100.0)), NOW + LAST_TRY + 6 * MINUTE)
    assert (mark.price, mark.retry_at) == (None, None)
    assert "no trade since" in mark.reason


def test_a_source_that_may_still_be_catching_up_is_asked_once_more() -> None:
    (mark,) = priced_marks(due(FIVE, base=100.0), series((-1, 100.0)), NOW + 7 * MINUTE)
    assert mark.price is None
    assert mark.retry_at == NOW + 17 * MINUTE


def test_a_late_source_is_waited_for_before_an_older_trade_counts() -> None:
    bars = series((-20, 99.0), (-16, 98.0))
    first, five = priced_marks(due(PUBLICATION, FIVE), bars, NOW + 7 * MINUTE)
    assert (first.price, five.price) == (None, None)
    first, five = priced_marks(due(PUBLICATION, FIVE), series((-16, 98.0), (20, 97.0)), NOW + 30 * MINUTE)
    assert (first.price, five.price, five.traded_at) == (98.0, 97.0, NOW + 20 * MINUTE)


def test_prices_by_the_day_answer_for_a_day_and_for_nothing_shorter() -> None:
    bars = series((-2 * 1440 - 60, 100.0), (-1440 - 60, 102.0), (-60, 103.0), (1380, 105.0), width="1d")
    first, five, hour, day = priced_marks(due(*AFTER), bars, NOW + 3 * DAY)
    assert (first.price, day.price) == (102.0, 103.0)
    assert (five.price, hour.price) == (None, None)
    assert five.reason == "Yahoo Finance has one price a day"


def test_without_any_trade_before_publication_there_is_nothing_to_compare_with() -> None:
    first, five = priced_marks(due(PUBLICATION, FIVE), series((10, 100.0)), NOW + 30 * MINUTE)
    assert (first.reason, first.retry_at) == ("no trade in the days before publication", None)
    assert (five.reason, five.retry_at) == ("no price at publication to compare with", None)


class Tape:
    """Gives the bars it holds, or says why not."""

    def __init__(self, given: PriceSeries | NoPrices, wider: PriceSeries | None = None) -> None:
        self.given = given
        self.wider = wider
        self.asked: list[tuple[str, datetime, datetime, BarWidth]] = []

    async def bars(
        self, symbol: str, start: datetime, end: datetime, width: BarWidth, *, now: datetime
    ) -> PriceSeries | NoPrices:
        self.asked.append((symbol, start, end, width))
        return self.wider if width == "5m" and self.wider else self.given


@asynccontextmanager
async def marking(path: Path, tape: Tape, minutes: float, *symbols: str, items: int = 1) -> AsyncIterator[list[Event]]:
    """Signals with these symbols, marked once so many minutes after their publication; what was told meanwhile."""
    clock, bus = ManualClock(NOW), Bus()
    events: list[Event] = []
    bus.subscribe(events.append)
    async with Database.open(path / "tape.db", now=NOW) as database:
        for number in range(items):
            told = entry(f"{STORIES[number]} mill stops")
            item = (await Items(database).ingest(WIRE, [told], now=NOW, backlog=False)).new[0]
            await Signals(database).save(signal(item, Urgency.ALERT, tickers=symbols or ("AAPL",)), alert=None)
        clock.jump(minutes * MINUTE)
        running = asyncio.create_task(PriceMarker(PriceMarks(database), tape, clock, bus).run())
        async with asyncio.timeout(3):
            while not clock._sleepers:  # noqa: ASYNC110 -- what is waited for has no event of its own
                await asyncio.sleep(0.005)
        running.cancel()
        yield events


STORIES = ("Lindqvist", "Orrin", "Halvard", "Corvane", "Minato", "Pellworm")


def shown(path: Path) -> list[PriceMark]:
    """The marks of all cards, as the screen reads them."""
    with CardReader(path / "tape.db") as cards:
        details = [cards.detail(key) for key in cards.order(CardFilter())]
        return [mark for detail in details if detail for mark in detail.prices]


async def test_marks_are_filled_as_time_passes_and_the_card_is_told(tmp_path: Path) -> None:
    tape = Tape(series((-1, 100.0), (4, 104.0), (30, 99.0)))
    async with marking(tmp_path, tape, 10) as events:
        assert [mark.state for mark in shown(tmp_path)] == ["known", "known", "waiting", "waiting"]
        assert [type(event) for event in events] == [CardChanged]
        assert [asked[3] for asked in tape.asked] == ["1m"]


async def test_many_signals_on_one_company_cost_one_answer(tmp_path: Path) -> None:
    tape = Tape(series((-1, 100.0), (4, 104.0), (30, 99.0)))
    async with marking(tmp_path, tape, 10, "AAPL", "MSFT", items=6) as events:
        assert [asked[0] for asked in tape.asked] == ["AAPL", "MSFT"]
        assert len([mark for mark in shown(tmp_path) if mark.state == "known"]) == 6 * 2 * 2
        assert len(events) == 12


async def test_a_market_that_was_closed_at_publication_is_looked_at_further_back(tmp_path: Path) -> None:
    tape = Tape(series((60, 100.0)), wider=series((-2000, 98.0), (60, 100.0), width="5m"))
    async with marking(tmp_path, tape, 70):
        assert [(asked[3], asked[1] - NOW) for asked in tape.asked] == [("1m", -30 * MINUTE), ("5m", -4 * DAY)]
        first, five, hour, _ = shown(tmp_path)
        assert (first.price, five.price, five.traded_at) == (98.0, 100.0, NOW + 60 * MINUTE)
        assert hour.traded_at == NOW + 60 * MINUTE


async def test_no_price_is_said_as_such(tmp_path: Path) -> None:
    async with marking(tmp_path, Tape(NoPrices("AAPL", "no source has prices of it", answered=True)), 10):
        mark = shown(tmp_path)[0]
        assert (mark.state, mark.price, mark.reason) == ("none", None, "no source has prices of it")


async def test_a_source_that_is_down_leaves_the_marks_open(tmp_path: Path) -> None:
    async with marking(tmp_path, Tape(NoPrices("AAPL", "Yahoo rests", answered=False)), 10):
        mark = shown(tmp_path)[0]
        assert (mark.state, mark.price, mark.reason) == ("waiting", None, "Yahoo rests")


async def test_what_an_earlier_run_left_open_is_filled_after_days_of_sleep(tmp_path: Path) -> None:
    async with marking(tmp_path, Tape(NoPrices("AAPL", "Yahoo rests", answered=False)), 10):
        pass
    clock = ManualClock(NOW + 3 * DAY)
    async with Database.open(tmp_path / "tape.db", now=clock.now()) as database:
        tape = Tape(series((-1, 100.0), (4, 104.0), (59, 90.0), (1439, 110.0), (1500, 1.0)))
        running = asyncio.create_task(PriceMarker(PriceMarks(database), tape, clock, Bus()).run())
        async with asyncio.timeout(3):
            while not clock._sleepers:  # noqa: ASYNC110 -- what is waited for has no event of its own
                await asyncio.sleep(0.005)
        running.cancel()
        assert [mark.change_pct for mark in shown(tmp_path)] == [None, 4.0, -10.0, 10.0]
        assert len(tape.asked) == 1
