"""How new a report of an event is, beside the score and never mixed into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

WINDOW = timedelta(hours=24)
"""A repeat counts for this long; exactly at the end it still does."""


@dataclass(frozen=True, slots=True)
class PriorReport:
    """An earlier report of the same event: when it came, and whether it carried a new fact."""

    at: datetime
    new_fact: bool = False


def novelty(prior: Sequence[PriorReport], at: datetime, new_fact: bool) -> float:
    """Novelty 0..1 of a report at `at`, in whose story `prior` came before it.

    1 for the first report of an event and for one with a new fact; halved by each report of the last 24 hours since the
    newest fact, the one that carried it included. Reports of the same moment stand in the order given; those later than
    `at` are not looked at.
    """
    if new_fact:
        return 1.0
    recent = sorted((r for r in prior if at - WINDOW <= r.at <= at), key=lambda report: report.at)
    newest_fact = max((place for place, report in enumerate(recent) if report.new_fact), default=0)
    return float(0.5 ** (len(recent) - newest_fact))
