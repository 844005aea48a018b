"""Scores against what prices did afterwards: does a higher score mean a larger move?

Pure arithmetic over a track record. A move is in percent against the price at publication and is not adjusted for the
market. Intervals are of 95% and take the symbols as independent, which those of one story are not quite. Below FEW
outcomes nothing is said of a rank or a share.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import correlation, fmean, median
from typing import Final

from agents.models import AGENT_NAMES, Urgency
from storage.track_record import Followed, TrackRecord

FEW: Final = 30
"""Fewer outcomes than this are too few to say anything of a share or a rank."""
Z: Final = 1.96
"""Half width of a 95% interval in standard errors."""
BANDS: Final = ((0.0, 0.40), (0.40, 0.65), (0.65, 0.80), (0.80, 1.0))
"""Impact in the steps of the calibration table."""


@dataclass(frozen=True, slots=True)
class Horizon:
    """A time after publication. `large_pct` is the size from which a move counts as large."""

    name: str
    after: timedelta
    large_pct: float


HORIZONS: Final = (
    Horizon("5 min", timedelta(minutes=5), 0.5),
    Horizon("1 h", timedelta(hours=1), 1.0),
    Horizon("1 day", timedelta(days=1), 3.0),
)


@dataclass(frozen=True, slots=True)
class Share:
    """How many of `n` outcomes had a property, with the Wilson interval; no rate where n is 0."""

    hits: int
    n: int
    rate: float | None
    low: float | None
    high: float | None

    @property
    def few(self) -> bool:
        """Whether there are too few outcomes to say anything."""
        return self.n < FEW


@dataclass(frozen=True, slots=True)
class Group:
    """The moves of one kind of signal. Means are of absolute moves in percent; None where there is none."""

    name: str
    n: int
    mean_move: float | None
    median_move: float | None
    large: Share


@dataclass(frozen=True, slots=True)
class Rank:
    """Spearman's rank correlation of a score with the absolute move, with its interval; None where it has none."""

    n: int
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class AgentRecord:
    """How well one agent's draft and its revised score rank the moves."""

    agent: str
    draft: Rank
    final: Rank


@dataclass(frozen=True, slots=True)
class HorizonRecord:
    """Everything about one horizon.

    `direction` counts the symbols given up or down that moved that way; `usual` is the share of the more frequent way
    among the same, which a stopped clock would reach.
    """

    horizon: Horizon
    every: Group
    urgencies: tuple[Group, ...]
    bands: tuple[Group, ...]
    events: tuple[Group, ...]
    impact: Rank
    confidence: Rank
    direction: Share
    usual: Share
    agents: tuple[AgentRecord, ...]


@dataclass(frozen=True, slots=True)
class Scorecard:
    """The whole card of a span. `followed` symbols have at least one known move."""

    since: datetime | None
    until: datetime | None
    followed: int
    waiting: int
    without_price: int
    horizons: tuple[HorizonRecord, ...]


def scorecard(record: TrackRecord, *, since: datetime | None = None, until: datetime | None = None) -> Scorecard:
    """The scorecard of a track record; the same record gives the same card."""
    return Scorecard(
        since,
        until,
        len(record.followed),
        record.waiting,
        record.without_price,
        tuple(_horizon(horizon, record.followed) for horizon in HORIZONS),
    )


def _horizon(horizon: Horizon, followed: Sequence[Followed]) -> HorizonRecord:
    known = [one for one in followed if horizon.after in one.moves]
    moves = [one.moves[horizon.after] for one in known]
    sizes = [abs(move) for move in moves]
    called = [
        (one.direction, move)
        for one, move in zip(known, moves, strict=True)
        if one.direction != "unclear" and move != 0
    ]
    ups = sum(move > 0 for _, move in called)
    events = sorted({one.event_type for one in known if one.event_type})
    return HorizonRecord(
        horizon=horizon,
        every=_group("all", sizes, horizon),
        urgencies=_groups([str(one.urgency) for one in known], sizes, horizon, _LOUDEST_FIRST),
        bands=_groups([_band(one.impact) for one in known], sizes, horizon, _HIGHEST_FIRST),
        events=_groups([str(one.event_type) for one in known], sizes, horizon, events),
        impact=rank_of([one.impact for one in known], sizes),
        confidence=rank_of([one.confidence for one in known], sizes),
        direction=share_of(sum((way == "up") == (move > 0) for way, move in called), len(called)),
        usual=share_of(max(ups, len(called) - ups), len(called)),
        agents=tuple(_agent(name, known, sizes) for name in AGENT_NAMES),
    )


_LOUDEST_FIRST: Final = tuple(map(str, (Urgency.FLASH, Urgency.ALERT, Urgency.NOTE, Urgency.FYI)))


def _band(impact: float) -> str:
    """The step of the calibration table that an impact falls into."""
    low, high = next((low, high) for low, high in reversed(BANDS) if impact >= low)
    return f"{low:.2f}-{high:.2f}"


_HIGHEST_FIRST: Final = tuple(f"{low:.2f}-{high:.2f}" for low, high in reversed(BANDS))


def _groups(kinds: Sequence[str], sizes: Sequence[float], horizon: Horizon, names: Sequence[str]) -> tuple[Group, ...]:
    """A group for each of `names`, from the kind of each move."""
    return tuple(
        _group(name, [size for kind, size in zip(kinds, sizes, strict=True) if kind == name], horizon) for name in names
    )


def _group(name: str, sizes: Sequence[float], horizon: Horizon) -> Group:
    return Group(
        name,
        len(sizes),
        fmean(sizes) if sizes else None,
        median(sizes) if sizes else None,
        share_of(sum(size >= horizon.large_pct for size in sizes), len(sizes)),
    )


def _agent(name: str, known: Sequence[Followed], sizes: Sequence[float]) -> AgentRecord:
    judged = [
        (scores, size) for one, size in zip(known, sizes, strict=True) for scores in one.agents if scores.agent == name
    ]
    moves = [size for _, size in judged]
    return AgentRecord(
        name, rank_of([one.draft for one, _ in judged], moves), rank_of([one.final for one, _ in judged], moves)
    )


def share_of(hits: int, n: int) -> Share:
    """`hits` of `n` with the Wilson score interval (Wilson 1927)."""
    if not n:
        return Share(hits, n, None, None, None)
    rate = hits / n
    middle = (rate + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n))
    return Share(hits, n, rate, max(0.0, middle - half), min(1.0, middle + half))


def rank_of(scores: Sequence[float], sizes: Sequence[float]) -> Rank:
    """Spearman's correlation with the interval of Bonett and Wright (2000); no value where all are the same or few."""
    n = len(scores)
    if n < FEW or len(set(scores)) < 2 or len(set(sizes)) < 2:
        return Rank(n, None, None, None)
    value = correlation(_ranks(scores), _ranks(sizes))
    if abs(value) >= 1:
        return Rank(n, value, value, value)
    middle, error = math.atanh(value), math.sqrt((1 + value * value / 2) / (n - 3))
    return Rank(n, value, math.tanh(middle - Z * error), math.tanh(middle + Z * error))


def _ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value from 1; equal ones share the mean of theirs."""
    places: dict[float, list[int]] = {}
    for place, value in enumerate(sorted(values), 1):
        places.setdefault(value, []).append(place)
    means = {value: fmean(found) for value, found in places.items()}
    return [means[value] for value in values]


def few(records: Iterable[HorizonRecord]) -> bool:
    """Whether no horizon has enough outcomes to say anything."""
    return all(record.every.n < FEW for record in records)
