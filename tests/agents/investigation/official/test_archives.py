"""Decisions of central banks from before their feeds: each bank's own list, and the minute as far as it is known."""

from __future__ import annotations

import json

import pytest

from agents.investigation.errors import SourceDown
from agents.investigation.official.archives import Archived, BankArchive
from agents.investigation.sources import FeedSource
from agents.tools.asking.request import Request
from tests.agents.investigation.builders import at
from tests.agents.investigation.official.builders import LATER, an_inquiry, feed, page
from tests.fakes.evidence import Sources, sources
from tests.fakes.feed_server import reply

FED = json.dumps(
    [
        {"d": "7/31/2024 2:00:00 PM", "t": "Federal Reserve issues FOMC statement", "l": "/newsevents/a.htm"},
        {"d": "1/3/2007 11:00:00 AM", "t": "An early release", "l": "/newsevents/b.htm"},
        {"updateDate": "7/31/2024"},
    ]
)
ECB = (
    '<dt isodate="2024-06-06">6 June 2024</dt><dd><div class="title">'
    '<a href="/press/pr/date/2024/html/ecb.mp240606~x.en.html">Monetary policy decisions</a></div>'
    '<div class="doc"><a href="/press/accounts/2024/html/ecb.mg240704~y.en.html">Account</a></div></dd>'
    '<dt isodate="2024-06-05">5 June 2024</dt><dd><div class="title">'
    '<a href="/press/pr/date/2024/html/ecb.pr240605~z.en.html">ECB consults on a guide</a></div></dd>'
)
ECB_BEFORE = ECB.replace("2024-06-06", "2022-06-09").replace("2024", "2022").replace("2406", "2206")
BOJ = page(
    "<table><tr><th>Date</th><th>Title</th></tr>"
    "<tr><td>July 31, 2024</td><td><a href='/en/mopo/mpmdeci/state_2024/k240731a.htm'>"
    "Change in the Guideline for Money Market Operations</a>"
    "<a href='/en/mopo/mpmdeci/mpr_2024/k240731a.pdf'>[PDF 219KB]</a></td></tr>"
    "<tr><td>June 14, 2024</td><td><a href='/en/mopo/mpmdeci/state_2024/k240614a.htm'>"
    "Statement on Monetary Policy</a></td></tr></table>"
)
BOJ_PAGE = page("<p>Release dates and times: Change in the Guideline -- Wednesday, July 31at 12:56</p>")
BOE = page("<h1>Monetary policy</h1><div>Published on <span>01 August 2024</span></div>").replace(
    "<title>Office", "<title>Bank Rate reduced to 5% - August 2024 | Bank of England"
)
RBA = page(
    "<ul><li><a href='/media-releases/2024/mr-24-10.html'>7 May 2024</a></li>"
    "<li><a href='/media-releases/'>All media releases</a></li></ul>"
)
BOJ_YEAR = "/boj_news/en/mopo/mpmdeci/state_2024/index.htm"
ECB_YEAR = "/ecb_press/press/pr/date/{}/html/index_include.en.html"
PAGES = {
    "/fed/json/ne-press.json": "\ufeff" + FED,
    ECB_YEAR.format(2024): ECB,
    ECB_YEAR.format(2022): ECB_BEFORE,
    BOJ_YEAR: BOJ,
    "/boj_news/en/mopo/mpmdeci/state_2024/k240731a.htm": BOJ_PAGE,
    "/boe/monetary-policy-summary-and-minutes/2024/august-2024": BOE,
    "/rba/monetary-policy/int-rate-decisions/2024/": RBA,
}


def serve(world: Sources) -> None:
    for path, body in PAGES.items():
        world.server.serve(path, body, content_type="application/json" if "json" in path else "text/html")


