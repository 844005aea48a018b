"""An investigation as rows: the graph while it runs, then the answer, and the list of earlier ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len

from agents.investigation.collectors import SEARCHED
from agents.investigation.graph import NODES
from agents.investigation.models import (
    COLLECTORS,
    Bound,
    Certainty,
    Confirmation,
    CoverageState,
    Evidence,
    Hypothesis,
    Status,
    Verdict,
)
from agents.investigation.ports import NodeEvent
from agents.investigation.state import Answer
from app.investigation.asking import Found
from app.investigation.text import VERDICTS, asked, dated, size, verdict, width
from app.ui.format import bar, moment, score
from app.ui.line import Role, Span, fit, left, said
from app.ui.pages.investigation_calls import call_rows, reader_row
from app.ui.pages.page import GAP, Row, View, heading, paragraph
from app.ui.widgets.price_plot import plot
from storage.investigations import PastInvestigation

LINK = "link"
"""What a row opens that leads to an address."""
WORTH = 0.20
"""Hypotheses below this score are told in one line each."""
_TOLD = 42
"""Cells before what a piece of evidence says."""
_VERDICT_ROLE: Mapping[Verdict, Role] = {"cause_found": "good", "no_public_cause": "strong", "unknown": "warn"}
_STATE: Mapping[str, tuple[str, Role]] = {
    "running": ("◌", "note"),
    "done": ("●", "good"),
    "kept": ("●", "good"),
    "failed": ("×", "warn"),
    "waiting": ("·", "muted"),
}
_BRANCH: Mapping[str, str] = dict(zip(COLLECTORS, ("┌ ", "├ ", "└ "), strict=True))
_CERTAINTY_ROLE: Mapping[Certainty, Role] = {"high": "good", "medium": "amber", "low": "blue", "minimal": "muted"}
_STATUS_ROLE: Mapping[Status, Role] = {
    "confirmed": "good",
    "supported": "strong",
    "suspected": "note",
    "refuted": "muted",
}
_COVERAGE: Mapping[CoverageState, tuple[str, Role]] = {
    "found": ("● found", "good"),
    "nothing": ("○ nothing", "soft"),
    "down": ("× down", "warn"),
}


def graph_rows(question: str, events: Sequence[NodeEvent], bound: Bound, view: View) -> list[Row]:
    """The graph as it runs: every node's state, what it brought, and what is used of the bound."""
    latest = {event.node: event for event in events}
    spent = {(event.node, event.round): event.calls for event in events}
    rounds = max((event.round for event in events), default=1)
    rows = [*paragraph(said(question), view, "title"), GAP]
    for node in NODES:
        event = latest.get(node)
        sign, role = _STATE[event.state if event else "waiting"]
        branch = _BRANCH.get(node, "  ")
        again = f" · round {event.round}" if event and event.round > 1 else ""
        line = (
            Span(left(branch, 2), "faint"),
            Span(left(node, 17), "text"),
            Span(left(f"{sign} {event.state if event else 'waiting'}{again}", 20), role),
        )
        rows.append(Row((*line, Span(fit(said(event.detail) if event else "", view.cells - 39), "soft"))))
    rows += [
        GAP,
        Row((Span(f"round {rounds} of at most 2 · {sum(spent.values())} of at most {_most(bound)}", "muted"),)),
    ]
    return rows


def answer_rows(found: Found, view: View) -> list[Row]:
    """The answer: verdict, plot with the evidence in time, hypotheses, coverage, and what was used."""
    answer = found.answer
    question = paragraph(said(asked(answer.case, view.zone)), view, "title")
    rows = [*question, *_verdict(answer, view), GAP, *_move(answer, view)]
    if found.sighted is not None:
        every = [evidence for one in answer.hypotheses if one.status != "refuted" for evidence in one.evidence]
        lines = plot(found.sighted, every, view.cells, view.zone)
        rows += [GAP, *(Row(line) for line in lines)] if lines else []
    strong = [one for one in answer.hypotheses if one.score >= WORTH and one.status != "refuted"]
    for one in strong:
        rows += [GAP, *_hypothesis(one, view)]
    rows += _aside([one for one in answer.hypotheses if one not in strong], view)
    return [*rows, *_coverage(answer, view), *_rest(answer, view), *call_rows(found.calls, view)]


def past_rows(past: Sequence[PastInvestigation], view: View) -> list[Row]:
    """Earlier investigations, the newest first; enter opens one."""
    rows = [Row((Span("Investigations", "title"), Span(f"  {len(past)}", "muted"))), GAP]
    if not past:
        told = "None yet. Press n and type a symbol, with a time where you know it: USDJPY 2024-04-29 13:00"
        return [*rows, *paragraph(told, view, "muted")]
    for one in past:
        verdict = VERDICTS[one.verdict] if one.verdict else "interrupted"
        role: Role = _VERDICT_ROLE[one.verdict] if one.verdict else "warn"
        head = (
            Span(left(moment(one.onset_at or one.case.asked_at, view.now, view.zone, "minute"), 22), "soft"),
            Span(left(said(one.case.symbol), 10), "symbol"),
            Span(left(verdict, 24), role),
        )
        rows.append(Row((*head, Span(fit(said(one.headline), view.cells - 56), "text")), opens=one.case.id))
        if one.changed:
            rows.append(Row((Span(" " * 32), Span(fit(f"re-checked: {said(one.changed)}", view.cells - 32), "note"))))
        elif one.recheck_at:
            when = moment(one.recheck_at, view.now, view.zone, "minute")
            rows.append(Row((Span(" " * 32), Span(fit(f"next information {when}", view.cells - 32), "muted"))))
    return rows


