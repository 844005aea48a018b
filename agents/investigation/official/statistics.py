"""Official statistics of a currency's home: what its office released around a move, as far back as the office tells.

Only figures that move a currency count; an office releases a dozen others a day.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from agents.investigation.errors import SourceDown
from agents.investigation.models import Record
from agents.investigation.ports import Inquiry
from agents.investigation.sources import Now
from agents.tools.asking.access import Access
from agents.tools.asking.errors import SourceError
from agents.tools.asking.request import Reply, Request
from agents.tools.sources import release_calendars
from agents.tools.sources.release_calendars import Release
from feeds.models import Tier

AFTER: Final = timedelta(days=2)
"""How long after the move a release is still looked for."""
_MOVING: Final = re.compile(
    r"\b(?:consumer price|inflation|cpi|hicp|gdp|gross domestic|employment|unemployment|labour market|labor market"
    r"|retail sales|retail trade|industrial production|earnings)\b",
    re.I,
)
"""Statistics that move a currency."""


Asked = tuple[Request, Callable[[Reply], Sequence[Release]]]


@dataclass(frozen=True, slots=True)
class Office:
    """One office and how it is asked: the questions for a span of days, each with its reader.

    `reaches`: it answers for any span; else the first release it lists is how far back it reaches.
    """

    publisher: str
    ask: Callable[[date, date], Sequence[Asked]]
    reaches: bool = True


@dataclass(frozen=True, slots=True)
class OfficeReleases:
    """The releases of one office as a source."""

    office: Office
    access: Access
    now: Now
    exhaustive: bool = True

    @property
    def name(self) -> str:
        return f"{self.office.publisher} releases"

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """The releases of the span that move a currency; raises SourceDown where the office cannot tell."""
        now, publisher = self.now(), self.office.publisher
        until = min(inquiry.anchor.ends_at + AFTER, now)
        found: list[Release] = []
        for request, read in self.office.ask(inquiry.since.date(), until.date()):
            try:
                got = (await self.access.ask(request, read, now)).value
            except SourceError as error:
                raise SourceDown(str(error)) from error
            oldest = min((one.at for one in got), default=None)
            if not self.office.reaches and (oldest is None or oldest > inquiry.anchor.onset_at):
                raise SourceDown(
                    f"{publisher}: its list reaches back to {oldest:%Y-%m-%d} only" if oldest else publisher
                )
            found += got
        wanted = [one for one in found if inquiry.since <= one.at <= until and _MOVING.search(one.title)]
        return [_record(one, publisher) for one in wanted]


def _record(one: Release, publisher: str) -> Record:
    return Record(
        id=f"{publisher}:{one.title}:{one.at:%Y-%m-%d}",
        title=one.title,
        summary="",
        url=one.url,
        source=publisher,
        published_at=one.at,
        precision="minute",
        tier=Tier.OFFICIAL,
    )


def _bls(since: date, until: date) -> Sequence[Asked]:
    return [(release_calendars.bls_archive(series), _bls_reader(series)) for series in release_calendars.BLS_ARCHIVES]


def _bls_reader(series: str) -> Callable[[Reply], Sequence[Release]]:
    return lambda reply: release_calendars.read_bls_archive(reply, series)


def fred(key: str) -> Office:
    """FRED's dates of the US releases, by the user's key."""

    def ask(since: date, until: date) -> Sequence[Asked]:
        return [(release_calendars.fred_releases(since, until, key), release_calendars.read_fred_releases)]

    return Office("US statistics by FRED", ask)


BLS: Final = Office("US Bureau of Labor Statistics", _bls, reaches=False)
BEA: Final = Office(
    "US Bureau of Economic Analysis",
    lambda since, until: [(release_calendars.bea(), release_calendars.read_bea)],
    reaches=False,
)
ONS: Final = Office(
    "Office for National Statistics",
    lambda since, until: [(release_calendars.ons(since, until), release_calendars.read_ons)],
)
EUROSTAT: Final = Office(
    "Eurostat", lambda since, until: [(release_calendars.eurostat(since, until), release_calendars.read_eurostat)]
)
JAPAN: Final = Office(
    "Statistics Bureau of Japan",
    lambda since, until: [(release_calendars.japan_cpi(), release_calendars.read_japan_cpi)],
    reaches=False,
)
