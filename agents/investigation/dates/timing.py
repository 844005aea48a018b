"""Before, within or after: times as intervals of their precision, compared with the bar in which the move began.

Two intervals that touch the same instant cannot be ordered. What was published "on the 29th" fills that whole day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from agents.investigation.models import Anchor, AssetKind, Effective, Record, Timing
from feeds.models import Precision

NEW_YORK: Final = ZoneInfo("America/New_York")
CURRENCY_DAY_ENDS: Final = time(17)
"""When a currency day ends, in New York."""
LEAD_AT_LEAST: Final = timedelta(hours=2)
LEAD_BARS: Final = 2
_SPAN: Final[dict[Precision, timedelta]] = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}


@dataclass(frozen=True, slots=True)
class Interval:
    """[`start`, `end`): all instants a stated time can mean."""

    start: datetime
    end: datetime

    def before(self, instant: datetime) -> bool:
        """Whether all of it lies before `instant`."""
        return self.end <= instant

    def holds(self, other: Interval) -> bool:
        """Whether `other` lies wholly inside."""
        return self.start <= other.start and other.end <= self.end


def interval(at: datetime, precision: Precision) -> Interval | None:
    """The instants that `at` with `precision` can mean, None for an unknown precision. Never rounds in one's favour."""
    if precision == "unknown":
        return None
    if precision == "month":
        start = at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        return Interval(start, (start + timedelta(days=32)).replace(day=1))
    start = at
    if precision == "day":
        start = at.replace(hour=0, minute=0, second=0, microsecond=0)
    elif precision == "hour":
        start = at.replace(minute=0, second=0, microsecond=0)
    elif precision == "minute":
        start = at.replace(second=0, microsecond=0)
    return Interval(start, start + _SPAN[precision])


def market_day(day: date, kind: AssetKind) -> Interval:
    """A day as its market counts it: a currency day ends at 17:00 New York, any other at midnight there."""
    ends = CURRENCY_DAY_ENDS if kind == "currency" else time(0)
    last = day if kind == "currency" else day + timedelta(days=1)
    first = last - timedelta(days=1)
    return Interval(*(datetime.combine(one, ends, NEW_YORK).astimezone(UTC) for one in (first, last)))


def currency_day(at: datetime) -> date:
    """The day of the currency market that holds `at`: it ends at 17:00 in New York, and a weekend belongs to Monday."""
    local = at.astimezone(NEW_YORK)
    day = local.date() + timedelta(days=local.time() >= CURRENCY_DAY_ENDS)
    return day + timedelta(days=7 - day.weekday()) if day.weekday() > 4 else day


def onset(anchor: Anchor) -> Interval:
    """The bar in which the move began."""
    return Interval(anchor.onset_at, anchor.ends_at)


def timing(at: datetime | None, precision: Precision, anchor: Anchor) -> Timing:
    """Where a publication stands against the onset. An unknown time cannot be ordered, so it overlaps.

    A day that ends before the onset and reaches back beyond the lead window cannot be ordered against the window's
    beginning either: it overlaps too.
    """
    stated = interval(at, precision) if at else None
    if stated is None:
        return "overlap"
    if stated.start >= anchor.ends_at:
        return "lag"
    if not stated.before(anchor.onset_at):
        return "overlap"
    if stated.start >= anchor.lead_from:
        return "lead"
    return "background" if stated.end <= anchor.lead_from or not anchor.daily else "overlap"


def timing_of_effect(effective: Effective, anchor: Anchor, kind: AssetKind) -> Timing:
    """Where an act stands that an official record dates. A day that holds the onset counts as lead."""
    if effective.precision == "day":
        day = market_day(effective.at.date(), kind)
        if day.holds(onset(anchor)):
            return "lead"
        if day.start >= anchor.ends_at:
            return "lag"
        if not day.before(anchor.onset_at):
            return "overlap"
        return "lead" if day.start >= anchor.lead_from else "background"
    return timing(effective.at, effective.precision, anchor)


def lead_window(onset_at: datetime, width: timedelta, closed_since: datetime | None) -> datetime:
    """Where the lead window begins: two bars, at least two hours, or the previous close where the market was shut."""
    begins = onset_at - max(LEAD_BARS * width, LEAD_AT_LEAST)
    return begins if closed_since is None else min(begins, closed_since)


def foretold(record: Record, anchor: Anchor) -> bool:
    """Whether a record came out before the move: it announced an act of that day and is no record that it happened."""
    if record.published_at is None:
        return False
    stated = interval(record.published_at, record.precision)
    return stated is not None and stated.before(anchor.onset_at)
