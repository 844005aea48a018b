"""The evidence page, and one evidence opened: source, address, times as exact as they are, the answer itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from agents.models import AgentName, Evidence, EvidenceItem
from app.ui.format import count, moment
from app.ui.line import Span, fit, said
from app.ui.pages.page import GAP, INDENT, EvidencePlace, Row, View, heading, labelled, listed, paragraph, wrapped
from app.ui.pages.parts import STATUS_ROLE, STATUS_SIGN, STATUS_WORD, evidence_row, tally
from storage.models import CardDetail

MEANING = {
    "ok": "asked, and something was found",
    "empty": "asked, and there is nothing",
    "unavailable": "could not be asked; this is not the same as no news",
    "not_configured": "nothing is set up that could answer",
    "stale": "an older answer, because a fresh one could not be had",
}
NOBODY_ASKED = "nobody was asked: there was nothing to ask about"
TIME_WORD = {
    "published": "published",
    "first_seen": "first seen",
    "effective": "in force from",
    "observation": "observed",
    "filed": "filed",
}
RAW_LINES = 60


def evidence_page(detail: CardDetail, view: View) -> Iterator[Row]:
    """Every answer of every tool, agent by agent."""
    everything = [one for outcome in detail.outcomes for one in outcome.evidence]
    if not everything:
        yield Row((Span("no tool has answered for this card", "muted"),))
        return
    yield from listed(tally(everything), view, start=(Span(f"{count(len(everything), 'answer')}  ", "text"),))
    for outcome in detail.outcomes:
        if not outcome.evidence:
            continue
        yield GAP
        yield heading(outcome.agent)
        for evidence in outcome.evidence:
            yield evidence_row(outcome.agent, evidence, view)


def find(detail: CardDetail, place: EvidencePlace) -> Evidence | None:
    """The evidence a place names."""
    for outcome in detail.outcomes:
        if outcome.agent == place.agent:
            return next((one for one in outcome.evidence if one.id == place.evidence_id), None)
    return None


def one_evidence(detail: CardDetail, place: EvidencePlace, view: View) -> Iterator[Row]:
    """One answer with all it rests on."""
    evidence = find(detail, place)
    if evidence is None:
        yield Row((Span("this evidence is gone: the item was scored again", "muted"),))
        return
    yield from _head(evidence, place.agent, view)
    if evidence.items:
        yield GAP
        yield heading(count(len(evidence.items), "finding"))
    for item in evidence.items:
        yield from _finding(item, view)
    if evidence.raw:
        yield from _raw(evidence.raw, view)


def _head(evidence: Evidence, agent: AgentName, view: View) -> Iterator[Row]:
    role = STATUS_ROLE[evidence.status]
    idle = evidence.status == "empty" and not evidence.source
    yield Row((Span(evidence.tool, "title"), Span(f"  asked by {agent}", "muted")), link=evidence.url)
    yield Row(
        (
            Span(f"{STATUS_SIGN[evidence.status]} {STATUS_WORD[evidence.status]}", role),
            Span(f"  {NOBODY_ASKED if idle else MEANING[evidence.status]}", "muted"),
        )
    )
    yield GAP
    if evidence.detail:
        yield from wrapped("note" if evidence.status == "ok" else "because", said(evidence.detail), view)
    if idle:
        return
    yield from wrapped("source", said(evidence.source) or "none", view)
    if evidence.url:
        for row in wrapped("address", said(evidence.url), view, "symbol"):
            yield Row(row.line, link=evidence.url)
    asked = moment(evidence.fetched_at, view.now, view.zone)
    yield labelled("asked", Span(asked), Span(f"  answered in {evidence.elapsed_ms:.1f} ms", "muted"))


def _finding(item: EvidenceItem, view: View) -> Iterator[Row]:
    for index, row in enumerate(paragraph(said(item.text), view, indent=INDENT, limit=4)):
        first = (Span("· ", "muted"), Span(row.line[0].text[INDENT:], "text")) if index == 0 else row.line
        yield Row(first, link=item.url)
    told: list[Span] = []
    if item.at is not None:
        told.append(
            Span(f"{TIME_WORD[item.time_kind]} {moment(item.at, view.now, view.zone, item.precision)}", "muted")
        )
        if item.precision not in ("second", "minute"):
            told.append(
                Span(f"known to the {item.precision}" if item.precision != "unknown" else "precision unknown", "soft")
            )
    else:
        told.append(Span("undated", "warn"))
    if item.source:
        told.append(Span(said(item.source, limit=80), "muted"))
    yield from listed(told, view, indent=INDENT, link=item.url)
    if item.values:
        values = "   ".join(f"{said(name, limit=40)} {value:g}" for name, value in item.values)
        yield Row((Span(" " * INDENT + fit(values, view.cells - INDENT), "soft"),))


def _raw(raw: str, view: View) -> Iterator[Row]:
    yield GAP
    yield heading("the answer as it came")
    lines = list(_laid_out(raw))
    for line in lines[:RAW_LINES]:
        yield from paragraph(said(line, limit=4_000), view, "muted")
    if len(lines) > RAW_LINES:
        yield Row((Span(f"… {len(lines) - RAW_LINES} more lines", "muted"),))


def _laid_out(raw: str) -> Iterator[str]:
    """The lines of an answer, those of whole JSON in steps; each source's part begins with a line of its own."""
    for part in re.split(r"(?m)^(== .*)$", raw):
        if part.strip():
            yield from _in_steps(part.strip("\n")).splitlines()


def _in_steps(text: str) -> str:
    """JSON as people read it; any other text, and JSON that was cut, as it is."""
    try:
        value = json.loads(text)
        return json.dumps(value, indent=2, ensure_ascii=False) if isinstance(value, dict | list) else text
    except (ValueError, RecursionError):
        return text
