"""`prices`: bars of a symbol, from Yahoo and, where that has none, from daily reference rates.

There is no documented intraday source without a key; where only a day is known, the series says so by its width.
"""

from __future__ import annotations

from datetime import datetime

from agents.prices import WIDTHS, Bar, BarWidth, NoPrices, PriceSeries
from agents.tools.asking.access import Access
from agents.tools.asking.errors import SourceError
from agents.tools.asking.request import Got
from agents.tools.series import Observation
from agents.tools.sources import frankfurter, fred, yahoo

_DAILY: dict[str, tuple[str, str]] = {
    "WTI": ("DCOILWTICO", "USD"),
    "BRENT": ("DCOILBRENTEU", "USD"),
    "US10Y": ("DGS10", "percent"),
    "US2Y": ("DGS2", "percent"),
    "VIX": ("VIXCLS", "points"),
    "SPX": ("SP500", "points"),
}
"""Symbols FRED holds day by day, with the unit."""


SOURCES: tuple[str, ...] = ("yahoo", "frankfurter", "fred")
"""Who is asked, in this order; the last two day by day, for currencies and for some markets."""


class Prices:
    """Asks for bars; never raises for what a source does, says in a type why there are none."""

    def __init__(self, access: Access) -> None:
        self._access = access

    async def bars(
        self, symbol: str, start: datetime, end: datetime, width: BarWidth, *, now: datetime
    ) -> PriceSeries | NoPrices:
        """Bars of `symbol` that begin in [start, end], oldest first; none of them after `now`.

        `width` is a wish: where a span is too long ago for it only wider bars exist, and the series tells its own.
        """
        if start > now or start >= end:
            return NoPrices(symbol, "the span has not begun", answered=True)
        wide: BarWidth = _offered(width, start, now)
        failures: list[str] = []
        try:
            got = await self._access.ask(yahoo.chart(symbol, wide, start, min(end, now)), yahoo.read_chart, now)
            bars = _within(got.value.bars, start, end, wide)
            if bars:
                return _series(symbol, wide, bars, got, got.value.currency, _what(got.value.kind))
        except SourceError as error:
            failures.append(str(error))
        daily = await self._daily(symbol, start, end, now, failures)
        if daily is not None:
            return daily
        if failures:
            return NoPrices(symbol, "; ".join(failures), answered=False)
        return NoPrices(symbol, "no source has prices of it for this span", answered=True)

    async def _daily(
        self, symbol: str, start: datetime, end: datetime, now: datetime, failures: list[str]
    ) -> PriceSeries | None:
        """Day by day from official series, where one exists for the symbol."""
        try:
            if yahoo.is_pair(symbol):
                request = frankfurter.span(symbol[:3], symbol[3:], start.date(), min(end, now).date())
                got = await self._access.ask(request, frankfurter.read, now)
                series, currency, what = symbol, symbol[3:], "daily reference rate"
            elif symbol in _DAILY:
                series, currency = _DAILY[symbol]
                got = await self._access.ask(fred.series((series,), start.date()), fred.read, now)
                what = "daily value"
            else:
                return None
        except SourceError as error:
            failures.append(str(error))
            return None
        bars = _within(tuple(_day(one) for one in got.value if one.series == series), start, end, "1d")
        return _series(symbol, "1d", bars, got, currency, what) if bars else None


def _offered(width: BarWidth, start: datetime, now: datetime) -> BarWidth:
    """The narrowest width from `width` on that reaches back to `start`: minutes are kept a week, others 60 days."""
    age = (now - start).days
    if width == "1m" and age > 6:
        width = "5m"
    if width in ("5m", "15m") and age > 58:
        width = "1h"
    return "1d" if width == "1h" and age > 728 else width


def _within(bars: tuple[Bar, ...], start: datetime, end: datetime, width: BarWidth) -> tuple[Bar, ...]:
    """Bars that touch the span; one that began before it and reaches into it is kept."""
    return tuple(bar for bar in bars if start - WIDTHS[width] < bar.at <= end)


def _day(one: Observation) -> Bar:
    return Bar(one.at, one.value, one.value, one.value, one.value)


def _what(kind: str) -> str:
    return {"FUTURE": "future, last trade", "CURRENCY": "indicative quote", "INDEX": "index level"}.get(
        kind, "last trade"
    )


def _series(
    symbol: str, width: BarWidth, bars: tuple[Bar, ...], got: Got[object], currency: str, what: str
) -> PriceSeries:
    return PriceSeries(symbol, width, bars, got.source, got.url, currency, got.fetched_at, what, got.stale)
