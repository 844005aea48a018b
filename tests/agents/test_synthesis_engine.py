"""Every rule of the synthesis table, with its edges."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.models import (
    AGENT_NAMES,
    FLASH_EVENTS,
    LINK_TYPES,
    SIGNAL_TYPES,
    AgentName,
    Direction,
    FlashEvent,
    LinkedTicker,
    LinkType,
    Outcome,
    Report,
    SignalType,
    Synthesis,
)
from agents.synthesis_engine import comparable, synthesize
from tests.agents.builders import a_link, a_report, an_abstention, an_assessment


def synthesis_of(*outcomes: Outcome) -> Synthesis:
    synthesis = synthesize(outcomes)
    assert synthesis is not None
    return synthesis


def only_ticker(*outcomes: Outcome) -> LinkedTicker:
    (ticker,) = synthesis_of(*outcomes).tickers_linked
    return ticker


@pytest.mark.parametrize(
    "outcomes",
    [
        pytest.param((), id="nobody was asked"),
        pytest.param((an_abstention("MacroMind"),), id="the only one abstained"),
        pytest.param(tuple(an_abstention(agent) for agent in AGENT_NAMES), id="all five abstained"),
    ],
)
def test_no_report_is_unscored_not_low(outcomes: tuple[Outcome, ...]) -> None:
    assert synthesize(outcomes) is None


@pytest.mark.parametrize("succeeded", [1, 2, 3, 5])
def test_only_the_agents_that_succeeded_count(succeeded: int) -> None:
    reports = [a_report(agent, 0.2, 0.6) for agent in AGENT_NAMES[:succeeded]]
    abstained = [an_abstention(agent) for agent in AGENT_NAMES[succeeded:]]
    synthesis = synthesis_of(*reports, *abstained)
    assert synthesis.agents_ok == succeeded
    assert synthesis.impact_score == 0.2
    assert synthesis.confidence_score == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("impacts", "expected"),
    [((0.3,), 0.3), ((0.3, 0.9, 0.5), 0.9), ((0.0, 0.0), 0.0), ((1.0, 0.1), 1.0), ((0.4, 0.4), 0.4)],
)
def test_impact_is_the_highest_final_impact(impacts: tuple[float, ...], expected: float) -> None:
    reports = [a_report(agent, impact) for agent, impact in zip(AGENT_NAMES, impacts, strict=False)]
    assert synthesis_of(*reports).impact_score == expected


def test_impact_is_taken_from_the_final_not_the_draft() -> None:
    report = a_report(impact=0.3, draft=an_assessment(0.95))
    assert synthesis_of(report).impact_score == 0.3


@pytest.mark.parametrize(
    ("confidences", "expected"),
    [((0.9,), 0.9), ((0.9, 0.1), 0.5), ((1.0, 0.2, 0.2, 0.2, 0.2), 0.36), ((0.0, 0.0), 0.0)],
)
def test_confidence_is_the_mean(confidences: tuple[float, ...], expected: float) -> None:
    reports = [a_report(agent, 0.5, c) for agent, c in zip(AGENT_NAMES, confidences, strict=False)]
    assert synthesis_of(*reports).confidence_score == pytest.approx(expected)


def test_confidence_is_the_counted_one_not_the_reported_one() -> None:
    assert synthesis_of(a_report(confidence=0.45, reported=0.9)).confidence_score == 0.45


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        pytest.param([(0.9, 0.8)], 0.9, id="one agent"),
        pytest.param([(0.9, 0.5), (0.5, 0.5)], 0.7, id="equal weights"),
        pytest.param([(0.9, 0.9), (0.3, 0.1)], 0.84, id="the certain agent weighs more"),
        pytest.param([(0.9, 0.0), (0.3, 0.6)], 0.3, id="a weight of zero has no voice"),
        pytest.param([(0.9, 0.0), (0.3, 0.0)], 0.6, id="all weights zero: plain mean"),
    ],
)
def test_a_tickers_impact_is_the_confidence_weighted_mean(named: list[tuple[float, float]], expected: float) -> None:
    reports = [
        a_report(agent, confidence=confidence, links=[a_link("NVDA", impact)])
        for agent, (impact, confidence) in zip(AGENT_NAMES, named, strict=False)
    ]
    assert only_ticker(*reports).impact_score == pytest.approx(expected)


def test_agents_that_do_not_name_a_ticker_have_no_voice_on_it() -> None:
    ticker = only_ticker(
        a_report("SignalScope", confidence=0.9), a_report("MacroMind", confidence=0.2, links=[a_link("NVDA", 0.8)])
    )
    assert ticker.impact_score == 0.8
    assert ticker.agents == ("MacroMind",)


@pytest.mark.parametrize(
    ("given_types", "expected"),
    [
        (("direct",), "direct"),
        (("macro", "direct"), "direct"),
        (("sector", "chain"), "chain"),
        (("macro", "sector"), "sector"),
        (("macro", "macro"), "macro"),
        (("macro", "sector", "chain", "direct"), "direct"),
    ],
)
def test_a_tickers_link_is_the_closest_given(given_types: tuple[LinkType, ...], expected: LinkType) -> None:
    reports = [
        a_report(agent, links=[a_link("NVDA", link_type=link_type)])
        for agent, link_type in zip(AGENT_NAMES, given_types, strict=False)
    ]
    assert only_ticker(*reports).link_type == expected


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        pytest.param([("up", 0.5)], "up", id="one vote"),
        pytest.param([("down", 0.6), ("up", 0.5)], "down", id="the more certain wins"),
        pytest.param([("down", 0.6), ("up", 0.4), ("up", 0.3)], "up", id="together they weigh more"),
        pytest.param([("up", 0.5), ("down", 0.5)], "unclear", id="a tie is unclear"),
        pytest.param([("up", 0.1), ("up", 0.2), ("down", 0.3)], "unclear", id="a tie hidden by float rounding"),
        pytest.param([("unclear", 0.7), ("up", 0.4)], "unclear", id="unclear is a vote of its own"),
        pytest.param([("unclear", 0.3), ("up", 0.4)], "up", id="and can lose"),
        pytest.param([("unclear", 0.4), ("up", 0.4)], "unclear", id="unclear against up ties to unclear"),
        pytest.param([("up", 0.0), ("up", 0.0), ("down", 0.0)], "up", id="all weights zero: most agents"),
        pytest.param([("up", 0.0), ("down", 0.0)], "unclear", id="all weights zero: a tie"),
        pytest.param([("up", 0.0), ("up", 0.0), ("down", 0.1)], "down", id="a weight beats none"),
    ],
)
def test_a_tickers_direction_is_the_weighted_majority(
    votes: list[tuple[Direction, float]], expected: Direction
) -> None:
    reports = [
        a_report(agent, confidence=confidence, links=[a_link("NVDA", direction=direction)])
        for agent, (direction, confidence) in zip(AGENT_NAMES, votes, strict=False)
    ]
    assert only_ticker(*reports).direction == expected


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        pytest.param([("macro", 0.9, 0.9), ("direct", 0.2, 0.1)], "reason 1", id="the closest link"),
        pytest.param([("direct", 0.4, 0.9), ("direct", 0.6, 0.1)], "reason 1", id="then the highest impact"),
        pytest.param([("direct", 0.6, 0.3), ("direct", 0.6, 0.8)], "reason 1", id="then the surer agent"),
        pytest.param([("direct", 0.6, 0.5), ("direct", 0.6, 0.5)], "reason 0", id="then table order"),
    ],
)
def test_a_tickers_reason_comes_from_the_closest_agent(
    named: list[tuple[LinkType, float, float]], expected: str
) -> None:
    reports = [
        a_report(agent, confidence=confidence, links=[a_link("NVDA", impact, link_type, reason=f"reason {n}")])
        for n, (agent, (link_type, impact, confidence)) in enumerate(zip(AGENT_NAMES, named, strict=False))
    ]
    assert only_ticker(*reports).reason == expected


def test_an_agent_that_lists_a_ticker_twice_has_one_voice_on_it() -> None:
    twice = a_report(
        "SignalScope", confidence=0.5, links=[a_link("NVDA", 1.0, "macro", "down"), a_link("NVDA", 0.4, "direct", "up")]
    )
    other = a_report("MacroMind", confidence=0.5, links=[a_link("NVDA", 0.6, "sector", "up")])
    ticker = only_ticker(twice, other)
    assert ticker.impact_score == pytest.approx(0.5)
    assert (ticker.direction, ticker.agents) == ("up", ("SignalScope", "MacroMind"))


def test_tickers_are_sorted_by_impact_then_closeness_then_symbol() -> None:
    report = a_report(
        links=[
            a_link("ZION", 0.5, "chain"),
            a_link("TSM", 0.7, "macro"),
            a_link("AMD", 0.5, "sector"),
            a_link("NVDA", 0.9, "sector"),
            a_link("ABB", 0.5, "chain"),
        ]
    )
    assert [t.symbol for t in synthesis_of(report).tickers_linked] == ["NVDA", "TSM", "ABB", "ZION", "AMD"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param([("earnings", 0.4, 0.9), ("m_and_a", 0.6, 0.1)], "m_and_a", id="the highest impact"),
        pytest.param([("earnings", 0.6, 0.2), ("m_and_a", 0.6, 0.3)], "m_and_a", id="a tie: the surer"),
        pytest.param([("earnings", 0.6, 0.3), ("m_and_a", 0.6, 0.3)], "earnings", id="a tie: table order"),
        pytest.param([("earnings", 0.8, 0.2), ("m_and_a", 0.1 + 0.7, 0.3)], "m_and_a", id="a tie under rounding"),
    ],
)
def test_the_signal_type_is_the_loudest_agents(said: list[tuple[SignalType, float, float]], expected: str) -> None:
    reports = [
        a_report(agent, impact, confidence, signal_type=signal_type)
        for agent, (signal_type, impact, confidence) in zip(AGENT_NAMES, said, strict=False)
    ]
    assert synthesis_of(*reversed(reports)).signal_type == expected


@pytest.mark.parametrize(
    ("tagged", "expected"),
    [
        pytest.param([(None, 0.9), (None, 0.1)], None, id="nobody tags"),
        pytest.param([(None, 0.9), ("fraud", 0.1)], "fraud", id="a quiet agent's tag stands"),
        pytest.param([("fraud", 0.5), ("bankruptcy", 0.7)], "bankruptcy", id="the louder of two"),
        pytest.param([("fraud", 0.7), ("bankruptcy", 0.7)], "fraud", id="a tie: table order"),
        pytest.param([("fraud", 0.7), (None, 0.95), ("tariffs", 0.8)], "tariffs", id="only among those that tag"),
    ],
)
def test_the_event_is_that_of_the_loudest_agent_that_tags_one(
    tagged: list[tuple[FlashEvent | None, float]], expected: FlashEvent | None
) -> None:
    reports = [
        a_report(agent, impact, event=event) for agent, (event, impact) in zip(AGENT_NAMES, tagged, strict=False)
    ]
    assert synthesis_of(*reports).event_type == expected


@pytest.mark.parametrize(
    ("impacts", "expected"), [((0.5,), 1.0), ((0.9, 0.2), 0.3), ((0.0, 1.0), 0.0), ((0.4, 0.4, 0.4), 1.0)]
)
def test_agreement_is_one_less_the_spread(impacts: tuple[float, ...], expected: float) -> None:
    reports = [a_report(agent, impact) for agent, impact in zip(AGENT_NAMES, impacts, strict=False)]
    assert synthesis_of(*reports).agreement == pytest.approx(expected)


@pytest.mark.parametrize(
    ("tones", "expected"),
    [
        pytest.param([(None, 0.5)], None, id="nobody has a view"),
        pytest.param([(-0.6, 0.5), (None, 0.9)], -0.6, id="no view is not neutral"),
        pytest.param([(1.0, 0.75), (-1.0, 0.25)], 0.5, id="weighted by confidence"),
        pytest.param([(1.0, 0.0), (-0.5, 0.0)], 0.25, id="all weights zero: plain mean"),
    ],
)
def test_tone_is_the_weighted_mean_of_the_tones_given(
    tones: list[tuple[float | None, float]], expected: float | None
) -> None:
    reports = [
        a_report(agent, confidence=confidence, tone=tone)
        for agent, (tone, confidence) in zip(AGENT_NAMES, tones, strict=False)
    ]
    tone = synthesis_of(*reports).tone
    assert tone == (None if expected is None else pytest.approx(expected))


def test_scores_compare_without_float_rounding() -> None:
    assert 0.1 + 0.7 < 0.8
    assert comparable(0.1 + 0.7) == 0.8


scores = st.floats(0, 1)
links = st.builds(
    a_link,
    st.sampled_from(["NVDA", "AMD", "TSM"]),
    scores,
    st.sampled_from(LINK_TYPES),
    st.sampled_from(["up", "down", "unclear"]),
    st.sampled_from(["named", "a peer"]),
)


@st.composite
def reports_of(draw: st.DrawFn, agent: AgentName) -> Report:
    return a_report(
        agent,
        draw(scores),
        draw(scores),
        signal_type=draw(st.sampled_from(SIGNAL_TYPES)),
        event=draw(st.none() | st.sampled_from(FLASH_EVENTS)),
        links=draw(st.lists(links, max_size=4)),
        tone=draw(st.none() | st.floats(-1, 1)),
    )


@st.composite
def some_reports(draw: st.DrawFn) -> list[Report]:
    agents = draw(st.lists(st.sampled_from(AGENT_NAMES), unique=True, min_size=1))
    return [draw(reports_of(agent)) for agent in agents]


@given(some_reports(), st.randoms(use_true_random=False))
def test_the_order_of_the_reports_never_matters(reports: list[Report], random: Random) -> None:
    shuffled = list(reports)
    random.shuffle(shuffled)
    assert synthesize(reports) == synthesize(shuffled)


@given(some_reports())
def test_every_number_lies_within_what_the_agents_gave(reports: Sequence[Report]) -> None:
    synthesis = synthesis_of(*reports)
    impacts = [report.final.impact_score for report in reports]
    confidences = [report.confidence_score for report in reports]
    assert synthesis.impact_score == max(impacts)
    assert min(confidences) <= synthesis.confidence_score <= max(confidences)
    assert 0.0 <= synthesis.agreement <= 1.0
    assert synthesis.tone is None or -1.0 <= synthesis.tone <= 1.0
    for ticker in synthesis.tickers_linked:
        given_impacts = [
            link.impact_score
            for report in reports
            for link in report.final.tickers_linked
            if link.symbol == ticker.symbol
        ]
        assert min(given_impacts) <= ticker.impact_score <= max(given_impacts)


@given(some_reports())
def test_each_symbol_comes_once_and_the_loudest_first(reports: Sequence[Report]) -> None:
    tickers = synthesis_of(*reports).tickers_linked
    symbols = [ticker.symbol for ticker in tickers]
    assert len(symbols) == len(set(symbols))
    impacts = [comparable(ticker.impact_score) for ticker in tickers]
    assert impacts == sorted(impacts, reverse=True)
