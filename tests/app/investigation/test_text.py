"""How an answer reads: the verdict in one sentence, times in the reader's zone, days as they were stated."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from agents.investigation.answer import without_series
from agents.investigation.bound import Caps
from agents.investigation.models import Bound, Case, Certainty, Derivation, Evidence, Hypothesis, Rank, Status, Verdict
from agents.investigation.state import Answer
from app.investigation.inquiry import case_of
from app.investigation.text import asked, dated, readable, stated, verdict
from feeds.models import Precision
from tests.agents.investigation.builders import NOW, ONSET, a_case, an_anchor

TOKYO = ZoneInfo("Asia/Tokyo")
NEW_YORK = ZoneInfo("America/New_York")
RATES = "Bank of Japan: monetary policy"
ACT = "Currency intervention (Ministry of Finance of Japan)"


def a_piece(rank: Rank = "C", *, supports: bool = True, precision: Precision = "minute") -> Evidence:
    return Evidence(
        hypothesis="x",
        cause_type="policy_change",
        topic=RATES,
        rank=rank,
        timing="overlap",
        supports=supports,
        claim="Yen leaps",
        source="Reuters",
        source_url="",
        published_at=ONSET,
        effective_at=None,
        precision=precision,
        time_kind="published",
        collector="Narrative",
        round=1,
        record="1",
    )


def a_hypothesis(
    title: str = RATES, score: float = 0.6, status: Status = "supported", *evidence: Evidence
) -> Hypothesis:
    word: Certainty = "high" if score >= 0.8 else "medium" if score >= 0.45 else "low"
    derivation = Derivation("A", "overlap", score)
    pieces = evidence or (a_piece(),)
    return Hypothesis(title, "policy_change", title, f"{title}.", word, score, status, derivation, pieces, 1)


def an_answer(said: Verdict, *hypotheses: Hypothesis, case: Case | None = None) -> Answer:
    down = ("news search",) if said == "unknown" else ()
    none = Bound(0, 0, 0.0)
    return Answer(case or a_case(), an_anchor(), said, down, hypotheses, (), None, 1, Bound(112, 0, 0.0), none)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (an_answer("cause_found", a_hypothesis()), f"cause found: {RATES} (medium)"),
        (
            an_answer("cause_found", a_hypothesis(), a_hypothesis("US inflation figures"), a_hypothesis("Vote", 0.5)),
            f"cause found: {RATES} or US inflation figures (medium)",
        ),
        (
            an_answer("cause_found", a_hypothesis(ACT, 0.7, "suspected")),
            f"cause found, suspected and not confirmed: {ACT} (medium)",
        ),
        (an_answer("cause_found", a_hypothesis(ACT, 1.0, "confirmed")), f"cause found and confirmed: {ACT} (high)"),
        (
            an_answer("no_public_cause", a_hypothesis(ACT, 0.3, "suspected")),
            f"no public cause found; strongest suspicion: {ACT} (low)",
        ),
        (
            an_answer("no_public_cause", a_hypothesis(ACT, 0.3, "suspected", a_piece(), a_piece("A", supports=False))),
            f"no public cause found; strongest suspicion: {ACT} (low), which the official record does not bear out",
        ),
        (an_answer("no_public_cause", a_hypothesis(score=0.1)), "no public cause found"),
        (an_answer("no_public_cause", a_hypothesis(score=0.3, status="refuted")), "no public cause found"),
        (an_answer("no_public_cause"), "no public cause found"),
        (
            an_answer("unknown", a_hypothesis(score=0.3)),
            f"unknown: news search did not answer; strongest suspicion: {RATES} (low)",
        ),
        (without_series(a_case(), Caps(), "no file"), "unknown: there are no prices that show the move"),
    ],
)
def test_the_verdict_names_the_cause_and_how_sure_it_is(answer: Answer, said: str) -> None:
    assert verdict(answer) == said
    assert readable(answer).splitlines()[1] == f"  verdict: {said}"


def test_times_are_of_the_readers_zone_and_name_it() -> None:
    case = case_of("USDJPY", asked_at=NOW, at=ONSET)
    text = readable(an_answer("cause_found", a_hypothesis(), case=case), TOKYO)
    assert text.startswith("What moved USDJPY around 2024-05-14 15:00 JST?\n")
    assert "in the hour from 2024-05-14 15:00 JST" in text
    assert (
        "    2024-05-14 15:00 JST ---- onset ----\n    2024-05-14 15:00     + C overlap    Reuters: Yen leaps" in text
    )
    assert "UTC" not in text


def test_a_question_in_a_persons_own_words_stays_as_it_is() -> None:
    case = case_of("USDJPY", asked_at=NOW, at=ONSET, question="What moved it at 06:00 UTC?")
    assert asked(case, TOKYO) == "What moved it at 06:00 UTC?"


@pytest.mark.parametrize("zone", [UTC, TOKYO, NEW_YORK])
@pytest.mark.parametrize(("precision", "shown"), [("day", "2024-05-01"), ("month", "2024-05")])
def test_a_stated_day_is_the_same_in_every_zone(zone: ZoneInfo, precision: Precision, shown: str) -> None:
    day = replace(a_piece(precision=precision), published_at=datetime(2024, 5, 1, tzinfo=UTC))
    assert stated(day, zone) == shown


def test_a_record_that_dates_its_act_shows_when_it_came_out_and_the_day_of_the_act() -> None:
    late = replace(a_piece("A"), time_kind="effective", effective_at=ONSET, published_at=NOW)
    assert (stated(late), dated(late)) == ("2024-05-15 12:00", " (act of 2024-05-14)")
    assert dated(replace(late, time_kind="published")) == ""
