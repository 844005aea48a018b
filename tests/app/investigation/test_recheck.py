from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from agents.investigation.models import Confirmation
from app.investigation.recheck import recheck_at, what_changed
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


def test_a_new_hypothesis_is_named() -> None:
    more = replace(a_hypothesis(), key="macro_event/usd_cpi", title="US inflation figures")
    after = replace(an_answer(), hypotheses=(a_hypothesis(), more))
    assert what_changed(an_answer(), after) == "new: US inflation figures (supported, medium)"
