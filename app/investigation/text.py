"""An investigation as plain text for a person: verdict, each hypothesis with its arithmetic, and what was searched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Final

from agents.investigation.models import (
    COLLECTORS,
    Anchor,
    Bound,
    Case,
    Confirmation,
    Coverage,
    Evidence,
    Hypothesis,
    Status,
)
from agents.investigation.state import Answer

VERDICTS: Final = {
    "cause_found": "cause found",
    "no_public_cause": "no public cause found",
    "unknown": "unknown",
}
SHOWN: Final = 8
"""So many pieces of evidence are shown per hypothesis; the rest is counted."""
MINIMAL: Final = 0.20
"""Hypotheses below this score are told in one line each."""


def readable(answer: Answer, zone: tzinfo = UTC) -> str:
    """The whole answer, the verdict first; times are of `zone`."""
    return "\n".join((*_head(answer, zone), *_hypotheses(answer, zone), *_coverage(answer), *_rest(answer), ""))


def usual(symbol: str, at: datetime | None, zone: tzinfo | None = UTC) -> str:
    """The question of a symbol and a time, where nobody put it in other words; None is the machine's own zone."""
    return f"What moved {symbol} around {moment(at, zone)}?" if at else f"What moved {symbol}?"


def asked(case: Case, zone: tzinfo | None) -> str:
    """The question with its time in `zone`."""
    return usual(case.symbol, case.at, zone) if case.question == usual(case.symbol, case.at) else case.question


def dry_run(bound: Bound, formula: str, engine: str, *, priced: bool = True) -> str:
    """The worst case in two lines; `priced` says whether the price of its model calls is known."""
    money = f"${bound.usd:.4f}" if priced else "cost not known: the model has no price ([claude.prices])"
    if not bound.tokens:
        money = "$0, no model is asked"
    return f"worst case with {engine}: {bound.calls} calls, {bound.tokens:,} tokens, {money}\n  {formula}"


def moved(anchor: Anchor, zone: tzinfo = UTC) -> str:
    """The move in one line."""
    return (
        f"{anchor.symbol} {anchor.change_pct:+.2f}% in the {width(anchor)} from {moment(anchor.onset_at, zone)}"
        f"   range {anchor.range_pct:.2f}%   {size(anchor)}"
    )


def size(anchor: Anchor) -> str:
    """How large the move is against what is ordinary."""
    return f"{anchor.mads:.1f} times the median deviation of {anchor.baseline_bars} bars"


def width(anchor: Anchor) -> str:
    """The width of the onset bar in words."""
    seconds = anchor.precision_s
    if anchor.daily:
        return "day" if seconds >= 82_800 else "session"
    if seconds >= 86_400:
        return "day"
    if seconds >= 3600:
        hours = seconds / 3600
        return "hour" if hours == 1 else f"{hours:g} hours"
    return "minute" if seconds == 60 else f"{seconds / 60:g} minutes"


def moment(at: datetime, zone: tzinfo | None = UTC) -> str:
    """A time of `zone` to the minute, with the zone's name."""
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M %Z}"


def stated(one: Evidence, zone: tzinfo = UTC) -> str:
    """When evidence came out, no finer than its source stated it; a day is the publisher's and of no zone."""
    at = one.published_at
    if at is None:
        return "undated"
    if one.precision in ("day", "month"):
        return f"{at:%Y-%m-%d}" if one.precision == "day" else f"{at:%Y-%m}"
    local = at.astimezone(zone)
    return f"{local:%Y-%m-%d %H:%M:%S}" if one.precision == "second" else f"{local:%Y-%m-%d %H:%M}"


def dated(one: Evidence) -> str:
    """The day of the act where an official record dates it; "" where it does not."""
    return f" (act of {one.effective_at:%Y-%m-%d})" if one.time_kind == "effective" and one.effective_at else ""


def coming(label: str, one: Confirmation, zone: tzinfo = UTC) -> str:
    """What is awaited, and when."""
    if one.when is None:
        return f"{label} {one.what}; date not known"
    return f"{label} {one.what}: {'expected ' if one.expected else ''}{moment(one.when, zone)}"


def verdict(answer: Answer) -> str:
    """The verdict in one sentence: the cause and how sure it is, or what leaves it open and what is suspected."""
    said = VERDICTS[answer.verdict]
    if answer.anchor is None:
        return f"{said}: there are no prices that show the move"
    if answer.verdict == "unknown":
        said = f"{said}: {', '.join(answer.unknown_because)} did not answer"
    best = answer.hypotheses[0] if answer.hypotheses else None
    if best is None or best.score < MINIMAL or best.status == "refuted":
        return said
    equals = [one.title for one in answer.hypotheses if (one.score, one.status) == (best.score, best.status)]
    cause = " or ".join(equals[:2])
    if answer.verdict == "cause_found":
        return f"{said}{_FIRM[best.status]}: {cause} ({best.certainty})"
    denied = any(not one.supports and one.rank == "A" for one in best.evidence)
    against = ", which the official record does not bear out" if denied else ""
    return f"{said}; strongest suspicion: {cause} ({best.certainty}){against}"


