"""A scored item as plain text for a person: every number with who gave it and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from agents.models import Abstention, Outcome, Report, Signal
from feeds.models import Item

ARROWS = {"up": "▲", "down": "▼", "unclear": "?"}
NAME_WIDTH = 14
INDENT = " " * 6


def readable(item: Item, signal: Signal) -> str:
    """Urgency, impact, tickers, each agent from draft to final with its reasons, and what the tools answered."""
    return "\n".join((*_head(item, signal), *_tickers(signal), *_agents(signal), *_evidence(signal), ""))


def _head(item: Item, signal: Signal) -> Iterator[str]:
    total = signal.synthesis
    if total is None:
        yield f"unscored  {item.title}"
        yield "  no agent could score it"
        return
    yield f"{signal.urgency}  {item.title}"
    flags: list[str] = [total.event_type or total.signal_type]
    if signal.degraded:
        flags.append("degraded: urgency is one lower")
    yield (
        f"  impact {total.impact_score:.2f}   confidence {total.confidence_score:.2f}   "
        f"agreement {total.agreement:.2f}   novelty {signal.novelty:.2f}   "
        f"{total.agents_ok} of {len(signal.outcomes)} agents   {'   '.join(flags)}"
    )
    tone = "" if total.tone is None else f"   tone {total.tone:+.2f}"
    yield f"  reading: {signal.reading}{tone}{_thinker(signal)}"
    yield from (f"  note: {note}" for note in signal.notes)


def _thinker(signal: Signal) -> str:
    """Which model thought and what it cost; nothing where rules did."""
    if signal.model is None:
        return ""
    return f"   {signal.model}, " + ("unpriced" if signal.cost_usd is None else f"${signal.cost_usd:.4f}")


def _tickers(signal: Signal) -> Iterator[str]:
    if signal.synthesis and signal.synthesis.tickers_linked:
        yield "  tickers"
        for ticker in signal.synthesis.tickers_linked:
            arrow = ARROWS[ticker.direction]
            yield f"    {ticker.symbol:<8} {arrow} {ticker.impact_score:.2f}  {ticker.link_type:<6}  {ticker.reason}"


def _agents(signal: Signal) -> Iterator[str]:
    yield "  agents                 draft    final   confidence"
    for outcome in signal.outcomes:
        yield from _report(outcome) if isinstance(outcome, Report) else _abstention(outcome)


def _report(report: Report) -> Iterator[str]:
    final, draft = report.final, report.draft
    reported = final.confidence_score
    counted = f"{report.confidence_score:.2f}"
    if abs(reported - report.confidence_score) >= 0.005:
        counted = f"{counted} (reported {reported:.2f})"
    kind = final.event_type or final.signal_type
    scores = f"{draft.impact_score:.2f} -> {final.impact_score:.2f}"
    yield f"    {report.agent:<{NAME_WIDTH}}      {scores}    {counted}   {kind}"
    if final.rationale:
        yield f"{INDENT}{final.rationale}"
    for fault in report.critique.faults:
        yield f'{INDENT}corrected: {fault.statement} ["{fault.pointer}"]'


def _abstention(abstention: Abstention) -> Iterator[str]:
    yield f"    {abstention.agent:<{NAME_WIDTH}}      abstained: {abstention.cause}: {abstention.detail}"


def _evidence(signal: Signal) -> Iterator[str]:
    answers = [evidence for outcome in signal.outcomes for evidence in _of(outcome)]
    if not answers:
        yield "  evidence: no tool was asked"
        return
    words = {"ok": "found", "not_configured": "not configured", "unavailable": "down"}
    counts = Counter(words.get(status, status) for status in answers)
    yield f"  evidence: {len(answers)} asked, " + ", ".join(f"{count} {word}" for word, count in counts.most_common())


def _of(outcome: Outcome) -> Iterator[str]:
    return (evidence.status for evidence in outcome.evidence)
