"""The public sources behind the evidence tools, as data: limits, lifetimes and keys. Names are those of `[tools]`.

Intervals are the shortest time between two requests to one host and hold for the whole process, allowances the most
requests in an hour or a day and hold for all programs of the user. Those of paid searches keep a day's share of what a
month costs nothing, or little. A lifetime is how long an answer is given again instead of being asked for anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from agents.tools.asking.allowance import Allowance

MINUTE: Final = 60.0
HOUR: Final = 3600.0
DAY: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """One public source.

    `keys` are the environment variables it takes; without `needs_key` they only improve it. `empty_s` is the lifetime
    of an answer that found nothing. `family` is the source whose own address in the configuration is taken where this
    one has none. `hosted` is one that only the service of a model answers, at the
    model's own address and with its key.
    """

    name: str
    title: str
    address: str
    lifetime_s: float = 10 * MINUTE
    empty_s: float = 2 * MINUTE
    interval_s: float = 1.0
    deadline_s: float = 8.0
    allowance: Allowance | None = None
    keys: tuple[str, ...] = ()
    needs_key: bool = False
    rest_s: float = 60.0
    max_bytes: int = 3 * 2**20
    family: str = ""
    hosted: bool = False


_ALL: Final = (
    SourceInfo("federal_register", "Federal Register", "https://www.federalregister.gov", 15 * MINUTE, 10 * MINUTE),
    SourceInfo(
        "ofac", "OFAC SDN list", "https://sanctionslistservice.ofac.treas.gov", 6 * HOUR, HOUR, max_bytes=25 * 2**20
    ),
    SourceInfo("ofsi", "OFSI (UK)", "https://www.gov.uk", 15 * MINUTE, 5 * MINUTE),
    SourceInfo("eu_sanctions", "EU sanctions", "https://webgate.ec.europa.eu", 30 * MINUTE, 10 * MINUTE),
    SourceInfo("un_sanctions", "UN list", "https://scsanctions.un.org", 12 * HOUR, HOUR, max_bytes=10 * 2**20),
    SourceInfo(
        "gdelt",
        "GDELT",
        "https://api.gdeltproject.org",
        15 * MINUTE,
        10 * MINUTE,
        interval_s=6.0,
        deadline_s=30.0,
        rest_s=10 * MINUTE,
    ),
    SourceInfo("google_news", "Google News", "https://news.google.com", 5 * MINUTE, 2 * MINUTE, interval_s=2.0),
    SourceInfo("bing_news", "Bing News", "https://www.bing.com", 5 * MINUTE, 2 * MINUTE, interval_s=2.0),
    SourceInfo("searxng", "SearXNG", "your own", 5 * MINUTE, interval_s=0.2, keys=("SEARXNG_URL",), needs_key=True),
    SourceInfo(
        "brave",
        "Brave Search",
        "https://api.search.brave.com",
        10 * MINUTE,
        allowance=Allowance(33),
        keys=("BRAVE_API_KEY",),
        needs_key=True,
    ),
    SourceInfo("tavily", "Tavily", "https://api.tavily.com", 10 * MINUTE, keys=("TAVILY_API_KEY",), needs_key=True),
    SourceInfo("exa", "Exa", "https://api.exa.ai", 10 * MINUTE, keys=("EXA_API_KEY",), needs_key=True),
    SourceInfo(
        "claude_search",
        "Claude web search",
        "https://api.anthropic.com",
        DAY,
        DAY,
        interval_s=0.0,
        deadline_s=30.0,
        rest_s=2 * MINUTE,
        hosted=True,
    ),
    SourceInfo(
        "opensanctions",
        "OpenSanctions",
        "https://api.opensanctions.org",
        6 * HOUR,
        HOUR,
        allowance=Allowance(30),
        keys=("OPENSANCTIONS_API_KEY",),
        needs_key=True,
    ),
    SourceInfo(
        "reddit_api",
        "Reddit (signed in)",
        "https://oauth.reddit.com",
        10 * MINUTE,
        5 * MINUTE,
        keys=("REDDIT_CLIENT_ID", "REDDIT_CLIENT_SECRET"),
        needs_key=True,
        family="reddit",
    ),
    SourceInfo("reddit", "Reddit feed", "https://www.reddit.com", 10 * MINUTE, 5 * MINUTE, interval_s=6.0),
    SourceInfo("apewisdom", "ApeWisdom", "https://apewisdom.io", 15 * MINUTE, 15 * MINUTE),
    SourceInfo(
        "stocktwits",
        "Stocktwits",
        "https://api.stocktwits.com",
        5 * MINUTE,
        30 * MINUTE,
        allowance=Allowance(150, "hour"),
    ),
    SourceInfo(
        "youtube_api",
        "YouTube search",
        "https://www.googleapis.com",
        6 * HOUR,
        HOUR,
        allowance=Allowance(90, zone="America/Los_Angeles"),
        keys=("YOUTUBE_API_KEY",),
        needs_key=True,
        rest_s=10 * MINUTE,
        family="youtube",
    ),
    SourceInfo("youtube", "YouTube channels", "https://www.youtube.com", 30 * MINUTE, 10 * MINUTE, interval_s=0.25),
    SourceInfo("bis", "BIS policy rates", "https://stats.bis.org", 12 * HOUR, HOUR),
    SourceInfo("ecb", "ECB", "https://data-api.ecb.europa.eu", HOUR, 30 * MINUTE),
    SourceInfo("boj", "Bank of Japan", "https://www.stat-search.boj.or.jp", 3 * HOUR, HOUR),
    SourceInfo(
        "bls",
        "BLS",
        "https://api.bls.gov",
        6 * HOUR,
        HOUR,
        allowance=Allowance(20, zone="America/New_York", with_key=450),
        keys=("BLS_API_KEY",),
    ),
    SourceInfo(
        "fred_api",
        "FRED",
        "https://api.stlouisfed.org",
        HOUR,
        30 * MINUTE,
        0.5,
        keys=("FRED_API_KEY",),
        needs_key=True,
        family="fred",
    ),
    SourceInfo("fred", "FRED (open series)", "https://fred.stlouisfed.org", HOUR, 30 * MINUTE, interval_s=0.5),
    SourceInfo("frankfurter", "Frankfurter", "https://api.frankfurter.dev", HOUR, 30 * MINUTE),
    SourceInfo("yahoo", "Yahoo Finance", "https://query2.finance.yahoo.com", MINUTE, MINUTE, rest_s=10 * MINUTE),
    SourceInfo("eia", "EIA", "https://api.eia.gov", HOUR, 30 * MINUTE, keys=("EIA_API_KEY",), needs_key=True),
    SourceInfo(
        "edgar",
        "SEC EDGAR",
        "https://www.sec.gov",
        15 * MINUTE,
        5 * MINUTE,
        interval_s=0.4,
        rest_s=10 * MINUTE,
        max_bytes=12 * 2**20,
    ),
    SourceInfo("wikidata", "Wikidata", "https://www.wikidata.org", DAY, DAY),
    SourceInfo(
        "regulations_gov",
        "Regulations.gov",
        "https://api.regulations.gov",
        HOUR,
        10 * MINUTE,
        keys=("REGULATIONS_GOV_API_KEY",),
        needs_key=True,
    ),
    SourceInfo("fed", "Federal Reserve", "https://www.federalreserve.gov", 5 * MINUTE),
    SourceInfo("ecb_press", "ECB press", "https://www.ecb.europa.eu", 5 * MINUTE, family="ecb"),
    SourceInfo("boj_news", "BOJ news", "https://www.boj.or.jp", 5 * MINUTE, family="boj"),
    SourceInfo("boe", "Bank of England", "https://www.bankofengland.co.uk", 5 * MINUTE),
    SourceInfo("rba", "RBA", "https://www.rba.gov.au", 5 * MINUTE),
    SourceInfo("snb", "Swiss National Bank", "https://www.snb.ch", 5 * MINUTE),
    SourceInfo("boc", "Bank of Canada", "https://www.bankofcanada.ca", 5 * MINUTE),
    SourceInfo("boj_accounts", "BOJ current accounts", "https://www.boj.or.jp", HOUR, 10 * MINUTE, family="boj"),
    SourceInfo("ons", "UK statistics (ONS)", "https://api.beta.ons.gov.uk", HOUR, 10 * MINUTE),
    SourceInfo("bea", "BEA calendar", "https://www.bea.gov", HOUR, 10 * MINUTE),
    SourceInfo("eurostat", "Eurostat", "https://ec.europa.eu", HOUR, 10 * MINUTE),
    SourceInfo("stat_jp", "Statistics Bureau of Japan", "https://www.stat.go.jp", 12 * HOUR, HOUR),
    SourceInfo("mof", "Ministry of Finance Japan", "https://www.mof.go.jp", HOUR, 10 * MINUTE),
    SourceInfo("bls_news", "BLS releases", "https://www.bls.gov", 5 * MINUTE, family="bls"),
    SourceInfo("trade_halts", "Nasdaq Trader halts", "https://www.nasdaqtrader.com", MINUTE, MINUTE),
    SourceInfo("data_gov_au", "data.gov.au", "https://data.gov.au", DAY, 6 * HOUR),
)


def limited(info: SourceInfo, limits: Mapping[str, int]) -> SourceInfo:
    """A source with the user's own number of requests; one without a limit gets one a day."""
    if info.name not in limits:
        return info
    return replace(info, allowance=(info.allowance or Allowance(0)).of(limits[info.name]))


