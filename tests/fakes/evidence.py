"""The public sources on the loopback: answers of the shapes they have, all invented, and a world of tools over them.

Every source is reached under `/<its name>` by the `default` of `base_urls`.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any, Final

from agents.analysts.protocol import Holding
from agents.links import Symbols
from agents.models import Evidence, FlashEvent, ToolName
from agents.tools.asking.access import Access
from agents.tools.asking.keys import Keys
from agents.tools.asking.shelf import Shelf
from agents.tools.hosted import HostedSearch
from agents.tools.protocol import Question, Tool
from agents.tools.public import public_tools
from agents.tools.reach import Reach
from agents.tools.sourced import SourcedTool
from agents.tools.subjects import Companies as NamedCompanies
from feeds.documents.parse_worker import parse_document
from feeds.models import Item, ParsedFeed
from feeds.network.http import HttpClient
from tests.agents.builders import NOW, an_item
from tests.fakes.companies import Companies
from tests.fakes.feed_server import FeedServer

TITLE: Final = "US sanctions Nvidia supplier over chip exports to Russia"
KEYS: Final = {
    "BRAVE_API_KEY": "brave-CANARY-1",
    "TAVILY_API_KEY": "tavily-CANARY-2",
    "EXA_API_KEY": "exa-CANARY-3",
    "OPENSANCTIONS_API_KEY": "opens-CANARY-4",
    "REDDIT_CLIENT_ID": "reddit-CANARY-5",
    "REDDIT_CLIENT_SECRET": "reddit-CANARY-6",
    "YOUTUBE_API_KEY": "youtube-CANARY-7",
    "BLS_API_KEY": "bls-CANARY-8",
    "FRED_API_KEY": "fred-CANARY-9",
    "EIA_API_KEY": "eia-CANARY-10",
    "REGULATIONS_GOV_API_KEY": "regs-CANARY-11",
    "SEARXNG_URL": "http://search.example:8888",
}


def http_date(hours_ago: float) -> str:
    return (NOW - timedelta(hours=hours_ago)).strftime("%a, %d %b %Y %H:%M:%S GMT")


def rss(*entries: tuple[str, str, float], source: str = "") -> str:
    """Entries as (title, link, hours before NOW)."""
    named = f"<source url='https://outlet.example'>{source}</source>" if source else ""
    items = "".join(
        f"<item><title>{title}</title><link>{link}</link><guid>{link}</guid>"
        f"<pubDate>{http_date(hours)}</pubDate>{named}</item>"
        for title, link, hours in entries
    )
    return f"<?xml version='1.0'?><rss version='2.0'><channel><title>t</title>{items}</channel></rss>"


def atom(*entries: tuple[str, str, float, str]) -> str:
    """Entries as (title, link, hours before NOW, content)."""
    items = "".join(
        f"<entry><id>{link}</id><title>{title}</title><link href='{link}'/>"
        f"<published>{(NOW - timedelta(hours=hours)).isoformat()}</published>"
        f"<updated>{(NOW - timedelta(hours=hours)).isoformat()}</updated><content>{content}</content></entry>"
        for title, link, hours, content in entries
    )
    return f"<feed xmlns='http://www.w3.org/2005/Atom'><title>t</title>{items}</feed>"


def epoch(hours_ago: float) -> int:
    return int((NOW - timedelta(hours=hours_ago)).timestamp())


def chart(symbol: str, closes: Sequence[float | None], *, step_s: int = 300, currency: str = "USD") -> dict[str, Any]:
    """Bars that end at NOW; a None is a hole."""
    stamps = [int(NOW.timestamp()) - step_s * (len(closes) - place) for place in range(len(closes))]
    quote = {name: list(closes) for name in ("open", "high", "low", "close")}
    return {
        "chart": {
            "result": [
                {
                    "meta": {"symbol": symbol, "currency": currency, "instrumentType": "FUTURE"},
                    "timestamp": stamps,
                    "indicators": {"quote": [{**quote, "volume": [0] * len(closes)}]},
                }
            ],
            "error": None,
        }
    }


def cpi_series(name: str) -> dict[str, Any]:
    """Thirty months up to January 2026, 3 % a year, and half a percent more in the last month."""
    rows = []
    for back in range(30):
        year, month = divmod(2026 * 12 - back, 12)
        value = 300 * 1.03 ** (-back / 12) * (1.005 if back == 0 else 1.0)
        rows.append({"year": str(year), "period": f"M{month + 1:02d}", "value": f"{value:.3f}", "footnotes": [{}]})
    return {"seriesID": name, "data": rows}


def twits(now: datetime) -> list[dict[str, Any]]:
    """Thirty messages of thirty writers up to `now`, of which fifteen are bullish and four bearish."""
    return [
        {
            "id": number,
            "body": "NVDA beats &amp; raises, strong quarter" if number % 3 else "NVDA weak guidance, sell",
            "created_at": (now - timedelta(minutes=number)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "entities": {"sentiment": {"basic": "Bullish" if number < 16 else "Bearish"} if number < 20 else None},
            "user": {"id": number},
        }
        for number in range(1, 31)
    ]


FEDERAL = {
    "count": 1,
    "results": [
        {
            "title": "Addition of Nvidia Suppliers to the Entity List",
            "type": "Rule",
            "html_url": "https://www.federalregister.gov/d/1",
            "publication_date": "2026-03-09",
            "agencies": [{"name": "Industry and Security Bureau"}],
        }
    ],
}
SDN = (
    '101,"NORDSTERN CHIP TRADING LLC",-0- ,"RUSSIA-EO14024",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \n'
    '102,"SMITH, John","individual","SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \n'
)
UN_LIST = (
    "<CONSOLIDATED_LIST><ENTITIES><ENTITY><DATAID>7</DATAID><FIRST_NAME>GREY HARBOUR SHIPPING</FIRST_NAME>"
    "<UN_LIST_TYPE>DPRK</UN_LIST_TYPE><LISTED_ON>2017-06-02</LISTED_ON></ENTITY></ENTITIES></CONSOLIDATED_LIST>"
)
EFTS = {
    "hits": {
        "total": {"value": 1, "relation": "eq"},
        "hits": [
            {
                "_id": "0000000001-26-000001:x10k.htm",
                "_source": {
                    "ciks": ["0000000077"],
                    "display_names": ["Boardmaker Inc  (BRDM)  (CIK 0000000077)"],
                    "form": "10-K",
                    "file_date": "2026-02-20",
                },
            }
        ],
    }
}
CURRENT_8K = (
    "<feed xmlns='http://www.w3.org/2005/Atom'><title>Latest Filings</title><entry>"
    "<title>8-K - NVIDIA CORP (0001045810) (Filer)</title>"
    "<link href='https://www.sec.gov/Archives/edgar/data/1045810/000104581026000009/0001045810-26-000009-index.htm'/>"
    "<summary type='html'>&lt;b&gt;AccNo:&lt;/b&gt; 0001045810-26-000009 Item 4.02: Non-Reliance</summary>"
    "<updated>2026-03-10T13:05:00-04:00</updated>"
    "<id>urn:tag:sec.gov,2008:accession-number=0001045810-26-000009</id></entry></feed>"
)
RESOURCE: Final = "12345678-1234-1234-1234-1234567890ab"

XML, JSON, CSV, HTML = "application/xml", "application/json", "text/csv", "text/html"


def answers(now: datetime = NOW) -> dict[str, tuple[str, str | dict[str, Any] | list[Any]]]:
    """By path on the server: content type and body of every source's answer to a question on Nvidia."""
    news = rss(
        (f"{TITLE} - Outlet One", "https://news.example/1", 1), ("Nvidia opens a cafe", "https://n.example/2", 2)
    )
    return {
        "/federal_register/api/v1/documents.json": (JSON, FEDERAL),
        "/ofac/api/PublicationPreview/exports/sdn.csv": (CSV, SDN),
        "/un_sanctions/resources/xml/en/consolidated.xml": (XML, UN_LIST),
        "/ofsi/government/organisations/office-of-financial-sanctions-implementation.atom": (
            XML,
            atom(("Russia: new designations", "https://www.gov.uk/1", 5, "list")),
        ),
        "/eu_sanctions/fsd/fsf/public/rss": (XML, rss(("Consolidated list updated", "https://eu.example/1", 30))),
        "/gdelt/api/v2/doc/doc": (
            JSON,
            {
                "articles": [
                    {
                        "url": "https://g.example/1",
                        "title": TITLE,
                        "seendate": "20260310T171500Z",
                        "domain": "g.example",
                    }
                ]
            },
        ),
        "/google_news/rss/search": (XML, news),
        "/bing_news/news/search": (XML, rss((TITLE, "https://bing.example/1", 1.5))),
        "/searxng/search": (JSON, {"results": [{"url": "https://s.example/1", "title": TITLE, "publishedDate": None}]}),
        "/brave/res/v1/news/search": (
            JSON,
            {
                "results": [
                    {"url": "https://b.example/1", "title": TITLE, "page_age": "2026-03-10T17:00:00", "age": "1 h"}
                ]
            },
        ),
        "/tavily/search": (JSON, {"results": [{"url": "https://t.example/1", "title": TITLE}]}),
        "/exa/search": (
            JSON,
            {"results": [{"url": "https://e.example/1", "title": TITLE, "publishedDate": "2026-03-10T16:00:00.000Z"}]},
        ),
        "/opensanctions/search/default": (
            JSON,
            {
                "results": [
                    {
                        "id": "NK-1",
                        "caption": "Nvidia Shell",
                        "datasets": ["us_ofac_sdn"],
                        "properties": {"topics": ["sanction"]},
                    }
                ]
            },
        ),
        "/reddit_api/api/v1/access_token": (JSON, {"access_token": "pass-CANARY-12", "expires_in": 3600}),
        "/reddit_api/r/stocks+wallstreetbets+investing+StockMarket+options/search": (
            JSON,
            {
                "data": {
                    "children": [
                        {
                            "kind": "t3",
                            "data": {
                                "title": "Nvidia beats, shares surge",
                                "selftext": "strong demand",
                                "subreddit": "stocks",
                                "score": 12,
                                "num_comments": 3,
                                "created_utc": epoch(2),
                                "permalink": "/r/stocks/1",
                                "author": "somebody",
                            },
                        }
                    ]
                }
            },
        ),
        "/reddit/r/stocks+wallstreetbets+investing+StockMarket+options/search.rss": (
            XML,
            atom(
                ("Nvidia beats, shares surge", "https://www.reddit.com/r/stocks/1", 2, "strong demand"),
                ("Nvidia fraud probe, shares plunge", "https://www.reddit.com/r/stocks/2", 3, "weak"),
            ),
        ),
        "/apewisdom/api/v1.0/filter/all-stocks/page/1": (
            JSON,
            {
                "results": [
                    {
                        "rank": 3,
                        "ticker": "NVDA",
                        "name": "NVIDIA",
                        "mentions": "120",
                        "mentions_24h_ago": "60",
                        "upvotes": "9",
                    }
                ]
            },
        ),
        "/stocktwits/api/2/streams/symbol/NVDA.json": (JSON, {"response": {"status": 200}, "messages": twits(now)}),
        "/youtube_api/youtube/v3/search": (
            JSON,
            {
                "items": [
                    {
                        "id": {"videoId": "abc123"},
                        "snippet": {
                            "title": "Nvidia plunges &#39;hard&#39;",
                            "description": "a bearish day",
                            "publishedAt": "2026-03-10T15:00:00Z",
                            "channelTitle": "Tape TV",
                        },
                    }
                ]
            },
        ),
        "/youtube/feeds/videos.xml": (XML, atom(("Why Nvidia surges", "https://www.youtube.com/watch?v=x", 4, ""))),
        "/bis/api/v1/data/WS_CBPOL/D.US+XM+JP+GB+AU+CH+CA": (
            CSV,
            "FREQ,REF_AREA,TIME_PERIOD,OBS_VALUE\nD,US,2026-01-28,4.0\nD,US,2026-01-29,3.75\nD,US,2026-03-05,3.75\nD,JP,2026-03-05,NaN\n",
        ),
        "/ecb/service/data/FM/D.U2.EUR.4F.KR.DFR.LEV": (
            CSV,
            "KEY,FREQ,TIME_PERIOD,OBS_VALUE\nFM.D,D,2026-03-08,2.0\nFM.D,D,2026-03-09,2.0\n",
        ),
        "/ecb/service/data/EXR/D.USD+JPY+GBP+CHF+AUD+CAD+CNY.EUR.SP00.A": (
            CSV,
            "FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE\nD,USD,2026-03-09,1.10\nD,USD,2026-03-10,1.12\n",
        ),
        "/boj/api/v1/getDataCode": (
            JSON,
            {
                "STATUS": 200,
                "RESULTSET": [
                    {
                        "SERIES_CODE": code,
                        "UNIT": "x",
                        "VALUES": {"SURVEY_DATES": [20260308, 20260309, 20260310], "VALUES": [None, value, value]},
                    }
                    for code, value in (("FXERD04", 157.2), ("STRDCLUCON", 0.73))
                ],
            },
        ),
        "/bls/publicAPI/v1/timeseries/data/": (
            JSON,
            {
                "status": "REQUEST_SUCCEEDED",
                "Results": {"series": [cpi_series("CUUR0000SA0"), cpi_series("CUSR0000SA0")]},
            },
        ),
        "/bls/publicAPI/v2/timeseries/data/": (
            JSON,
            {"status": "REQUEST_SUCCEEDED", "Results": {"series": [cpi_series("CUUR0000SA0")]}},
        ),
        "/fred_api/fred/series/observations": (JSON, {"observations": [{"date": "2026-01-01", "value": "."}]}),
        "/fred/graph/fredgraph.csv": (
            CSV,
            "observation_date,DCOILWTICO,DCOILBRENTEU,DFEDTARU\n2026-03-04,70,74,3.75\n2026-03-05,71.4,.,3.75\n",
        ),
        "/frankfurter/v2/rates": (
            JSON,
            [
                {"date": "2026-03-09", "base": "USD", "quote": "JPY", "rate": 157.0},
                {"date": "2026-03-10", "base": "USD", "quote": "JPY", "rate": 158.57},
                {"date": "2026-03-10", "base": "USD", "quote": "EUR", "rate": 0.9},
                {"date": "2026-03-10", "base": "USD", "quote": "USD", "rate": 1.0},
                {"date": "2026-03-11", "base": "USD", "quote": "JPY", "rate": 999.0},
            ],
        ),
        "/yahoo/v8/finance/chart/CL=F": (JSON, chart("CL=F", [70.0, *([71.0] * 300), None, 72.1])),
        "/yahoo/v8/finance/chart/GC=F": (JSON, chart("GC=F", [5000.0, *([5050.0] * 300)])),
        "/yahoo/v8/finance/chart/NVDA": (JSON, chart("NVDA", [100.0, 101.0, 102.0], step_s=60)),
        "/yahoo/v6/finance/recommendationsbysymbol/NVDA": (
            JSON,
            {"finance": {"result": [{"recommendedSymbols": [{"symbol": "AMD", "score": 0.3}]}], "error": None}},
        ),
        "/eia/v2/seriesid/PET.RWTC.D": (
            JSON,
            {
                "response": {
                    "data": [{"period": "2026-03-06", "value": "70.1"}, {"period": "2026-03-09", "value": "72.5"}]
                }
            },
        ),
        "/edgar/files/company_tickers.json": (
            JSON,
            {
                "0": {"cik_str": 1045810, "ticker": "NVDA", "title": "NVIDIA CORP"},
                "1": {"cik_str": 2488, "ticker": "AMD", "title": "ADVANCED MICRO DEVICES INC"},
            },
        ),
        "/edgar/submissions/CIK0001045810.json": (
            JSON,
            {"sic": "3674", "sicDescription": "Semiconductors", "filings": {}},
        ),
        "/edgar/cgi-bin/browse-edgar": (
            XML,
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><content><company-info><cik>0000002488</cik></company-info>"
            "</content></entry></feed>",
        ),
        "/edgar/LATEST/search-index": (JSON, EFTS),
        "/edgar/Archives/edgar/data/77/000000000126000001/x10k.htm": (
            HTML,
            "<html><body><p>Risk.</p><p>One customer, <b>Nvidia</b>, accounted for 31% of revenue.</p></body></html>",
        ),
        "/edgar/enforcement-litigation/litigation-releases/rss": (
            XML,
            rss(("SEC charges Nvidia distributor & Nvidia with fraud", "https://www.sec.gov/lr-1", 20)),
        ),
        "/edgar/enforcement-litigation/administrative-proceedings/rss": (
            XML,
            rss(("Another Corp", "https://www.sec.gov/ap-1", 3)),
        ),
        "/wikidata/w/api.php": (JSON, {"search": [{"id": "Q182477"}]}),
        "/wikidata/sparql": (
            JSON,
            {"results": {"bindings": [{"relation": {"value": "makes"}, "otherLabel": {"value": "graphics card"}}]}},
        ),
        "/regulations_gov/v4/documents": (
            JSON,
            {
                "data": [
                    {
                        "id": "BIS-1",
                        "attributes": {
                            "title": "Comment on Nvidia",
                            "agencyId": "BIS",
                            "documentType": "Notice",
                            "postedDate": "2026-03-01T05:00:00Z",
                        },
                    }
                ]
            },
        ),
        "/fed/feeds/press_monetary.xml": (
            XML,
            rss(("Federal Reserve issues FOMC statement", "https://fed.example/1", 40)),
        ),
        "/ecb_press/rss/press.html": (XML, rss(("Monetary policy decisions", "https://ecb.example/1", 60))),
        "/boj_news/en/rss/whatsnew.xml": (XML, rss(("Statement on Monetary Policy", "https://boj.example/1", 60))),
        "/boe/rss/news": (XML, rss(("Bank Rate maintained", "https://boe.example/1", 60))),
        "/rba/rss/rss-cb-media-releases.xml": (XML, rss(("Statement by the Board", "https://rba.example/1", 60))),
        "/data_gov_au/data/api/3/action/package_show": (
            JSON,
            {"success": True, "result": {"resources": [{"id": RESOURCE, "datastore_active": True}]}},
        ),
        "/data_gov_au/data/api/3/action/datastore_search": (
            JSON,
            {"success": True, "result": {"total": 2, "records": []}},
        ),
    }


