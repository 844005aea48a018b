"""Novelty: first, repeated, forgotten after a day, and back up with a new fact."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.novelty import PriorReport, novelty
from tests.agents.builders import NOW


def before(*hours: float | str) -> list[PriorReport]:
    """Prior reports so many hours before `NOW`; a leading "!" marks one that carried a new fact."""
    return [
        PriorReport(NOW - timedelta(hours=float(str(h).lstrip("!"))), new_fact=str(h).startswith("!")) for h in hours
    ]


@pytest.mark.parametrize(
    ("prior", "new_fact", "expected"),
    [
        pytest.param([], False, 1.0, id="the first report"),
        pytest.param([], True, 1.0, id="the first report, called new"),
        pytest.param(before(1), False, 0.5, id="one repeat"),
        pytest.param(before(2, 1), False, 0.25, id="two repeats"),
        pytest.param(before(5, 4, 3, 2, 1), False, 0.03125, id="five repeats"),
        pytest.param(before(5, 4, 3), True, 1.0, id="a new fact brings it back"),
        pytest.param(before(5, 4, "!3"), False, 0.5, id="the first repeat after a new fact"),
        pytest.param(before(5, "!4", 3, "!2", 1), False, 0.25, id="counted from the newest fact"),
        pytest.param(before("!1", 5), False, 0.5, id="the order given does not matter"),
        pytest.param(before(24), False, 0.5, id="exactly 24 hours still count"),
        pytest.param(before(24.001), False, 1.0, id="older than 24 hours do not"),
        pytest.param(before(30, 23), False, 0.5, id="only those of the last 24 hours"),
        pytest.param(before("!25", 1), False, 0.5, id="a fact older than a day is forgotten"),
        pytest.param(before(-1, -2), False, 1.0, id="later reports are not looked at"),
        pytest.param(before(0), False, 0.5, id="another of the same moment"),
        pytest.param(before(1, "!1"), False, 0.5, id="of one moment the fact came last"),
        pytest.param(before("!1", 1), False, 0.25, id="of one moment the fact came first"),
        pytest.param(before(*([1] * 2000)), False, 0.0, id="two thousand repeats"),
    ],
)
def test_novelty(prior: list[PriorReport], new_fact: bool, expected: float) -> None:
    assert novelty(prior, NOW, new_fact) == expected


priors = st.lists(st.builds(PriorReport, st.floats(-50, 50).map(lambda h: NOW - timedelta(hours=h)), st.booleans()))


@given(priors, st.booleans())
def test_novelty_is_a_score_and_one_repeat_more_never_raises_it(prior: list[PriorReport], new_fact: bool) -> None:
    value = novelty(prior, NOW, new_fact)
    assert 0.0 <= value <= 1.0
    assert novelty([*prior, PriorReport(NOW)], NOW, new_fact) <= value