SOURCES: Final[Mapping[str, SourceInfo]] = {source.name: source for source in _ALL}
"""All sources by name, in the order in which the tools that use them are listed."""
KEYS: Final[tuple[str, ...]] = tuple(dict.fromkeys(key for source in _ALL for key in source.keys))
"""The environment variables that may hold a key or an address of the user's."""
KEY_GIVES: Final[Mapping[str, str]] = {
    "SEARXNG_URL": "the web searched by your own SearXNG",
    "BRAVE_API_KEY": "the web searched by Brave",
    "TAVILY_API_KEY": "the web searched by Tavily",
    "EXA_API_KEY": "the web searched by Exa",
    "REDDIT_CLIENT_ID": "posts with their scores instead of the bare feed (with REDDIT_CLIENT_SECRET)",
    "REDDIT_CLIENT_SECRET": "posts with their scores instead of the bare feed (with REDDIT_CLIENT_ID)",
    "YOUTUBE_API_KEY": "all videos searched instead of eight channels",
    "BLS_API_KEY": "450 instead of 20 questions a day on US consumer prices",
    "FRED_API_KEY": "US consumer prices from FRED where BLS does not answer",
    "EIA_API_KEY": "oil prices from where they are made, days earlier",
    "REGULATIONS_GOV_API_KEY": "the dockets of US rules",
    "OPENSANCTIONS_API_KEY": "the sanctions lists of the world in one search",
}
"""What each of the keys gives, in words that follow "with it:"."""
ANY: Final = "default"
"""The name under which `base_urls` gives one address for every source that has none of its own."""
