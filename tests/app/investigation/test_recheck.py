from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from agents.investigation.models import Confirmation, Coverage
from agents.investigation.state import Answer
from app.investigation.recheck import AGAIN, PATIENCE, Rechecked, recheck_at, rechecked, what_changed
from tests.agents.investigation.builders import NOW
from tests.storage.test_investigations import a_hypothesis, an_answer

LATER, SOONER = NOW + timedelta(days=9), NOW + timedelta(days=2)


def test_a_case_is_looked_at_again_when_the_first_information_comes_out() -> None:
    waiting = replace(
        a_hypothesis(),
        confirmed_by=Confirmation("monthly total", LATER),
        next_information=Confirmation("projection", SOONER),
    )
    answer = replace(an_answer(), hypotheses=(waiting,))
    assert recheck_at(answer, NOW) == SOONER
    assert recheck_at(replace(answer, hypotheses=(replace(waiting, status="confirmed"),)), NOW) is None
    assert recheck_at(replace(answer, hypotheses=(replace(waiting, score=0.09),)), NOW) is None
    assert recheck_at(an_answer(), NOW) is None
    assert recheck_at(answer, SOONER) == LATER
    assert recheck_at(answer, LATER) is None


def test_what_changed_is_told_in_words() -> None:
    before = replace(an_answer(), verdict="no_public_cause")
    after = replace(an_answer(), hypotheses=(replace(a_hypothesis(), status="confirmed", certainty="high"),))
    assert what_changed(before, after) == (
        "no public cause found is now cause found;"
        " Bank of Japan: monetary policy: supported, medium is now confirmed, high"
    )
    assert what_changed(after, after) == "nothing new"


def waiting(due: datetime) -> Answer:
    one = replace(a_hypothesis(), next_information=Confirmation("monthly total", due), confirmed_by=None)
    return replace(an_answer(), hypotheses=(one,))


def test_what_was_due_and_did_not_come_is_looked_for_again_for_some_days() -> None:
    before = waiting(NOW)
    assert rechecked(before, waiting(LATER), NOW) == Rechecked(waiting(LATER), NOW + AGAIN, "nothing new")
    patient = NOW + PATIENCE - timedelta(seconds=1)
    assert rechecked(before, waiting(LATER), patient).again_at == patient + AGAIN
    assert rechecked(before, waiting(LATER), NOW + PATIENCE).again_at == LATER
    assert rechecked(before, waiting(NOW), NOW + PATIENCE).again_at is None


def test_what_came_ends_the_waiting_for_it() -> None:
    before = waiting(NOW)
    done = replace(waiting(LATER), hypotheses=(replace(waiting(LATER).hypotheses[0], status="confirmed"),))
    assert rechecked(before, done, NOW) == Rechecked(done, None, what_changed(before, done))
    more = replace(waiting(LATER), hypotheses=(replace(waiting(LATER).hypotheses[0], certainty="high"),))
    assert rechecked(before, more, NOW).again_at == LATER


def test_a_source_that_is_down_just_then_is_named_and_asked_again() -> None:
    down = (Coverage("PrimarySource", "intervention records", "down", "no answer"),)
    found = rechecked(waiting(NOW), replace(waiting(LATER), coverage=down), NOW)
    assert (found.again_at, found.changed) == (NOW + AGAIN, "nothing new; did not answer: intervention records")


def test_a_recheck_that_cannot_see_the_move_leaves_the_earlier_answer() -> None:
    before = waiting(NOW)
    blind = replace(an_answer(), anchor=None, verdict="unknown", hypotheses=(), notes=("USDJPY: no prices",))
    found = rechecked(before, blind, NOW)
    assert found == Rechecked(before, NOW + AGAIN, "could not be re-checked: USDJPY: no prices")
    assert rechecked(before, blind, NOW + PATIENCE).again_at is None


def test_a_new_hypothesis_is_named() -> None:
    more = replace(a_hypothesis(), key="macro_event/usd_cpi", title="US inflation figures")
    after = replace(an_answer(), hypotheses=(a_hypothesis(), more))
    assert what_changed(an_answer(), after) == "new: US inflation figures (supported, medium)"
