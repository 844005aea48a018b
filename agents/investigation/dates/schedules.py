"""When publishers come out next: their announced lists (`calendar.toml`), and the rule of thumb where a list ends.

A date of a list is a fact; one by rule, or one the publisher calls tentative, is expected. Where there is neither, the
answer says what is usual and gives no date.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib import resources
from typing import Any, Final
from zoneinfo import ZoneInfo

from agents.investigation.dates.holidays import FRIDAY, SATURDAY, THURSDAY, WEDNESDAY, business_day, nth_weekday
from agents.investigation.models import Confirmation

LIST_GAP: Final = timedelta(days=60)
"""The first day of a list is the next one only where it is at most so far ahead."""
YEAR: Final = timedelta(days=364)
"""Fifty-two weeks: the meetings of a year stand for those of the next."""

Rule = Callable[[int, int], date]
"""The expected day of publication in a month of a year."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """A publisher's announced days with the local time of day, and the rule beyond them.

    `about`: the time of day is not fixed. `tentative_from`: from that day on the publisher calls its days tentative.
    """

    key: str
    what: str
    zone: ZoneInfo
    at: time
    days: tuple[date, ...]
    about: bool = False
    tentative_from: date | None = None
    rule: Rule | None = None

    def after(self, moment: datetime) -> Confirmation:
        """The first publication after `moment`: announced, else expected by the rule, else what is usual."""
        for day in self.days:
            when = self.moment(day)
            if when > moment:
                if day == self.days[0] and when - moment > LIST_GAP:
                    break
                return Confirmation(self.what, when, expected=self.about or self._is_tentative(day))
        if self.rule is not None:
            return Confirmation(self.what, self._by_rule(moment, self.rule))
        if self.days and moment > self.moment(self.days[-1]):
            return Confirmation(f"{self.what}, not yet announced, usually {self._usually(moment)}", None)
        return Confirmation(f"{self.what}, the dates of that time are not known here", None)

    def between(self, since: datetime, until: datetime) -> tuple[datetime, ...] | None:
        """The announced publications of a span; None where the list does not cover it."""
        if not self.days or since < self.moment(self.days[0]) or until > self.moment(self.days[-1]):
            return None
        return tuple(when for day in self.days if since <= (when := self.moment(day)) <= until)

    def moment(self, day: date) -> datetime:
        """The time of publication on `day`, in UTC."""
        return datetime.combine(day, self.at, self.zone).astimezone(UTC)

    def _is_tentative(self, day: date) -> bool:
        return self.tentative_from is not None and day >= self.tentative_from

    def _by_rule(self, moment: datetime, rule: Rule) -> datetime:
        day = moment.astimezone(self.zone).date()
        months = ((day.year + (day.month + ahead - 1) // 12, (day.month + ahead - 1) % 12 + 1) for ahead in range(4))
        return next(when for year, month in months if (when := self.moment(rule(year, month))) > moment)

    def _usually(self, moment: datetime) -> str:
        """The part of the month in which the next one usually falls, by the last year of the list."""
        shifted = [day for day in self.days if day > self.days[-1] - YEAR]
        today = moment.astimezone(self.zone).date()
        while shifted[-1] <= today:
            shifted = [day + YEAR for day in shifted]
        following = next(day for day in shifted if day > today)
        return f"{part_of_month(following)}{following:%B}"


def part_of_month(day: date) -> str:
    """ "early ", "mid-" or "late ", to stand before the month's name."""
    return "early " if day.day <= 10 else "mid-" if day.day <= 20 else "late "


@cache
def meetings() -> Mapping[str, Schedule]:
    """The decisions of central banks by the bank's key ("fed", "ecb", "boj" ...)."""
    return {row["bank"]: _schedule(row["bank"], row) for row in _data()["meeting"]}


@cache
def releases() -> Mapping[str, Schedule]:
    """The publications of statistics by series ("us_cpi", "us_jobs" ...)."""
    return {row["series"]: _schedule(row["series"], row) for row in _data()["release"]}


@cache
def intervention_totals() -> Mapping[tuple[int, int], tuple[date, date]]:
    """(published, last day of the period) of the ministry's monthly totals that are known, by year and month."""
    return {
        (row["published"].year, row["published"].month): (row["published"], row["until"])
        for row in _data()["interventions"]
    }


def employment_report(year: int, month: int) -> date:
    """The third Friday after the week that holds the 12th of the month before; a holiday moves it ahead, and the
    first days of January by a week."""
    reference = date(year - (month == 1), 12 if month == 1 else month - 1, 12)
    saturday = reference + timedelta(days=(SATURDAY - reference.weekday()) % 7)
    friday = saturday + timedelta(days=20)
    if (friday.month, friday.day) <= (1, 3):
        return friday + timedelta(days=7)
    return business_day(friday + timedelta(days=1), -1, "us_federal")


def _mid_month(year: int, month: int) -> date:
    """The 12th, or the next business day in the United States."""
    return business_day(date(year, month, 12), 0, "us_federal")


def _last_thursday(year: int, month: int) -> date:
    return nth_weekday(year, month, THURSDAY, -1)


def _third_wednesday(year: int, month: int) -> date:
    return nth_weekday(year, month, WEDNESDAY, 3)


def _friday_of_the_19th(year: int, month: int) -> date:
    """The Friday of the week (Sunday to Saturday) that holds the 19th."""
    nineteenth = date(year, month, 19)
    return nineteenth + timedelta(days=FRIDAY - (nineteenth.weekday() + 1) % 7 + 1)


_RULES: Final[Mapping[str, Rule]] = {
    "employment_report": employment_report,
    "us_mid_month": _mid_month,
    "last_thursday": _last_thursday,
    "third_wednesday": _third_wednesday,
    "friday_of_the_19th": _friday_of_the_19th,
}


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(resources.files("agents.investigation.dates").joinpath("calendar.toml").read_text("utf-8"))


def _schedule(key: str, row: dict[str, Any]) -> Schedule:
    return Schedule(
        key=key,
        what=row["what"],
        zone=ZoneInfo(row["zone"]),
        at=time.fromisoformat(row["time"]),
        days=tuple(sorted(row["days"])),
        about=bool(row.get("about")),
        tentative_from=row.get("tentative_from"),
        rule=_RULES[row["rule"]] if "rule" in row else None,
    )
