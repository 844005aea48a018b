"""What the tools' findings change in a score, and that nothing counts which is not about the item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from agents.analysts.rules.arithmetic import total
from agents.models import AgentName, Evidence, EvidenceItem, ToolName
from feeds.models import Precision
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
    ("MacroMind", "US consumer prices up 3.5% from a year ago", CPI, "0.5 points above the last CPI (3.0%)", 0.07),
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
    ("a month's rate", "MacroMind", "US consumer prices rise 0.2% in August, in line with forecasts", CPI),
    ("a yield", "MacroMind", "Treasury yields fall after US inflation data, ten-year at 4.02%", CPI),
    ("a share index", "MacroMind", "Wall Street slips on US inflation. The S&P 500 fell 0.4%", CPI),
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


FED_TO = "Fed funds target, upper bound 4.75%, last step +0.25 on 2026-03-09"
RATES: tuple[tuple[str, str, str, Mapping[str, float], bool], ...] = (
    ("the rate itself", "Fed raises rates to 4.75%", FED_TO, {"value": 4.75, "days_since_step": 1}, True),
    ("a range", "Fed raises rates to 4.50%-4.75%", FED_TO, {"value": 4.75, "days_since_step": 0}, True),
    ("another rate", "Fed raises rates to 4.75%", FED_TO, {"value": 4.5, "days_since_step": 1}, False),
    ("the rate before", "Fed raises rates to 4.75% from 4.5%", FED_TO, {"value": 4.5, "days_since_step": 1}, False),
    ("in force for long", "Fed raises rates to 4.75%", FED_TO, {"value": 4.75, "days_since_step": 90}, False),
    ("never moved", "Fed raises rates to 4.75%", FED_TO, {"value": 4.75}, False),
    (
        "another bank",
        "Fed raises rates to 4.75%",
        "United Kingdom policy rate 4.75%",
        {"value": 4.75, "days_since_step": 1},
        False,
    ),
)


def rate_series(text: str, values: Mapping[str, float]) -> Evidence:
    finding = EvidenceItem(text, "https://s.example/1", "FRED", NOW, "day", "observation", tuple(values.items()))
    return Evidence("policy_rates#1", "policy_rates", "ok", "FRED", NOW, items=(finding,))


@pytest.mark.parametrize(("why", "title", "text", "values", "confirms"), RATES)
def test_the_rate_series_confirms_only_the_rate_that_the_bank_has_just_decided(
    why: str, title: str, text: str, values: Mapping[str, float], confirms: bool
) -> None:
    title = f"{title} in surprise emergency move"
    draft, revision = judged("MacroMind", title, evidence=(rate_series(text, values),))
    assert draft.event_type == "rate_surprise"
    assert ("policy_rates#1" in [fault.pointer for fault in revision.faults]) is confirms, why


def dated(evidence: Evidence, at: datetime | None, precision: Precision = "day") -> Evidence:
    """The same findings as of another time."""
    return replace(evidence, items=tuple(replace(item, at=at, precision=precision) for item in evidence.items))


DAY = timedelta(days=1)
OLD: tuple[tuple[str, AgentName, str, Evidence], ...] = (
    ("a release of last month", "PolicyRadar", "SEC sues Tesla", dated(RELEASE, NOW - 30 * DAY)),
    ("a release without a time", "PolicyRadar", "SEC sues Tesla", dated(RELEASE, None, "unknown")),
    ("a filing of last month", "PolicyRadar", "SEC sues Tesla", dated(GRAVE, NOW - 30 * DAY)),
    ("a figure four months old", "MacroMind", "US inflation rises to 3.6% in March", dated(CPI, NOW - 120 * DAY)),
    ("a figure from after the item", "MacroMind", "US inflation rises to 3.6% in March", dated(CPI, NOW + 9 * DAY)),
    ("a count kept from before", "SentimentPulse", "Tesla shares jump 8%", replace(MENTIONS, status="stale")),
)


@pytest.mark.parametrize(("why", "agent", "title", "evidence"), OLD)
def test_a_finding_of_another_time_changes_no_draft(why: str, agent: AgentName, title: str, evidence: Evidence) -> None:
    assert judged(agent, title, evidence=(evidence,))[0] == judged(agent, title)[0], why


@pytest.mark.parametrize(
    "title",
    [
        "Norway inflation rises to 3.6% on the year",
        "US producer prices rise 3.6% from a year ago as inflation spreads",
        "US PCE inflation rises to 3.6% on the year",
        "US wage inflation rises to 3.6% on the year",
        "New Zealand CPI up 3.6% on the year",
    ],
)
def test_only_consumer_prices_of_the_united_states_are_held_against_theirs(title: str) -> None:
    assert judged("MacroMind", title, evidence=(CPI,))[0] == judged("MacroMind", title)[0]


@pytest.mark.parametrize(
    ("release", "confirms"), [("SEC charges Tesla with fraud", False), ("Treasury sanctions Tesla unit", True)]
)
def test_an_act_of_another_kind_against_the_company_confirms_nothing(release: str, confirms: bool) -> None:
    title = "US Treasury imposes sanctions on Tesla and bans its exports"
    named = found("sec_enforcement", release, names_company=1.0, same_story=0.0)
    _, revision = judged("PolicyRadar", title, evidence=(named,))
    assert ("official document" in revision.final.rationale) is confirms


def test_two_official_documents_say_no_more_than_one() -> None:
    title = "US Treasury imposes sanctions on Tesla and bans its exports"
    one = found("regulatory_documents", "Sanctions on Tesla", same_story=1.0)
    two = found("sec_enforcement", "Sanctions on Tesla", same_story=1.0)
    assert (
        judged("PolicyRadar", title, evidence=(one,))[1].final
        == judged("PolicyRadar", title, evidence=(one, two))[1].final
    )


def test_an_official_document_of_last_month_confirms_nothing() -> None:
    title = "US Treasury imposes sanctions on Tesla and bans its exports"
    old = dated(found("regulatory_documents", "Sanctions on Tesla", same_story=1.0), NOW - 30 * DAY)
    assert judged("PolicyRadar", title, evidence=(old,))[1].faults == judged("PolicyRadar", title)[1].faults


LOUD = (
    "Tesla shares jump 8%",
    "Tesla shares jump 12% in record squeeze as retail traders pile in",
    "Ford shares jump as crowd piles in",
    "Ford shares plunge 30% as retail traders flee",
    "GameStop soars 70% as retail crowd piles in",
    "Tesla shares slip 2%",
    "Ford posts loss",
)


@pytest.mark.parametrize("title", LOUD)
def test_a_crowd_alone_makes_no_news_louder(title: str) -> None:
    crowd = found("stocktwits_ratio", "counts", bulls=95.0, bears=2.0)
    _, quiet = judged("SentimentPulse", title)
    _, loud = judged("SentimentPulse", title, evidence=(MENTIONS, crowd))
    assert step(loud.final.impact_score) == step(quiet.final.impact_score)


def step(impact: float) -> int:
    return sum(impact >= threshold for threshold in (0.40, 0.65, 0.80))


def test_a_crowd_of_last_week_says_nothing_of_today() -> None:
    crowd = found("stocktwits_ratio", "counts", bulls=95.0, bears=2.0)
    title = "Ford shares jump as crowd piles in"
    assert judged("SentimentPulse", title, evidence=(crowd,))[1].faults
    assert not judged("SentimentPulse", title, evidence=(dated(crowd, NOW - 7 * DAY),))[1].faults


def test_nobody_was_silent_who_was_not_asked() -> None:
    """ "Nobody talks about it" is said only where somebody was asked, and with the words of who was asked."""
    title = "Meme stocks soar 30% as retail traders pile in, short squeeze feared"
    asked = Evidence("reddit_sentiment#1", "reddit_sentiment", "empty", "Reddit", NOW)
    idle = Evidence("stocktwits_ratio#1", "stocktwits_ratio", "empty", "", NOW, detail="the item names no symbol")
    _, revision = judged("SentimentPulse", title, evidence=(asked, idle))
    assert [(fault.pointer, fault.statement) for fault in revision.faults if "sentiment" in fault.pointer] == [
        ("reddit_sentiment#1", "Reddit: nobody talks about it")
    ]
    assert "stocktwits_ratio#1" not in [fault.pointer for fault in revision.faults]