def _most(bound: Bound) -> str:
    money = f", ${bound.usd:.2f}" if bound.usd else ""
    return f"{bound.calls} calls{money}"


def _move(answer: Answer, view: View) -> Iterator[Row]:
    anchor = answer.anchor
    if anchor is None:
        return
    role: Role = "up" if anchor.direction == "up" else "down" if anchor.direction == "down" else "note"
    sign = {"up": "▲", "down": "▼", "both": "↕"}[anchor.direction]
    told = (
        Span(f"{sign} {anchor.change_pct:+.2f}%", role),
        Span(f" in the {width(anchor)} from "),
        Span(moment(anchor.onset_at, view.now, view.zone, "minute"), "strong"),
    )
    yield Row(told)
    yield Row((Span(fit(f"range {anchor.range_pct:.2f}% · {size(anchor)}", view.cells), "muted"),))
    for note in answer.notes:
        yield from paragraph(said(note), view, "muted")


def _verdict(answer: Answer, view: View) -> Iterator[Row]:
    yield from paragraph(said(verdict(answer)), view, _VERDICT_ROLE[answer.verdict])
    if answer.anchor is None:
        for note in answer.notes:
            yield from paragraph(said(note), view, "muted")


def _hypothesis(one: Hypothesis, view: View) -> Iterator[Row]:
    role = _CERTAINTY_ROLE[one.certainty]
    yield Row(
        (
            Span(score(one.score) + " ", role),
            *bar(one.score, 10, role),
            Span(f" {one.certainty} ", role),
            Span(f"{one.status}  ", _STATUS_ROLE[one.status]),
            Span(fit(said(one.title), view.cells - 36), "title"),
        )
    )
    yield from paragraph(said(one.statement), view, indent=2)
    outlets = f"{one.outlets} outlet{'s' if one.outlets != 1 else ''}"
    yield Row(
        (Span("  "), Span(fit(f"{one.derivation.formula} · {outlets} · {one.cause_type}", view.cells - 2), "muted"))
    )
    if one.confirmed_by:
        yield from _awaited("confirmed by", one.confirmed_by, view)
    if one.next_information and one.next_information != one.confirmed_by:
        yield from _awaited("next", one.next_information, view)
    for evidence in one.evidence:
        yield from _evidence(evidence, view)


def _awaited(label: str, one: Confirmation, view: View) -> Iterator[Row]:
    when = "date not known"
    if one.when is not None:
        when = f"{'expected ' if one.expected else ''}{moment(one.when, view.now, view.zone, 'minute')}"
    yield from paragraph(f"{label}: {said(one.what)}, {when}", view, "soft", indent=2)


def _evidence(one: Evidence, view: View) -> Iterator[Row]:
    """What it says beside its rank and times, below them where it does not fit."""
    when = moment(one.published_at, view.now, view.zone, one.precision) if one.published_at else "undated"
    sign = Span("+ ", "good") if one.supports else Span("− ", "bad")
    more = f" +{one.copies}" if one.copies else ""
    told = said(f"{one.source}: {one.claim}{dated(one)}{more}")
    beside = cell_len(told) <= view.cells - _TOLD
    line = (
        Span("  "),
        sign,
        Span(f"{one.rank} ", "strong"),
        Span(left(one.timing, 11), "soft"),
        Span(left(when, 25), "muted"),
        Span(told if beside else fit(said(one.source), view.cells - _TOLD), "text" if beside else "soft"),
    )
    yield Row(line, opens=LINK if one.source_url else None, link=one.source_url)
    if not beside:
        yield from paragraph(said(f"{one.claim}{dated(one)}{more}"), view, indent=6)


def _aside(left_out: Sequence[Hypothesis], view: View) -> list[Row]:
    if not left_out:
        return []
    rows = [GAP, heading("Set aside")]
    for one in left_out:
        against = next((evidence for evidence in one.evidence if not evidence.supports), None)
        why = against.why if against and one.status == "refuted" else one.derivation.formula
        told = fit(said(f"{one.title} ({why})"), view.cells - 18)
        rows.append(
            Row((Span(f"  {score(one.score)} ", "muted"), Span(left(one.status, 11), "muted"), Span(told, "soft")))
        )
    return rows


def _coverage(answer: Answer, view: View) -> Iterator[Row]:
    if not answer.coverage:
        return
    yield GAP
    yield heading("What was searched")
    for collector in COLLECTORS:
        for line in answer.coverage:
            if line.collector == collector:
                word, role = _COVERAGE[line.state]
                told = f"{line.source}: {line.detail}" if line.detail not in ("", SEARCHED) else line.source
                name = Span(left(collector, 17), "muted")
                yield Row(
                    (Span("  "), name, Span(left(word, 11), role), Span(fit(said(told), view.cells - 30), "text"))
                )


def _rest(answer: Answer, view: View) -> Iterator[Row]:
    split = answer.decomposition
    if split:
        parts = (("market", split.market_pct), ("sector", split.sector_pct), ("currency", split.currency_pct))
        known = [f"{name} {value:+.2f}%" for name, value in parts if value is not None]
        yield GAP
        yield heading("How the move splits")
        yield from paragraph(f"{', '.join(known)}, residual {split.residual_pct:+.2f}%", view, indent=2)
        yield from paragraph(said("; ".join(split.basis)), view, "muted", indent=2)
    yield GAP
    rounds = f"{answer.rounds} round{'s' if answer.rounds != 1 else ''}"
    used = f"{rounds}, {answer.used.calls} of at most {_most(answer.bound)}"
    yield Row((Span(used, "muted"),))
    yield reader_row(answer, view)
