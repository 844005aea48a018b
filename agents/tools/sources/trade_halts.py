"""Trading halts of all US exchanges, day by day, as Nasdaq Trader lists them. Times are those of New York."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request, address
from feeds.documents.text import clean

NEW_YORK: Final = ZoneInfo("America/New_York")
URL: Final = "https://www.nasdaqtrader.com/rss.aspx"
REASONS: Final = {
    "T1": "news pending",
    "T2": "news released",
    "T3": "news and resumption times",
    "T5": "single stock trading pause",
    "T6": "extraordinary market activity",
    "T8": "exchange-traded fund",
    "T12": "additional information requested",
    "H4": "not compliant with listing requirements",
    "H9": "not current in its filings",
    "H10": "suspended by the SEC",
    "H11": "regulatory concern",
    "M": "volatility pause",
    "LUDP": "volatility pause",
    "LUDS": "volatility pause, straddle",
    "MWC1": "market-wide circuit breaker",
    "MWC2": "market-wide circuit breaker",
    "MWC3": "market-wide circuit breaker",
    "IPO1": "new listing not yet trading",
}
"""The exchanges' codes in words."""
_ITEM: Final = re.compile(r"<item\b[^>]*>(.*?)</item>", re.S | re.I)
_FIELD: Final = re.compile(r"<(?:ndaq:)?(\w+)[^>/]*>([^<]{0,200})</(?:ndaq:)?\1>", re.I)
_TIME: Final = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")


@dataclass(frozen=True, slots=True)
class Halt:
    """One halt. `resumed` is None while it lasts."""

    symbol: str
    code: str
    at: datetime
    resumed: datetime | None

    @property
    def reason(self) -> str:
        """The reason in words."""
        return REASONS.get(self.code, "reason not in words")


def halts(day: date) -> Request:
    """The halts of one day."""
    return Request("trade_halts", address(URL, {"feed": "tradehalts", "haltdate": f"{day:%m%d%Y}"}))


def read(reply: Reply) -> tuple[Halt, ...]:
    """The halts of a day in the order of the list; a quiet day has none. Raises NotAnAnswer for what is no feed."""
    text = reply.text
    if "<rss" not in text[:2_000].lower():
        raise NotAnAnswer("answered with something that is not its list of halts")
    found = []
    for item in _ITEM.findall(text):
        fields = {name.lower(): html.unescape(value).strip() for name, value in _FIELD.findall(item)}
        symbol = clean(fields.get("issuesymbol", ""), limit=15)
        at = _moment(fields.get("haltdate", ""), fields.get("halttime", ""))
        if symbol and at is not None:
            resumed = _moment(fields.get("resumptiondate", ""), fields.get("resumptiontradetime", ""))
            found.append(Halt(symbol, clean(fields.get("reasoncode", ""), limit=8), at, resumed))
    return tuple(found)


def _moment(day: str, at: str) -> datetime | None:
    matched = _TIME.match(at)
    if matched is None:
        return None
    hour, minute, second = (int(part or 0) for part in matched.groups())
    try:
        local = datetime.strptime(day, "%m/%d/%Y").replace(hour=hour, minute=minute, second=second, tzinfo=NEW_YORK)
    except ValueError:
        return None
    return local.astimezone(UTC)
