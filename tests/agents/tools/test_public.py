"""All sixteen tools over their sources: what they answer, and that whatever a source does, none of them breaks."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import get_args

import pytest

from agents.analysts.protocol import Holding
from agents.gather import gather
from agents.models import EvidenceStatus, ToolName
from agents.report import counted_confidence
from agents.specialists import SPECIALISTS
from agents.tools.archive import EarlierNews
from agents.tools.asking.catalogue import SOURCES
from agents.tools.protocol import EarlierItem, Question
from agents.tools.sourced import BACKLOG
from feeds.models import Published, Tier
from feeds.symbols.table import SymbolTable
from tests.agents.builders import NOW, an_item
from tests.fakes.archive import MemoryArchive
from tests.fakes.burst import burst_of
from tests.fakes.evidence import KEYS, TITLE, a_question, serve, sources
from tests.fakes.feed_server import FeedServer, Handler, drip, hang_up, reply, silent

TOOLS: tuple[ToolName, ...] = get_args(ToolName)
RATES = a_question("Fed raises interest rates by surprise", event="rate_surprise")


def question_for(name: ToolName) -> Question:
    return RATES if name == "central_bank_statements" else a_question()


FOUND: dict[ToolName, tuple[str, ...]] = {
    "geo_events": ("Addition of Nvidia Suppliers", "Russia: new designations", TITLE),
    "rss_search": (TITLE,),
    "web_search": (TITLE,),
    "reddit_sentiment": ("2 posts on NVDA", "Nvidia beats"),
    "stocktwits_ratio": ("NVDA: 15 bullish to 4 bearish among 30 messages over 29 min: 79% bulls",),
    "youtube_sentiment": ("8 posts on NVDA",),
    "policy_rates": (
        "United States policy rate 3.75%, last step -0.25 on 2026-01-29",
        "ECB deposit rate 2%",
        "call rate",
    ),
    "cpi": ("US consumer prices +3.5% on the year, +3.0% the month before, +0.7% on the month (January 2026)",),
    "fx_rates": ("EURUSD 1.1111", "USDJPY 158.57, +1.00%"),
    "oil_gold": ("WTI in USD a barrel 71.4, +2.00%", "COMEX gold future, not spot"),
    "sector_peers": ("AMD Advanced Micro Devices: same industry", "AMD: looked at together", "same SIC 3674"),
    "supply_chain": ('"One customer, Nvidia, accounted for 31% of revenue."', "makes graphics card (hint)"),
    "regulatory_documents": ("Addition of Nvidia Suppliers",),
    "central_bank_statements": ("Federal Reserve issues FOMC statement",),
    "sec_enforcement": ("SEC charges Nvidia distributor & Nvidia with fraud",),
    "asic_enforcement": ("2 entries of ASIC's register",),
}


@pytest.mark.parametrize("name", TOOLS)
async def test_each_tool_answers_with_source_address_raw_answer_and_honest_times(name: ToolName) -> None:
    async with sources() as world:
        evidence = await world.ask(name, question_for(name))
        assert (evidence.tool, evidence.status) == (name, "ok")
        said = " | ".join(item.text for item in evidence.items)
        for words in FOUND[name]:
            assert words in said
        assert evidence.source
        assert evidence.url.startswith("https://")
        assert evidence.raw.startswith("== ")
        assert "127.0.0.1" not in repr(evidence)
        for item in evidence.items:
            assert (item.at is None) == (item.precision == "unknown")
            assert item.at is None or item.at <= NOW


async def test_keys_improve_the_same_tools() -> None:
    better = {
        "geo_events": "OpenSanctions",
        "web_search": "SearXNG",
        "reddit_sentiment": "Reddit (signed in)",
        "youtube_sentiment": "YouTube search",
        "oil_gold": "EIA",
        "regulatory_documents": "Regulations.gov",
    }
    async with sources(keys=KEYS) as world:
        for name, source in better.items():
            assert source in (await world.ask(name, question_for(name))).source  # type: ignore[arg-type]


HOSTILE: dict[str, Handler] = {
    "403 HTML": reply(403, b"<html>Undeclared Automated Tool</html>", {"Content-Type": "text/html"}),
    "200 HTML": reply(200, b"<!DOCTYPE html><html>are you human?</html>", {"Content-Type": "text/html"}),
    "429": reply(429, b"slow down", {"Retry-After": "120"}),
    "silence": silent(),
    "slow drip": drip(b"{", every_s=0.05),
    "hang up": hang_up(),
    "malformed": reply(200, b'{"a": [1, 2', {"Content-Type": "application/json"}),
    "wrong shape": reply(200, b'[{"results": 1}, null, 7]', {"Content-Type": "application/json"}),
    "huge": reply(200, b"[" + b"1," * 15_000_000 + b"1]", {"Content-Type": "application/json"}),
    "deep": reply(200, b"[" * 100_000, {"Content-Type": "application/json"}),
    "nothing": reply(200, b""),
}
OFFLINE_TOO: dict[ToolName, EvidenceStatus] = {"sector_peers": "ok"}
"""What is known without the network stays known."""


@pytest.mark.parametrize("kind", HOSTILE)
async def test_whatever_the_sources_do_no_tool_raises_hangs_or_says_that_nothing_is_there(kind: str) -> None:
    async with sources(answering=lambda server: server.script("*", HOSTILE[kind])) as world:
        began = time.monotonic()
        answers = await asyncio.gather(*(world.ask(name, question_for(name), deadline_s=1.0) for name in world.tools))
        assert time.monotonic() - began < 3.0
        for evidence in answers:
            assert evidence.status == OFFLINE_TOO.get(evidence.tool, "unavailable"), evidence
            assert evidence.detail


EMPTY: dict[str, tuple[str, str]] = {
    "/federal_register/api/v1/documents.json": ("application/json", '{"count": 0}'),
    "/stocktwits/api/2/streams/symbol/NVDA.json": ("application/json", '{"response": {"status": 200}, "messages": []}'),
    "/google_news/rss/search": ("application/xml", "<rss version='2.0'><channel><title>t</title></channel></rss>"),
    "/bing_news/news/search": ("application/xml", "<rss version='2.0'><channel><title>t</title></channel></rss>"),
    "/edgar/LATEST/search-index": ("application/json", '{"hits": {"hits": []}}'),
    "/wikidata/w/api.php": ("application/json", '{"search": []}'),
    "/data_gov_au/data/api/3/action/datastore_search": (
        "application/json",
        '{"success": true, "result": {"total": 0}}',
    ),
    "/reddit/r/stocks+wallstreetbets+investing+StockMarket+options/search.rss": (
        "application/xml",
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>t</title></feed>",
    ),
    "/youtube/feeds/videos.xml": (
        "application/xml",
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>t</title></feed>",
    ),
}


@pytest.mark.parametrize(
    "name",
    [
        "rss_search",
        "web_search",
        "reddit_sentiment",
        "stocktwits_ratio",
        "youtube_sentiment",
        "supply_chain",
        "regulatory_documents",
        "asic_enforcement",
    ],
)
async def test_nothing_there_is_empty_and_not_the_same_as_down(name: ToolName) -> None:
    def quiet(server: FeedServer) -> None:
        serve(server)
        for path, (kind, body) in EMPTY.items():
            server.serve(path, body, content_type=kind)

    async with sources(answering=quiet) as world:
        evidence = await world.ask(name, question_for(name))
        assert (evidence.status, evidence.items) == ("empty", ())


async def test_an_unknown_symbol_is_empty_on_stocktwits() -> None:
    async with sources() as world:
        body = b'{"response": {"status": 404}, "errors": [{"message": "Symbol not found"}]}'
        world.server.script("/stocktwits/api/2/streams/symbol/NVDA.json", reply(404, body))
        assert (await world.ask("stocktwits_ratio", a_question())).status == "empty"


@pytest.mark.parametrize("name", ["reddit_sentiment", "stocktwits_ratio", "youtube_sentiment", "supply_chain"])
async def test_an_item_without_a_company_asks_nobody_for_one(name: ToolName) -> None:
    async with sources() as world:
        evidence = await world.ask(name, Question(an_item("It rains"), (), None, NOW))
        assert evidence.status == "empty"
        assert "names no" in evidence.detail or evidence.source == "watchlist"
        assert world.server.requests() == []


CHAINS: tuple[tuple[ToolName, str, str], ...] = (
    ("rss_search", "google_news", "Bing News"),
    ("web_search", "bing_news", "Google News"),
    ("reddit_sentiment", "reddit", "ApeWisdom"),
    ("cpi", "bls", "FRED"),
    ("fx_rates", "frankfurter", "ECB"),
)


@pytest.mark.parametrize(("name", "down", "instead"), CHAINS)
async def test_the_next_source_answers_where_one_is_down_and_the_first_is_named(
    name: ToolName, down: str, instead: str
) -> None:
    def broken(server: FeedServer) -> None:
        serve(server)
        for path in list(server._routes):
            if path.startswith(f"/{down}/"):
                server.script(path, reply(500))
        monthly = "\n".join(f"{2024 + n // 12}-{n % 12 + 1:02d}-01,{300 + n},{300 + n}" for n in range(25))
        server.serve(
            "/fred/graph/fredgraph.csv", f"observation_date,CPIAUCNS,CPIAUCSL\n{monthly}\n", content_type="text/csv"
        )

    async with sources(answering=broken) as world:
        evidence = await world.ask(name, question_for(name))
        assert evidence.status == "ok"
        assert instead in evidence.source
        assert f"{SOURCES[down].title}: has trouble (500)" in evidence.detail


async def test_a_slow_source_delays_nobody_past_the_deadline_and_is_named() -> None:
    async with sources() as world:
        world.server.script("/bis/api/v1/data/WS_CBPOL/D.US+XM+JP+GB+AU+CH+CA", silent())
        began = time.monotonic()
        evidence = await world.ask("policy_rates", a_question(), deadline_s=0.3)
        assert time.monotonic() - began < 0.6
        assert evidence.status == "ok"
        assert "ECB deposit rate" in " ".join(item.text for item in evidence.items)
        assert "no answer within 0.3 s" in evidence.detail


async def test_gathering_takes_as_long_as_the_slowest_tool_and_not_the_sum() -> None:
    async with sources() as world:
        for name in world.tools:
            await world.ask(name, question_for(name))  # the connections are open
        world.clock.seconds += 100_000
        world.server.latency_s = 0.1
        began = time.monotonic()
        await asyncio.gather(*(gather(one.tools, world.tools, a_question(), 10.0) for one in SPECIALISTS))
        # The longest tool asks three times in a row (ticker, filer, industry), the shared hosts of the SEC a few more.
        assert time.monotonic() - began < 1.5


async def test_one_of_three_tools_down_lowers_the_counted_confidence() -> None:
    async with sources() as world:
        world.server.script("/stocktwits/api/2/streams/symbol/NVDA.json", reply(500))
        evidence = await gather(SPECIALISTS[1].tools, world.tools, a_question(), 5.0)
        assert [one.status for one in evidence] == ["ok", "unavailable", "ok"]
        assert counted_confidence(0.9, evidence) == pytest.approx(0.9 * (0.5 + 0.5 * 2 / 3))


ONCE = (
    "ofac", "un_sanctions", "ofsi", "eu_sanctions", "apewisdom", "bis", "bls", "frankfurter",
)  # fmt: skip
"""Sources whose answer is the same for every company."""
MOST: dict[str, int] = {
    **dict.fromkeys(ONCE, 1),
    "federal_register": 40,  # two questions on a company
    "gdelt": 20,
    "google_news": 41,  # a company's news, as the last resort of the web search too, and one search for ASIC
    "bing_news": 40,
    "reddit": 20,
    "stocktwits": 20,
    "youtube": 8,  # channels
    "yahoo": 22,  # who moves alike, and two futures
    "edgar": 30,  # filings that name a company, the list of tickers, an industry, releases and the stream of filings
    "fred": 4,  # rates and oil; it stands in for BLS where that is slow, as ECB and BOJ do for Frankfurter
    "ecb": 2,
    "boj": 2,
    "wikidata": 22,
    "data_gov_au": 21,
    **dict.fromkeys(("fed", "ecb_press", "boj_news", "boe", "rba"), 1),
}
"""What each source may be asked at most for two hundred items on twenty companies that it knows nothing of."""


async def test_a_burst_on_twenty_companies_asks_each_source_a_bounded_number_of_times() -> None:
    async with sources(table=SymbolTable.load()) as world:
        world.server.script("*", reply(404, b'{"response": {"status": 404}}'))
        questions = burst_of(200)
        await asyncio.gather(
            *(gather(one.tools, world.tools, question, 10.0) for question in questions for one in SPECIALISTS)
        )
        counts = {name: world.asked(name) for name in SOURCES if world.asked(name)}
        assert {name: count for name, count in counts.items() if count > MOST.get(name, 0)} == {}
        assert counts["stocktwits"] == 20
        assert counts["bis"] == counts["ofac"] == 1
        before = len(world.server.requests())
        again = [one for one in questions if one.item.id in ("i0", "i1", "i2")]
        await asyncio.gather(*(world.ask("stocktwits_ratio", question) for question in again))
        assert len(world.server.requests()) == before, "what was asked a moment ago was asked again"


async def test_one_silent_source_costs_a_burst_no_more_than_its_deadline() -> None:
    async with sources(table=SymbolTable.load()) as world:
        world.server.script("*", reply(404, b'{"response": {"status": 404}}'))
        world.server.script("/google_news/rss/search", silent())
        began = time.monotonic()
        answers = await asyncio.gather(
            *(world.ask(name, question, deadline_s=1.5) for question in burst_of(40) for name in world.tools)
        )
        assert time.monotonic() - began < 6.0
        assert all(one.status == "ok" for one in answers if one.tool == "policy_rates")


WWW = ("/edgar/files", "/edgar/cgi-bin", "/edgar/enforcement-litigation")
"""What of EDGAR is on one host."""


async def test_no_source_is_asked_more_often_than_its_interval() -> None:
    async with sources(polite=True) as world:
        await asyncio.gather(
            world.ask("sec_enforcement", a_question()),
            world.ask("sector_peers", a_question()),
            world.ask("cpi", a_question()),
        )
        times = sorted(one.at for one in world.server.requests() if one.path.startswith(WWW))
        assert len(times) >= 4
        interval = SOURCES["edgar"].interval_s
        assert times[-1] - times[0] > (len(times) - 1) * interval * 0.9
        # A busy machine reads one request late and the next in time, so a single gap may look shorter than it was.
        assert all(later - earlier > interval / 2 for earlier, later in pairwise(times))


async def test_history_is_not_asked_of_the_network() -> None:
    async with sources() as world:
        backlog = replace(an_item(TITLE), backlog=True)
        evidence = await world.ask("rss_search", a_question(item=backlog))
        assert (evidence.status, evidence.detail) == ("not_configured", BACKLOG)
        assert world.server.requests() == []


async def test_an_old_item_is_judged_by_what_was_known_then() -> None:
    old = replace(an_item(TITLE), published=Published(NOW - timedelta(days=3), "second", None))
    async with sources() as world:
        for name in world.tools:
            evidence = await world.ask(name, a_question(item=old))
            late = [item.text for item in evidence.items if item.at and item.at > NOW - timedelta(days=3)]
            assert late == [], name
        assert (await world.ask("stocktwits_ratio", a_question(item=old))).status == "empty"


async def test_our_own_database_comes_first_and_stays_when_the_network_is_down() -> None:
    earlier = EarlierItem(
        "e1", "Earlier report", "https://w.example/1", "wire", "Wire", Tier.NEWSROOM,
        Published(NOW - timedelta(hours=2), "second", None), NOW - timedelta(hours=2), "same story",
    )  # fmt: skip
    own = {"rss_search": EarlierNews(MemoryArchive([earlier]))}
    async with sources(offline=own) as world:  # type: ignore[arg-type]
        evidence = await world.ask("rss_search", a_question())
        assert evidence.items[0].text == "Earlier report · same story"
        assert evidence.source == "own archive, Google News"
    async with sources(offline=own, answering=lambda server: server.script("*", reply(500))) as world:  # type: ignore[arg-type]
        evidence = await world.ask("rss_search", a_question())
        assert evidence.status == "ok"
        assert "has trouble (500)" in evidence.detail


async def test_the_watchlist_is_the_first_word_on_suppliers() -> None:
    async with sources(watchlist={"NVDA": Holding("NVDA", suppliers=("TSM",))}) as world:
        evidence = await world.ask("supply_chain", a_question())
        assert evidence.items[0].text == "TSM: supplier of NVDA"


@pytest.mark.parametrize(
    ("title", "listed"),
    [
        ("Nordstern Chip Trading ships to Moscow", True),
        ("Nordstern Chip ships to Moscow", False),
        ("Grey Harbour Shipping seized", True),
        ("John Smith resigns", False),
    ],
)
async def test_a_name_of_the_item_on_a_sanctions_list_is_a_hit(title: str, listed: bool) -> None:
    async with sources() as world:
        evidence = await world.ask("geo_events", Question(an_item(title), (), None, NOW))
        hits = [item for item in evidence.items if dict(item.values).get("sanctions_hit")]
        assert bool(hits) is listed


async def test_a_name_that_an_earlier_copy_of_the_list_did_not_hold_is_new() -> None:
    question = Question(an_item("Rostok Marine and Nordstern Chip Trading"), (), None, NOW)
    async with sources() as world:
        await world.ask("geo_events", question)
        path = "/ofac/api/PublicationPreview/exports/sdn.csv"
        rows = '101,"NORDSTERN CHIP TRADING LLC",-0- ,"RUSSIA"\n103,"ROSTOK MARINE JSC",-0- ,"RUSSIA"\n'
        world.server.serve(path, rows, content_type="text/csv")
        world.clock.seconds += SOURCES["ofac"].lifetime_s
        evidence = await world.ask("geo_events", question)
        new = {item.text.split('"')[1]: dict(item.values)["new_on_list"] for item in evidence.items}
        assert new == {"NORDSTERN CHIP TRADING LLC": 0.0, "ROSTOK MARINE JSC": 1.0}


@pytest.mark.parametrize("name", TOOLS)
async def test_outside_text_is_cleaned_at_the_door(name: ToolName) -> None:
    def poisoned(server: FeedServer) -> None:
        serve(server)
        for route in server._routes.values():
            if hasattr(route, "body"):
                route.body = route.body.replace(b"Nvidia", b"Nvidia\xe2\x80\xae\xe2\x80\x8b")

    async with sources(answering=poisoned) as world:
        evidence = await world.ask(name, question_for(name))
        assert not any(sign in repr(evidence) for sign in ("\u202e", "\\u202e", "\x1b"))
