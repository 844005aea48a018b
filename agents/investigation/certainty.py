"""Certainty is a table, not an opinion: rank x timing of the best supporting evidence, for every hypothesis alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from agents.investigation.models import Certainty, Derivation, Evidence, Rank, Timing

WEIGHT: Final[dict[Rank, float]] = {"A": 1.0, "B": 0.7, "C": 0.5, "D": 0.3, "E": 0.1}
TIMING: Final[dict[Timing, float]] = {"lead": 1.0, "overlap": 0.6, "background": 0.3, "lag": 0.3}
LABELS: Final[tuple[tuple[float, Certainty], ...]] = ((0.80, "high"), (0.45, "medium"), (0.20, "low"))
REFUTING: Final[frozenset[Rank]] = frozenset({"A", "B"})
"""Ranks whose refuting evidence caps a hypothesis at low."""
CAP: Final = 0.44
"""The highest score that is still low."""


def product(rank: Rank, timing: Timing) -> float:
    """What one piece of supporting evidence is worth, 0..1."""
    return round(WEIGHT[rank] * TIMING[timing], 4)


def label(score: float) -> Certainty:
    """The word for a score."""
    return next((word for least, word in LABELS if score >= least), "minimal")


def derive(evidence: Iterable[Evidence]) -> Derivation:
    """The certainty of one hypothesis from all that speaks for and against it. Corroboration never adds up."""
    best: Derivation = Derivation(None, None, 0.0)
    refuted = False
    for one in evidence:
        if not one.supports:
            refuted = refuted or one.rank in REFUTING
            continue
        worth = product(one.rank, one.timing)
        if worth > best.product:
            best = Derivation(one.rank, one.timing, worth)
    if refuted and best.product > CAP:
        return Derivation(best.rank, best.timing, CAP, capped=True)
    return best
