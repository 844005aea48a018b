"""Yahoo Finance: price bars (chart v8) and companies that move alike. Undocumented; its terms allow personal use only.

Stamps are bar starts in epoch seconds; holes are null; a closed market has no `timestamp` at all. Three currencies are
quoted in their hundredth part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import quote

from agents.prices import Bar, BarWidth
from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request, address, number, rows

HOST: Final = "https://query2.finance.yahoo.com"
MIRROR: Final = "https://query1.finance.yahoo.com"
_SYMBOLS: Final[Mapping[str, str]] = {
    "DXY": "DX-Y.NYB",
    "GOLD": "GC=F",
    "SILVER": "SI=F",
    "COPPER": "HG=F",
    "WTI": "CL=F",
    "BRENT": "BZ=F",
    "NATGAS": "NG=F",
    "WHEAT": "ZW=F",
    "CORN": "ZC=F",
    "ALUMINIUM": "ALI=F",
    "US10Y": "^TNX",
    "SPX": "^GSPC",
    "NDX": "^NDX",
    "DJI": "^DJI",
    "VIX": "^VIX",
    "NI225": "^N225",
    "BTCUSD": "BTC-USD",
    "ETHUSD": "ETH-USD",
}
_CURRENCIES: Final = frozenset(
    (
        "USD",
        "EUR",
        "JPY",
        "GBP",
        "CHF",
        "AUD",
        "CAD",
        "NZD",
        "CNY",
        "TRY",
        "MXN",
        "RUB",
        "SEK",
        "NOK",
        "INR",
        "KRW",
        "BRL",
        "ZAR",
    )
)
_MINOR: Final = {"GBp": "GBP", "ZAc": "ZAR", "ILA": "ILS"}


@dataclass(frozen=True, slots=True)
class Chart:
    """The bars of one answer."""

    bars: tuple[Bar, ...]
    currency: str
    kind: str

    def __len__(self) -> int:
        return len(self.bars)


def is_pair(symbol: str) -> bool:
    """Whether a symbol is a currency pair ("USDJPY")."""
    return len(symbol) == 6 and symbol[:3] in _CURRENCIES and symbol[3:] in _CURRENCIES


def spelled(symbol: str) -> str:
    """The symbol as Yahoo spells it."""
    if symbol in _SYMBOLS:
        return _SYMBOLS[symbol]
    if is_pair(symbol):
        return f"{symbol}=X"
    head, dot, tail = symbol.partition(".")
    return f"{head}-{tail}" if dot and tail in ("A", "B", "C") else symbol


def chart(symbol: str, width: BarWidth, start: datetime, end: datetime) -> Request:
    """Bars of `symbol` from `start` to `end`; each end rounded outwards to ten bars, so that a burst asks once."""
    grain = {"1m": 600, "5m": 3000, "15m": 9000, "1h": 36_000, "1d": 864_000}[width]
    path = address(
        f"/v8/finance/chart/{quote(spelled(symbol), safe='=^-.')}",
        {
            "period1": int(start.timestamp()) // grain * grain,
            "period2": -(-int(end.timestamp()) // grain) * grain,
            "interval": width,
            "includePrePost": "true",
        },
    )
    return Request("yahoo", HOST + path, mirror=MIRROR + path, accepts=frozenset({200, 404}))


def read_chart(reply: Reply) -> Chart:
    """The bars; none where the market was closed or Yahoo does not know the symbol."""
    body = reply.json(dict).get("chart")
    if not isinstance(body, dict):
        raise NotAnAnswer("answered without a chart")
    error = body.get("error")
    if isinstance(error, dict):
        if str(error.get("code")) == "Not Found":
            return Chart((), "", "")
        raise NotAnAnswer(f"does not chart this: {str(error.get('code'))[:40]}", "status")
    found = rows(body, "result")
    if not found:
        raise NotAnAnswer("answered without a chart")
    meta = found[0].get("meta") if isinstance(found[0].get("meta"), dict) else {}
    assert isinstance(meta, dict)
    stamps = found[0].get("timestamp")
    quotes = rows(found[0].get("indicators"), "quote")
    currency = str(meta.get("currency") or "")
    scale = 0.01 if currency in _MINOR else 1.0
    bars = _bars(stamps, quotes[0] if quotes else {}, scale) if isinstance(stamps, list) else ()
    return Chart(bars, _MINOR.get(currency, currency), str(meta.get("instrumentType") or ""))


def _bars(stamps: Sequence[Any], quote_: Mapping[str, Any], scale: float) -> tuple[Bar, ...]:
    columns = [quote_.get(name) for name in ("open", "high", "low", "close", "volume")]
    lists = [column if isinstance(column, list) else [] for column in columns]
    found: dict[datetime, Bar] = {}
    for place, stamp in enumerate(stamps):
        values = [number(column[place]) if place < len(column) else None for column in lists]
        *prices, volume = values
        if isinstance(stamp, bool) or not isinstance(stamp, int) or any(price is None for price in prices):
            continue
        at = datetime.fromtimestamp(stamp, UTC)
        opened, high, low, close = (price * scale for price in prices if price is not None)
        found[at] = Bar(at, opened, high, low, close, volume)
    return tuple(found[at] for at in sorted(found))


def alike(symbol: str) -> Request:
    """Companies that people who look at `symbol` look at too."""
    url = f"{HOST}/v6/finance/recommendationsbysymbol/{quote(spelled(symbol), safe='=^-.')}"
    return Request("yahoo", url, accepts=frozenset({200, 404}), lifetime_s=86_400.0)


def read_alike(reply: Reply) -> tuple[str, ...]:
    """Symbols, the closest first; none for a symbol Yahoo does not know."""
    body = reply.json(dict).get("finance")
    if reply.status == 404:
        return ()
    found = rows(body, "result")
    listed = rows(found[0], "recommendedSymbols") if found else []
    return tuple(row["symbol"] for row in listed if isinstance(row.get("symbol"), str) and len(row["symbol"]) <= 15)
