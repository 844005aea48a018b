"""Every public source of an investigation on the loopback, healthy and with nothing to say, around one move.

`currency_world` and `stock_world` give what each source answers by its path; a test breaks one, or lets one speak.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from agents.investigation.dates.calendar import SETTLEMENT_DAYS
from agents.investigation.dates.holidays import business_day
from agents.investigation.dates.timing import currency_day
from agents.tools.sources import current_account
from feeds.symbols.table import SymbolTable
from tests.agents.investigation.builders import bars
from tests.agents.investigation.official.workbooks import workbook
from tests.fakes.feed_server import FeedServer

STEP: Final = timedelta(minutes=5)
MOF: Final = "/mof/policy/international_policy/reference/feio"
NO_OPERATION: Final = (
    "財務省,,,,,,,,\n実施年月日,,,Intervention Date,,,,,\n"
    "年,月,日,Year,Month,Day,金額(amount),売買通貨,Currency pairs\n"
    "平成3年,5月,13日,1991,May,13,139,米ドル売り・日本円買い,the US dollar (sold) the Japanese yen (bought)\n"
)
STOCK: Final = "NVDA"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a path answers, and the line of the coverage that goes down when it does not."""

    line: str
    body: str | bytes
    kind: str = "application/json"


World = Mapping[str, Answer]


def serve(server: FeedServer, world: World, *, but: str = "") -> None:
    """Lets every source of the world answer, but the one whose path is named: it is unknown to the server."""
    for path, answer in world.items():
        if path != but:
            server.serve(path, answer.body, content_type=answer.kind)


def recent_move(now: datetime, hour: int) -> datetime:
    """A Wednesday at least nine days ago: its trades have settled, and prices of five minutes are still to be had."""
    day = (now - timedelta(days=9)).date()
    day -= timedelta(days=(day.weekday() - 2) % 7)
    return datetime(day.year, day.month, day.day, hour, tzinfo=UTC)


def chart(onset: datetime, *, size: float, currency: str = "JPY") -> str:
    """Bars of five minutes with one fall of `size` at `onset`."""
    given = bars(400, onset=300, width=STEP, size=size)
    shift = onset - given[300].at
    quote = {name: [getattr(bar, name) for bar in given] for name in ("open", "high", "low", "close")}
    result = {
        "meta": {"currency": currency, "instrumentType": "CURRENCY", "exchangeTimezoneName": "UTC"},
        "timestamp": [int((bar.at + shift).timestamp()) for bar in given],
        "indicators": {"quote": [{**quote, "volume": [0] * len(given)}]},
    }
    return json.dumps({"chart": {"result": [result], "error": None}})


def feed(*entries: tuple[str, datetime]) -> str:
    items = "".join(
        f"<item><title>{title}</title><link>https://news.google.com/rss/articles/{n}</link><source>Reuters</source>"
        f"<pubDate>{at:%a, %d %b %Y %H:%M:%S} GMT</pubDate></item>"
        for n, (title, at) in enumerate(entries)
    )
    return f'<rss version="2.0"><channel><title>Office</title>{items}</channel></rss>'


def rss(line: str, *entries: tuple[str, datetime]) -> Answer:
    return Answer(line, feed(*entries), "application/rss+xml")


def page(line: str, body: str) -> Answer:
    return Answer(line, f"<!DOCTYPE html><html><body>{body}</body></html>", "text/html; charset=utf-8")


def prices(symbol: str) -> str:
    return f"/yahoo/v8/finance/chart/{symbol}"


def currency_world(onset: datetime) -> dict[str, Answer]:
    """A fall of USDJPY that nobody speaks of."""
    old, year = ("An older notice", onset - timedelta(days=20)), onset.year
    settles = business_day(currency_day(onset), SETTLEMENT_DAYS, "japan")
    projected = urlsplit(current_account.results(settles).url).path
    japan = "Japanese consumer prices (Statistics Bureau)"
    american = "US statistics (BLS, BEA)"
    calendar = f"BEGIN:VEVENT\r\nDTSTART:{onset - timedelta(days=40):%Y%m%dT%H%M%SZ}\r\nSUMMARY:Trade\r\n"
    others = "other pairs of either currency"
    return {
        prices("USDJPY=X"): Answer("price series", chart(onset, size=0.02)),
        prices("EURUSD=X"): Answer(others, chart(onset, size=0.01)),
        prices("GBPUSD=X"): Answer(others, chart(onset, size=0.01)),
        prices("EURJPY=X"): Answer(others, chart(onset, size=0.01)),
        prices("GBPJPY=X"): Answer(others, chart(onset, size=0.01)),
        f"{MOF}/foreign_exchange_intervention_operations.csv": Answer(
            "intervention records", NO_OPERATION.encode("cp932"), "text/csv"
        ),
        f"{MOF}/data/monthly/index.html": page(
            "intervention records", "<a href='20240531.html'>令和6年4月26日～令和6年5月29日</a>"
        ),
        f"/boj_accounts{projected}": Answer("Bank of Japan current account projections", workbook(), "application/zip"),
        "/fed/feeds/press_monetary.xml": rss("Federal Reserve decisions", old),
        "/boj_news/en/rss/whatsnew.xml": rss("Bank of Japan decisions", old),
        "/bls_news/feed/bls_latest.rss": rss(american, old),
        "/bea/news/schedule/ics/online-calendar-subscription.ics": Answer(american, calendar, "text/calendar"),
        "/stat_jp/english/data/cpi/1582.html": page(
            japan, f"<h1>{year}</h1><table><tr><td>December</td><td>January 5</td></tr></table>"
        ),
        "/federal_register/api/v1/documents.json": Answer("US presidential documents", '{"count": 0}'),
        "/google_news/rss/search": rss("news search"),
    }


def stock_world(onset: datetime) -> dict[str, Answer]:
    """A fall of a stock that nobody speaks of."""
    old = ("An older release", onset - timedelta(days=20))
    filed = {
        "form": ["10-Q", "8-K"],
        "acceptanceDateTime": [f"{onset - timedelta(days=days):%Y-%m-%dT%H:%M:%S.000Z}" for days in (30, 60)],
        "accessionNumber": ["0001045810-26-000002", "0001045810-26-000001"],
        "items": ["", "2.02"],
        "primaryDocument": ["q.htm", "k.htm"],
    }
    peers = SymbolTable.load().peers(STOCK, 3)
    return {
        prices(STOCK): Answer("price series", chart(onset, size=0.04, currency="USD")),
        prices("SPY"): Answer("market", chart(onset, size=0.0, currency="USD")),
        **{prices(peer): Answer("sector peers", chart(onset, size=0.0, currency="USD")) for peer in peers},
        "/edgar/files/company_tickers.json": Answer(
            "company filings (SEC)", json.dumps({"0": {"cik_str": 1045810, "ticker": STOCK, "title": "NVIDIA CORP"}})
        ),
        "/edgar/submissions/CIK0001045810.json": Answer(
            "company filings (SEC)", json.dumps({"cik": "1045810", "filings": {"recent": filed}})
        ),
        "/edgar/enforcement-litigation/litigation-releases/rss": rss("regulators and courts", old),
        "/trade_halts/rss.aspx": rss("halt notices"),
        "/federal_register/api/v1/documents.json": Answer("regulators and courts", '{"count": 0}'),
        "/google_news/rss/search": rss("news search"),
    }
