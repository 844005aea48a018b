"""`central_bank_statements`: what the central banks an item is about said last."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from agents.tools.findings import as_of
from agents.tools.protocol import Question, Tool
from agents.tools.reach import Reach, publisher_step, recent
from agents.tools.sourced import Answer, Chain, SourcedTool, Step
from agents.tools.sources import central_banks
from feeds.models import Entry

DAYS: Final = 14
_ABOUT: Final = {
    "fed": re.compile(r"\b(?:Fed|FOMC|Federal Reserve|Powell|Treasury yields?|US rates?)\b"),
    "ecb_press": re.compile(r"\b(?:ECB|European Central Bank|Lagarde|euro zone|eurozone|euro area)\b"),
    "boj_news": re.compile(r"\b(?:BOJ|Bank of Japan|Ueda|yen|Tokyo)\b"),
    "boe": re.compile(r"\b(?:BoE|Bank of England|Bailey|sterling|gilts?)\b"),
    "rba": re.compile(r"\b(?:RBA|Reserve Bank of Australia|Bullock|Aussie)\b"),
}
_RATES: Final = re.compile(r"\b(?:interest rates?|rate (?:cut|hike|decision)|monetary policy|central banks?)\b", re.I)


def build(reach: Reach, own: Tool | None) -> SourcedTool:
    """One chain for each bank; a bank is asked only where the item is about it or about rates as such."""
    chains = tuple(Chain((_bank(reach, *one),)) for one in central_banks.STATEMENTS)
    nothing = "the item is about no central bank that publishes here"
    return SourcedTool("central_bank_statements", chains, reach.access.keys, own, nothing_to_ask=nothing)


def _bank(reach: Reach, source: str, name: str, url: str) -> Step:
    def lately(question: Question, entry: Entry) -> bool:
        return recent(entry, as_of(question), DAYS)

    step = publisher_step(reach, source, name, central_banks.statements(source, url), also=lately, limit=3)

    async def part(question: Question) -> Answer | None:
        text = question.item.text
        about = _ABOUT[source].search(text) is not None
        return await step.part(question) if about or _RATES.search(text) else None

    return replace(step, part=part)
