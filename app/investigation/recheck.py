"""When the next information comes out an investigation is run again, and what changed is told.

A publication may be late, and a source may be down just then: what was awaited is looked for again for some days. A
re-check that cannot see the move any more leaves the earlier answer as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from agents.investigation.models import Hypothesis
from agents.investigation.state import Answer
from app.investigation.text import VERDICTS

WORTH: Final = 0.20
"""Hypotheses below this score are not waited for."""
AGAIN: Final = timedelta(hours=2)
PATIENCE: Final = timedelta(days=2)
"""How often, and for how long, what was due and did not come is looked for."""
NOTHING: Final = "nothing new"


@dataclass(frozen=True, slots=True)
class Rechecked:
    """What a re-check leaves: the answer that counts, when to look again, and what changed in one line."""

    answer: Answer
    again_at: datetime | None
    changed: str


def recheck_at(answer: Answer, now: datetime) -> datetime | None:
    """When the first information on an open hypothesis comes out; None where nothing dated is awaited after `now`."""
    return min((when for when in _awaited(answer) if when > now), default=None)


def rechecked(before: Answer, after: Answer, now: datetime) -> Rechecked:
    """What to keep of a re-check, and when to look again."""
    if after.anchor is None:
        reason = after.notes[0] if after.notes else "there is no price series"
        return Rechecked(before, _sooner(before, before, now), f"could not be re-checked: {reason}")
    changed = what_changed(before, after)
    failed = sorted(_down(after) - _down(before))
    if failed:
        changed = f"{changed}; did not answer: {', '.join(failed)}"
    idle = changed == NOTHING or failed
    return Rechecked(after, _sooner(before, after, now) if idle else recheck_at(after, now), changed)


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
    return "; ".join(said) or NOTHING


def _awaited(answer: Answer) -> Iterator[datetime]:
    """The dates on which information on the open hypotheses comes out."""
    for hypothesis in answer.hypotheses:
        if hypothesis.score >= WORTH and hypothesis.status in ("supported", "suspected"):
            for one in (hypothesis.confirmed_by, hypothesis.next_information):
                if one is not None and one.when is not None:
                    yield one.when


def _sooner(before: Answer, after: Answer, now: datetime) -> datetime | None:
    """The next date, or a second look before it while something that was due may still come."""
    next_date = recheck_at(after, now)
    overdue = any(now - PATIENCE < when <= now for when in _awaited(before))
    if not overdue:
        return next_date
    return min(now + AGAIN, next_date) if next_date else now + AGAIN


def _down(answer: Answer) -> set[str]:
    return {line.source for line in answer.coverage if line.state == "down"}


def _standing(one: Hypothesis) -> str:
    return f"{one.status}, {one.certainty}"
