"""Quiet hours in the user's time zone, as instants: they begin once and end once, also when clocks change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from agents.models import Urgency
from storage.alerts import Mute


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From `start` to `end` on the wall clock of `zone`; over midnight where the end is not after the start.

    An hour that a clock change skips stands for the moment of the change; of one that comes twice the start is the
    first and the end the second.
    """

    start: time
    end: time
    zone: tzinfo

    @classmethod
    def read(cls, text: str, zone: tzinfo) -> QuietHours | None:
        """Quiet hours written like "22:00-06:30"; None for the empty text."""
        if not text:
            return None
        start, end = (time.fromisoformat(part) for part in text.split("-"))
        return cls(start, end, zone)

    def until(self, now: datetime) -> datetime | None:
        """When the quiet that holds at `now` ends, in UTC; None where it is not quiet."""
        today = now.astimezone(self.zone).date()
        nights = 1 if self.end <= self.start else 0
        for back in (1, 0):
            day = today - timedelta(days=back)
            begins = self._instant(day, self.start, fold=0)
            ends = self._instant(day + timedelta(days=nights), self.end, fold=1)
            if begins <= now < ends:
                return ends
        return None

    def _instant(self, day: date, at: time, *, fold: int) -> datetime:
        early, late = (
            datetime.combine(day, at.replace(fold=which), self.zone).astimezone(UTC) for which in (fold, 1 - fold)
        )
        if early.astimezone(self.zone).time() == at:
            return early
        # The clock never showed this time: find the change, which lies between the two readings.
        moment, last = min(early, late), max(early, late)
        before = moment.astimezone(self.zone).utcoffset()
        while moment < last and moment.astimezone(self.zone).utcoffset() == before:
            moment += timedelta(minutes=1)
        return moment


@dataclass(frozen=True, slots=True)
class Hold:
    """Why alerts are kept back for now, and until when."""

    why: str
    until: datetime


def holding(now: datetime, urgency: Urgency, quiet: QuietHours | None, mutes: Sequence[Mute]) -> Hold | None:
    """What keeps an alert of `urgency` back at `now`: a snooze, whatever the urgency, or quiet hours, but no FLASH."""
    snoozes = [one.until for one in mutes if one.kind == "all" and one.made_at <= now < one.until]
    if snoozes:
        return Hold("snooze", max(snoozes))
    ends = quiet.until(now) if quiet is not None and urgency is not Urgency.FLASH else None
    return Hold("quiet hours", ends) if ends is not None else None
