"""Calls to the model: a row each on the agent's page, and one opened, word for word in both directions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from agents.calls import Asker, ModelCall
from agents.models import AgentName
from app.ui.format import count, moment
from app.ui.line import Role, Span, left, said
from app.ui.pages.page import GAP, CallPlace, Row, View, heading, labelled, paragraph, wrapped
from storage.models import CardDetail

LINES = 400
"""Lines of one side of a call that are shown."""
_STAGE_CELLS = 8


def call_rows(detail: CardDetail, agent: AgentName) -> Iterator[Row]:
    """What the agent asked the model, call by call; nothing where rules thought."""
    calls = calls_of(detail, agent)
    if not calls:
        return
    yield GAP
    yield heading(f"{count(len(calls), 'call')} to the model")
    for number, call in enumerate(calls):
        sign, told, role = call_figures(call)
        stage = Span(left(call.stage, _STAGE_CELLS), "text")
        yield Row((sign, stage, Span(told, role)), opens=CallPlace(agent, number))


def call_figures(call: ModelCall) -> tuple[Span, str, Role]:
    """(the sign of a call, what it took or why it failed in a few words, the colour of these words)."""
    if call.cause is not None:
        return Span("× ", "warn"), f"{call.cause}: {said(call.detail, limit=80)}", "warn"
    told = f"{_tokens(call)} · {_cost(call)} · {call.elapsed_ms / 1000:.1f} s" if not call.cached else "from the cache"
    return Span("● ", "good"), told, "soft"


def calls_of(detail: CardDetail, agent: Asker) -> Sequence[ModelCall]:
    """The calls of one agent, oldest first."""
    return [call for call in detail.calls if call.agent == agent]


def one_call(detail: CardDetail, place: CallPlace, view: View) -> Iterator[Row]:
    """One call with its figures, what the model was told and what it answered."""
    calls = calls_of(detail, place.agent)
    if place.number >= len(calls):
        yield Row((Span("this call is gone: the item was scored again", "muted"),))
        return
    yield from whole_call(calls[place.number], view)


def whole_call(call: ModelCall, view: View) -> Iterator[Row]:
    """A call with its figures, what the model was told and what it answered."""
    yield Row((Span(said(call.model, limit=60), "title"), Span(f"  {call.stage} of {call.agent}", "muted")))
    if call.cause is not None:
        yield Row((Span(f"× {call.cause}", "warn"),))
        yield from paragraph(said(call.detail, limit=600), view, "soft")
    yield GAP
    yield from _figures(call, view)
    yield GAP
    yield heading("instructions, the same for every item")
    yield from _text(_instructions(call.fixed), view)
    for turn in _turns(call.messages):
        yield GAP
        yield heading("told" if turn.get("role") == "user" else "its own words, shown again")
        yield from _text(_words(turn.get("content")), view)
    yield GAP
    yield heading("the answer as it came" if call.reply else "no answer came")
    yield from _text(call.reply, view)


def _figures(call: ModelCall, view: View) -> Iterator[Row]:
    yield labelled("sent", Span(moment(call.started_at, view.now, view.zone)))
    tries = "" if call.attempts <= 1 else f", {count(call.attempts, 'attempt')}"
    yield labelled("took", Span(f"{call.elapsed_ms:,.0f} ms"), Span(tries, "muted"))
    yield labelled("tokens", Span(_tokens(call)))
    if searches := _searches(call):
        yield labelled("searched", Span(f"the web, {count(searches, 'time')}, at a price of its own"))
    if call.usage.cache_read_tokens or call.usage.cache_write_tokens:
        cached = f"{call.usage.cache_read_tokens:,} read, {call.usage.cache_write_tokens:,} written"
        yield labelled("its cache", Span(cached))
    yield labelled("cost", Span(_cost(call)), Span("  answered from our own cache" if call.cached else "", "muted"))
    yield from wrapped("request", said(call.request_id, limit=120) or "none", view)
    yield from wrapped("prompt", said(call.prompt_version, limit=40), view)


def _tokens(call: ModelCall) -> str:
    usage = call.usage
    told = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
    return f"{told:,} in, {usage.output_tokens:,} out"


def _searches(call: ModelCall) -> int:
    """The web searches the service says it made inside the call."""
    found: Any = _loaded(call.reply)
    for name in ("usage", "server_tool_use", "web_search_requests"):
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, int) else 0


def _cost(call: ModelCall) -> str:
    return "unpriced" if call.cost_nano is None else f"${call.cost_nano / 1e9:.6f}"


def _text(text: str, view: View) -> Iterator[Row]:
    lines = text.splitlines()
    for line in lines[:LINES]:
        yield from paragraph(said(line, limit=4_000), view, "soft") if line.strip() else (GAP,)
    if len(lines) > LINES:
        yield Row((Span(f"… {len(lines) - LINES} more lines", "muted"),))


def _instructions(fixed: str) -> str:
    """The instructions as the model reads them, then whatever else of the request is always the same."""
    found = _loaded(fixed)
    if not isinstance(found, dict):
        return fixed
    rest = {name: value for name, value in found.items() if name != "system"}
    return _words(found.get("system")) + (f"\n\n{json.dumps(rest, ensure_ascii=False)}" if rest else "")


def _turns(messages: str) -> list[dict[str, Any]]:
    found = _loaded(messages)
    if isinstance(found, list):
        return [turn for turn in found if isinstance(turn, dict)]
    return [{"role": "user", "content": messages}]


def _words(content: Any) -> str:
    """The text of a turn; blocks that are no text as JSON."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return json.dumps(content, ensure_ascii=False)
    told = [
        str(block["text"]) if isinstance(block, dict) and isinstance(block.get("text"), str) else json.dumps(block)
        for block in content
    ]
    return "\n".join(told)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
