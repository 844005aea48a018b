"""The answer from a finished state: the verdict, and what was used of the bound."""

from __future__ import annotations

from agents.investigation.adjudicator import FOUND
from agents.investigation.bound import Caps
from agents.investigation.models import Bound, Case, Verdict
from agents.investigation.state import Answer, State


def answer_of(state: State, caps: Caps) -> Answer:
    """Cause found from medium certainty on; else no public cause, or unknown where a source did not answer."""
    hypotheses = state.judged[-1].hypotheses if state.judged else ()
    down = tuple(line.source for line in state.coverage if line.state == "down")
    verdict: Verdict = "no_public_cause"
    if any(one.certainty in FOUND and one.status != "refuted" for one in hypotheses):
        verdict = "cause_found"
    elif down:
        verdict = "unknown"
    notes = (
        *state.anchor.notes,
        *(f"{one.collector}: {one.cut}" for one in state.gathered if one.cut),
        *(f"Adjudicator: {one.cut}" for one in state.judged if one.cut),
    )
    return Answer(
        case=state.case,
        anchor=state.anchor,
        verdict=verdict,
        unknown_because=down if verdict == "unknown" else (),
        hypotheses=hypotheses,
        coverage=state.coverage,
        decomposition=state.decomposition,
        rounds=state.rounds,
        bound=caps.worst_case(),
        used=used(state),
        notes=tuple(dict.fromkeys(notes)),
    )


def without_series(case: Case, caps: Caps, reason: str, calls: int = 0) -> Answer:
    """The answer where there is no price series: it says so and stops."""
    return Answer(
        case=case,
        anchor=None,
        verdict="unknown",
        unknown_because=("price series",),
        hypotheses=(),
        coverage=(),
        decomposition=None,
        rounds=0,
        bound=caps.worst_case(),
        used=Bound(calls, 0, 0.0),
        notes=(reason,),
    )


def used(state: State) -> Bound:
    """The calls of all nodes, and the tokens and dollars that their model calls took."""
    sources = sum(one.source_calls for one in state.gathered) + (state.sighted.source_calls if state.sighted else 0)
    models = sum(one.model_calls for one in state.gathered) + sum(one.model_calls for one in state.judged)
    tokens = sum(one.tokens for one in state.gathered) + sum(one.tokens for one in state.judged)
    nano = sum(one.nano for one in state.gathered) + sum(one.nano for one in state.judged)
    return Bound(sources + models, tokens, round(nano / 1e9, 9))