class HereAndNow:
    """The feed parser without its worker process."""

    async def parse(self, body: bytes, content_type: str, *, base_url: str, now: datetime) -> ParsedFeed:
        return parse_document(body, content_type, base_url=base_url, now=now)


def serve(server: FeedServer, *, now: datetime = NOW) -> None:
    """Lets the server answer as all the sources. The crowd writes up to `now`, all else is of the fixed day."""
    for path, (kind, body) in answers(now).items():
        server.serve(path, body if isinstance(body, str) else json.dumps(body), content_type=kind)


class Ticking:
    """A clock in seconds that a test sets."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@dataclass
class Sources:
    """The tools, over sources that answer as a test tells them."""

    server: FeedServer
    access: Access
    tools: Mapping[ToolName, SourcedTool]
    clock: Ticking

    async def ask(self, name: ToolName, question: Question, *, deadline_s: float | None = None) -> Evidence:
        tool = self.tools[name]
        return await (replace(tool, deadline_s=deadline_s) if deadline_s else tool).ask(question)

    def asked(self, source: str) -> int:
        """How many requests this source got."""
        return sum(seen.path.startswith(f"/{source}/") for seen in self.server.requests())


def a_question(
    title: str = TITLE,
    *symbols: str,
    event: FlashEvent | None = "sanctions",
    now: datetime = NOW,
    item: Item | None = None,
) -> Question:
    """A question on Nvidia where no symbols are named."""
    return Question(item or an_item(title), symbols or ("NVDA",), event, now)


@asynccontextmanager
async def sources(
    *,
    keys: Mapping[str, str] | None = None,
    disabled: Sequence[str] = (),
    offline: Mapping[ToolName, Tool] | None = None,
    watchlist: Mapping[str, Holding] | None = None,
    answering: Callable[[FeedServer], None] = serve,
    polite: bool = False,
    hosted: HostedSearch | None = None,
    shelf: Shelf | None = None,
    table: Symbols | None = None,
) -> AsyncIterator[Sources]:
    """Tools over a loopback server. Without `polite` the intervals between requests pass in no time.

    `table` knows the companies; without one it is a handful.
    """
    leaps = count(0, 1_000)
    clock = Ticking()
    async with FeedServer() as server:
        answering(server)
        hosts = {server.host}
        client = (
            HttpClient(allow_hosts=hosts) if polite else HttpClient(allow_hosts=hosts, clock=lambda: float(next(leaps)))
        )
        async with client:
            access = Access(
                client,
                HereAndNow(),
                keys=Keys(keys or {}, disabled, hosted=hosted is not None),
                base_urls={"default": server.url("")},
                shelf=shelf,
                clock=clock,
            )
            table = table or Companies()
            reach = Reach(access, table, NamedCompanies(table, {}), watchlist or {}, hosted)
            try:
                yield Sources(server, access, public_tools(offline or {}, reach), clock)
            finally:
                await access.aclose()


__all__ = ["KEYS", "TITLE", "Sources", "Ticking", "a_question", "answers", "serve", "sources"]
