"""Prices as a source gives them: bars of one width, in the order of time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

BarWidth = Literal["1m", "5m", "15m", "1h", "1d"]
WIDTHS: Final[dict[BarWidth, timedelta]] = {
    "1m": timedelta(minutes=1),
    "5m": timedelta(minutes=5),
    "15m": timedelta(minutes=15),
    "1h": timedelta(hours=1),
    "1d": timedelta(days=1),
}


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar. `at` is its start, aware UTC; of a day it is midnight UTC of its date where the source gives no time."""

    at: datetime
    open: float
    high: float
    low: float
    close: float
    volume: float | None = None


@dataclass(frozen=True, slots=True)
class PriceSeries:
    """Bars of one symbol, oldest first, without holes filled. `currency` is as the source says it.

    `what` says what the prices are ("last trade", "reference rate"), `url` where they came from. `stale` says in words
    why an older answer is given; the last bar may still be running.
    """

    symbol: str
    width: BarWidth
    bars: tuple[Bar, ...]
    source: str
    url: str
    currency: str
    fetched_at: datetime
    what: str = "last trade"
    stale: str = ""


@dataclass(frozen=True, slots=True)
class NoPrices:
    """Why there are no prices. `answered` is True where the sources were asked and hold none for this span."""

    symbol: str
    reason: str
    answered: bool
