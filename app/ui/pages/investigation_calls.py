"""Who read the records of an investigation, and the calls to the model by which it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agents.calls import ModelCall
from agents.investigation.state import Answer
from app.ui.format import count
from app.ui.line import Span, fit, left, said
from app.ui.pages.calls import call_figures
from app.ui.pages.page import GAP, CallPlace, Row, View, heading


def reader_row(answer: Answer, view: View) -> Row:
    """Who read, and what that cost."""
    used = answer.used
    by = f"{answer.engine} ({said(answer.model, limit=60)})" if answer.model else answer.engine
    cost = f" · {used.tokens:,} tokens · ${used.usd:.4f}" if answer.model else ""
    return Row((Span(fit(f"read by {by}{cost}", view.cells), "muted"),))


def call_rows(calls: Sequence[ModelCall], view: View) -> Iterator[Row]:
    """The calls in their order, a row each; enter opens one."""
    if not calls:
        return
    yield GAP
    yield heading(f"{count(len(calls), 'call')} to the model")
    for number, call in enumerate(calls):
        sign, told, role = call_figures(call)
        again = f" {call.revision}" if call.revision > 1 else ""
        node = Span(left(f"{call.agent}{again}", 17), "text")
        yield Row((Span("  "), sign, node, Span(fit(told, view.cells - 21), role)), opens=CallPlace(call.agent, number))
