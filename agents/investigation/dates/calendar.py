"""When the next information comes out: the publication calendar, each time in its publisher's own zone.

Dates are by the publisher's rule (and then marked as expected) or from its announced list (`schedules`). What is not
known is None, never a guess.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from agents.investigation.dates.holidays import FRIDAY, business_day, nth_business_day, nth_weekday
from agents.investigation.dates.schedules import intervention_totals, meetings, releases
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


def intervention_month(day: date) -> Confirmation:
    """The ministry's monthly total that covers an operation on `day` (Tokyo), at 19:00 Tokyo.

    By rule the last business day of a month, for the period that ended two business days before. The ministry announces
    no dates ahead and has come out a day earlier; the publications that are known stand before the rule.
    """
    year, month = day.year, day.month
    while True:
        known = intervention_totals().get((year, month))
        published = known[0] if known else nth_business_day(year, month, -1, "japan")
        until = known[1] if known else business_day(published, -2, "japan")
        if day <= until:
            when = datetime.combine(published, MONTHLY_AT, TOKYO).astimezone(UTC)
            what = "Ministry of Finance, monthly total of currency interventions"
            return Confirmation(what, when, expected=known is None)
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
    """The next minutes of the Federal Open Market Committee, by rule three weeks after each meeting."""
    for meeting in meetings()["fed"].days:
        when = datetime.combine(meeting + MINUTES_AFTER, MINUTES_AT, NEW_YORK).astimezone(UTC)
        if when > moment:
            return Confirmation(f"Minutes of the FOMC meeting of {meeting.day} {meeting:%B %Y}", when)
    return Confirmation("Minutes of the FOMC, usually three weeks after a meeting", None)


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
    """The next decision of a central bank ("fed", "ecb", "boj" ...); None for a bank without a list."""
    known = meetings().get(bank)
    return known.after(moment) if known else None


def release(series: str, moment: datetime) -> Confirmation | None:
    """The next publication of a statistic ("us_cpi", "us_jobs" ...); None for a series that is not known here."""
    known = releases().get(series)
    return known.after(moment) if known else None


def earliest(found: Iterable[Confirmation | None], moment: datetime) -> Confirmation | None:
    """The first dated one after `moment`; else one without a date, if there is any."""
    known = [one for one in found if one is not None and (one.when is None or one.when > moment)]
    return min(known, key=lambda one: (one.when is None, one.when or moment), default=None)
