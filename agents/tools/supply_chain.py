"""`supply_chain`: suppliers and customers: those the user wrote down, those filings name, and Wikidata as a hint.

A filing's sentence is quoted as it stands: that two names stand in it is a text match and no relation by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Final

from agents.analysts.protocol import Holding
from agents.models import Evidence, EvidenceItem, ToolName
from agents.tools.asking.errors import SourceError
from agents.tools.findings import finding
from agents.tools.local import LocalTool
from agents.tools.protocol import Question
from agents.tools.reach import Reach
from agents.tools.result import empty, ok
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import edgar, registers
from agents.tools.sources.edgar import Hit
from agents.tools.subjects import Company

READ: Final = 2
"""Filings that are opened to quote a sentence."""
NAMED: Final = 6


@dataclass(frozen=True)
class WatchedTrade(LocalTool):
    """The supplier and customer relations of the user's watchlist that an item touches."""

    watchlist: Mapping[str, Holding]

    @property
    def name(self) -> ToolName:
        return "supply_chain"

    def answer(self, question: Question) -> Evidence:
        """`empty` where the watchlist holds no relation of the item's companies."""
        found = [
            EvidenceItem(f"{other}: {word} of {holding.symbol}", source="watchlist", values=(("watched", 1.0),))
            for holding in self.watchlist.values()
            for word, others in (("supplier", holding.suppliers), ("customer", holding.customers))
            for other in others
            if holding.symbol in question.symbols or other in question.symbols
        ]
        if not found:
            return empty(self.name, question.now, "watchlist", "no supplier or customer of its companies is noted")
        return ok(self.name, question.now, "watchlist", found)


def build(reach: Reach) -> SourcedTool:
    """The watchlist at once; EDGAR's full text, which can show a sentence; Wikidata, whose silence says nothing."""
    chains = (Chain((_filings(reach),)), Chain((_hints(reach),), needed=False))
    return SourcedTool("supply_chain", chains, reach.access.keys, WatchedTrade(reach.watchlist))


def _filings(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        company = reach.companies.first(question)
        if company is None:
            return None
        today = question.now.date()
        request = edgar.full_text(company.name, today - timedelta(days=365), date(today.year, 12, 31))
        got = await reach.access.ask(request, edgar.read_full_text, question.now)
        others = [hit for hit in got.value if company.name.casefold() not in hit.filer.casefold()][:NAMED]
        items = [await _quoted(reach, hit, company, question, place < READ) for place, hit in enumerate(others)]
        return answer(got, items, "a text match is not yet a relation" if items else "")

    return Step("edgar", part)


async def _quoted(reach: Reach, hit: Hit, company: Company, question: Question, open_: bool) -> EvidenceItem:
    """One filing, with the sentence that names the company where it was opened and holds one."""
    sentence = ""
    if open_:
        try:
            read = partial(edgar.sentence_with, company.name)
            sentence = (await reach.access.ask(edgar.document(hit.url), read, question.now)).value
        except SourceError:
            sentence = ""  # the hit stands without its sentence
    said = f': "{sentence}"' if sentence else f" names {company.name} beside the word customer"
    return finding(
        f"{hit.filer}, {hit.form}{said}",
        url=hit.url,
        source="SEC EDGAR",
        at=hit.filed,
        precision="day",
        time_kind="filed",
        values=(("quoted", float(bool(sentence))),),
    )


def _hints(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        company = reach.companies.first(question)
        if company is None:
            return None
        named = await reach.access.ask(registers.entity(company.name), registers.read_entity, question.now)
        if not named.value:
            return answer(named, ())
        got = await reach.access.ask(registers.relations(named.value), registers.read_relations, question.now)
        url = f"https://www.wikidata.org/wiki/{named.value}"
        items = [
            EvidenceItem(f"{company.name} {relation} (hint)", url, got.source, question.now, "day", "observation")
            for relation in got.value[:NAMED]
        ]
        return answer(got, items)

    return Step("wikidata", part)
