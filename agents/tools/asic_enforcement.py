"""`asic_enforcement`: releases of the Australian regulator, by a news search of its site, and its register of bans.

ASIC has no feed that is known to work; the search finds its releases late and names them as they are indexed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from agents.tools.findings import finding, marked, newest, of_entry
from agents.tools.protocol import Question, Tool
from agents.tools.reach import Reach
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import news, registers

_ITSELF: Final = re.compile(r"\bASIC\b|asic\.gov\.au|Australian Securities", re.I)
"""How a search names the regulator; what it gives of others is no release."""


def build(reach: Reach, own: Tool | None) -> SourcedTool:
    """The search feed decides whether anything is there; the register only adds a count."""
    chains = (Chain((_releases(reach),)), Chain((_register(reach),), needed=False))
    return SourcedTool("asic_enforcement", chains, reach.access.keys, own)


def _releases(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        got = await reach.access.feed(news.google_news("site:asic.gov.au when:14d"), question.now)
        concerned = frozenset(reach.companies.symbols_of(question))
        found = []
        for entry in newest(got.value):
            if entry.outlet and not _ITSELF.search(entry.outlet):
                continue
            named = bool(concerned & reach.companies.named_in(entry.title)) if concerned else False
            found.append(of_entry(entry, "ASIC", (("tier", 1.0), ("names_company", float(named)))))
        told = [replace(item, source="ASIC") for item in marked(found, question)]
        kept = [item for item in told if dict(item.values)["same_story"] or dict(item.values)["names_company"]]
        return answer(got, kept[:6])

    return Step("google_news", part)


def _register(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        company = reach.companies.first(question)
        if company is None:
            return None
        resource = await reach.access.ask(registers.package(registers.BANNED), registers.read_package, question.now)
        got = await reach.access.ask(
            registers.register(resource.value, company.name), registers.read_count, question.now
        )
        if not got.value:
            return answer(got, ())
        item = finding(
            f"{got.value} entries of ASIC's register of bans match {company.name}",
            url="https://data.gov.au/data/dataset/" + registers.BANNED,
            source=got.source,
            at=got.fetched_at,
            precision="day",
            time_kind="observation",
            values=(("entries", float(got.value)),),
        )
        return answer(got, [item], "a match of words, not of the company")

    return Step("data_gov_au", part)
