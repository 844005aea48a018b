"""`sec_enforcement`: litigation and administrative releases of the SEC and the stream of 8-K filings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agents.models import EvidenceItem
from agents.tools.findings import finding
from agents.tools.protocol import Question, Tool
from agents.tools.reach import Reach, publisher_step
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import edgar
from agents.tools.subjects import Companies, Company, plain_name
from feeds.models import Entry, ParsedFeed

_TITLE: Final = re.compile(r"(8-K(?:/A)?) - (.+?) \((\d{10})\)")
_ACCESSION: Final = re.compile(r"\d{10}-\d{2}-\d{6}")
_WORD: Final = re.compile(r"[^\W_]+")
_ITEM: Final = re.compile(r"Item (\d\.\d\d)")
GRAVE: Final = {
    "1.03": "bankruptcy",
    "2.04": "an obligation fell due early",
    "2.06": "an impairment",
    "3.01": "a listing at risk",
    "4.02": "earlier accounts not to be relied on",
}
"""Items of an 8-K that are bad news by themselves."""


def build(reach: Reach, own: Tool | None) -> SourcedTool:
    """Three feeds at once; what names the item's company or reports its event."""
    chains = (
        Chain((publisher_step(reach, "edgar", "SEC litigation", edgar.feed(edgar.LITIGATION)),)),
        Chain((publisher_step(reach, "edgar", "SEC administrative proceedings", edgar.feed(edgar.ADMINISTRATIVE)),)),
        Chain((_filings(reach),), needed=False),
    )
    return SourcedTool("sec_enforcement", chains, reach.access.keys, own)


def _filings(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        companies = reach.companies.of(question)
        if not companies:
            return None
        got = await reach.access.feed(edgar.feed(edgar.CURRENT_8K), question.now)
        return answer(got, _matching(got.value, companies, reach.companies)[:4])

    return Step("edgar", part)


def _matching(stream: ParsedFeed, asked: Sequence[Company], companies: Companies) -> list[EvidenceItem]:
    """One finding for each filing of the companies asked for, which the stream repeats for each role in it.

    A name that only begins alike is another filer: Apple Hospitality is not Apple.
    """
    names = {
        name for company in asked for name in (_letters(company.name), _letters(companies.registered(company.symbol)))
    }
    found: dict[str, EvidenceItem] = {}
    for entry in stream.entries:
        title = _TITLE.match(entry.title)
        if title is None or _letters(plain_name(title[2])) not in names:
            continue
        accession = _ACCESSION.search(f"{entry.guid} {entry.url} {entry.summary}")
        found.setdefault(accession[0] if accession else entry.url, _filing(entry, title))
    return list(found.values())


def _letters(name: str) -> str:
    """A name without what registers write differently: capitals, dots, blanks."""
    return "".join(_WORD.findall(name.casefold()))


def _filing(entry: Entry, title: re.Match[str]) -> EvidenceItem:
    items = _ITEM.findall(entry.summary)
    grave = [GRAVE[item] for item in items if item in GRAVE]
    accepted = entry.updated if entry.published.at is None else entry.published
    what = f", {', '.join(grave)}" if grave else ""
    return finding(
        f"{title[1]} of {title[2]}: items {', '.join(items) or 'not told'}{what}",
        url=entry.url,
        source="SEC EDGAR",
        at=accepted.at,
        precision=accepted.precision,
        time_kind="filed",
        values=(("tier", 1.0), ("filing", 1.0), ("grave", float(bool(grave)))),
    )
