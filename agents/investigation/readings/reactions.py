"""What the price did when a record came out: a public act that the market had read without a move did not start one
hours later.

Only records with an hour or better, published while there were prices, and only where the market had at least two
whole bars for its answer before the onset.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from statistics import fmean, median
from typing import Final

from agents.investigation.dates.timing import interval
from agents.investigation.models import Evidence, Sighted
from agents.investigation.moves.timeline import THRESHOLD

BARS: Final = 2
"""So many whole bars before the onset a record must have been public to be tested."""
_EXACT: Final = frozenset({"second", "minute", "hour"})


@dataclass(frozen=True, slots=True)
class Answered:
    """What the price did at a record's own time: in percent, and in deviations of the ordinary bar."""

    change_pct: float
    strength: float

    @property
    def moved(self) -> bool:
        return self.strength > THRESHOLD


def reaction(evidence: Evidence, sighted: Sighted) -> Answered | None:
    """The price's answer in the bar of the publication and the next; None where it cannot be tested."""
    if evidence.precision not in _EXACT or evidence.published_at is None or sighted.anchor.daily:
        return None
    stated = interval(evidence.published_at, evidence.precision)
    width = timedelta(seconds=sighted.width_s)
    if stated is None or sighted.anchor.onset_at - stated.end < BARS * width:
        return None
    bars = sighted.bars
    first = next((n for n, bar in enumerate(bars) if bar.at + width > stated.start), None)
    if first is None or first == 0 or bars[first].at > stated.start:
        return None
    ranges = [100 * (bar.high - bar.low) / bar.open for bar in bars if bar.at < sighted.anchor.onset_at]
    middle = median(ranges)
    unit = median([abs(value - middle) for value in ranges]) or fmean([abs(value - middle) for value in ranges])
    window = bars[first : first + 2]
    largest = max(100 * (bar.high - bar.low) / bar.open for bar in window)
    change = 100 * (window[-1].close / bars[first - 1].close - 1)
    return Answered(change, (largest - middle) / unit if unit else 0.0)


def refutation(supporting: Sequence[Evidence], sighted: Sighted) -> Evidence | None:
    """Market data against a hypothesis all of whose public acts were read without a move, or with the opposite one.

    None where one of them cannot be tested, came with the onset, or moved the price its way. A record that came after
    the move decides nothing: later stories about an early act do not make it a late one.
    """
    before = [one for one in supporting if one.act and one.timing != "lag"]
    if not before:
        return None
    sign = {"up": 1, "down": -1, "both": 0}[sighted.anchor.direction]
    tested = []
    for one in before:
        answer = reaction(one, sighted)
        if answer is None or (answer.moved and answer.change_pct * sign >= 0):
            return None
        tested.append((one, answer))
    one, answer = max(tested, key=lambda pair: pair[0].published_at or sighted.anchor.onset_at)
    what = "moved the other way" if answer.moved else "made no unusual move"
    return replace(
        one,
        rank="B",
        timing="background",
        supports=False,
        claim=f"At its own time the price {what} ({answer.change_pct:+.2f}%); this move began later",
        source=sighted.source,
        source_url="",
        time_kind="observation",
        collector="MarketStructure",
        record=f"reaction:{one.record}",
        why="reaction at its own time",
        outlet=sighted.source,
        copies=0,
        linked=False,
    )
