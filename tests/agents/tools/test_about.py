"""Evidence is about the company an item names, and about nobody who shares a word or a symbol with it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from agents.models import FlashEvent, ToolName
from agents.orders import without_orders
from agents.tools.asking.catalogue import SOURCES
from agents.tools.protocol import Question
from feeds.models import Published
from feeds.symbols.table import SymbolTable
from tests.agents.builders import NOW, an_item
from tests.fakes.evidence import KEYS, TITLE, Sources, a_question, atom, rss, serve, sources
from tests.fakes.feed_server import FeedServer

STREAM = "/stocktwits/api/2/streams/symbol/NVDA.json"
REDDIT = "/reddit/r/stocks+wallstreetbets+investing+StockMarket+options/search.rss"
FILINGS = "/edgar/cgi-bin/browse-edgar"


def filing(filer: str, cik: str, accession: str) -> tuple[str, str, float, str]:
    link = f"https://www.sec.gov/Archives/edgar/data/{accession}-index.htm"
    return f"8-K - {filer} ({cik}) (Filer)", link, 1, "Item 4.02: Non-Reliance"


@pytest.mark.parametrize(
    ("filer", "counts"),
    [
        ("APPLE INC", True),
        ("Apple Inc.", True),
        ("APPLE HOSPITALITY REIT, INC.", False),
        ("Apple Rush Company, Inc.", False),
    ],
)
async def test_a_filer_whose_name_begins_alike_is_another(filer: str, counts: bool) -> None:
    async with sources(table=SymbolTable.load()) as world:
        world.server.serve(FILINGS, atom(filing(filer, "0000320193", "0000320193-26-000001")), content_type="text/xml")
        evidence = await world.ask("sec_enforcement", a_question("Apple unveils a phone", "AAPL", event=None))
        assert any(dict(item.values).get("grave") for item in evidence.items) is counts


@pytest.mark.parametrize("title", ["Oil slides 5% as talks resume", "Gold hits record on haven demand"])
async def test_a_market_is_no_company_that_has_its_symbol(title: str) -> None:
    """WTI is W&T Offshore in New York, and GOLD a dealer in coins."""
    table = SymbolTable.load()
    symbols = tuple(subject.symbol for subject in table.subjects(title))
    assert symbols
    question = Question(an_item(title), symbols, None, NOW)
    asked: tuple[ToolName, ...] = ("stocktwits_ratio", "reddit_sentiment", "supply_chain", "sector_peers", "rss_search")
    async with sources(table=table) as world:
        for name in asked:
            evidence = await world.ask(name, question)
            assert (evidence.status, evidence.items) == ("empty", ()), name
        assert [seen.path for seen in world.server.requests()] == []


def twits(*messages: tuple[int | None, str, timedelta]) -> dict[str, object]:
    """Messages as (writer, tag, age), newest first."""
    return {
        "response": {"status": 200},
        "messages": [
            {
                "id": place,
                "body": "NVDA",
                "created_at": (NOW - age).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "entities": {"sentiment": {"basic": tag}} if tag else {},
                "user": {"id": writer} if writer is not None else None,
            }
            for place, (writer, tag, age) in enumerate(messages)
        ],
    }


async def ratio(world: Sources, *messages: tuple[int | None, str, timedelta]) -> dict[str, float]:
    world.server.serve(STREAM, json.dumps(twits(*messages)), content_type="application/json")
    evidence = await world.ask("stocktwits_ratio", a_question())
    return dict(evidence.items[0].values) if evidence.items else {}


MINUTE = timedelta(minutes=1)


async def test_who_writes_twenty_times_is_one_voice() -> None:
    async with sources() as world:
        loud = [(7, "Bullish", MINUTE)] * 20
        told = await ratio(world, (7, "", MINUTE), *loud, (8, "Bearish", MINUTE), (9, "", MINUTE))
        assert (told["bulls"], told["bears"], told["untagged"]) == (1.0, 1.0, 1.0)


async def test_of_one_writer_the_last_word_counts_and_the_unnamed_are_counted_each() -> None:
    async with sources() as world:
        told = await ratio(
            world,
            (7, "Bearish", MINUTE),
            (7, "Bullish", 2 * MINUTE),
            (None, "Bullish", MINUTE),
            (None, "Bullish", MINUTE),
        )
        assert (told["bulls"], told["bears"]) == (2.0, 1.0)


async def test_what_the_crowd_wrote_last_week_is_not_what_it_says_now() -> None:
    async with sources() as world:
        assert await ratio(world, *[(n, "Bearish", timedelta(days=8)) for n in range(30)]) == {}


async def test_posts_that_hold_only_the_word_of_a_symbol_are_not_about_its_company() -> None:
    def answering(server: FeedServer) -> None:
        serve(server)
        posts = (
            ("All in ON the dip, it is a crash", "https://www.reddit.com/r/stocks/1", 2, "fraud"),
            ("ON Semiconductor beats", "https://www.reddit.com/r/stocks/2", 2, "strong"),
            ("my $ON calls", "https://www.reddit.com/r/stocks/3", 2, ""),
        )
        server.serve(REDDIT, atom(*posts), content_type="text/xml")

    async with sources(answering=answering, table=SymbolTable.load()) as world:
        evidence = await world.ask("reddit_sentiment", a_question("ON Semiconductor cuts forecast", "ON", event=None))
        assert evidence.items[0].text.startswith("2 posts on ON")
        assert not any("crash" in item.text for item in evidence.items)


LAPSED: tuple[tuple[ToolName, str], ...] = (
    ("policy_rates", "BIS policy rates: its last value is of 2026-03-05, 300 days old"),
    ("cpi", "BLS: its last value is of 2026-01-01, 363 days old"),
    ("fx_rates", "Frankfurter: its last value is of 2026-03-11"),
    ("oil_gold", "FRED (open series): its last value is of 2026-03-05, 300 days old"),
)


@pytest.mark.parametrize(("name", "said"), LAPSED)
async def test_a_series_that_has_ended_is_stale_and_says_since_when(name: ToolName, said: str) -> None:
    later = NOW + timedelta(days=295)
    question = Question(replace(an_item(TITLE), first_seen_at=later, published=Published()), ("NVDA",), None, later)
    quotes = {"/yahoo/v8/finance/chart/CL=F", "/yahoo/v8/finance/chart/GC=F"}
    async with sources() as world:
        for path in quotes:
            world.server.serve(path, '{"chart": {"result": [], "error": null}}', content_type="application/json")
        evidence = await world.ask(name, question)
        assert evidence.status == "stale"
        assert said in evidence.detail
        assert (await world.ask(name, a_question())).status == "ok"


async def test_what_a_search_finds_of_others_is_no_release_of_the_regulator() -> None:
    def entry(outlet: str) -> str:
        return rss(("ASIC sues Nvidia", f"https://news.google.com/{len(outlet)}", 2), source=outlet)

    path = "/google_news/rss/search"
    async with sources() as world:
        world.server.serve(path, entry("Harbour Post"), content_type="text/xml")
        other = await world.ask("asic_enforcement", a_question())
        assert not [item for item in other.items if item.source == "ASIC"]
    async with sources() as world:
        world.server.serve(path, entry("ASIC"), content_type="text/xml")
        own = await world.ask("asic_enforcement", a_question())
        assert [item.text for item in own.items if item.source == "ASIC"] == ["ASIC sues Nvidia"]


@pytest.mark.parametrize("event", [None, "rate_surprise"])
async def test_no_words_of_our_own_are_taken_for_orders(event: FlashEvent | None) -> None:
    """What is taken for an order to the reader is left out of the evidence."""
    titles = (TITLE, "Fed raises interest rates by surprise", "A quiet day")
    for disabled, keys in ((), {}), (tuple(SOURCES), {}), ((), KEYS):
        async with sources(disabled=disabled, keys=keys) as world:
            for title in titles:
                symbols = ("NVDA",) if title == TITLE else ()
                question = Question(an_item(title), symbols, event, NOW)
                for name in world.tools:
                    detail = (await world.ask(name, question)).detail
                    assert without_orders(detail)[1] == (), detail
