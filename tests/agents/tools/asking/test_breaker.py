"""A failing source is left alone, and comes back by one question that is let through."""

from __future__ import annotations

from agents.tools.asking.breaker import LONGEST_REST_S, PATIENCE, Breaker


def test_it_opens_after_a_few_failures_in_a_row_and_says_why() -> None:
    breaker = Breaker(60.0)
    for _ in range(PATIENCE - 1):
        breaker.failed(0.0, "timed out")
        assert breaker.state(0.0) == "closed"
    breaker.failed(0.0, "timed out")
    assert (breaker.state(0.0), breaker.reason) == ("open", "timed out")
    assert not breaker.admits(59.9)


def test_an_answer_in_between_starts_the_count_anew() -> None:
    breaker = Breaker(60.0)
    for _ in range(PATIENCE - 1):
        breaker.failed(0.0, "timed out")
    breaker.answered()
    breaker.failed(0.0, "timed out")
    assert breaker.state(0.0) == "closed"


def test_a_refusal_opens_it_at_once_for_as_long_as_the_source_asks() -> None:
    breaker = Breaker(60.0)
    breaker.failed(0.0, "too many requests", at_once=True, wait_s=600.0)
    assert not breaker.admits(599.0)
    assert breaker.state(600.0) == "half-open"


def test_after_its_rest_exactly_one_question_goes_through() -> None:
    breaker = Breaker(60.0)
    breaker.failed(0.0, "refused", at_once=True)
    assert breaker.admits(60.0)
    assert not breaker.admits(60.0)
    breaker.answered()
    assert breaker.state(60.0) == "closed"


def test_a_failed_probe_doubles_the_rest_up_to_a_limit() -> None:
    breaker, now = Breaker(60.0), 0.0
    breaker.failed(now, "refused", at_once=True)
    rests = []
    for _ in range(8):
        now = breaker.rests_until
        assert breaker.admits(now)
        breaker.failed(now, "refused")
        rests.append(breaker.rests_until - now)
    assert rests[:3] == [120.0, 240.0, 480.0]
    assert rests[-1] == LONGEST_REST_S


def test_a_probe_that_was_cancelled_leaves_the_next_one_through() -> None:
    breaker = Breaker(60.0)
    breaker.failed(0.0, "refused", at_once=True)
    assert breaker.admits(60.0)
    breaker.given_up()
    assert breaker.admits(60.0)
