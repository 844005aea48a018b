"""What is traded and is neither share nor currency pair: commodities, indices, yields, coins (`instruments.toml`)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib import resources
from typing import Any, Final
from zoneinfo import ZoneInfo

from agents.investigation.models import AssetKind
from agents.investigation.moves.currencies import Currency, currencies, moves_of, pair


@dataclass(frozen=True, slots=True)
class Instrument:
    """One instrument: its name, the words to search for, how a record names it, and whose bank and figures move it.

    Its day lies between two times of `zone`; where they are the same it trades round the clock.
    """

    name: str
    search: tuple[str, ...]
    words: re.Pattern[str]
    rising: re.Pattern[str]
    falling: re.Pattern[str]
    homes: tuple[Currency, ...]
    zone: ZoneInfo
    opens: time
    closes: time

    def named_in(self, text: str) -> bool:
        """Whether the text speaks of it."""
        return self.words.search(text) is not None

    def stated(self, text: str) -> int:
        """Which way the text says it went: 1 up, -1 down, 0 where it does not say or says both."""
        up, down = self.rising.search(text), self.falling.search(text)
        return 0 if bool(up) == bool(down) else 1 if up else -1

    def day(self, day: date) -> tuple[datetime, datetime]:
        """The instants that a daily bar of `day` covers, in UTC."""
        last = day + timedelta(days=1) if self.closes == time(0) else day
        first = last - timedelta(days=1) if self.opens == self.closes else day
        began, ended = datetime.combine(first, self.opens, self.zone), datetime.combine(last, self.closes, self.zone)
        return began.astimezone(UTC), ended.astimezone(UTC)


def instrument(symbol: str) -> Instrument | None:
    """The instrument behind a symbol ("GOLD", "GC=F", "BTC-USD"); None for one that is not known."""
    return _by_symbol().get(symbol.upper())


def kind_of(symbol: str) -> AssetKind:
    """What a symbol is: a currency pair, a stock, or something else (an index, a future, a coin)."""
    if pair(symbol) is not None:
        return "currency"
    return "other" if instrument(symbol) or re.search(r"[=^]|-USDT?$", symbol) else "stock"


@cache
def _by_symbol() -> dict[str, Instrument]:
    text = resources.files("agents.investigation.moves").joinpath("instruments.toml").read_text("utf-8")
    rows = tomllib.loads(text)["instrument"]
    return {symbol: one for row in rows for one in (_read(row),) for symbol in row["symbols"]}


_ROUND_THE_CLOCK: Final = ("America/New_York", "17:00", "17:00")


def _read(row: dict[str, Any]) -> Instrument:
    words = str(row["words"])
    zone, opens, closes = row.get("day", _ROUND_THE_CLOCK)
    rising, falling = moves_of(words)
    return Instrument(
        name=str(row["name"]),
        search=tuple(row["search"]),
        words=re.compile(words, re.I),
        rising=rising,
        falling=falling,
        homes=tuple(currencies()[code] for code in row.get("home", ("USD",))),
        zone=ZoneInfo(zone),
        opens=time.fromisoformat(opens),
        closes=time.fromisoformat(closes),
    )
