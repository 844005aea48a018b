"""What central banks published earlier than their feeds reach back: each bank's own list, by year or whole.

The Federal Reserve states the minute in its list and the Bank of Japan on the page of the statement. The others state a
day; the hour of a decision is then the one the bank has fixed for it, which is not read here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final
from urllib.parse import urljoin
from zoneinfo import ZoneInfo

from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request
from agents.tools.sources.listed import TITLE, read_list, written_day
from feeds.documents.text import clean, html_to_text

NEW_YORK: Final = ZoneInfo("America/New_York")
TOKYO: Final = ZoneInfo("Asia/Tokyo")
_DAY: Final = 86_400.0
_FED: Final = "https://www.federalreserve.gov"
_BOJ: Final = "https://www.boj.or.jp/en/mopo/mpmdeci"
_BOE: Final = "https://www.bankofengland.co.uk/monetary-policy-summary-and-minutes"
_BOJ_NUMBER: Final = re.compile(r"/k(\d{2})(\d{2})(\d{2})([a-z])\.(?:pdf|htm)")
_BOJ_RELEASED: Final = re.compile(r"\b([A-Z][a-z]{2,8})\.? (\d{1,2}) ?,? ?at (\d{1,2}):(\d{2})\b")
_BOE_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title>", re.I | re.S)


@dataclass(frozen=True, slots=True)
class Statement:
    """One publication of a bank. `at` is the minute where the bank states it, else None and `day` is all there is."""

    title: str
    url: str
    day: date
    at: datetime | None = None


def fed_releases() -> Request:
    """All press releases of the Federal Reserve since 2006 in one list."""
    return Request("fed", f"{_FED}/json/ne-press.json", lifetime_s=900.0)


def read_fed(reply: Reply) -> tuple[Statement, ...]:
    """The releases with their minute, which the list gives in Eastern time."""
    found = []
    for row in reply.json(list):
        at = _eastern(row.get("d")) if isinstance(row, dict) else None
        if at is not None and row.get("t"):
            url = urljoin(_FED, str(row.get("l") or ""))
            found.append(Statement(html_to_text(str(row["t"]), limit=TITLE), url, at.date(), at.astimezone(UTC)))
    if not found:
        raise NotAnAnswer("answered with a list without a single release")
    return tuple(found)


def _eastern(stamp: object) -> datetime | None:
    try:
        return datetime.strptime(str(stamp), "%m/%d/%Y %I:%M:%S %p").replace(tzinfo=NEW_YORK)
    except ValueError:
        return None


def ecb_releases(year: int) -> Request:
    """The ECB's press releases of a year."""
    url = f"https://www.ecb.europa.eu/press/pr/date/{year}/html/index_include.en.html"
    return Request("ecb_press", url, html=True, lifetime_s=900.0)


def rba_decisions(year: int) -> Request:
    """The RBA's decisions on the cash rate in a year."""
    url = f"https://www.rba.gov.au/monetary-policy/int-rate-decisions/{year}/"
    return Request("rba", url, html=True, lifetime_s=900.0)


def read_dated(reply: Reply, within: str) -> tuple[Statement, ...]:
    """The publications of a list that have a date, once each; `within` is the part of the site they lie in."""
    found: dict[str, Statement] = {}
    for one in read_list(reply):
        if one.day is not None and one.title and within in one.url:
            found.setdefault(one.url, Statement(one.title, one.url, one.day))
    if not found:
        raise NotAnAnswer("answered with a list without a date")
    return tuple(found.values())


def boj_statements(year: int) -> Request:
    """The Bank of Japan's statements on monetary policy of a year."""
    return Request("boj_news", f"{_BOJ}/state_{year}/index.htm", html=True, lifetime_s=900.0)


def read_boj_statements(reply: Reply) -> tuple[Statement, ...]:
    """The statements; the day is in the number of each document (k240731a), the minute on its own page."""
    found: dict[str, Statement] = {}
    for one in read_list(reply):
        number = _BOJ_NUMBER.search(one.url)
        if number is None:
            continue
        day = _number_day(number)
        if day is not None:
            code = "".join(number.groups())
            title = one.title if len(one.title) > len("[PDF 100KB]") else "Statement on Monetary Policy"
            found.setdefault(code, Statement(title, f"{_BOJ}/state_{day.year}/k{code}.htm", day))
    if not found:
        raise NotAnAnswer("answered with a list without a statement")
    return tuple(found.values())


def _number_day(number: re.Match[str]) -> date | None:
    year, month, day = (int(number[place]) for place in (1, 2, 3))
    try:
        return date(2000 + year if year < 90 else 1900 + year, month, day)
    except ValueError:
        return None


def boj_statement(one: Statement) -> Request:
    """The page of one statement."""
    return Request("boj_news", one.url, html=True, lifetime_s=7 * _DAY)


def read_boj_statement(reply: Reply, one: Statement) -> Statement:
    """The statement with the minute that its page gives ("Wednesday, July 31 at 12:56", Tokyo)."""
    for match in _BOJ_RELEASED.finditer(html_to_text(reply.text, limit=20_000)):
        day = written_day(f"{match[1]} {match[2]}, {one.day.year}")
        if day == one.day and int(match[3]) < 24 and int(match[4]) < 60:
            at = datetime(day.year, day.month, day.day, int(match[3]), int(match[4]), tzinfo=TOKYO)
            return Statement(one.title, one.url, one.day, at.astimezone(UTC))
    return one


def boe_decision(day: date) -> Request:
    """The Bank of England's summary and minutes of the meeting that ended on `day`."""
    return Request("boe", f"{_BOE}/{day.year}/{f'{day:%B}'.lower()}-{day.year}", html=True, lifetime_s=_DAY)


def read_boe_decision(reply: Reply) -> Statement:
    """The decision as the page's own title tells it, with the day on which it was published."""
    title = _BOE_TITLE.search(reply.text)
    day = written_day(html_to_text(reply.text.partition("Published on")[2][:400], limit=80))
    if title is None or day is None:
        raise NotAnAnswer("answered with a page that is no decision")
    return Statement(clean(html_to_text(title[1], limit=TITLE).partition("|")[0], limit=TITLE), reply.url, day)
