"""When the next information comes out an investigation is run again, and what changed is told."""

from __future__ import annotations

from datetime import datetime

from agents.investigation.models import Hypothesis
from agents.investigation.state import Answer
from app.investigation.text import VERDICTS

WORTH = 0.20
"""Hypotheses below this score are not waited for."""


def recheck_at(answer: Answer, now: datetime) -> datetime | None:
    """When the first information on an open hypothesis comes out; None where nothing dated is awaited after `now`."""
    awaited = [
        one.when
        for hypothesis in answer.hypotheses
        if hypothesis.score >= WORTH and hypothesis.status in ("supported", "suspected")
        for one in (hypothesis.confirmed_by, hypothesis.next_information)
        if one is not None and one.when is not None and one.when > now
    ]
    return min(awaited, default=None)


def what_changed(before: Answer, after: Answer) -> str:
    """What a re-check found different, in one line; "nothing new" where nothing did."""
    said = []
    if before.verdict != after.verdict:
        said.append(f"{VERDICTS[before.verdict]} is now {VERDICTS[after.verdict]}")
    known = {one.key: one for one in before.hypotheses}
    for one in after.hypotheses:
        earlier = known.get(one.key)
        if earlier is None and one.score >= WORTH:
            said.append(f"new: {one.title} ({_standing(one)})")
        elif earlier is not None and (earlier.status, earlier.certainty) != (one.status, one.certainty):
            said.append(f"{one.title}: {_standing(earlier)} is now {_standing(one)}")
    return "; ".join(said) or "nothing new"


def _standing(one: Hypothesis) -> str:
    return f"{one.status}, {one.certainty}"
