"""The public sources of records: what they hold near a move, and that a source which cannot know says so."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from agents.investigation.errors import SourceDown
from agents.investigation.official.filings import CompanyFilings
from agents.investigation.official.ministry import InterventionRecords, read_operations
from agents.investigation.ports import Inquiry, Remarked
from agents.investigation.sources import FeedSource, NewsSearch
from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Request
from agents.tools.sources import news
from tests.agents.investigation.builders import HOUR, ONSET, a_case, an_anchor
from tests.fakes.evidence import sources
from tests.fakes.feed_server import reply

NOW = ONSET + timedelta(days=2)
LATER = ONSET + timedelta(days=200)
HEAD = (
    "財務省,,,,,,,,\n実施年月日,,,Intervention Date,,,,,\n"
    "年,月,日,Year,Month,Day,金額(amount),売買通貨,Currency pairs\n"
)
ROWS = (
    '令和6年,5月,14日,2024,May,14,"12,345",米ドル売り・日本円買い,the US dollar (sold) the Japanese yen (bought)\n'
    ",,16日,,,16,655,米ドル売り・日本円買い,the US dollar (sold) the Japanese yen (bought)\n"
    '令和6年4～6月期計,,,April - June 2024,,,"13,000",,\n,,,,,,,,\n(注1) 注記,,,,,,,,\n'
)


def an_inquiry(symbol: str = "USDJPY") -> Inquiry:
    kind = "currency" if len(symbol) == 6 else "stock"
    case = replace(a_case(symbol, kind), names=("yen",) if kind == "currency" else ("Nvidia",))  # type: ignore[arg-type]
    return Inquiry(case, an_anchor(symbol=symbol), ONSET - timedelta(days=3), ONSET + timedelta(days=30))


def feed(*entries: tuple[str, datetime]) -> str:
    items = "".join(
        f"<item><title>{title}</title><link>https://b.example/{n}</link>"
        f"<pubDate>{at:%a, %d %b %Y %H:%M:%S} GMT</pubDate></item>"
        for n, (title, at) in enumerate(entries)
    )
    return f'<rss version="2.0"><channel><title>Bank</title>{items}</channel></rss>'


def test_the_ministrys_table_inherits_years_and_months_and_skips_notes() -> None:
    found = read_operations((HEAD + ROWS).encode("cp932"))
    assert [(one.day, one.billions) for one in found] == [
        (date(2024, 5, 14), 1234.5),
        (date(2024, 5, 16), 65.5),
    ]


@pytest.mark.parametrize(
    "body",
    [
        (HEAD + ROWS.replace("13,000", "13,001")).encode("cp932"),
        (HEAD + ROWS.replace("12,345", "many")).encode("cp932"),
        b"<html>maintenance</html>",
        b"\x81\xff\xff",
        HEAD.encode("cp932"),
    ],
    ids=["days do not add up", "no number", "a page", "not its encoding", "no rows"],
)
def test_what_is_not_the_ministrys_table_is_no_answer(body: bytes) -> None:
    with pytest.raises(NotAnAnswer):
        read_operations(body)


def test_the_recorded_table_reads(shared: Path) -> None:
    found = read_operations((shared / "fixtures" / "mof_fx_intervention_cp932.csv").read_bytes())
    assert (found[-2].day, found[-2].billions) == (date(2024, 4, 29), 5918.5)


MOF = "/mof/policy/international_policy/reference/feio/foreign_exchange_intervention_operations.csv"


async def test_the_ministrys_row_is_dated_by_the_day_it_states() -> None:
    async with sources() as world:
        world.server.serve(MOF, (HEAD + ROWS).encode("cp932"), content_type="text/csv")
        (row,) = await InterventionRecords(world.access, lambda: NOW).find(an_inquiry())
        assert row.effective is not None
        assert (row.effective.at.date(), row.effective.precision) == (date(2024, 5, 14), "day")
        assert row.published_at == datetime(2024, 8, 6, 23, 50, tzinfo=UTC)


async def test_a_day_without_a_row_is_nothing_and_a_broken_table_is_down() -> None:
    async with sources() as world:
        world.server.serve(MOF, (HEAD + ROWS).encode("cp932"), content_type="text/csv")
        quiet = replace(an_inquiry(), anchor=replace(an_anchor(), onset_at=ONSET - timedelta(days=20)))
        found = await InterventionRecords(world.access, lambda: LATER).find(quiet)
        assert isinstance(found, Remarked)
        assert (tuple(found), found.remark) == ((), "its record of the quarter has no operation near 2024-04-24")
    async with sources() as world:
        world.server.serve(MOF, "<html>maintenance</html>", content_type="text/html")
        with pytest.raises(SourceDown):
            await InterventionRecords(world.access, lambda: NOW).find(an_inquiry())


async def test_an_official_feed_gives_the_span_and_one_that_is_too_short_is_down() -> None:
    long = feed(("Statement", ONSET + HOUR / 2), ("Old", ONSET - timedelta(days=9)))
    short = feed(("Statement", ONSET + HOUR / 2))
    request = Request("fed", "https://www.federalreserve.gov/feeds/press_monetary.xml")
    for body, title in ((long, "Statement"), (short, "")):
        async with sources() as world:
            world.server.serve("/fed/feeds/press_monetary.xml", body, content_type="application/rss+xml")
            asked = FeedSource("Fed", world.access, request, "Federal Reserve", lambda: NOW).find(an_inquiry())
            if title:
                (found,) = await asked
                assert (found.title, found.source, found.tier) == (title, "Federal Reserve", 1)
            else:
                with pytest.raises(SourceDown, match="reaches back to 2024-05-14 only"):
                    await asked


async def test_a_feed_that_is_down_is_down() -> None:
    request = Request("fed", "https://www.federalreserve.gov/feeds/press_monetary.xml")
    async with sources() as world:
        world.server.script("/fed/feeds/press_monetary.xml", reply(503))
        with pytest.raises(SourceDown):
            await FeedSource("Fed", world.access, request, "Federal Reserve", lambda: NOW).find(an_inquiry())


async def test_a_news_search_asks_for_the_days_of_the_move() -> None:
    async with sources() as world:
        body = feed(("Yen jumps", ONSET + HOUR), ("Long before", ONSET - timedelta(days=9)))
        world.server.serve("/google_news/rss/search", body, content_type="application/rss+xml")
        search = NewsSearch("news search", world.access, news.google_news, lambda: NOW)
        assert [one.title for one in await search.find(an_inquiry())] == ["Yen jumps"]
        path = world.server.requests()[-1].path
        assert "after%3A2024-05-13" in path
        assert "before%3A2024-05-16" in path


def submissions(*rows: tuple[str, datetime, str]) -> str:
    recent = {
        "form": [form for form, _, _ in rows],
        "acceptanceDateTime": [f"{at:%Y-%m-%dT%H:%M:%S}.000Z" for _, at, _ in rows],
        "accessionNumber": [f"0001045810-24-00000{n}" for n in range(len(rows))],
        "items": [items for _, _, items in rows],
        "primaryDocument": ["doc.htm" for _ in rows],
    }
    return json.dumps({"cik": "1045810", "filings": {"recent": recent}})


async def test_a_companys_filings_are_timed_by_their_acceptance() -> None:
    rows = (
        ("8-K", ONSET - HOUR, "2.02,9.01"),
        ("4", ONSET - HOUR, ""),
        ("10-Q", ONSET - 2 * HOUR, ""),
        ("8-K", ONSET - timedelta(days=60), "5.02"),
    )
    async with sources() as world:
        world.server.serve("/edgar/submissions/CIK0001045810.json", submissions(*rows))
        (news_,) = await CompanyFilings(world.access, lambda: NOW, releases=True).find(an_inquiry("NVDA"))
        (filing,) = await CompanyFilings(world.access, lambda: NOW, releases=False).find(an_inquiry("NVDA"))
    assert (news_.published_at, news_.time_kind, news_.precision) == (ONSET - HOUR, "filed", "second")
    assert "form 8-K (results of operations, item 9.01)" in news_.title
    assert "form 10-Q" in filing.title


async def test_older_filings_come_from_the_older_parts_of_the_list() -> None:
    newest = json.loads(submissions(("8-K", ONSET + timedelta(days=90), "8.01")))
    newest["filings"]["files"] = [
        {"name": "CIK0001045810-submissions-001.json", "filingFrom": "2024-01-02", "filingTo": "2024-06-30"},
        {"name": "CIK0001045810-submissions-002.json", "filingFrom": "2019-01-02", "filingTo": "2023-12-30"},
        {"name": "../../elsewhere.json", "filingFrom": "2024-01-02", "filingTo": "2024-06-30"},
    ]
    older = json.loads(submissions(("8-K", ONSET - HOUR, "2.02"), ("10-K", ONSET - timedelta(days=100), "")))
    async with sources() as world:
        world.server.serve("/edgar/submissions/CIK0001045810.json", json.dumps(newest))
        part = "/edgar/submissions/CIK0001045810-submissions-001.json"
        world.server.serve(part, json.dumps(older["filings"]["recent"]))
        (one,) = await CompanyFilings(world.access, lambda: LATER, releases=True).find(an_inquiry("NVDA"))
        assert one.published_at == ONSET - HOUR
        assert "/1045810/" in one.url
        assert not any("002" in seen.path or "elsewhere" in seen.path for seen in world.server.requests())


async def test_a_list_of_filings_that_does_not_reach_back_is_down() -> None:
    async with sources() as world:
        world.server.serve("/edgar/submissions/CIK0001045810.json", submissions(("8-K", ONSET, "8.01")))
        with pytest.raises(SourceDown, match="reaches back"):
            await CompanyFilings(world.access, lambda: NOW, releases=True).find(an_inquiry("NVDA"))
