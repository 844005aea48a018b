"""The Japanese ministry's monthly total of interventions: the first official word, a sum for a period without its days.

A list of pages named by their day of publication, each with its period in years of the emperor's era.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from agents.investigation.dates.calendar import MONTHLY_AT, TOKYO
from agents.investigation.models import Record
from agents.investigation.readings.intervention_titles import INTERVENTION_RECORD
from agents.tools.asking.access import Access
from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request
from feeds.documents.text import html_to_text
from feeds.models import Tier

INDEX: Final = "https://www.mof.go.jp/policy/international_policy/reference/feio/data/monthly/index.html"
PUBLISHER: Final = "Ministry of Finance Japan"
_LISTED: Final = re.compile(r"""href=["'][^"']*?(\d{8})\.html?["'][^>]*>(.*?)</a>""", re.S | re.I)
_ERAS: Final = {"令和": 2018, "平成": 1988}
_DATE: Final = re.compile(r"(令和|平成)\s*(元|\d{1,2})年\s*(\d{1,2})月\s*(\d{1,2})日")
_AMOUNT: Final = re.compile(r"(?:(\d[\d,]*)兆)?\s*(?:(\d[\d,]*)億)?\s*(0)?円")
_LABEL: Final = "平衡操作額"


@dataclass(frozen=True, slots=True)
class Period:
    """One publication: the day it came out, and the first and last day it covers."""

    published: date
    first: date
    last: date
    url: str

    def holds(self, day: date) -> bool:
        """Whether an operation on `day` is in its total."""
        return self.first <= day <= self.last


def index() -> Request:
    """The list of the monthly publications."""
    return Request("mof", INDEX, html=True)


def read_index(reply: Reply) -> tuple[Period, ...]:
    """The publications, the newest first. Raises NotAnAnswer where there are none."""
    found = []
    for stamp, text in _LISTED.findall(reply.text):
        days = [_day(*match) for match in _DATE.findall(html_to_text(text, limit=200))]
        published = _stamp(stamp)
        known = [day for day in days if day is not None]
        if published is not None and len(known) == 2:
            found.append(Period(published, known[0], known[1], INDEX.replace("index", stamp)))
    if not found:
        raise NotAnAnswer("answered with something that is not its list of monthly totals")
    return tuple(sorted(found, key=lambda one: one.published, reverse=True))


def page(period: Period) -> Request:
    """The page of one publication."""
    return Request("mof", period.url, html=True, lifetime_s=86_400.0)


def read_total(reply: Reply) -> float:
    """The total in billions of yen; 0 for a period without an operation. Raises NotAnAnswer."""
    text = html_to_text(reply.text, limit=20_000)
    told = text.partition(_LABEL)[2] if _LABEL in text else ""
    for trillions, hundreds, nought in _AMOUNT.findall(told):
        if trillions or hundreds or nought:
            units = int((trillions or "0").replace(",", "")) * 10_000 + int((hundreds or "0").replace(",", ""))
            return units / 10
    raise NotAnAnswer("answered with a page without its total")


def record(period: Period, billions: float) -> Record:
    """The publication as a record, in the words of the ministry's English title."""
    span = f"{_words(period.first)} to {_words(period.last)}"
    return Record(
        id=f"mof:{period.published}",
        title=f"{INTERVENTION_RECORD}, {span}: {billions:,.1f} billion yen",
        summary="Monthly total for the period. No days are given.",
        url=period.url,
        source=PUBLISHER,
        published_at=datetime.combine(period.published, MONTHLY_AT, TOKYO).astimezone(UTC),
        precision="hour",
        tier=Tier.OFFICIAL,
    )


async def total_of(access: Access, day: date, now: datetime) -> Record | None:
    """The monthly total that holds `day`; None where it is not out yet. Raises SourceError."""
    listed = await access.ask(index(), read_index, now)
    period = next((one for one in listed.value if one.holds(day)), None)
    if period is None:
        return None
    return record(period, (await access.ask(page(period), read_total, now)).value)


def _words(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _day(era: str, year: str, month: str, day: str) -> date | None:
    try:
        return date(_ERAS[era] + (1 if year == "元" else int(year)), int(month), int(day))
    except ValueError:
        return None


def _stamp(text: str) -> date | None:
    try:
        return date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return None
