"""What statistical offices released and when: ONS, Eurostat, the Statistics Bureau of Japan, BEA, the archive of BLS.

These say that a figure came out, not what it was. ONS states the minute; the others publish at a fixed hour.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Final
from zoneinfo import ZoneInfo

from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request, address, rows
from agents.tools.sources.listed import TITLE, read_list, written_day
from feeds.documents.text import clean, html_to_text

LUXEMBOURG: Final = ZoneInfo("Europe/Luxembourg")
TOKYO: Final = ZoneInfo("Asia/Tokyo")
NEW_YORK: Final = ZoneInfo("America/New_York")
EUROSTAT_AT: Final = time(11, 0)
JAPAN_AT: Final = time(8, 30)
BLS_AT: Final = time(8, 30)
BLS_ARCHIVES: Final = {"cpi": "Consumer Price Index", "empsit": "Employment Situation"}
"""Archives of the Bureau of Labor Statistics by their name in an address."""
JAPAN_CPI: Final = "https://www.stat.go.jp/english/data/cpi/1582.html"
_ONS: Final = "https://api.beta.ons.gov.uk/v1/search/releases"
_EUROSTAT: Final = "https://ec.europa.eu/eurostat/o/calendars/eventsJson"
_HOUR: Final = 3600.0
_BLS_DAY: Final = re.compile(r"_(\d{2})(\d{2})(\d{4})\.htm")
_ROW: Final = re.compile(r"<tr\b.*?</tr>", re.S | re.I)
_CELL: Final = re.compile(r"<t[dh]\b[^>]*>(.*?)</t[dh]>", re.S | re.I)
_MONTH_DAY: Final = re.compile(r"^([A-Z][a-z]+) (\d{1,2})(?:, (\d{4}))?$")
_ICS_START: Final = re.compile(r"^DTSTART[^:\r\n]*:(\d{8}T\d{6}Z)", re.M)
_ICS_TITLE: Final = re.compile(r"^SUMMARY[^:\r\n]*:(.+)$", re.M)
_YEAR: Final = re.compile(r"\b(20\d{2})\b")


@dataclass(frozen=True, slots=True)
class Release:
    """A figure that came out, or comes out, at a time."""

    title: str
    at: datetime
    url: str


def ons(since: date, until: date) -> Request:
    """What the ONS published between two days."""
    params = {"fromDate": since, "toDate": until, "release-type": "type-published", "limit": 200}
    return Request("ons", address(_ONS, params), lifetime_s=_HOUR)


def read_ons(reply: Reply) -> tuple[Release, ...]:
    """The releases that came out, to the minute."""
    found = []
    for row in rows(reply.json(dict), "releases"):
        told = row.get("description")
        at = _moment(told.get("release_date")) if isinstance(told, dict) else None
        if at is not None and isinstance(told, dict) and told.get("published") and not told.get("cancelled"):
            url = f"https://www.ons.gov.uk{row.get('uri') or ''}"
            found.append(Release(clean(str(told.get("title") or ""), limit=TITLE), at, url))
    return tuple(found)


def eurostat(since: date, until: date) -> Request:
    """The euro indicators that Eurostat released between two days."""
    params = {
        "start": f"{since}T00:00:00Z",
        "end": f"{until}T23:59:59Z",
        "theme": 0,
        "category": 0,
        "isEuroindicator": "true",
    }
    return Request("eurostat", address(_EUROSTAT, params), lifetime_s=_HOUR)


def read_eurostat(reply: Reply) -> tuple[Release, ...]:
    """The releases; an event without an hour came out at 11:00 in Luxembourg."""
    found = []
    for row in reply.json(list):
        at = _moment(row.get("start")) if isinstance(row, dict) else None
        if at is None or not row.get("title"):
            continue
        local = at.astimezone(LUXEMBOURG)
        if local.time() == time(0) or at.time() == time(0):
            day = local.date() if local.time() == time(0) else at.date()
            at = datetime.combine(day, EUROSTAT_AT, LUXEMBOURG).astimezone(UTC)
        title = f"{row['title']}{', ' + str(row['period']) if row.get('period') else ''}"
        found.append(Release(clean(title, limit=TITLE), at, "https://ec.europa.eu/eurostat/news/release-calendar"))
    return tuple(found)


def japan_cpi() -> Request:
    """The schedule of the Japanese consumer price index, of this year and the first months of the next."""
    return Request("stat_jp", JAPAN_CPI, html=True, lifetime_s=12 * _HOUR)


def read_japan_cpi(reply: Reply) -> tuple[Release, ...]:
    """The national index and that of Tokyo: pairs of cells (month surveyed, day of release), dated within the year the
    page names first."""
    text = reply.text
    named = _YEAR.search(html_to_text(text, limit=20_000))
    found = []
    for row in _ROW.findall(text):
        cells = [html_to_text(cell, limit=60) for cell in _CELL.findall(row)]
        for place, title in ((1, "Japan consumer price index"), (3, "Tokyo consumer price index, preliminary")):
            day = _month_day(cells[place], int(named[1])) if named and place < len(cells) else None
            if day is not None:
                at = datetime.combine(day, JAPAN_AT, TOKYO).astimezone(UTC)
                found.append(Release(f"{title}, {cells[place - 1]}", at, JAPAN_CPI))
    if not found:
        raise NotAnAnswer("answered with a page without its schedule")
    return tuple(found)


def bls_archive(series: str) -> Request:
    """All releases of a series of the Bureau of Labor Statistics."""
    return Request("bls_news", f"https://www.bls.gov/bls/news-release/{series}.htm", html=True, lifetime_s=6 * _HOUR)


def read_bls_archive(reply: Reply, series: str) -> tuple[Release, ...]:
    """The releases; the day is in each address (cpi_09112026.htm), the hour is 08:30 in Washington."""
    found = []
    for one in read_list(reply):
        stamp = _BLS_DAY.search(one.url) if f"/archives/{series}_" in one.url else None
        if stamp is not None:
            month, day, year = (int(part) for part in stamp.groups())
            at = datetime.combine(date(year, month, day), BLS_AT, NEW_YORK).astimezone(UTC)
            found.append(Release(f"{BLS_ARCHIVES[series]}, {one.title}", at, one.url))
    if not found:
        raise NotAnAnswer("answered with an archive without a release")
    return tuple(found)


def bea() -> Request:
    """The calendar of the Bureau of Economic Analysis: this year's releases."""
    url = "https://www.bea.gov/news/schedule/ics/online-calendar-subscription.ics"
    return Request("bea", url, lifetime_s=6 * _HOUR)


