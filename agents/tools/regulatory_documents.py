"""`regulatory_documents`: what rule makers published on a company or an event."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from agents.tools.findings import marked
from agents.tools.protocol import Question, Tool
from agents.tools.reach import Reach
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import federal_register, registers
from agents.tools.subjects import EVENT_WORDS

AGENCIES: Final = (
    "securities-and-exchange-commission",
    "commodity-futures-trading-commission",
    "treasury-department",
    "federal-trade-commission",
    "commerce-department",
)
DAYS: Final = 30


def build(reach: Reach, own: Tool | None) -> SourcedTool:
    """The Federal Register; Regulations.gov with a key."""
    chains = (Chain((_register(reach),)), Chain((_regulations(reach),), needed=False))
    return SourcedTool("regulatory_documents", chains, reach.access.keys, own)


def _term(reach: Reach, question: Question) -> str:
    company = reach.companies.first(question)
    return company.name if company else EVENT_WORDS[question.event_type] if question.event_type else ""


def _register(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        term = _term(reach, question)
        if not term:
            return None
        since = (question.now - timedelta(days=DAYS)).date()
        request = federal_register.documents(term=f'"{term}"', agencies=AGENCIES, since=since)
        got = await reach.access.ask(request, federal_register.read, question.now)
        return answer(got, marked(got.value, question)[:6])

    return Step("federal_register", part)


def _regulations(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        term = _term(reach, question)
        if not term:
            return None
        request = registers.regulations(term, reach.access.keys.get("REGULATIONS_GOV_API_KEY"))
        got = await reach.access.ask(request, registers.read_regulations, question.now)
        return answer(got, marked(got.value, question)[:6])

    return Step("regulations_gov", part)
