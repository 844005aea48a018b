"""What statistical offices released around a move, by the office's own calendar."""

from __future__ import annotations

import json

import pytest

from agents.investigation.errors import SourceDown
from agents.investigation.official import statistics
from agents.investigation.official.statistics import Office, OfficeReleases
from tests.agents.investigation.builders import at
from tests.agents.investigation.official.builders import LATER, an_inquiry, page
from tests.fakes.evidence import Sources, sources

ONS = {
    "releases": [
        {
            "uri": "/releases/consumerpriceinflationukmay2024",
            "description": {
                "title": "Consumer price inflation, UK: May 2024",
                "release_date": "2024-06-19T06:00:00.000Z",
                "published": True,
            },
        },
        {"description": {"title": "Retail sales", "release_date": "2024-06-19T06:00:00.000Z", "cancelled": True}},
        {
            "description": {
                "title": "Environmental taxes",
                "release_date": "2024-06-19T06:00:00.000Z",
                "published": True,
            }
        },
    ]
}
EUROSTAT = [
    {"title": "Flash estimate inflation euro area", "period": "April 2024", "start": "2024-04-30T00:00:00+02:00"},
    {"title": "Government deficit", "period": "2023", "start": "2024-04-30T00:00:00Z"},
]
JAPAN = page(
    "<h1>Schedule of Release, 2024</h1><table><tr><th>Month</th><th>Japan</th><th>Month</th><th>Tokyo</th></tr>"
    "<tr><td>April</td><td>May 24</td><td>May</td><td>May 31</td></tr>"
    "<tr><td>December</td><td>January 24, 2025</td><td>January, 2025</td><td>January 31, 2025</td></tr>"
    "<tr><td>December, 2023</td><td>January 19</td><td>January</td><td>January 26</td></tr></table>"
)
BLS = page(
    "<ul><li><a href='/news.release/archives/{0}_05152024.htm'>April 2024</a></li>"
    "<li><a href='/news.release/archives/{0}_01111995.htm'>December 1994</a></li>"
    "<li><a href='/news.release/{0}.nr0.htm'>Current release</a></li></ul>"
)
BEA = (
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20240425T123000Z\r\nSUMMARY:GDP (Advance Estimate)\\, 1st\r\n"
    "  Quarter 2024\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nDTSTART:20240104T133000Z\r\nSUMMARY:Trade\r\nEND:VEVENT\r\n"
)
FRED = {
    "release_dates": [
        {"release_id": 10, "release_name": "Consumer Price Index", "date": "2024-05-15"},
        {"release_id": 53, "release_name": "Gross Domestic Product", "date": "2024-05-15"},
        {"release_id": 999, "release_name": "H.15 Selected Interest Rates", "date": "2024-05-15"},
    ]
}


def serve(world: Sources) -> None:
    for path, body, kind in ANSWERS:
        world.server.serve(path, body, content_type=kind)


ANSWERS = (
    ("/ons/v1/search/releases", json.dumps(ONS), "application/json"),
    ("/eurostat/eurostat/o/calendars/eventsJson", json.dumps(EUROSTAT), "application/json"),
    ("/stat_jp/english/data/cpi/1582.html", JAPAN, "text/html"),
    ("/bls_news/bls/news-release/cpi.htm", BLS.format("cpi"), "text/html"),
    ("/bls_news/bls/news-release/empsit.htm", BLS.format("empsit").replace("0515", "0503"), "text/html"),
    ("/bea/news/schedule/ics/online-calendar-subscription.ics", BEA, "text/calendar"),
    ("/fred_api/fred/releases/dates", json.dumps(FRED), "application/json"),
)
PATHS = [path for path, _, _ in ANSWERS]


@pytest.mark.parametrize(
    ("office", "onset", "expected"),
    [
        (statistics.ONS, "2024-06-19T06:00", [("Consumer price inflation, UK: May 2024", "2024-06-19T06:00")]),
        (
            statistics.EUROSTAT,
            "2024-04-30T09:00",
            [("Flash estimate inflation euro area, April 2024", "2024-04-30T09:00")],
        ),
        (statistics.JAPAN, "2024-05-23T23:00", [("Japan consumer price index, April", "2024-05-23T23:30")]),
        (
            statistics.JAPAN,
            "2024-05-30T23:00",
            [("Tokyo consumer price index, preliminary, May", "2024-05-30T23:30")],
        ),
        (statistics.BLS, "2024-05-15T12:00", [("Consumer Price Index, April 2024", "2024-05-15T12:30")]),
        (statistics.BLS, "2024-05-03T12:00", [("Employment Situation, April 2024", "2024-05-03T12:30")]),
        (
            statistics.BEA,
            "2024-04-25T12:00",
            [("Gross domestic product (Advance Estimate), 1st Quarter 2024", "2024-04-25T12:30")],
        ),
        (
            statistics.fred("secret"),
            "2024-05-15T12:00",
            [("Consumer Price Index", "2024-05-15T12:30"), ("Gross Domestic Product", "2024-05-15T12:30")],
        ),
        (statistics.BLS, "2024-03-28T12:00", []),
    ],
)
async def test_the_releases_of_an_office_that_move_a_currency(
    office: Office, onset: str, expected: list[tuple[str, str]]
) -> None:
    async with sources(keys={"FRED_API_KEY": "secret"}) as world:
        serve(world)
        found = await OfficeReleases(office, world.access, lambda: LATER).find(an_inquiry(onset))
    assert [(one.title, one.published_at) for one in found] == [(title, at(moment)) for title, moment in expected]
    assert {(one.precision, one.source) for one in found} <= {("minute", office.publisher)}


@pytest.mark.parametrize(
    ("office", "onset", "since"),
    [
        (statistics.JAPAN, "2023-05-19T00:00", "2024-01-18"),
        (statistics.BLS, "1990-05-19T12:00", "1995-01-11"),
        (statistics.BEA, "2023-05-19T12:00", "2024-01-04"),
    ],
)
async def test_an_office_says_how_far_back_its_list_reaches(office: Office, onset: str, since: str) -> None:
    async with sources() as world:
        serve(world)
        with pytest.raises(SourceDown, match=f"reaches back to {since} only"):
            await OfficeReleases(office, world.access, lambda: LATER).find(an_inquiry(onset))


@pytest.mark.parametrize(
    "office", [statistics.ONS, statistics.EUROSTAT, statistics.JAPAN, statistics.BLS, statistics.BEA]
)
@pytest.mark.parametrize("body", ["", page("<p>maintenance</p>"), '{"error": 1}'], ids=["nothing", "a page", "other"])
async def test_an_office_without_an_answer_is_down(office: Office, body: str) -> None:
    async with sources() as world:
        for path in PATHS:
            world.server.serve(path, body, content_type="text/html")
        with pytest.raises(SourceDown):
            await OfficeReleases(office, world.access, lambda: LATER).find(an_inquiry("2024-05-15T12:00"))


async def test_releases_to_come_are_no_records() -> None:
    async with sources() as world:
        serve(world)
        source = OfficeReleases(statistics.ONS, world.access, lambda: at("2024-06-19T05:59"))
        assert await source.find(an_inquiry("2024-06-19T05:00")) == []
