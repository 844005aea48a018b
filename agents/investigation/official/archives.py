"""Decisions of central banks at any time: the bank's feed where it reaches back to the move, else its own archive."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from agents.investigation.dates.schedules import meetings
from agents.investigation.errors import SourceDown
from agents.investigation.models import Record
from agents.investigation.ports import Inquiry, RecordSource
from agents.investigation.sources import Now
from agents.tools.asking.access import Access
from agents.tools.asking.errors import SourceError
from agents.tools.asking.request import Reply
from agents.tools.sources import bank_archives
from agents.tools.sources.bank_archives import Statement
from feeds.models import Precision, Tier

AFTER: Final = timedelta(days=14)
"""How long after the move a decision is still looked up in an archive."""
_ECB_MOVED: Final = date(2022, 7, 21)
_ECB_BEFORE: Final = time(13, 45)
"""Until then the ECB published its decisions at this hour."""

Span = tuple[date, date]
ReadArchive = Callable[[Access, Span, datetime], Awaitable[Sequence[Statement]]]


@dataclass(frozen=True, slots=True)
class Archived:
    """A feed with an archive behind it: what the feed cannot know the archive is asked for."""

    name: str
    recent: RecordSource
    archive: RecordSource
    exhaustive: bool = True

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """The records of the span from either; raises SourceDown where neither can know."""
        try:
            return await self.recent.find(inquiry)
        except SourceDown as error:
            reason = error
        try:
            return await self.archive.find(inquiry)
        except SourceDown as error:
            raise SourceDown(f"{reason}; its archive: {error}") from error


@dataclass(frozen=True, slots=True)
class BankArchive:
    """The archive of one bank by its key ("fed", "ecb", "boj", "boe", "rba")."""

    bank: str
    publisher: str
    access: Access
    now: Now
    exhaustive: bool = True

    @property
    def name(self) -> str:
        return f"{self.publisher}, archive"

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """The statements of the span; raises SourceDown where the archive does not answer or does not reach back."""
        now = self.now()
        until = min(inquiry.until, inquiry.anchor.ends_at + AFTER, now)
        try:
            found = await _ARCHIVES[self.bank](self.access, (inquiry.since.date(), until.date()), now)
        except SourceError as error:
            raise SourceDown(str(error)) from error
        records = (self._record(one) for one in found)
        return [one for one in records if one.published_at and inquiry.since <= one.published_at <= until]

    def _record(self, one: Statement) -> Record:
        at, precision = _moment(self.bank, one)
        return Record(
            id=one.url,
            title=one.title,
            summary="",
            url=one.url,
            source=self.publisher,
            published_at=at,
            precision=precision,
            tier=Tier.OFFICIAL,
        )


def _moment(bank: str, one: Statement) -> tuple[datetime, Precision]:
    """The minute the bank states, or the hour it has fixed for the decisions of its meetings, else the day."""
    if one.at is not None:
        return one.at, "minute"
    schedule = meetings()[bank]
    if one.day in schedule.days and not schedule.about and "decision" in one.title.lower():
        if bank == "ecb" and one.day < _ECB_MOVED:
            return datetime.combine(one.day, _ECB_BEFORE, schedule.zone).astimezone(UTC), "minute"
        return schedule.moment(one.day), "minute"
    return datetime.combine(one.day, time(0), UTC), "day"


async def _fed(access: Access, span: Span, now: datetime) -> Sequence[Statement]:
    got = await access.ask(bank_archives.fed_releases(), bank_archives.read_fed, now)
    oldest = min(one.day for one in got.value)
    if oldest > span[0]:
        raise SourceDown(f"Federal Reserve: its list reaches back to {oldest} only")
    return got.value


async def _ecb(access: Access, span: Span, now: datetime) -> Sequence[Statement]:
    found: list[Statement] = []
    for year in range(span[0].year, span[1].year + 1):
        request = bank_archives.ecb_releases(year)
        found += (await access.ask(request, lambda reply: bank_archives.read_dated(reply, "/press/"), now)).value
    return found


async def _boj(access: Access, span: Span, now: datetime) -> Sequence[Statement]:
    found: list[Statement] = []
    for year in range(span[0].year, span[1].year + 1):
        listed = await access.ask(bank_archives.boj_statements(year), bank_archives.read_boj_statements, now)
        for one in listed.value:
            if span[0] <= one.day <= span[1]:
                page = bank_archives.boj_statement(one)
                found.append((await access.ask(page, _boj_page(one), now)).value)
    return found


def _boj_page(one: Statement) -> Callable[[Reply], Statement]:
    return lambda reply: bank_archives.read_boj_statement(reply, one)


async def _boe(access: Access, span: Span, now: datetime) -> Sequence[Statement]:
    """The decisions of the meetings in the span, whose days the Bank of England announces."""
    schedule = meetings()["boe"]
    if not schedule.days[0] <= span[0] <= span[1] <= schedule.days[-1]:
        raise SourceDown(f"Bank of England: its meetings are known from {schedule.days[0]} to {schedule.days[-1]} only")
    found = []
    for day in schedule.days:
        if span[0] <= day <= span[1]:
            got = await access.ask(bank_archives.boe_decision(day), bank_archives.read_boe_decision, now)
            found.append(Statement(f"{got.value.title} (decision)", got.value.url, got.value.day))
    return found


async def _rba(access: Access, span: Span, now: datetime) -> Sequence[Statement]:
    found: list[Statement] = []
    for year in range(span[0].year, span[1].year + 1):
        request = bank_archives.rba_decisions(year)
        listed = await access.ask(request, lambda reply: bank_archives.read_dated(reply, "/media-releases/"), now)
        found += (Statement("Monetary policy decision", one.url, one.day) for one in listed.value)
    return found


_ARCHIVES: Final[Mapping[str, ReadArchive]] = {"fed": _fed, "ecb": _ecb, "boj": _boj, "boe": _boe, "rba": _rba}
"""How each bank's archive is read; a bank that is not here has none that can be asked by date."""
ARCHIVED: Final = frozenset(_ARCHIVES)
