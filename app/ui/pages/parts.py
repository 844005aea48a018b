"""Pieces that several pages share: agent rows, evidence tallies, ticker rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agents.models import (
    ANSWERED,
    Abstention,
    AbstentionCause,
    AgentName,
    Assessment,
    Evidence,
    EvidenceStatus,
    LinkedTicker,
    Outcome,
    Report,
    TickerLink,
)
from agents.specialists import SPECIALISTS
from app.ui.format import DIRECTION_ROLE, DIRECTION_SIGN, bar, count, impact_role, score, words
from app.ui.line import Line, Role, Span, fit, left, said, width
from app.ui.pages.page import AgentPlace, EvidencePlace, Place, Row, View, heading

MANDATORY: dict[AgentName, tuple[str, ...]] = {one.name: tuple(one.tools) for one in SPECIALISTS}
LOOKS_FOR: dict[AgentName, str] = {one.name: one.looks_for for one in SPECIALISTS}

STATUS_WORD: dict[EvidenceStatus, str] = {
    "ok": "found",
    "empty": "empty",
    "unavailable": "down",
    "not_configured": "not set up",
    "stale": "stale",
}
STATUS_SIGN: dict[EvidenceStatus, str] = {
    "ok": "●",
    "empty": "○",
    "unavailable": "×",
    "not_configured": "–",
    "stale": "◌",
}
STATUS_ROLE: dict[EvidenceStatus, Role] = {
    "ok": "good",
    "empty": "soft",
    "unavailable": "warn",
    "not_configured": "muted",
    "stale": "note",
}
CAUSE_WORDS: dict[AbstentionCause, str] = {
    "timeout": "out of time",
    "refusal": "the model refused",
    "malformed": "an answer that could not be read",
    "truncated": "an answer that was cut off",
    "budget": "the budget is spent",
    "unavailable": "the engine could not be reached",
    "authentication": "the key was not accepted",
    "error": "an error inside the agent",
}
_NAME_CELLS = 15


def reports(outcomes: Iterable[Outcome]) -> list[Report]:
    """The agents that succeeded."""
    return [outcome for outcome in outcomes if isinstance(outcome, Report)]


def answered(agent: AgentName, evidence: Sequence[Evidence]) -> tuple[int, int]:
    """How many of the agent's mandatory tools gave an answer, and how many it has."""
    mandatory = MANDATORY[agent]
    heard = {one.tool for one in evidence if one.status in ANSWERED}
    return sum(tool in heard for tool in mandatory), len(mandatory)


def kind(assessment: Assessment) -> str:
    """The event, else the type of news."""
    return words(assessment.event_type or assessment.signal_type)


def rule_words(rule: str) -> str:
    """The urgency rule as a person reads it."""
    return said(rule).replace("_", " ").replace(">=", "≥")


def agent_head(view: View) -> Row:
    """What stands above the columns of `agent_row`."""
    return heading(left("agent", _NAME_CELLS) + left("draft  final", 12 + _bar_cells(view)) + "   conf")


def _bar_cells(view: View) -> int:
    return 12 if view.cells >= 62 else 6 if view.cells >= 58 else 0


def agent_row(outcome: Outcome, view: View) -> Row:
    """Draft, final and counted confidence of one agent on a line; the figures of all five stand in columns."""
    name = Span(left(outcome.agent, _NAME_CELLS), "text")
    place = AgentPlace(outcome.agent)
    if isinstance(outcome, Abstention):
        return Row((name, Span("abstained ", "warn"), Span(CAUSE_WORDS[outcome.cause], "soft")), opens=place)
    draft, final = outcome.draft.impact_score, outcome.final.impact_score
    role = impact_role(final)
    cells = _bar_cells(view)
    line: Line = (
        name,
        Span(score(draft), "muted"),
        Span(" = " if draft == final else " → ", "muted"),
        Span(score(final), role),
        *((Span(" "), *bar(final, cells, role)) if cells else ()),
        Span(f"  c{score(outcome.confidence_score)}  ", "soft"),
    )
    event = Span(
        fit(kind(outcome.final), max(view.cells - width(line), 0)), "text" if outcome.final.event_type else "muted"
    )
    return Row((*line, event), opens=place)


def agent_reason(outcome: Outcome) -> str:
    """Why, in the agent's own words or the cause's."""
    return said(outcome.detail if isinstance(outcome, Abstention) else outcome.final.rationale, limit=600)


def tally(evidence: Iterable[Evidence]) -> list[Span]:
    """How the tools answered, in words: "11 found", "2 empty", "1 down"."""
    found: dict[EvidenceStatus, int] = {}
    for one in evidence:
        found[one.status] = found.get(one.status, 0) + 1
    return [
        Span(f"{found[status]} {STATUS_WORD[status]}", STATUS_ROLE[status]) for status in STATUS_WORD if status in found
    ]


def evidence_row(agent: AgentName, evidence: Evidence, view: View) -> Row:
    """One answer of one tool on a line."""
    line: Line = (
        Span(f"{STATUS_SIGN[evidence.status]} ", STATUS_ROLE[evidence.status]),
        Span(left(STATUS_WORD[evidence.status], 12), STATUS_ROLE[evidence.status]),
        Span(left(evidence.tool, 24), "text"),
    )
    found = count(len(evidence.items), "finding") if evidence.items or not evidence.detail else ""
    told = " · ".join(part for part in (found, said(evidence.detail, limit=400)) if part)
    rest = Span(fit(told, max(view.cells - width(line), 0)), "muted")
    return Row((*line, rest), opens=EvidencePlace(agent, evidence.id), link=evidence.url)


def ticker_row(ticker: TickerLink | LinkedTicker, view: View, opens: Place | None = None) -> Row:
    """Symbol, direction, impact, link type and reason in columns."""
    line: Line = (
        Span(left(said(ticker.symbol, limit=20), 10), "symbol"),
        Span(f"{DIRECTION_SIGN[ticker.direction]} ", DIRECTION_ROLE[ticker.direction]),
        Span(f"{score(ticker.impact_score)}  ", "strong"),
        Span(left(ticker.link_type, 8), "soft"),
    )
    if isinstance(ticker, LinkedTicker):
        line = (*line, Span(left(count(len(ticker.agents), "agent"), 10), "muted"))
    told = said(ticker.reason, limit=300)
    return Row((*line, Span(fit(told, max(view.cells - width(line), 0)), "muted")), opens=opens)