def read_bea(reply: Reply) -> tuple[Release, ...]:
    """The releases, each with its instant."""
    found = []
    for event in re.sub(r"\r?\n[ \t]", "", reply.text).split("BEGIN:VEVENT")[1:]:
        at, title = _ICS_START.search(event), _ICS_TITLE.search(event)
        if at is not None and title is not None:
            moment = datetime.strptime(at[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
            name = clean(title[1].replace("\\,", ","), limit=TITLE)
            found.append(
                Release(name.replace("GDP", "Gross domestic product"), moment, "https://www.bea.gov/news/schedule")
            )
    if not found:
        raise NotAnAnswer("answered with a calendar without a release")
    return tuple(found)


_FRED_AT: Final = {
    "Consumer Price Index": time(8, 30),
    "Employment Situation": time(8, 30),
    "Gross Domestic Product": time(8, 30),
    "Advance Monthly Sales for Retail and Food Services": time(8, 30),
    "G.17 Industrial Production and Capacity Utilization": time(9, 15),
}
"""Releases that FRED dates to the day, with the hour their publishers keep in Washington."""


def fred_releases(since: date, until: date, key: str) -> Request:
    """What came out in the United States between two days, by the user's key."""
    params = {"realtime_start": since, "realtime_end": until, "file_type": "json", "limit": 1000}
    return Request(
        "fred_api", address("https://api.stlouisfed.org/fred/releases/dates", params), secret_params={"api_key": key}
    )


def read_fred_releases(reply: Reply) -> tuple[Release, ...]:
    """The releases whose hour is known."""
    found = []
    for row in rows(reply.json(dict), "release_dates"):
        hour, at = _FRED_AT.get(str(row.get("release_name"))), _moment(row.get("date"))
        if hour is not None and at is not None:
            moment = datetime.combine(at.date(), hour, NEW_YORK).astimezone(UTC)
            url = f"https://fred.stlouisfed.org/release?rid={row.get('release_id')}"
            found.append(Release(str(row["release_name"]), moment, url))
    return tuple(found)


def _month_day(text: str, year: int) -> date | None:
    matched = _MONTH_DAY.match(text.strip())
    if matched is None:
        return None
    return written_day(f"{matched[1]} {matched[2]}, {matched[3] or year}")


def _moment(stamp: object) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(stamp))
    except ValueError:
        return None
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
