from __future__ import annotations

from dataclasses import replace

import pytest

from agents.investigation.adjudicator import cheap_upgrade, judge
from agents.investigation.models import TIMINGS, Coverage, Evidence, Gathered, Hypothesis, Judged
from agents.investigation.state import State
from tests.agents.investigation.builders import NOW, a_state, an_evidence


def state_with(*evidence: Evidence, coverage: tuple[Coverage, ...] = ()) -> State:
    gathered = Gathered("PrimarySource", 1, evidence, coverage)
    return replace(a_state(), gathered=(gathered,))


def judged(*evidence: Evidence) -> tuple[Hypothesis, ...]:
    return judge(state_with(*evidence), 1, NOW)


def intervention(rank: str = "C", timing: str = "overlap", **more: object) -> Evidence:
    return an_evidence(rank, timing, hypothesis="fx_intervention/jpy", cause="fx_intervention", **more)  # type: ignore[arg-type]


def test_hypotheses_stand_in_the_order_of_their_scores() -> None:
    found = judged(
        an_evidence("D", "lag", hypothesis="liquidity/liquidity", cause="liquidity", record="a"),
        an_evidence("A", "overlap", record="b"),
        an_evidence("C", "overlap", hypothesis="macro_event/usd_cpi", cause="macro_event", record="c"),
    )
    assert [(one.key, one.certainty) for one in found] == [
        ("policy_change/boj", "medium"),
        ("macro_event/usd_cpi", "low"),
        ("liquidity/liquidity", "minimal"),
    ]


def test_of_equal_scores_the_one_whose_reports_tell_of_the_move_comes_first() -> None:
    plain = an_evidence("A", "overlap", hypothesis="macro_event/usd_claims", cause="macro_event", record="a")
    told = an_evidence("A", "overlap", hypothesis="macro_event/usd_cpi", cause="macro_event", record="b")
    report = replace(told, rank="C", record="c", linked=True)
    assert [one.key for one in judged(plain, told, report)] == ["macro_event/usd_cpi", "macro_event/usd_claims"]


def test_an_intervention_without_the_ministrys_record_is_suspected_at_any_certainty() -> None:
    for evidence in (intervention("C", "lead"), intervention("B", "lead"), intervention("C", "overlap")):
        (found,) = judged(evidence)
        assert found.status == "suspected"
        assert "confirmed" not in found.statement
        assert found.confirmed_by is not None
        assert found.confirmed_by.when is not None


def test_the_ministrys_record_of_the_day_confirms_it() -> None:
    (found,) = judged(intervention(), intervention("A", "lead", kind="effective", record="r2", when="2024-08-06T23:50"))
    assert (found.status, found.certainty, found.confirmed_by) == ("confirmed", "high", None)


def test_a_monthly_total_that_names_no_day_confirms_nothing() -> None:
    (found,) = judged(intervention(), intervention("A", "lag", record="r2", when="2024-05-31T10:00"))
    assert (found.status, found.certainty) == ("suspected", "low")


def test_a_suspicion_that_no_record_ever_confirmed_stays_a_suspicion() -> None:
    (found,) = judge(state_with(intervention()), 1, NOW.replace(year=2026))
    assert (found.status, found.certainty) == ("suspected", "low")
    assert found.next_information is None


def test_refuting_evidence_of_a_high_rank_makes_a_cause_refuted() -> None:
    (found,) = judged(an_evidence("A", "lead"), an_evidence("A", "background", supports=False, record="r2"))
    assert (found.status, found.certainty, found.derivation.capped) == ("refuted", "low", True)


def test_a_denial_by_a_newsroom_is_shown_and_caps_nothing() -> None:
    (found,) = judged(an_evidence("C", "lead"), an_evidence("C", "background", supports=False, record="r2"))
    assert (found.status, found.certainty, len(found.evidence)) == ("supported", "medium", 2)


def test_the_statement_names_the_evidence_the_certainty_was_read_off() -> None:
    (found,) = judged(
        an_evidence("A", "lag", claim="The official result", record="a", when="14 10:00"),
        an_evidence("C", "lead", claim="First counts come in", record="b", when="14 05:00"),
    )
    assert "First counts come in" in found.statement
    assert "The official result" not in found.statement


def test_what_the_official_record_states_before_the_move_awaits_no_confirmation() -> None:
    (found,) = judged(an_evidence("A", "lead"))
    assert (found.status, found.confirmed_by) == ("supported", None)
    (reported,) = judged(an_evidence("C", "lead"))
    assert reported.confirmed_by is not None


def test_an_official_record_in_the_onset_bar_awaits_finer_prices() -> None:
    (found,) = judged(an_evidence("A", "overlap"))
    assert found.confirmed_by is not None
    assert "prices finer than this bar" in found.confirmed_by.what


def test_evidence_stands_in_the_order_of_time_with_the_undated_last() -> None:
    (found,) = judged(
        an_evidence("C", "lag", when="14 09:00", record="c"),
        an_evidence("E", "overlap", when=None, record="d"),
        an_evidence("C", "lead", when="14 05:00", record="a"),
        an_evidence("C", "overlap", when="14 06:30", record="b"),
    )
    assert [one.record for one in found.evidence] == ["a", "b", "c", "d"]


def test_on_a_company_only_timely_evidence_names_a_cause() -> None:
    told = [an_evidence("C", timing, record=timing) for timing in TIMINGS]
    linked = an_evidence("C", "lag", record="told after", linked=True)
    filing = an_evidence("A", "background", record="filing")
    state = state_with(*told, linked, filing)
    state = replace(state, case=replace(state.case, symbol="ACME", kind="stock"))
    (found,) = judge(state, 1, NOW)
    assert {one.record for one in found.evidence} == {"lead", "overlap", "told after", "filing"}
    assert judge(state_with(*told[2:]), 1, NOW) != ()


DOWN = (Coverage("PrimarySource", "intervention records", "down", "no answer"),)


@pytest.mark.parametrize(
    ("evidence", "coverage", "exhaustive", "again"),
    [
        (an_evidence("C", "overlap"), (), True, False),
        (an_evidence("C", "overlap"), (), False, True),
        (an_evidence("A", "overlap"), (), False, False),
        (an_evidence("C", "overlap"), DOWN, True, True),
        (an_evidence("A", "overlap"), DOWN, True, False),
    ],
    ids=["files hold no more", "a source may hold more", "nothing to gain", "one was down", "down but not needed"],
)
def test_one_more_look_only_where_a_primary_source_may_raise_something(
    evidence: Evidence, coverage: tuple[Coverage, ...], exhaustive: bool, again: bool
) -> None:
    state = state_with(evidence, coverage=coverage)
    found = Judged(1, judge(state, 1, NOW), retry=False)
    assert bool(cheap_upgrade(state, found, exhaustive=exhaustive)) is again
