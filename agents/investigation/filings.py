"""What a US company filed with the SEC around a move, from its list of recent filings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from agents.investigation.errors import SourceDown
from agents.investigation.models import Record
from agents.investigation.ports import Inquiry
from agents.investigation.sources import Now
from agents.tools.access import Access
from agents.tools.errors import NotAnAnswer, SourceError
from agents.tools.request import Reply
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


@dataclass(frozen=True, slots=True)
class Filing:
    """One filing. `accepted` is when the SEC took it in; the list gives it in UTC."""

    form: str
    accepted: datetime
    items: tuple[str, ...]
    url: str


def read_filings(reply: Reply) -> tuple[Filing, ...]:
    """The recent filings of a filer, newest first."""
    body = reply.json(dict)
    recent = body.get("filings", {}).get("recent") if isinstance(body.get("filings"), dict) else None
    if not isinstance(recent, dict) or not isinstance(recent.get("form"), list):
        raise NotAnAnswer("answered with something that is no list of filings")
    cik = int(body.get("cik") or 0)
    found = []
    for place, form in enumerate(recent["form"]):
        accepted = _accepted(_at(recent, "acceptanceDateTime", place))
        if accepted is None:
            continue
        number = str(_at(recent, "accessionNumber", place))
        folder = f"https://www.sec.gov/Archives/edgar/data/{cik}/{number.replace('-', '')}"
        items = tuple(item.strip() for item in str(_at(recent, "items", place) or "").split(",") if item.strip())
        document = _at(recent, "primaryDocument", place)
        found.append(
            Filing(clean(str(form), limit=20), accepted, items, f"{folder}/{document}" if document else folder)
        )
    return tuple(found)


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
            got = await self.access.ask(edgar.submissions(filer.cik), read_filings, now)
        except SourceError as error:
            raise SourceDown(str(error)) from error
        if got.value and min(one.accepted for one in got.value) > inquiry.since:
            raise SourceDown(f"SEC: its list of recent filings reaches back to {got.value[-1].accepted:%Y-%m-%d} only")
        wanted = [one for one in got.value if (one.form in _NEWS) == self.releases]
        return [
            _record(one, filer.title)
            for one in wanted
            if inquiry.since <= one.accepted <= inquiry.until and one.form not in ("3", "4", "5", "144")
        ]


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
