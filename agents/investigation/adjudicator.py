"""The Adjudicator: groups the evidence, looks for refutation, and reads each certainty off the table.

It decides nothing by preference: support is argued by direction and by the price's own answer, certainty by the table,
status by what was officially recorded. Whether one more round runs is code; a model may only say that it is idle.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from agents.investigation.certainty import derive, label, product
from agents.investigation.dates.confirmations import confirmations
from agents.investigation.models import (
    Certainty,
    Confirmation,
    Derivation,
    Evidence,
    Hypothesis,
    Judged,
    Sighted,
    Status,
    Timing,
)
from agents.investigation.moves.explained import refutation_by_prices
from agents.investigation.readings.reactions import refutation
from agents.investigation.state import State

FOUND: Final[frozenset[Certainty]] = frozenset({"high", "medium"})
"""Certainties from which a cause counts as found."""
_NEARNESS: Final[dict[Timing | None, int]] = {"lead": 0, "overlap": 1, "lag": 2, "background": 3, None: 4}
_CHEAP: Final = frozenset({"C", "D", "E"})
"""Ranks that one more look at a primary source may raise."""


def judge(state: State, round_: int, now: datetime, more: Sequence[Evidence] = ()) -> tuple[Hypothesis, ...]:
    """The hypotheses by score, the nearest in time and best corroborated first among equals; `more` is evidence that
    this round's second reading adds."""
    if state.sighted is None:
        raise ValueError("the Timeline has not run")
    groups: dict[str, list[Evidence]] = {}
    for one in (*state.evidence, *more):
        if state.case.kind == "stock" and not _timely(one):
            continue
        groups.setdefault(one.hypothesis, []).append(one)
    found = [_hypothesis(key, evidence, state, state.sighted, now) for key, evidence in groups.items()]
    return tuple(sorted(found, key=_order))


def _timely(one: Evidence) -> bool:
    """Whether evidence on a company stands near enough to its move to name a cause: there is always some news of it."""
    return one.timing in ("lead", "overlap") or one.rank in ("A", "B") or (one.linked and one.timing == "lag")


def cheap_upgrade(state: State, judged: Judged, *, exhaustive: bool) -> str:
    """Why one more look at the primary sources may raise a hypothesis; "" where it cannot.

    A source that failed may answer now; sources that answered once with all they have are not asked again.
    """
    open_ones = [one for one in judged.hypotheses if one.derivation.rank in _CHEAP and one.score > 0]
    down = [line.source for line in state.coverage if line.collector == "PrimarySource" and line.state == "down"]
    if down and (open_ones or not judged.hypotheses):
        return f"{down[0]} did not answer"
    if open_ones and not exhaustive and judged.round == 1:
        return f"{open_ones[0].title}: an official record would raise it"
    return ""


def _hypothesis(key: str, evidence: Sequence[Evidence], state: State, sighted: Sighted, now: datetime) -> Hypothesis:
    supporting = [one for one in evidence if one.supports]
    everything = list(evidence)
    recorded = any(one.time_kind == "effective" and one.timing == "lead" for one in supporting)
    intervention = evidence[0].cause_type == "fx_intervention"
    if not intervention and (against := refutation(supporting, sighted)) is not None:
        everything.append(against)
    explained = refutation_by_prices(supporting, state.case, state.decomposition, sighted)
    everything += [explained] if explained is not None else []
    derivation = derive(everything)
    if recorded:  # the ministry's own record of the day stands above market data that seems to speak against it
        derivation = derive(supporting)
    certainty = label(derivation.product)
    status = _status(derivation, everything, intervention=intervention, recorded=recorded)
    confirmed_by, coming = confirmations(key, evidence[0].cause_type, sighted.anchor, now)
    if derivation.rank == "A" and derivation.timing == "lead" and not intervention:
        confirmed_by = None  # what would confirm it is there
    if derivation.rank == "A" and derivation.timing == "overlap":
        confirmed_by = Confirmation("prices finer than this bar, which would order the record against the onset", None)
    best = min(supporting or evidence, key=_weight)
    denied = next((one.claim for one in everything if intervention and not one.supports and one.rank == "A"), "")
    statement = _statement(best, status, derivation, intervention=intervention, against=denied)
    if intervention and supporting and not denied and not any(one.act for one in supporting):
        statement = f"{best.topic}: warned of, and suspected at most. No report says that it took place."
    return Hypothesis(
        key=key,
        cause_type=best.cause_type,
        title=best.topic,
        statement=statement,
        certainty=certainty,
        score=derivation.product,
        status=status,
        derivation=derivation,
        evidence=tuple(sorted(everything, key=_when)),
        outlets=len({one.outlet for one in supporting if one.timing != "background"}),
        confirmed_by=None if status == "confirmed" else confirmed_by,
        next_information=None if status == "confirmed" else coming,
    )


def _status(derivation: Derivation, evidence: Sequence[Evidence], *, intervention: bool, recorded: bool) -> Status:
    """An intervention stays suspected until the ministry has recorded it; nothing else states it as a fact."""
    if recorded and label(derivation.product) == "high":
        return "confirmed"
    if derivation.rank is None or (not intervention and (derivation.capped or _is_refuted(evidence))):
        return "refuted"
    return "suspected" if intervention or label(derivation.product) not in FOUND else "supported"


def _is_refuted(evidence: Sequence[Evidence]) -> bool:
    return any(not one.supports and one.rank in ("A", "B") for one in evidence)


def _statement(best: Evidence, status: Status, derivation: Derivation, *, intervention: bool, against: str) -> str:
    """One sentence that says no more than the table does; `against` is what an official record says to the contrary."""
    if status == "confirmed":
        return f"{best.topic}: confirmed by the actor's own record, which dates the act to the day of the move."
    if status == "refuted":
        return f"{best.topic}: looked at and set aside; what speaks against it weighs more."
    if against:
        return f"{best.topic}: suspected at the time and not borne out by the record. {against.rstrip('.')}."
    if intervention:
        return f"{best.topic}: suspected. No official record of the act is published yet; reports alone make no fact."
    times = {
        "lead": "came before the move",
        "overlap": "came in the same bar as the onset and cannot be ordered against it",
        "lag": "came after the move had begun",
        "background": "came well before the move: context, it did not start it",
    }
    how = times[derivation.timing] if derivation.timing else ""
    return f"{best.topic}: {best.claim.rstrip('.')}. It {how}."


def _weight(one: Evidence) -> tuple[float, int, bool, str]:
    """The evidence a hypothesis is named by: what its certainty was read off, in the same order everywhere."""
    return (-product(one.rank, one.timing), _NEARNESS[one.timing], not one.act, one.record)


def _order(one: Hypothesis) -> tuple[float, bool, int, int, int, str]:
    linked = sum(evidence.linked for evidence in one.evidence if evidence.supports)
    nearness = _NEARNESS[one.derivation.timing]
    return (-one.score, one.status == "refuted", nearness, -linked, -one.outlets, one.key)


def _when(one: Evidence) -> tuple[bool, float, str]:
    return (one.published_at is None, one.published_at.timestamp() if one.published_at else 0.0, one.record)