@pytest.mark.parametrize(
    ("bank", "onset", "published", "precision", "title"),
    [
        ("fed", "2024-07-31T18:00", "2024-07-31T18:00", "minute", "Federal Reserve issues FOMC statement"),
        ("ecb", "2024-06-06T12:00", "2024-06-06T12:15", "minute", "Monetary policy decisions"),
        ("ecb", "2022-06-09T11:00", "2022-06-09T11:45", "minute", "Monetary policy decisions"),
        (
            "boj",
            "2024-07-31T03:00",
            "2024-07-31T03:56",
            "minute",
            "Change in the Guideline for Money Market Operations",
        ),
        ("boe", "2024-08-01T11:00", "2024-08-01T11:00", "minute", "Bank Rate reduced to 5% - August 2024 (decision)"),
        ("rba", "2024-05-07T04:00", "2024-05-07T04:30", "minute", "Monetary policy decision"),
    ],
)
async def test_a_decision_of_any_time_with_the_minute_its_bank_gives_or_keeps(
    bank: str, onset: str, published: str, precision: str, title: str
) -> None:
    async with sources() as world:
        serve(world)
        found = await BankArchive(bank, "The bank", world.access, lambda: LATER).find(an_inquiry(onset))
    wanted = [one for one in found if one.title == title]
    assert [(one.published_at, one.precision) for one in wanted] == [(at(published), precision)]


async def test_what_is_no_decision_has_a_day_and_no_minute() -> None:
    async with sources() as world:
        serve(world)
        found = await BankArchive("ecb", "ECB", world.access, lambda: LATER).find(an_inquiry("2024-06-06T12:00"))
    days = {one.title: (one.published_at, one.precision) for one in found}
    assert days["ECB consults on a guide"] == (at("2024-06-05T00:00"), "day")


@pytest.mark.parametrize("bank", ["fed", "ecb", "boj", "boe", "rba"])
async def test_an_archive_without_an_answer_is_down(bank: str) -> None:
    async with sources() as world:
        for path in PAGES:
            world.server.serve(path, page("<p>We are sorry</p>"), content_type="text/html")
        with pytest.raises(SourceDown):
            await BankArchive(bank, "Bank", world.access, lambda: LATER).find(an_inquiry("2024-07-31T18:00"))


async def test_a_list_that_does_not_reach_back_says_from_when_it_knows() -> None:
    async with sources() as world:
        serve(world)
        with pytest.raises(SourceDown, match="reaches back to 2007-01-03 only"):
            await BankArchive("fed", "Fed", world.access, lambda: LATER).find(an_inquiry("2005-01-03T18:00"))


async def test_the_days_between_decisions_hold_nothing_and_are_known_to() -> None:
    async with sources() as world:
        serve(world)
        boj = BankArchive("boj", "Bank of Japan", world.access, lambda: LATER)
        assert await boj.find(an_inquiry("2024-05-10T03:00")) == []
        assert world.asked("boj_news") == 1


def both(world: Sources) -> Archived:
    request = Request("fed", "https://www.federalreserve.gov/feeds/press_monetary.xml")
    recent = FeedSource("Fed", world.access, request, "Federal Reserve", lambda: LATER)
    return Archived("Fed", recent, BankArchive("fed", "Federal Reserve", world.access, lambda: LATER))


async def test_the_archive_is_asked_only_where_the_feed_does_not_reach_back() -> None:
    recent = feed(("Minutes", at("2024-11-26T19:00")), ("Old", at("2024-11-01T19:00")))
    async with sources() as world:
        serve(world)
        world.server.serve("/fed/feeds/press_monetary.xml", recent, content_type="application/rss+xml")
        assert [one.title for one in await both(world).find(an_inquiry("2024-11-26T19:00"))] == ["Minutes"]
        assert not any("ne-press" in seen.path for seen in world.server.requests())
        old = await both(world).find(an_inquiry("2024-07-31T18:00"))
        assert [one.title for one in old] == ["Federal Reserve issues FOMC statement"]


async def test_where_neither_knows_both_say_why() -> None:
    async with sources() as world:
        world.server.script("/fed/feeds/press_monetary.xml", reply(503))
        with pytest.raises(SourceDown, match="its archive: Federal Reserve"):
            await both(world).find(an_inquiry("2024-07-31T18:00"))
