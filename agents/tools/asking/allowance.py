"""How many requests a source grants in an hour or a day, and who counts them for all programs of the user."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import Final, Literal, Protocol
from zoneinfo import ZoneInfo

HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Allowance:
    """At most `most` requests in any hour, or on a day as the source's own zone has it; `with_key` where a key is held.

    It stays below what the source states, since others may ask from the same address.
    """

    most: int
    per: Literal["hour", "day"] = "day"
    zone: str = "UTC"
    with_key: int | None = None

    def of(self, most: int) -> Allowance:
        """The same span with another number, whatever key is held."""
        return replace(self, most=most, with_key=None)

    def limit(self, *, key: bool) -> int:
        """How many it is, with or without a key."""
        return self.with_key if key and self.with_key is not None else self.most

    def began(self, now: datetime) -> datetime:
        """Since when requests count against it."""
        if self.per == "hour":
            return now - HOUR
        here = ZoneInfo(self.zone)
        return datetime.combine(now.astimezone(here).date(), time(), here)

    def again(self, now: datetime, oldest: datetime) -> datetime:
        """When the next request may go out once it is used up; `oldest` is the first one that counts."""
        if self.per == "hour":
            return oldest + HOUR
        here = ZoneInfo(self.zone)
        return datetime.combine(now.astimezone(here).date() + timedelta(days=1), time(), here)

    def words(self, most: int, again: datetime) -> str:
        """As in "daily limit of 20 reached, again at 00:00 in New York"."""
        there = again.astimezone(ZoneInfo(self.zone))
        place = "UTC" if self.zone == "UTC" else f"in {self.zone.rpartition('/')[2].replace('_', ' ')}"
        return f"{'daily' if self.per == 'day' else 'hourly'} limit of {most} reached, again at {there:%H:%M} {place}"


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of the wish for one request: how many had gone out before, and the first of those that count."""

    granted: bool
    used: int
    oldest: datetime | None = None


class Askings(Protocol):
    """Counts requests for all programs that run; implemented by storage. It never raises."""

    async def take(self, source: str, most: int, since: datetime, now: datetime) -> Taken:
        """Counts one request of `source`, unless `most` have gone out since `since`; in one step for all programs."""
        ...


class OwnAskings:
    """Counts for this program alone."""

    def __init__(self) -> None:
        self._sent: dict[str, deque[datetime]] = {}

    async def take(self, source: str, most: int, since: datetime, now: datetime) -> Taken:
        """See `Askings.take`."""
        sent = self._sent.setdefault(source, deque())
        while sent and sent[0] <= since:
            sent.popleft()
        if len(sent) >= most:
            return Taken(False, len(sent), sent[0] if sent else None)
        sent.append(now)
        return Taken(True, len(sent), sent[0])
