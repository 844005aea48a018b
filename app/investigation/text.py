"""An investigation as plain text for a person: verdict, each hypothesis with its arithmetic, and what was searched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from agents.investigation.models import COLLECTORS, Anchor, Bound, Confirmation, Coverage, Evidence, Hypothesis
from agents.investigation.state import Answer

VERDICTS: Final = {
    "cause_found": "cause found",
    "no_public_cause": "no public cause found",
    "unknown": "unknown",
}
SHOWN: Final = 8
"""So many pieces of evidence are shown per hypothesis; the rest is counted."""
_MINIMAL: Final = 0.20


def readable(answer: Answer) -> str:
    """The whole answer; times in UTC."""
    return "\n".join((*_head(answer), *_hypotheses(answer), *_coverage(answer), *_rest(answer), ""))


def dry_run(bound: Bound, formula: str, engine: str) -> str:
    """The worst case in two lines."""
    money = f"${bound.usd:.4f}" if bound.usd else "$0, no model is asked"
    return f"worst case with {engine}: {bound.calls} calls, {bound.tokens:,} tokens, {money}\n  {formula}"


def moved(anchor: Anchor) -> str:
    """The move in one line."""
    return (
        f"{anchor.symbol} {anchor.change_pct:+.2f}% in the {width(anchor)} from {moment(anchor.onset_at)}"
        f"   range {anchor.range_pct:.2f}%   {anchor.mads:.1f} median deviations of {anchor.baseline_bars} bars"
    )


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


def moment(at: datetime) -> str:
    """A time in UTC to the minute."""
    return f"{at:%Y-%m-%d %H:%M} UTC"


def stated(one: Evidence) -> str:
    """The time of evidence no finer than its source stated it; that of the act where the record dates it."""
    at = one.effective_at if one.time_kind == "effective" else one.published_at
    if at is None:
        return "undated"
    if one.time_kind == "effective" or one.precision == "day":
        return f"{at:%Y-%m-%d}"
    if one.precision == "month":
        return f"{at:%Y-%m}"
    return f"{at:%Y-%m-%d %H:%M:%S}" if one.precision == "second" else f"{at:%Y-%m-%d %H:%M}"


def coming(label: str, one: Confirmation) -> str:
    """What is awaited, and when."""
    if one.when is None:
        return f"{label} {one.what}; date not known"
    return f"{label} {one.what}: {'expected ' if one.expected else ''}{moment(one.when)}"


def verdict(answer: Answer) -> str:
    """The verdict in words, with the sources that leave it open."""
    said = VERDICTS[answer.verdict]
    if answer.verdict == "unknown":
        return f"{said}: {', '.join(answer.unknown_because)} did not answer"
    return said


def _head(answer: Answer) -> Iterator[str]:
    yield answer.case.question
    if answer.anchor:
        yield f"  {moved(answer.anchor)}"
    yield f"  verdict: {verdict(answer)}"
    for note in answer.notes:
        yield f"  note: {note}"
    best = answer.hypotheses[0] if answer.hypotheses else None
    if best and answer.verdict != "cause_found" and best.score >= _MINIMAL and best.status != "refuted":
        yield f"  strongest suspicion: {best.title} ({best.certainty}, {best.status})"


def _hypotheses(answer: Answer) -> Iterator[str]:
    strong = [one for one in answer.hypotheses if one.score >= _MINIMAL and one.status != "refuted"]
    weak = [one for one in answer.hypotheses if one not in strong]
    if not answer.hypotheses and answer.anchor:
        yield "\nhypotheses: none; nothing on the checklist speaks for a cause"
    for one in strong or weak[:1]:
        yield from _hypothesis(one, answer)
    left = weak if strong else weak[1:]
    if left:
        yield "\nset aside"
        for one in left:
            yield f"  {one.score:.2f} {one.certainty:<8}{one.status:<10} {one.title}  ({_reason(one)})"


def _hypothesis(one: Hypothesis, answer: Answer) -> Iterator[str]:
    outlets = f"{one.outlets} outlet{'s' if one.outlets != 1 else ''}"
    yield f"\n{one.score:.2f} {one.certainty.upper():<7} {one.status:<10} {one.title}   [{one.cause_type}]"
    yield f"  {one.statement}"
    yield f"  certainty: {one.derivation.formula}, {outlets}"
    if one.confirmed_by:
        yield f"  {coming('would be confirmed by', one.confirmed_by)}"
    if one.next_information and one.next_information != one.confirmed_by:
        yield f"  {coming('next information', one.next_information)}"
    shown = _nearest(one.evidence)
    onset = answer.anchor.onset_at if answer.anchor else None
    marked = False
    for evidence in shown:
        if not marked and onset and evidence.published_at and evidence.published_at >= onset:
            marked = True
            yield f"    {moment(onset)[:16]}     ---- onset ----"
        yield _line(evidence)
    if len(one.evidence) > len(shown):
        yield f"    ... and {len(one.evidence) - len(shown)} more"


def _line(one: Evidence) -> str:
    copies = f" (+{one.copies} cop{'ies' if one.copies > 1 else 'y'})" if one.copies else ""
    sign = "+" if one.supports else "-"
    why = "" if one.supports or not one.why else f" [{one.why}]"
    return f"    {stated(one):<20} {sign} {one.rank} {one.timing:<10} {one.source}: {one.claim}{copies}{why}"


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
    yield (
        f"\n{answer.rounds} round{'s' if answer.rounds != 1 else ''}; used {used.calls} of at most {bound.calls} calls,"
        f" {used.tokens:,} of {bound.tokens:,} tokens, ${used.usd:.4f} of ${bound.usd:.4f}"
    )
