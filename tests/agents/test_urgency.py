"""Urgency, degradation, reading and bar colour: each rule at, just above and just below its threshold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.models import AGENT_NAMES, FLASH_EVENTS, AgentName, FlashEvent, Outcome, Urgency
from agents.synthesis_engine import synthesize
from agents.urgency import (
    PROMOTING_AGENTS,
    ReadingThresholds,
    UrgencyDecision,
    apply_urgency_thresholds,
    bar_colour,
    reading,
)
from tests.agents.builders import a_report, an_abstention, an_assessment


def decide(*outcomes: Outcome) -> UrgencyDecision:
    synthesis = synthesize(outcomes)
    assert synthesis is not None
    return apply_urgency_thresholds(synthesis, outcomes)


def five(
    impact: float, event: FlashEvent | None = None, by: AgentName = "SignalScope", succeeded: int = 5
) -> tuple[Outcome, ...]:
    """`succeeded` agents of five: the one called `by` scores `impact` and tags `event`, the others score 0.1."""
    order: list[AgentName] = [by, *(agent for agent in AGENT_NAMES if agent != by)]
    ok = [a_report(agent, impact if agent == by else 0.1, event=event if agent == by else None) for agent in order]
    return (*ok[:succeeded], *(an_abstention(agent) for agent in order[succeeded:]))


@pytest.mark.parametrize(
    ("impact", "event", "by", "expected"),
    [
        pytest.param(0.80, "bankruptcy", "SignalScope", "FLASH", id="0.80 and an event by anyone"),
        pytest.param(1.00, "fraud", "SentimentPulse", "FLASH", id="even by the crowd's agent"),
        pytest.param(0.1 + 0.7, "fraud", "SectorScan", "FLASH", id="0.80 after float rounding"),
        pytest.param(0.7999, "bankruptcy", "SignalScope", "ALERT", id="just below 0.80"),
        pytest.param(0.80, None, "SignalScope", "ALERT", id="0.80 without an event"),
        pytest.param(1.00, None, "PolicyRadar", "ALERT", id="1.00 without an event"),
        pytest.param(0.65, None, "SignalScope", "ALERT", id="0.65"),
        pytest.param(0.6499, None, "SignalScope", "NOTE", id="just below 0.65"),
        pytest.param(0.40, None, "SignalScope", "NOTE", id="0.40"),
        pytest.param(0.3999, None, "SignalScope", "FYI", id="just below 0.40"),
        pytest.param(0.0, None, "SignalScope", "FYI", id="nothing"),
        pytest.param(0.40, "rate_surprise", "MacroMind", "FLASH", id="MacroMind promotes at 0.40"),
        pytest.param(0.40, "regulatory_action", "PolicyRadar", "FLASH", id="PolicyRadar promotes at 0.40"),
        pytest.param(0.3999, "rate_surprise", "MacroMind", "FYI", id="no promotion just below"),
        pytest.param(0.3999, "regulatory_action", "PolicyRadar", "FYI", id="nor by PolicyRadar"),
        pytest.param(0.79, "sanctions", "SignalScope", "ALERT", id="SignalScope does not promote"),
        pytest.param(0.50, "sanctions", "SignalScope", "NOTE", id="nor at 0.50"),
        pytest.param(0.50, "fraud", "SentimentPulse", "NOTE", id="SentimentPulse does not promote"),
        pytest.param(0.50, "bankruptcy", "SectorScan", "NOTE", id="SectorScan does not promote"),
    ],
)
def test_urgency(impact: float, event: FlashEvent | None, by: AgentName, expected: str) -> None:
    decision = decide(*five(impact, event, by))
    assert decision.urgency == expected
    assert not decision.degraded


@pytest.mark.parametrize("event", FLASH_EVENTS)
def test_each_flash_event_makes_flash(event: FlashEvent) -> None:
    assert decide(*five(0.85, event)).urgency is Urgency.FLASH


def test_the_tag_of_a_quiet_agent_joins_the_impact_of_a_loud_one() -> None:
    outcomes = (
        a_report("SignalScope", 0.85),
        a_report("SentimentPulse", 0.1, event="fraud"),
        a_report("MacroMind", 0.1),
    )
    assert decide(*outcomes).urgency is Urgency.FLASH


def test_a_promoting_tag_counts_with_the_signals_impact_not_the_agents_own() -> None:
    outcomes = (
        a_report("SignalScope", 0.45),
        a_report("MacroMind", 0.05, event="rate_surprise"),
        a_report("SectorScan", 0.1),
    )
    assert decide(*outcomes).urgency is Urgency.FLASH


def test_a_tag_that_revision_took_back_does_not_count() -> None:
    retracted = a_report("MacroMind", 0.5, draft=an_assessment(0.9, event="rate_surprise"))
    assert decide(retracted, a_report("SignalScope", 0.2), a_report("SectorScan", 0.2)).urgency is Urgency.NOTE


@pytest.mark.parametrize("succeeded", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(
    ("impact", "event", "full", "fallen"),
    [
        (0.90, "bankruptcy", "FLASH", "ALERT"),
        (0.70, None, "ALERT", "NOTE"),
        (0.50, None, "NOTE", "FYI"),
        (0.20, None, "FYI", "FYI"),
    ],
)
def test_fewer_than_three_agents_fall_by_one(
    succeeded: int, impact: float, event: FlashEvent | None, full: str, fallen: str
) -> None:
    decision = decide(*five(impact, event, succeeded=succeeded))
    assert decision.degraded == (succeeded < 3)
    assert decision.urgency == (fallen if succeeded < 3 else full)


def test_a_promoted_flash_falls_like_any_other() -> None:
    decision = decide(a_report("MacroMind", 0.45, event="rate_surprise"), a_report("SignalScope", 0.1))
    assert decision == UrgencyDecision(
        Urgency.ALERT,
        degraded=True,
        rule="impact 0.45 >= 0.40 and rate_surprise tagged by MacroMind; degraded, 2 of 5 agents: one down from FLASH",
    )


@pytest.mark.parametrize(
    ("outcomes", "rule"),
    [
        (five(0.91, "bankruptcy"), "impact 0.91 >= 0.80 and bankruptcy tagged by SignalScope"),
        (five(0.70), "impact 0.70 >= 0.65"),
        (five(0.40), "impact 0.40 >= 0.40"),
        (five(0.1 + 0.7, "fraud"), "impact 0.80 >= 0.80 and fraud tagged by SignalScope"),
        (five(0.3999), "impact 0.3999 < 0.40"),
        (five(0.12), "impact 0.12 < 0.40"),
        (five(0.2, succeeded=1), "impact 0.20 < 0.40; degraded, 1 of 5 agents: FYI stays"),
        (
            (
                a_report("PolicyRadar", 0.9, event="fraud"),
                a_report("SignalScope", 0.9, event="bankruptcy"),
                a_report("MacroMind", 0.9, event="fraud"),
            ),
            "impact 0.90 >= 0.80 and bankruptcy tagged by SignalScope; fraud tagged by MacroMind, PolicyRadar",
        ),
    ],
)
def test_the_rule_is_told_in_words_that_are_true_as_printed(outcomes: tuple[Outcome, ...], rule: str) -> None:
    assert decide(*outcomes).rule == rule


@pytest.mark.parametrize(
    ("impact", "confidence", "expected"),
    [
        (0.65, 0.60, "act by your rules"),
        (1.00, 1.00, "act by your rules"),
        (0.65, 0.5999, "hypothesis"),
        (0.6499, 0.60, "known noise"),
        (0.6499, 0.5999, "ignore"),
        (0.0, 0.0, "ignore"),
        (0.0, 1.0, "known noise"),
        (1.0, 0.0, "hypothesis"),
        (0.1 + 0.55, 0.7 - 0.1, "act by your rules"),
    ],
)
def test_reading(impact: float, confidence: float, expected: str) -> None:
    assert reading(impact, confidence) == expected


def test_reading_follows_configured_thresholds() -> None:
    strict = ReadingThresholds(impact=0.9, confidence=0.9)
    assert reading(0.89, 0.95, strict) == "known noise"
    assert reading(0.90, 0.89, strict) == "hypothesis"


@pytest.mark.parametrize(
    ("impact", "colour"),
    [
        (1.0, "red"),
        (0.70, "red"),
        (0.6999, "amber"),
        (0.45, "amber"),
        (0.4499, "blue"),
        (0.0, "blue"),
        (0.1 + 0.6, "red"),
        (0.3 + 0.15, "amber"),
    ],
)
def test_bar_colour(impact: float, colour: str) -> None:
    assert bar_colour(impact) == colour


@given(
    st.floats(0, 1),
    st.none() | st.sampled_from(FLASH_EVENTS),
    st.sampled_from(AGENT_NAMES),
    st.integers(1, 5),
)
def test_flash_is_never_given_without_an_event_and_three_agents(
    impact: float, event: FlashEvent | None, by: AgentName, succeeded: int
) -> None:
    decision = decide(*five(impact, event, by, succeeded))
    if decision.urgency is Urgency.FLASH:
        assert event is not None
        assert succeeded >= 3
        assert impact >= 0.4 - 1e-9
        assert by in PROMOTING_AGENTS or impact >= 0.8 - 1e-9


@given(st.floats(0, 1), st.floats(0, 1), st.none() | st.sampled_from(FLASH_EVENTS), st.sampled_from(AGENT_NAMES))
def test_more_impact_is_never_quieter(one: float, other: float, event: FlashEvent | None, by: AgentName) -> None:
    low, high = sorted((max(one, 0.1), max(other, 0.1)))
    loudest_first = list(Urgency)
    quiet, loud = (loudest_first.index(decide(*five(impact, event, by)).urgency) for impact in (low, high))
    assert loud <= quiet
