"""Every number an agent prints is a sum a reader can add up again: read back from the printed line, exactly."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from agents.analysts.protocol import Brief, Holding
from agents.analysts.rules.analyst import DOMAINS, RulesAnalyst
from agents.models import AGENT_NAMES, AgentName, Assessment, Evidence, EvidenceItem, ToolName
from feeds.models import Item, Tier
from feeds.symbols.table import SymbolTable
from tests.agents.analysts.rules.reading_of import NOW, item
from tests.agents.analysts.rules.urgency_by_kind import BY_KIND
from tests.agents.analysts.rules.urgency_by_style import BY_STYLE
from tests.agents.analysts.rules.urgency_by_trap import BY_TRAP
from tests.agents.analysts.rules.urgency_cases import ALERT, FLASH, FYI, NOTE, WRAPS

ORDINARY = 2000
INVENTED = (
    *(*FLASH, *ALERT, *NOTE, *FYI, *WRAPS),
    *(title for table in (BY_KIND, BY_STYLE, BY_TRAP) for cases in table.values() for _, title in cases),
    "",
    "Velda: profit 1.25, up, sales +0.50, down 3%",
    "War, war, war: Russia invades, bombs, shells and blockades as oil soars 40% to a record, worst since 1973",
)
WATCHLIST = {"AAPL": Holding("AAPL", holding=True), "BA": Holding("BA", suppliers=("AAPL",))}
PRINTED = re.compile(r"(?P<score>\d\.\d\d) = (?P<terms>.+?)(?:\. Read as .*)?", re.DOTALL)
AMOUNT = re.compile(r" [+-]?\d\.\d\d(?=, |$)")
"""An amount ends its term. What stands in quotation marks belongs to a label and is taken out first."""


def found(tool: ToolName, text: str, /, **values: float) -> Evidence:
    finding = EvidenceItem(text, "https://s.example/1", "Other Wire", NOW, "second", values=tuple(values.items()))
    return Evidence(f"{tool}#1", tool, "ok", "Other Wire", NOW, items=(finding,))


def evidence_on(title: str) -> tuple[Evidence, ...]:
    """Findings of every kind that changes a score, of this very story."""
    return (
        found("rss_search", title, same_story=1.0),
        found("geo_events", '"ROSTOK MARINE" is on the OFAC SDN list', sanctions_hit=1.0, new_on_list=1.0),
        found("cpi", "US consumer prices +3.0% on the year", value=3.0, previous=2.9),
        found("policy_rates", "Policy rate 5.25%", value=5.25),
        found("reddit_sentiment", "counts", mentions=200.0, mentions_before=80.0),
        found("stocktwits_ratio", "bulls and bears", bulls=90.0, bears=10.0),
        found("sec_enforcement", "SEC charges it", names_company=1.0, same_story=1.0),
        Evidence("youtube_sentiment#1", "youtube_sentiment", "empty", "YouTube", NOW),
    )


def added_up(rationale: str) -> tuple[float, float]:
    """The score a printed line states, and what its printed terms come to."""
    line = re.sub(r'"[^"]*"', '""', rationale)
    printed = PRINTED.fullmatch(line)
    assert printed is not None, rationale
    if printed["terms"] == "nothing":
        return float(printed["score"]), 0.0
    amounts = [float(amount) for amount in AMOUNT.findall(printed["terms"])]
    return float(printed["score"]), round(sum(amounts), 2)


def assessments(analyst: RulesAnalyst, told: Iterable[Item], *, proven: bool) -> Iterator[tuple[str, Assessment]]:
    """Draft and final of every agent on every item, as drawn in the drill-down."""
    symbols = SymbolTable.load()
    for one in told:
        evidence = evidence_on(one.title) if proven else ()
        brief = Brief(one, NOW, evidence, WATCHLIST if proven else {}, 0.5 if proven else 1.0)
        reading = analyst.reading(one)
        for agent in AGENT_NAMES:
            draft = DOMAINS[agent].draft(reading, brief, symbols)
            yield f"{agent}, draft: {one.title}", draft
            yield f"{agent}, final: {one.title}", DOMAINS[agent].revise(reading, brief, draft).final


def faults(told: Iterable[Item], *, proven: bool) -> list[str]:
    analyst = RulesAnalyst(SymbolTable.load(), WATCHLIST if proven else {})
    wrong = []
    for place, assessment in assessments(analyst, told, proven=proven):
        stated, summed = added_up(assessment.rationale)
        if not stated == summed == assessment.impact_score:
            wrong.append(f"{place}: {assessment.impact_score} printed as {assessment.rationale}")
    return wrong


@pytest.fixture
def ordinary(shared: Path) -> list[Item]:
    """Headlines of ordinary days, evenly from the whole set."""
    with gzip.open(shared / "eval" / "headlines_2018_2020.jsonl.gz", "rt", encoding="utf-8") as lines:
        titles = [json.loads(line)["title"] for line in lines]
    return [item(title) for title in titles[:: len(titles) // ORDINARY][:ORDINARY]]


@pytest.mark.parametrize("proven", [False, True], ids=["without evidence", "with evidence"])
def test_the_printed_sums_of_ordinary_headlines_come_to_the_score(ordinary: list[Item], *, proven: bool) -> None:
    assert len(ordinary) == ORDINARY
    assert faults(ordinary, proven=proven) == []


@pytest.mark.parametrize("proven", [False, True], ids=["without evidence", "with evidence"])
@pytest.mark.parametrize("tier", [Tier.OFFICIAL, Tier.NEWSROOM, Tier.CROWD])
def test_the_printed_sums_of_invented_headlines_come_to_the_score(tier: Tier, *, proven: bool) -> None:
    assert faults((item(title, tier=tier) for title in INVENTED), proven=proven) == []


def test_every_agent_adds_terms_of_its_own() -> None:
    """Over the invented headlines no two agents make their scores of the same words."""
    analyst = RulesAnalyst(SymbolTable.load(), {})
    labels: dict[AgentName, set[str]] = {agent: set() for agent in AGENT_NAMES}
    for place, assessment in assessments(analyst, map(item, INVENTED), proven=False):
        agent = next(agent for agent in AGENT_NAMES if place.startswith(agent))
        labels[agent] |= {term.label for term in assessment.arithmetic[:1]}
    for one, other in pairwise(sorted(labels)):
        shared = labels[one] & labels[other]
        assert len(shared) < len(labels[one]) / 2, (one, other, shared)


def test_a_term_that_is_dropped_or_changed_is_noticed() -> None:
    (_, draft), *_ = assessments(RulesAnalyst(SymbolTable.load(), {}), [item(FLASH[0])], proven=False)
    stated, summed = added_up(draft.rationale)
    assert stated == summed
    worse = replace(draft, rationale=draft.rationale.replace("+0.02", "+0.03"))
    stated, summed = added_up(worse.rationale)
    assert stated != summed


def test_the_terms_an_assessment_keeps_are_those_it_prints() -> None:
    async def both() -> None:
        analyst = RulesAnalyst(SymbolTable.load(), {})
        for title in INVENTED[:40]:
            brief = Brief(item(title), NOW)
            for agent in AGENT_NAMES:
                draft = await analyst.draft(agent, brief)
                for term in draft.arithmetic:
                    assert term.label in draft.rationale
                    assert f"{abs(term.amount):.2f}" in draft.rationale

    asyncio.run(both())
