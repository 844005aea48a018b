"""Public sources of records, over the shared access to the network: feeds of official bodies, filings, news searches.

A feed shows what is recent. Where it does not reach back to the move it was not searched, so it is down, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from agents.investigation.errors import SourceDown
from agents.investigation.models import Record
from agents.investigation.ports import Inquiry, RecordSource
from agents.tools.asking.access import Access
from agents.tools.asking.errors import SourceError
from agents.tools.asking.request import Request
from feeds.models import Entry, ParsedFeed, Tier

Now = Callable[[], datetime]

NEARBY: Final = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class FeedSource:
    """An official body's feed. `exhaustive` since a feed has no more to give when asked again."""

    name: str
    access: Access
    request: Request
    publisher: str
    now: Now
    exhaustive: bool = True

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """The entries of the span; raises SourceDown where the feed is down or does not reach back to the move."""
        parsed = await _feed(self.access, self.request, self.now())
        times = [entry.published.at for entry in parsed.entries if entry.published.at]
        if not times:
            raise SourceDown(f"{self.publisher}: its feed dates nothing")
        if min(times) > inquiry.anchor.onset_at - NEARBY:
            raise SourceDown(f"{self.publisher}: its feed reaches back to {min(times):%Y-%m-%d} only")
        records = [_record(entry, self.publisher, Tier.OFFICIAL) for entry in parsed.entries]
        return [record for record in records if _within(record, inquiry)]


@dataclass(frozen=True, slots=True)
class NewsSearch:
    """A news search by the words of the case, between two days."""

    name: str
    access: Access
    request: Callable[[str], Request]
    now: Now
    exhaustive: bool = False

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """The hits around the move, on the second round also for the best hypotheses; raises SourceDown."""
        words = " OR ".join(f'"{name}"' for name in (inquiry.case.names or (inquiry.case.symbol,))[:4])
        since = (inquiry.anchor.onset_at - timedelta(days=1)).date()
        until = (inquiry.anchor.ends_at + timedelta(days=2)).date()
        found: dict[str, Record] = {}
        for topic in ("", *inquiry.topics[:1]):
            query = f"({words}) {topic} after:{since} before:{until}".replace("  ", " ")
            parsed = await _feed(self.access, self.request(query), self.now())
            records = (_record(entry, entry.outlet, Tier.AGGREGATOR) for entry in parsed.entries)
            found.update({record.id: record for record in records if _within(record, inquiry)})
        return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Several:
    """Sources that stand for one check together: it is answered only where all of them answer."""

    name: str
    parts: tuple[RecordSource, ...]
    exhaustive: bool = True

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """What all of them have; raises SourceDown where one does not answer."""
        return [record for part in self.parts for record in await part.find(inquiry)]


async def _feed(access: Access, request: Request, now: datetime) -> ParsedFeed:
    try:
        got = await access.feed(request, now)
    except SourceError as error:
        raise SourceDown(str(error)) from error
    if got.stale:
        raise SourceDown(f"{got.source}: {got.stale}")
    return got.value


def _record(entry: Entry, publisher: str, tier: Tier) -> Record:
    dated = entry.published.at is not None and entry.published.doubt is None
    return Record(
        id=entry.guid or entry.url or entry.title,
        title=entry.title,
        summary=entry.summary,
        url=entry.url,
        source=publisher or entry.outlet,
        published_at=entry.published.at if dated else None,
        precision=entry.published.precision if dated else "unknown",
        tier=tier,
    )


def _within(record: Record, inquiry: Inquiry) -> bool:
    return record.published_at is None or inquiry.since <= record.published_at <= inquiry.until
