"""Cost and latency stage by stage as rows, with bars on one scale so that the slowest stage is seen at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agents.models import EvidenceStatus
from app.pipeline.status import Status
from app.ui.format import span_of
from app.ui.line import Line, Span, left, right, said
from app.ui.pages.page import GAP, Row, View, heading, labelled, paragraph
from app.ui.pages.parts import STATUS_ROLE, STATUS_WORD
from storage.stage_times import CallTimes, StageTimes, Taken

NAME = 24
BAR = 16
_WIDE = 110


def cost_rows(times: StageTimes | None, status: Status, view: View) -> list[Row]:
    """The whole page; without times they are still being read."""
    return list(_rows(times, status, view))


def _rows(times: StageTimes | None, status: Status, view: View) -> Iterator[Row]:
    over = f"  over the newest {times.items:,} scored items" if times and times.items else ""
    yield Row((Span("Cost and latency", "title"), Span(over, "muted")))
    yield GAP
    yield from _money(times, status, view)
    if times is None:
        yield Row((Span("reading …", "muted"),))
        return
    if not times.items:
        yield GAP
        yield from paragraph("nothing is scored yet; the stages show as soon as the first card is", view, "text")
        return
    yield GAP
    yield _head("stage", view)
    yield _taken("published → seen", times.publishing, 0.0, view)
    yield _taken("seen → card", times.scoring, _longest(times), view)
    yield GAP
    yield _head("agent, evidence included", view)
    for agent in times.agents:
        more = [Span(f"  {agent.abstained} abstained", "warn")] if agent.abstained else []
        if agent.cost_usd is not None:
            more.append(Span(f"  {_dollars(agent.cost_usd / max(times.items, 1))} an item", "muted"))
        yield _taken(agent.agent, agent.taken, _longest(times), view, *more)
    yield GAP
    yield _head("tool", view)
    for tool in times.tools:
        if tool.taken.n:
            yield _taken(tool.tool, tool.taken, _longest(times), view, *_statuses(tool.statuses))
    if idle := [tool.tool for tool in times.tools if not tool.taken.n]:
        yield from paragraph(f"not set up: {', '.join(idle)}", view, "muted", limit=3)
    if times.calls:
        yield GAP
        yield _head("model call", view)
        for call in times.calls:
            yield _taken(f"{call.model} {call.stage}", call.taken, _longest(times), view, *_call(call))


def _money(times: StageTimes | None, status: Status, view: View) -> Iterator[Row]:
    if status.spent_usd is None:
        yield labelled("cost", Span("nothing", "strong"), Span(f"  the {status.engine} think here", "muted"))
        return
    if status.budget_usd is not None:
        of = f" of ${status.budget_usd:.2f}; when it is spent, the rules score the rest"
    else:
        of = ""
    yield labelled("today", Span(f"${status.spent_usd:.2f}", "strong"), Span(of, "muted"))
    costs = [one.cost_usd for one in times.agents if one.cost_usd is not None] if times else []
    if costs and times:
        yield labelled("an item", Span(_dollars(sum(costs) / times.items), "strong"), Span("  on average", "muted"))
    told = "tapewatch budget states what it may cost at most, before anything is asked"
    yield from paragraph(told, view, "muted", indent=13)


def _head(name: str, view: View) -> Row:
    figures = "".join(right(one, 9) for one in ("n", "p50", "p95", "longest"))
    return heading(left(name, NAME) + figures)


def _taken(name: str, taken: Taken, longest: float, view: View, *more: Span) -> Row:
    figures = [right(f"{taken.n:,}", 9), *(right(_span(ms), 9) for ms in (taken.p50_ms, taken.p95_ms, taken.max_ms))]
    line: Line = (
        Span(left(said(name), NAME), "text"),
        Span(figures[0], "muted"),
        Span(figures[1], "strong"),
        Span("".join(figures[2:]), "soft"),
    )
    if view.cells >= _WIDE:
        line = (*line, Span("  "), *_bar(taken, longest))
    return Row((*line, *more))


def _bar(taken: Taken, longest: float) -> Line:
    """The median in full, up to the 95th percentile thin, on a scale that ends with the longest of them."""
    if taken.p50_ms is None or taken.p95_ms is None or longest <= 0:
        return (Span(" " * BAR),)
    half = max(round(taken.p50_ms / longest * BAR), 1)
    most = max(round(taken.p95_ms / longest * BAR), half)
    return (Span("━" * half, "blue"), Span("─" * (most - half), "soft"), Span(" " * (BAR - most)))


def _longest(times: StageTimes) -> float:
    """What the bars are measured by: the slowest 95th percentile of our own stages."""
    own = [times.scoring, *(agent.taken for agent in times.agents), *(tool.taken for tool in times.tools)]
    own += [call.taken for call in times.calls]
    return max((one.p95_ms for one in own if one.p95_ms is not None), default=0.0)


def _statuses(statuses: dict[EvidenceStatus, int]) -> Sequence[Span]:
    return [
        Span(f"  {statuses[status]} {STATUS_WORD[status]}", STATUS_ROLE[status])
        for status in STATUS_WORD
        if status in statuses
    ]


def _call(call: CallTimes) -> Iterator[Span]:
    yield Span(f"  {call.input_tokens:,} + {call.output_tokens:,} tokens", "muted")
    if call.cost_usd is not None:
        yield Span(f"  {_dollars(call.cost_usd)}", "text")
    if call.cached:
        yield Span(f"  {call.cached} from the cache", "muted")
    if call.failed:
        yield Span(f"  {call.failed} failed", "warn")


def _span(ms: float | None) -> str:
    if ms is None:
        return "–"
    return f"{ms:.1f} ms" if ms < 10 else span_of(ms / 1000)


def _dollars(usd: float) -> str:
    return f"${usd:.4f}" if usd < 1 else f"${usd:.2f}"
