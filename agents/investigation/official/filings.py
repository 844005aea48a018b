"""What a US company filed with the SEC around a move, however long ago, from the SEC's list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

from agents.investigation.errors import SourceDown
from agents.investigation.models import Record
from agents.investigation.ports import Inquiry
from agents.investigation.sources import Now
from agents.tools.asking.access import Access
from agents.tools.asking.errors import NotAnAnswer, SourceError
from agents.tools.asking.request import Reply
from agents.tools.sources import edgar
from feeds.documents.text import clean
from feeds.models import Tier

ITEMS: Final = {
    "1.01": "material agreement",
    "1.03": "bankruptcy",
    "2.01": "acquisition or disposal completed",
    "2.02": "results of operations",
    "2.05": "costs of exit or restructuring",
    "2.06": "impairment",
    "3.01": "notice of delisting",
    "4.02": "earlier statements not to be relied on",
    "5.02": "change of directors or officers",
    "7.01": "disclosure to the public",
    "8.01": "other events",
}
"""Items of form 8-K in words."""
_NEWS: Final = frozenset({"8-K", "8-K/A", "6-K"})
_PART: Final = re.compile(r"CIK\d{10}-submissions-\d{3}\.json")


@dataclass(frozen=True, slots=True)
class Filing:
    """One filing. `accepted` is when the SEC took it in; the list gives it in UTC."""

    form: str
    accepted: datetime
    items: tuple[str, ...]
    url: str


@dataclass(frozen=True, slots=True)
class Older:
    """An older part of a filer's list: its name, and the days from its first to its last filing."""

    name: str
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Filed:
    """The newest filings of a filer, and where the older ones are."""

    filings: tuple[Filing, ...]
    older: tuple[Older, ...]

    def __len__(self) -> int:
        return len(self.filings)


def read_filings(reply: Reply) -> Filed:
    """The newest part of a filer's list."""
    body = reply.json(dict)
    listed = body.get("filings")
    recent = listed.get("recent") if isinstance(listed, dict) else None
    if not isinstance(listed, dict) or not isinstance(recent, dict):
        raise NotAnAnswer("answered with something that is no list of filings")
    older = [_older(row) for row in listed.get("files") or () if isinstance(row, dict)]
    return Filed(_filings(recent, int(body.get("cik") or 0)), tuple(one for one in older if one is not None))


def read_older(reply: Reply, cik: int) -> tuple[Filing, ...]:
    """An older part of a filer's list: the same columns without anything around them."""
    return _filings(reply.json(dict), cik)


def _filings(columns: dict[str, Any], cik: int) -> tuple[Filing, ...]:
    if not isinstance(columns.get("form"), list):
        raise NotAnAnswer("answered with something that is no list of filings")
    found = []
    for place, form in enumerate(columns["form"]):
        accepted = _accepted(_at(columns, "acceptanceDateTime", place))
        if accepted is None:
            continue
        number = str(_at(columns, "accessionNumber", place))
        folder = f"https://www.sec.gov/Archives/edgar/data/{cik}/{number.replace('-', '')}"
        items = tuple(item.strip() for item in str(_at(columns, "items", place) or "").split(",") if item.strip())
        document = _at(columns, "primaryDocument", place)
        url = f"{folder}/{document}" if document else folder
        found.append(Filing(clean(str(form), limit=20), accepted, items, url))
    return tuple(found)


def _older(row: dict[str, Any]) -> Older | None:
    name = str(row.get("name"))
    try:
        first, last = date.fromisoformat(str(row.get("filingFrom"))), date.fromisoformat(str(row.get("filingTo")))
    except ValueError:
        return None
    return Older(name, first, last) if _PART.fullmatch(name) else None


def _at(columns: dict[str, Any], name: str, place: int) -> object:
    column = columns.get(name)
    return column[place] if isinstance(column, list) and place < len(column) else ""


def _accepted(stamp: object) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(stamp))
    except ValueError:
        return None
    return at.astimezone(UTC) if at.tzinfo else None


@dataclass(frozen=True, slots=True)
class CompanyFilings:
    """A company's filings as records: with `releases` the 8-Ks that carry its news, else all others."""

    access: Access
    now: Now
    releases: bool
    name: str = "company filings (SEC)"
    exhaustive: bool = True

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """The filings of the span; raises SourceDown where the SEC does not answer or does not know the company."""
        now = self.now()
        try:
            listed = await self.access.ask(edgar.tickers(), edgar.read_tickers, now)
            filer = listed.value.filer(inquiry.case.symbol)
            if filer is None:
                raise SourceDown(f"{inquiry.case.symbol} files nothing with the SEC under this symbol")
            filings = await self._filings(filer.cik, inquiry, now)
        except SourceError as error:
            raise SourceDown(str(error)) from error
        if not filings or min(one.accepted for one in filings) > inquiry.since:
            first = f" {min(one.accepted for one in filings):%Y-%m-%d}" if filings else ""
            raise SourceDown(f"SEC: its list of filings reaches back to{first} only")
        wanted = [one for one in filings if (one.form in _NEWS) == self.releases]
        return [
            _record(one, filer.title)
            for one in wanted
            if inquiry.since <= one.accepted <= inquiry.until and one.form not in ("3", "4", "5", "144")
        ]

    async def _filings(self, cik: int, inquiry: Inquiry, now: datetime) -> list[Filing]:
        """The newest filings, and where they do not reach back to the span the older parts that do."""
        got = (await self.access.ask(edgar.submissions(cik), read_filings, now)).value
        found = list(got.filings)
        since, until = inquiry.since, min(inquiry.until, now)
        if found and min(one.accepted for one in found) <= since:
            return found
        for part in sorted(got.older, key=lambda one: one.last, reverse=True):
            if part.first <= until.date():
                request = edgar.older_submissions(part.name)
                found += (await self.access.ask(request, lambda reply: read_older(reply, cik), now)).value
            if part.first <= since.date():
                break
        return found


def _record(one: Filing, company: str) -> Record:
    items = ", ".join(ITEMS.get(item, f"item {item}") for item in one.items)
    return Record(
        id=f"sec:{one.url}",
        title=f"{company}: form {one.form}{f' ({items})' if items else ''}",
        summary="",
        url=one.url,
        source=company,
        published_at=one.accepted,
        precision="second",
        time_kind="filed",
        tier=Tier.OFFICIAL,
    )
