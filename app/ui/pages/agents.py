"""The agents' page, and one agent opened: draft beside final, the sum, the critique, the confidence, the evidence."""

from __future__ import annotations

from collections.abc import Iterator

from agents.models import Abstention, AgentName, Assessment, Outcome, Report
from app.ui.format import bar, count, impact_role, score, signed, span_of, words
from app.ui.line import Role, Span, left, right, said
from app.ui.pages.calls import call_rows
from app.ui.pages.page import GAP, INDENT, LABEL_CELLS, Row, View, heading, labelled, listed, paragraph, wrapped
from app.ui.pages.parts import (
    CAUSE_WORDS,
    LOOKS_FOR,
    agent_reason,
    agent_row,
    answered,
    evidence_row,
    tally,
    ticker_row,
)
from storage.models import CardDetail

_SIDE_CELLS = 20


def agents_page(detail: CardDetail, view: View) -> Iterator[Row]:
    """All five: what each drafted, what it stands by, why, and what it rests on."""
    if not detail.outcomes:
        yield Row((Span("the agents have not answered yet", "muted"),))
        return
    for index, outcome in enumerate(detail.outcomes):
        if index:
            yield GAP
        yield agent_row(outcome, view)
        if reason := agent_reason(outcome):
            yield from paragraph(reason, view, "soft", indent=INDENT, limit=2)
        parts = [Span(_critique_words(outcome), "muted")] if isinstance(outcome, Report) else []
        found = tally(outcome.evidence) or [Span("no evidence", "muted")]
        yield from listed([*parts, *found], view, indent=INDENT)


def _critique_words(report: Report) -> str:
    if not report.critique.faults:
        return "draft kept: no fault found"
    return f"{count(len(report.critique.faults), 'fault')} found in the draft"


def agent_page(detail: CardDetail, agent: AgentName, view: View) -> Iterator[Row]:
    """One agent's whole work on the item."""
    outcome = next((one for one in detail.outcomes if one.agent == agent), None)
    yield Row((Span(agent, "title"), Span(f"  {LOOKS_FOR[agent]}", "muted")))
    if outcome is None:
        yield Row((Span("has not answered yet", "muted"),))
        return
    yield Row((Span(_made_by(outcome), "muted"),))
    yield GAP
    if isinstance(outcome, Abstention):
        yield from _abstained(outcome, view)
    else:
        yield from _assessments(outcome, view)
        yield from _arithmetic(outcome)
        yield from _critique(outcome, view)
        yield from _agent_tickers(outcome, view)
    yield GAP
    yield from listed(tally(outcome.evidence), view, start=(Span(f"evidence {len(outcome.evidence)}  ", "muted"),))
    for evidence in outcome.evidence:
        yield evidence_row(agent, evidence, view)
    yield from call_rows(detail, agent)


def _made_by(outcome: Outcome) -> str:
    cost = "" if outcome.cost_usd is None else f" · ${outcome.cost_usd:.4f}"
    took = f"{outcome.elapsed_ms:.1f} ms" if outcome.elapsed_ms < 1_000 else span_of(outcome.elapsed_ms / 1_000)
    return f"{outcome.model or outcome.engine} · {took}{cost}"


def _abstained(outcome: Abstention, view: View) -> Iterator[Row]:
    yield Row((Span("abstained: ", "warn"), Span(CAUSE_WORDS[outcome.cause], "strong")))
    yield from paragraph(said(outcome.detail, limit=1_000), view, "soft")
    yield Row((Span("It counts neither as low nor as neutral.", "muted"),))


def _assessments(report: Report, view: View) -> Iterator[Row]:
    draft, final = report.draft, report.final
    role = impact_role(final.impact_score)
    side = min(_SIDE_CELLS, (view.cells - LABEL_CELLS) // 2)
    room = min(12, view.cells - LABEL_CELLS - side - 5)
    yield Row((Span(" " * LABEL_CELLS), Span(left("draft", side), "muted"), Span("final", "muted")))
    yield labelled(
        "impact",
        Span(left(score(draft.impact_score), side), "soft"),
        Span(f"{score(final.impact_score)} ", role),
        *(bar(final.impact_score, room, role) if room >= 4 else ()),
    )
    for label, before, after in _sides(draft, final):
        changed: Role = "strong" if before != after else "text"
        yield labelled(label, Span(left(before, side), "soft"), Span(after, changed))
    yield GAP
    heard, mandatory = answered(report.agent, report.evidence)
    reported = score(final.confidence_score)
    yield labelled(
        "confidence", Span(f"{reported} reported → "), Span(score(report.confidence_score), "title"), Span(" counted")
    )
    yield from wrapped("", f"{reported} × (0.5 + 0.5 × {heard} of {mandatory} tools answered)", view, "muted")
    yield GAP
    yield from wrapped("why", said(final.rationale), view)
    if draft.rationale != final.rationale:
        yield from wrapped("first said", said(draft.rationale), view, "muted")


def _sides(draft: Assessment, final: Assessment) -> Iterator[tuple[str, str, str]]:
    yield "event", _event(draft), _event(final)
    yield "type", words(draft.signal_type), words(final.signal_type)
    yield "tone", _tone(draft), _tone(final)


def _event(assessment: Assessment) -> str:
    return words(assessment.event_type) if assessment.event_type else "none"


def _tone(assessment: Assessment) -> str:
    return "no view" if assessment.tone is None else signed(assessment.tone)


def _arithmetic(report: Report) -> Iterator[Row]:
    terms = report.final.arithmetic
    if not terms:
        return
    yield GAP
    yield heading("how the final impact adds up")
    for term in terms:
        yield Row((Span(right(signed(term.amount), 7) + "  ", "strong"), Span(said(term.label, limit=200), "soft")))
    total = sum(term.amount for term in terms)
    yield Row(
        (Span(right(score(total) if 0 <= total <= 1 else signed(total), 7) + "  ", "title"), Span("sum", "muted"))
    )


def _critique(report: Report, view: View) -> Iterator[Row]:
    yield GAP
    critique = report.critique
    yield heading("critique of the draft")
    if not critique.faults:
        yield Row((Span("no fault found; the draft stands unchanged", "soft"),))
    for fault in critique.faults:
        yield Row((Span("! ", "warn"), Span(said(fault.pointer, limit=200), "symbol")))
        yield from paragraph(said(fault.statement, limit=600), view, "soft", indent=INDENT)
    for fault in critique.refused:
        yield Row((Span("refused ", "muted"), Span(f"points at nothing: {said(fault.pointer, limit=120)}", "muted")))


def _agent_tickers(report: Report, view: View) -> Iterator[Row]:
    if report.final.tickers_linked or report.dropped_tickers or report.held:
        yield GAP
        yield heading("tickers it names")
    for ticker in report.final.tickers_linked:
        yield ticker_row(ticker, view)
    for note in report.held:
        yield from paragraph(f"held by code: {said(note, limit=200)}", view, "muted")
    if report.dropped_tickers:
        names = ", ".join(said(symbol, limit=20) for symbol in report.dropped_tickers)
        yield from paragraph(f"dropped, nobody could have known them: {names}", view, "muted")