_FIRM: Final[Mapping[Status, str]] = {
    "confirmed": " and confirmed",
    "supported": "",
    "suspected": ", suspected and not confirmed",
    "refuted": "",
}


def _head(answer: Answer, zone: tzinfo) -> Iterator[str]:
    yield asked(answer.case, zone)
    yield f"  verdict: {verdict(answer)}"
    if answer.anchor:
        yield f"  {moved(answer.anchor, zone)}"
    for note in answer.notes:
        yield f"  note: {note}"


def _hypotheses(answer: Answer, zone: tzinfo) -> Iterator[str]:
    strong = [one for one in answer.hypotheses if one.score >= MINIMAL and one.status != "refuted"]
    weak = [one for one in answer.hypotheses if one not in strong]
    if not answer.hypotheses and answer.anchor:
        yield "\nhypotheses: none; nothing on the checklist speaks for a cause"
    for one in strong or weak[:1]:
        yield from _hypothesis(one, answer, zone)
    left = weak if strong else weak[1:]
    if left:
        yield "\nset aside"
        for one in left:
            yield f"  {one.score:.2f} {one.certainty:<8}{one.status:<10} {one.title}  ({_reason(one)})"


def _hypothesis(one: Hypothesis, answer: Answer, zone: tzinfo) -> Iterator[str]:
    outlets = f"{one.outlets} outlet{'s' if one.outlets != 1 else ''}"
    yield f"\n{one.score:.2f} {one.certainty.upper():<7} {one.status:<10} {one.title}   [{one.cause_type}]"
    yield f"  {one.statement}"
    yield f"  certainty: {one.derivation.formula}, {outlets}"
    if one.confirmed_by:
        yield f"  {coming('would be confirmed by', one.confirmed_by, zone)}"
    if one.next_information and one.next_information != one.confirmed_by:
        yield f"  {coming('next information', one.next_information, zone)}"
    shown = _nearest(one.evidence)
    onset = answer.anchor.onset_at if answer.anchor else None
    marked = False
    for evidence in shown:
        if not marked and onset and evidence.published_at and evidence.published_at >= onset:
            marked = True
            yield f"    {moment(onset, zone):<20} ---- onset ----"
        yield _line(evidence, zone)
    if len(one.evidence) > len(shown):
        yield f"    ... and {len(one.evidence) - len(shown)} more"


def _line(one: Evidence, zone: tzinfo) -> str:
    copies = f" (+{one.copies} cop{'ies' if one.copies > 1 else 'y'})" if one.copies else ""
    sign = "+" if one.supports else "-"
    why = "" if one.supports or not one.why else f" [{one.why}]"
    told = f"{one.source}: {one.claim}{dated(one)}{copies}{why}"
    return f"    {stated(one, zone):<20} {sign} {one.rank} {one.timing:<10} {told}"


def _nearest(evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """The strongest ones, in the order of time."""
    if len(evidence) <= SHOWN:
        return evidence
    kept = sorted(evidence, key=lambda one: (one.rank, one.timing == "background"))[:SHOWN]
    return [one for one in evidence if one in kept]


def _reason(one: Hypothesis) -> str:
    against = next((evidence for evidence in one.evidence if not evidence.supports), None)
    return against.why if one.status == "refuted" and against else one.derivation.formula


def _coverage(answer: Answer) -> Iterator[str]:
    if not answer.coverage:
        return
    yield "\nsearched"
    for collector in COLLECTORS:
        lines = [line for line in answer.coverage if line.collector == collector]
        if lines:
            yield f"  {collector}"
            yield from (f"    {_state(line):<8} {line.source}{_detail(line)}" for line in lines)


def _state(line: Coverage) -> str:
    return line.state.upper() if line.state == "down" else line.state


def _detail(line: Coverage) -> str:
    return f": {line.detail}" if line.detail else ""


def _rest(answer: Answer) -> Iterator[str]:
    split = answer.decomposition
    if split:
        parts = (("market", split.market_pct), ("sector", split.sector_pct), ("currency", split.currency_pct))
        known = [f"{name} {value:+.2f}%" for name, value in parts if value is not None]
        yield f"\nthe move splits into {', '.join(known)}, residual {split.residual_pct:+.2f}%"
        yield f"  {'; '.join(split.basis)}"
    used, bound = answer.used, answer.bound
    by = f", read by {answer.engine} ({answer.model})" if answer.model else ""
    cost = f", {used.tokens:,} of {bound.tokens:,} tokens, ${used.usd:.4f} of ${bound.usd:.4f}" if bound.tokens else ""
    rounds = f"{answer.rounds} round{'s' if answer.rounds != 1 else ''}"
    yield f"\n{rounds}; used {used.calls} of at most {bound.calls} calls{cost}{by}"
