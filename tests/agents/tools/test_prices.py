"""Bars of a symbol: from the source that has them, as narrow as they are kept, and a reason where there are none."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from agents.prices import NoPrices, PriceSeries
from agents.tools.prices import Prices
from agents.tools.sources import yahoo
from tests.agents.builders import NOW
from tests.fakes.evidence import chart, sources
from tests.fakes.feed_server import reply

HOUR = timedelta(hours=1)


async def test_bars_come_oldest_first_without_holes_and_none_after_the_span() -> None:
    async with sources() as world:
        closes = [100.0, None, 102.0, 103.0]
        world.server.serve("/yahoo/v8/finance/chart/NVDA", json.dumps(chart("NVDA", closes, step_s=60)))
        found = await Prices(world.access).bars("NVDA", NOW - HOUR, NOW, "1m", now=NOW)
        assert isinstance(found, PriceSeries)
        assert [bar.close for bar in found.bars] == [100.0, 102.0, 103.0]
        assert (found.width, found.currency, found.source, found.what) == (
            "1m",
            "USD",
            "Yahoo Finance",
            "future, last trade",
        )
        (request,) = world.server.requests()
        assert "interval=1m" in request.path


async def test_a_burst_on_one_symbol_asks_once() -> None:
    async with sources() as world:
        for second in range(1, 21):
            at = NOW + timedelta(seconds=second)
            await Prices(world.access).bars("NVDA", at - HOUR, at, "1m", now=at)
        assert world.asked("yahoo") == 1


@pytest.mark.parametrize(("days", "width"), [(1, "1m"), (10, "5m"), (100, "1h"), (1_000, "1d")])
async def test_the_further_back_the_wider_the_bars(days: int, width: str) -> None:
    async with sources() as world:
        start = NOW - timedelta(days=days)
        await Prices(world.access).bars("NVDA", start, start + HOUR, "1m", now=NOW)
        assert f"interval={width}" in world.server.requests()[0].path


async def test_minor_units_are_told_in_the_currency() -> None:
    async with sources() as world:
        body = json.dumps(chart("VOD.L", [7_000.0], currency="GBp"))
        world.server.serve("/yahoo/v8/finance/chart/VOD.L", body)
        found = await Prices(world.access).bars("VOD.L", NOW - HOUR, NOW, "5m", now=NOW)
        assert isinstance(found, PriceSeries)
        assert (found.bars[0].close, found.currency) == (70.0, "GBP")


async def test_a_currency_falls_back_to_daily_reference_rates_and_says_so() -> None:
    async with sources() as world:
        found = await Prices(world.access).bars("USDJPY", NOW - timedelta(days=3), NOW, "1m", now=NOW)
        assert isinstance(found, PriceSeries)
        assert (found.source, found.width, found.what) == ("Frankfurter", "1d", "daily reference rate")
        assert [bar.close for bar in found.bars] == [157.0, 158.57]


async def test_an_unknown_symbol_has_no_price_and_a_source_that_is_down_is_not_the_same() -> None:
    async with sources() as world:
        body = b'{"chart": {"result": null, "error": {"code": "Not Found", "description": "delisted"}}}'
        world.server.script("/yahoo/v8/finance/chart/ZZZZ", reply(404, body))
        world.server.script("/yahoo/v8/finance/chart/NVDA", reply(500))
        unknown = await Prices(world.access).bars("ZZZZ", NOW - HOUR, NOW, "1m", now=NOW)
        down = await Prices(world.access).bars("NVDA", NOW - HOUR, NOW, "1m", now=NOW)
        assert unknown == NoPrices("ZZZZ", "no source has prices of it for this span", answered=True)
        assert down == NoPrices("NVDA", "Yahoo Finance: has trouble (500)", answered=False)


@pytest.mark.parametrize(
    ("symbol", "spelled"),
    [
        ("USDJPY", "USDJPY=X"),
        ("WTI", "CL=F"),
        ("BRK.B", "BRK-B"),
        ("SPX", "^GSPC"),
        ("7203.T", "7203.T"),
        ("NVDA", "NVDA"),
    ],
)
def test_symbols_as_yahoo_spells_them(symbol: str, spelled: str) -> None:
    assert yahoo.spelled(symbol) == spelled
