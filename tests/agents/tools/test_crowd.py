"""Counting a crowd: the interval of a share, spans in words, tone over posts."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agents.tools.crowd import Voiced, interval, said_span, tone_of_posts
from tests.agents.builders import NOW


@pytest.mark.parametrize(
    ("bulls", "n", "low", "high"),
    [(0, 0, 0.0, 1.0), (7, 12, 0.32, 0.807), (12, 12, 0.757, 1.0), (0, 5, 0.0, 0.434), (900, 1000, 0.88, 0.917)],
)
def test_the_interval_of_a_share_is_wilsons(bulls: int, n: int, low: float, high: float) -> None:
    assert interval(bulls, n) == pytest.approx((low, high), abs=0.001)


@pytest.mark.parametrize(
    ("minutes", "words"), [(0, "over 0 min"), (90, "over 90 min"), (300, "over 5 h"), (5760, "over 4 days")]
)
def test_the_span_is_said_in_the_unit_that_fits(minutes: int, words: str) -> None:
    assert said_span([Voiced(NOW, 0.0), Voiced(NOW - timedelta(minutes=minutes), 0.0), Voiced(None, 0.0)]) == words


def test_the_tone_of_posts_is_their_mean_with_how_many_are_for_and_against() -> None:
    posts = [Voiced(NOW, 0.6), Voiced(NOW - timedelta(minutes=5), -0.5), Voiced(NOW, 0.05)]
    told = tone_of_posts("NVDA", posts, url="", source="Reddit")
    assert told.text == "3 posts on NVDA over 5 min: tone +0.05 by our word scale, 1 for, 1 against"
    assert dict(told.values) == {"posts": 3.0, "tone": 0.05, "for": 1.0, "against": 1.0}
    assert (told.at, told.time_kind) == (NOW, "observation")
