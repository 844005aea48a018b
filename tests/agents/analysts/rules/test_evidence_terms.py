"""What the tools' findings change in a score, and that nothing counts which is not about the item."""

from __future__ import annotations

import pytest

from agents.analysts.rules.arithmetic import total
from agents.models import AgentName, Evidence, EvidenceItem, ToolName
from tests.agents.analysts.rules.reading_of import NOW, judged


def found(tool: ToolName, text: str, /, source: str = "Source", **values: float) -> Evidence:
    item = EvidenceItem(text, "https://s.example/1", source, NOW, "second", values=tuple(values.items()))
    return Evidence(f"{tool}#1", tool, "ok", source, NOW, items=(item,))


CPI = found("cpi", "US consumer prices +3.0% on the year", value=3.0, previous=2.9)
OUT_ALREADY = found("cpi", "US consumer prices +3.6% on the year", value=3.6, previous=3.0)
"""The source holds the reported month already."""
LISTED = found("geo_events", '"ROSTOK MARINE" is on the OFAC SDN list', sanctions_hit=1.0, new_on_list=0.0)
NEWLY = found("geo_events", '"ROSTOK MARINE" is on the OFAC SDN list', sanctions_hit=1.0, new_on_list=1.0)
RELEASE = found("sec_enforcement", "SEC charges Tesla supplier", source="SEC litigation", names_company=1.0)
GRAVE = found("sec_enforcement", "8-K of Tesla: items 4.02", grave=1.0, filing=1.0)
MENTIONS = found("reddit_sentiment", "counts", mentions=200.0, mentions_before=80.0)

DRAFTED: tuple[tuple[AgentName, str, Evidence, str, float], ...] = (
    ("MacroMind", "US inflation rises to 3.6% in March", CPI, "0.6 points above the last CPI (3.0%)", 0.07),
    ("MacroMind", "US CPI slows to 2.4% on the year", CPI, "0.6 points below the last CPI (3.0%)", 0.07),
    ("MacroMind", "US inflation rises to 3.6% in March", OUT_ALREADY, "0.6 points above the last CPI (3.0%)", 0.07),
    ("SignalScope", "US imposes sanctions on Rostok Marine of Russia", LISTED, LISTED.items[0].text, 0.06),
    ("SignalScope", "US imposes sanctions on Rostok Marine of Russia", NEWLY, NEWLY.items[0].text, 0.12),
    ("SignalScope", "Rostok Marine opens an office", LISTED, LISTED.items[0].text, 0.06),
    ("PolicyRadar", "SEC sues Tesla", RELEASE, 'SEC litigation names it: "SEC charges Tesla supplier"', 0.05),
    ("PolicyRadar", "SEC sues Tesla", GRAVE, GRAVE.items[0].text, 0.06),
    ("SentimentPulse", "Tesla shares jump 8%", MENTIONS, "mentions up from 80 to 200 a day", 0.05),
)


@pytest.mark.parametrize(("agent", "title", "evidence", "label", "amount"), DRAFTED)
def test_a_finding_on_the_item_is_a_term_of_the_draft(
    agent: AgentName, title: str, evidence: Evidence, label: str, amount: float
) -> None:
    without, _ = judged(agent, title)
    draft, _ = judged(agent, title, evidence=(evidence,))
    assert [(term.label, term.amount) for term in draft.arithmetic if term not in without.arithmetic] == [
        (label, amount)
    ]
    assert draft.impact_score == pytest.approx(without.impact_score + amount)
    assert total(draft.arithmetic) == draft.impact_score
    assert label in draft.rationale


UNMOVED: tuple[tuple[str, AgentName, str, Evidence], ...] = (
    ("as expected", "MacroMind", "US inflation rises to 3.1% in March", CPI),
    ("a monthly rate", "MacroMind", "US CPI rises 0.4% on the month", CPI),
    ("another country", "MacroMind", "Euro zone inflation rises to 5.6%", CPI),
    ("the month itself", "MacroMind", "US inflation at 3.0%", CPI),
    ("no company of the item", "PolicyRadar", "SEC sues a shell company", RELEASE),
    ("an old rate", "PolicyRadar", "SEC sues Tesla", found("sec_enforcement", "SEC charges Ford", names_company=0.0)),
    (
        "little attention",
        "SentimentPulse",
        "Tesla shares jump 8%",
        found("reddit_sentiment", "c", mentions=20.0, mentions_before=4.0),
    ),
)


@pytest.mark.parametrize(("why", "agent", "title", "evidence"), UNMOVED)
def test_a_finding_on_something_else_changes_no_draft(
    why: str, agent: AgentName, title: str, evidence: Evidence
) -> None:
    assert judged(agent, title, evidence=(evidence,))[0] == judged(agent, title)[0], why


def test_a_source_that_is_down_adds_nothing() -> None:
    down = Evidence("cpi#1", "cpi", "unavailable", "BLS", NOW, items=CPI.items)
    title = "US inflation rises to 3.6% in March"
    assert judged("MacroMind", title, evidence=(down,))[0] == judged("MacroMind", title)[0]


@pytest.mark.parametrize(
    ("bulls", "bears", "title", "label", "confidence"),
    [
        (15.0, 4.0, "Ford shares jump as crowd piles in", "crowd bullish", 0.1),
        (2.0, 14.0, "Ford shares jump as crowd piles in", "crowd bearish", -0.05),
        (7.0, 5.0, "Ford shares jump as crowd piles in", "", 0.0),
    ],
)
def test_a_crowd_counts_where_it_certainly_leans(
    bulls: float, bears: float, title: str, label: str, confidence: float
) -> None:
    crowd = found("stocktwits_ratio", "counts", bulls=bulls, bears=bears)
    draft, revision = judged("SentimentPulse", title, evidence=(crowd,))
    labels = [term.label for term in revision.final.arithmetic if term not in draft.arithmetic]
    assert labels == ([label] if label else [])
    assert revision.final.confidence_score - draft.confidence_score == pytest.approx(confidence)


def test_an_official_document_counts_only_where_it_is_about_the_item() -> None:
    title = "US Treasury imposes sanctions on Tesla and bans its exports"
    about = found("regulatory_documents", "Sanctions on Tesla", same_story=1.0)
    other = found("regulatory_documents", "Fishing quotas", same_story=0.0)
    draft, revision = judged("PolicyRadar", title, evidence=(about,))
    assert draft.event_type is not None
    assert "official document" in [term.label for term in revision.final.arithmetic]
    assert "official document" not in [
        term.label for term in judged("PolicyRadar", title, evidence=(other,))[1].final.arithmetic
    ]


def test_the_rate_series_confirms_only_the_rate_that_is_reported() -> None:
    title = "Fed raises rates to 4.75% in surprise emergency move"
    same = found("policy_rates", "Fed funds target, upper bound 4.75%", value=4.75)
    other = found("policy_rates", "Fed funds target, upper bound 4.5%", value=4.5)
    draft, revision = judged("MacroMind", title, evidence=(same,))
    assert draft.event_type == "rate_surprise"
    assert [fault.pointer for fault in revision.faults] == ["policy_rates#1"]
    assert judged("MacroMind", title, evidence=(other,))[1].faults == ()
