"""When the next information comes out: the publication calendar, each time in its publisher's own zone.

Dates are by the publisher's rule (and then marked as expected) or from its announced list (`calendar.toml`). What is
not known is None, never a guess.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib import resources
from typing import Any, Final
from zoneinfo import ZoneInfo

from agents.investigation.holidays import FRIDAY, business_day, nth_business_day, nth_weekday
from agents.investigation.models import Confirmation

TOKYO: Final = ZoneInfo("Asia/Tokyo")
NEW_YORK: Final = ZoneInfo("America/New_York")

MONTHLY_AT: Final = time(19, 0)
DAILY_DATA_AT: Final = time(8, 50)
PROJECTION_AT: Final = time(18, 0)
SETTLEMENT_DAYS: Final = 2
"""A spot currency trade settles two business days later."""
FILING_DAYS: Final = 4
MINUTES_AFTER: Final = timedelta(days=21)
MINUTES_AT: Final = time(14, 0)
JOBS_AT: Final = time(8, 30)
LIST_GAP: Final = timedelta(days=60)
"""The first day of a list is the next one only where it is at most so far ahead."""


@dataclass(frozen=True, slots=True)
class Announced:
    """A list of days that a publisher announced, with the local time of day."""

    key: str
    what: str
    zone: ZoneInfo
    at: time
    days: tuple[date, ...]
    about: bool = False

    def after(self, moment: datetime) -> Confirmation:
        """The first of them after `moment`; without a date where the list has ended or does not reach back so far."""
        for day in self.days:
            when = datetime.combine(day, self.at, self.zone).astimezone(UTC)
            if when - moment > LIST_GAP and day == self.days[0]:
                break
            if when > moment:
                return Confirmation(self.what, when, expected=self.about)
        return Confirmation(f"{self.what}, date not announced here yet", None)


def intervention_month(day: date) -> Confirmation:
    """The ministry's monthly total that covers an operation on `day` (Tokyo): the last business day of a month at
    19:00 Tokyo, for the period that ended two business days before."""
    year, month = day.year, day.month
    while True:
        published = nth_business_day(year, month, -1, "japan")
        if day <= business_day(published, -2, "japan"):
            when = datetime.combine(published, MONTHLY_AT, TOKYO).astimezone(UTC)
            return Confirmation("Ministry of Finance, monthly total of currency interventions", when)
        year, month = year + month // 12, month % 12 + 1


def intervention_days(day: date) -> Confirmation:
    """The ministry's daily figures for the quarter of `day`: the fifth business day of the second month after it."""
    quarter_end = 3 * ((day.month - 1) // 3) + 3
    year, month = day.year + (quarter_end + 2 > 12), (quarter_end + 1) % 12 + 1
    published = nth_business_day(year, month, 5, "japan")
    when = datetime.combine(published, DAILY_DATA_AT, TOKYO).astimezone(UTC)
    return Confirmation("Ministry of Finance, daily figures of currency interventions for the quarter", when)


def current_account(day: date) -> Confirmation:
    """The Bank of Japan's projection for the day on which a trade of `day` settles, published the evening before."""
    settles = business_day(day, SETTLEMENT_DAYS, "japan")
    when = datetime.combine(business_day(settles, -1, "japan"), PROJECTION_AT, TOKYO).astimezone(UTC)
    what = f"Bank of Japan, projection of current account balances for {settles.day} {settles:%B %Y}"
    return Confirmation(f"{what}: treasury funds against forecasts", when)


def filing(day: date) -> Confirmation:
    """The end of the four business days in which a US company must file an 8-K on an event of `day`."""
    due = business_day(day, FILING_DAYS, "us_federal")
    when = datetime.combine(due, time(22, 0), NEW_YORK).astimezone(UTC)
    return Confirmation("Form 8-K with the SEC, due within four business days of the event", when)


def fomc_minutes(moment: datetime) -> Confirmation:
    """The next minutes of the Federal Open Market Committee, three weeks after each meeting."""
    for meeting in meetings()["fed"].days:
        when = datetime.combine(meeting + MINUTES_AFTER, MINUTES_AT, NEW_YORK).astimezone(UTC)
        if when > moment:
            return Confirmation(f"Minutes of the FOMC meeting of {meeting.day} {meeting:%B %Y}", when)
    return Confirmation("Minutes of the FOMC, date not announced here yet", None)


def jobs(moment: datetime) -> Confirmation:
    """The next US employment report, by the rule of the first Friday; the bureau moves it around holidays."""
    day = moment.astimezone(NEW_YORK).date()
    for ahead in range(3):
        year, month = day.year + (day.month + ahead - 1) // 12, (day.month + ahead - 1) % 12 + 1
        friday = nth_weekday(year, month, FRIDAY, 1)
        if friday == date(year, 1, 1) or (friday.month, friday.day) == (7, 4):
            friday += timedelta(days=7)
        when = datetime.combine(friday, JOBS_AT, NEW_YORK).astimezone(UTC)
        if when > moment:
            return Confirmation("US employment report (BLS)", when)
    raise AssertionError("three months hold a first Friday")


def index_announcement(moment: datetime) -> Confirmation:
    """The next quarterly change of the S&P indices, announced after the close on the first Friday of its month."""
    day = moment.astimezone(NEW_YORK).date()
    for ahead in range(13):
        year, month = day.year + (day.month + ahead - 1) // 12, (day.month + ahead - 1) % 12 + 1
        if month % 3 == 0:
            when = datetime.combine(nth_weekday(year, month, FRIDAY, 1), time(17, 15), NEW_YORK).astimezone(UTC)
            if when > moment:
                return Confirmation("S&P Dow Jones Indices, quarterly index changes", when)
    raise AssertionError("a year holds four quarters")


def meeting(bank: str, moment: datetime) -> Confirmation | None:
    """The next announced decision of a central bank ("fed", "ecb", "boj", "rba"); None for a bank without a list."""
    known = meetings().get(bank)
    return known.after(moment) if known else None


def release(series: str, moment: datetime) -> Confirmation | None:
    """The next publication of a statistic ("us_cpi", "us_jobs"); None for a series without a list or rule."""
    if series == "us_jobs":
        return jobs(moment)
    known = releases().get(series)
    return known.after(moment) if known else None


def earliest(found: Iterable[Confirmation | None], moment: datetime) -> Confirmation | None:
    """The first dated one after `moment`; else one without a date, if there is any."""
    known = [one for one in found if one is not None and (one.when is None or one.when > moment)]
    return min(known, key=lambda one: (one.when is None, one.when or moment), default=None)


@cache
def meetings() -> dict[str, Announced]:
    """The announced meetings by bank."""
    return {row["bank"]: _announced(row["bank"], row) for row in _data()["meeting"]}


@cache
def releases() -> dict[str, Announced]:
    """The announced publications by series."""
    return {row["series"]: _announced(row["series"], row) for row in _data()["release"]}


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(resources.files("agents.investigation").joinpath("calendar.toml").read_text("utf-8"))


def _announced(key: str, row: dict[str, Any]) -> Announced:
    return Announced(
        key=key,
        what=row["what"],
        zone=ZoneInfo(row["zone"]),
        at=time.fromisoformat(row["time"]),
        days=tuple(sorted(row["days"])),
        about=bool(row.get("about")),
    )
