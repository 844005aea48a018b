"""The scorecard: shares and ranks that can be checked by hand, and silence where there is too little to say."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from agents.models import Direction, FlashEvent, Urgency
from app.scorecard import FEW, HorizonRecord, few, rank_of, scorecard, share_of
from storage.track_record import AgentScores, Followed, TrackRecord

NOW = datetime(2026, 3, 10, 18, 30, tzinfo=UTC)
MINUTES, HOUR = timedelta(minutes=5), timedelta(hours=1)


def followed(
    impact: float,
    moves: dict[timedelta, float],
    *,
    urgency: Urgency = Urgency.NOTE,
    direction: Direction = "up",
    event: FlashEvent | None = None,
    draft: float | None = None,
) -> Followed:
    scores = (AgentScores("SignalScope", impact if draft is None else draft, impact),)
    return Followed("NVDA", NOW, urgency, event, impact, 0.6, direction, scores, moves)


def record(*rows: Followed, waiting: int = 0, without_price: int = 0) -> HorizonRecord:
    """The card's record of the first horizon."""
    return scorecard(TrackRecord(rows, waiting, without_price)).horizons[0]


def test_a_share_has_the_wilson_interval() -> None:
    share = share_of(8, 10)
    assert share.rate == 0.8
    assert share.low == pytest.approx(0.4902, abs=1e-4)
    assert share.high == pytest.approx(0.9433, abs=1e-4)
    assert share.few
    nothing = share_of(0, 0)
    assert (nothing.rate, nothing.low, nothing.high) == (None, None, None)
    assert (share_of(0, 50).low, share_of(50, 50).high) == (0.0, 1.0)


def test_a_rank_correlation_is_spearmans_with_ties_and_its_interval() -> None:
    scores = [0.1, 0.2, 0.2, 0.4] * 10
    sizes = [1.0, 2.0, 3.0, 4.0] * 10
    rank = rank_of(scores, sizes)
    assert rank.value == pytest.approx(0.9487, abs=1e-4)
    assert rank.low == pytest.approx(0.8918, abs=1e-4)
    assert rank.high == pytest.approx(0.9761, abs=1e-4)
    assert rank_of(scores, [-size for size in sizes]).value == pytest.approx(-0.9487, abs=1e-4)
    perfect = rank_of(list(range(40)), list(range(40)))
    assert (perfect.value, perfect.low, perfect.high) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("scores", "sizes"),
    [([0.5] * FEW, list(range(FEW))), (list(range(FEW)), [1.0] * FEW), (list(range(FEW - 1)), list(range(FEW - 1)))],
)
def test_nothing_is_said_of_ranks_where_all_are_the_same_or_few(scores: list[float], sizes: list[float]) -> None:
    rank = rank_of(scores, sizes)
    assert (rank.n, rank.value) == (len(scores), None)


def test_moves_are_grouped_by_urgency_band_and_event_with_the_base_rate_beside_them() -> None:
    found = record(
        followed(0.9, {MINUTES: -2.0}, urgency=Urgency.FLASH, event="bankruptcy", direction="down"),
        followed(0.5, {MINUTES: 0.6}),
        followed(0.4, {MINUTES: 0.1}),
        followed(0.1, {MINUTES: 0.0}, urgency=Urgency.FYI),
        followed(0.1, {HOUR: 9.0}, urgency=Urgency.FYI),
    )
    assert found.every.n == 4
    assert found.every.mean_move == pytest.approx(0.675)
    assert found.every.median_move == pytest.approx(0.35)
    assert (found.every.large.hits, found.every.large.n) == (2, 4)
    assert {group.name: group.n for group in found.urgencies} == {"FLASH": 1, "ALERT": 0, "NOTE": 2, "FYI": 1}
    assert {group.name: group.n for group in found.bands} == {
        "0.80-1.00": 1, "0.65-0.80": 0, "0.40-0.65": 2, "0.00-0.40": 1
    }  # fmt: skip
    assert [(group.name, group.mean_move) for group in found.events] == [("bankruptcy", 2.0)]


def test_a_direction_counts_where_one_was_given_and_the_price_moved() -> None:
    found = record(
        followed(0.5, {MINUTES: 1.0}),
        followed(0.5, {MINUTES: 1.0}, direction="down"),
        followed(0.5, {MINUTES: -1.0}, direction="down"),
        followed(0.5, {MINUTES: 0.0}),
        followed(0.5, {MINUTES: 3.0}, direction="unclear"),
    )
    assert (found.direction.hits, found.direction.n) == (2, 3)
    assert (found.usual.hits, found.usual.n) == (2, 3), "two of the three went up: always saying so would do as well"


def test_a_revision_is_told_from_its_draft() -> None:
    rows = [followed(step / 100, {MINUTES: float(step)}, draft=1 - step / 100) for step in range(FEW)]
    agents = {one.agent: one for one in record(*rows).agents}
    assert (agents["SignalScope"].draft.value, agents["SignalScope"].final.value) == (-1.0, 1.0)
    assert (agents["MacroMind"].final.n, agents["MacroMind"].final.value) == (0, None)


def test_an_empty_record_says_that_it_is_too_few() -> None:
    card = scorecard(TrackRecord((), 3, 1))
    assert (card.followed, card.waiting, card.without_price, few(card.horizons)) == (0, 3, 1, True)
    enough = [followed(step / 100, {MINUTES: float(step)}) for step in range(FEW)]
    assert not few(scorecard(TrackRecord(tuple(enough), 0, 0)).horizons)
