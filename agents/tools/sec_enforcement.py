"""`sec_enforcement`: litigation and administrative releases of the SEC and the stream of 8-K filings."""

from __future__ import annotations

import re
from typing import Final

from agents.models import EvidenceItem
from agents.tools.findings import finding
from agents.tools.protocol import Question, Tool
from agents.tools.reach import Reach, publisher_step
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import edgar
from feeds.models import Entry, ParsedFeed

_TITLE: Final = re.compile(r"(8-K(?:/A)?) - (.+?) \((\d{10})\)")
_ACCESSION: Final = re.compile(r"\d{10}-\d{2}-\d{6}")
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
        names = tuple(company.name.casefold() for company in companies)
        return answer(got, _matching(got.value, names)[:4])

    return Step("edgar", part)


def _matching(stream: ParsedFeed, names: tuple[str, ...]) -> list[EvidenceItem]:
    """One finding for each filing, which the stream repeats for each role in it."""
    found: dict[str, EvidenceItem] = {}
    for entry in stream.entries:
        title = _TITLE.match(entry.title)
        if title is None or not title[2].casefold().startswith(names):
            continue
        accession = _ACCESSION.search(f"{entry.guid} {entry.url} {entry.summary}")
        found.setdefault(accession[0] if accession else entry.url, _filing(entry, title))
    return list(found.values())


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
