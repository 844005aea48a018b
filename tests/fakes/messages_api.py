"""A Messages API server on the loopback, faithful to the protocol, with moods.

    async with MessagesApi(good()) as api:
        ... AsyncAnthropic(api_key=api.key, base_url=api.url) ...
        assert len(api.asked) == 10

What is sent is validated by the SDK's own types and by the service's documented refusals (400); what it answers is
validated by the SDK's own `Message`. A mood decides the answer. Also a program: `python -m tests.fakes.messages_api
--mood slow --seconds 3` prints its address and serves until it is ended.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from anthropic.types import Message
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from pydantic import TypeAdapter, ValidationError

from tests.fakes.feed_server import FeedServer, Request, answer, hang_up, silent

VERSION = "2026-10-21"
JSON = "application/json"
MODELS = ("claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5")
_ADAPTER: TypeAdapter[Any] = TypeAdapter(MessageCreateParamsNonStreaming)
_KEYS = frozenset(MessageCreateParamsNonStreaming.__annotations__)
_UNSUPPORTED = ("minimum", "maximum", "minLength", "maxLength", "pattern", "minItems", "maxItems")


@dataclass(frozen=True, slots=True)
class Asked:
    """One request for a message. `number` counts from 0, `at` is the loop's time in seconds."""

    number: int
    body: Mapping[str, Any]
    headers: Mapping[str, str]
    at: float

    @property
    def system(self) -> str:
        """The instructions as one text."""
        given = self.body.get("system", "")
        return given if isinstance(given, str) else "\n".join(block["text"] for block in given)

    @property
    def told(self) -> str:
        """All that the user's side of the conversation says, tool results included."""
        return "\n".join(_texts(turn["content"]) for turn in self.body["messages"] if turn["role"] == "user")

    @property
    def searches(self) -> bool:
        """Whether it asks for a web search."""
        return any(str(tool.get("type", "")).startswith("web_search_") for tool in self.body.get("tools", ()))

    @property
    def revises(self) -> bool:
        """Whether it asks for a revision and not for a draft."""
        return "# Second reading" in self.system

    @property
    def outside(self) -> dict[str, Any]:
        """The first delimited document: the item, its evidence and the watchlist."""
        found = re.search(r"<outside>\n(.*?)\n</outside>", self.told, re.DOTALL)
        assert found, "no material in the request"
        value = json.loads(found[1])
        assert isinstance(value, dict)
        return value


@dataclass(frozen=True, slots=True)
class Said:
    """An answer over HTTP."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


Mood: TypeAlias = Callable[[Asked], Awaitable["Said | Callable[[Request, asyncio.StreamWriter], Awaitable[None]]"]]


def assessment(
    impact: float = 0.55,
    *,
    confidence: float = 0.8,
    event: str = "none",
    signal: str = "routine_news",
    tickers: Sequence[str] = (),
    link_type: str = "direct",
    tone: float | None = 0.1,
    rationale: str = "as the item says",
) -> dict[str, Any]:
    """An assessment as the model writes it."""
    return {
        "impact_score": impact,
        "confidence_score": confidence,
        "signal_type": signal,
        "event_type": event,
        "tone": tone,
        "tickers_linked": [
            {"symbol": one, "impact_score": impact, "link_type": link_type, "direction": "up", "reason": "named"}
            for one in tickers
        ],
        "rationale": rationale,
    }


def reply(asked: Asked, given: Mapping[str, Any], faults: Sequence[Mapping[str, str]] = ()) -> str:
    """`given` as the text of a draft, or of a revision where one is asked for."""
    return json.dumps({"faults": list(faults), "final": given} if asked.revises else given)


def message(
    asked: Asked,
    text: str = "",
    *,
    stop: str | None = "end_turn",
    blocks: Sequence[Mapping[str, Any]] | None = None,
    usage: Mapping[str, int] | None = None,
) -> Said:
    """A 200 with a message of the protocol. Its usage is a quarter of the bytes unless told."""
    content = [{"type": "text", "text": text}] if blocks is None else list(blocks)
    told = len(json.dumps(asked.body)) // 4
    body = {
        "id": f"msg_{asked.number:06}",
        "type": "message",
        "role": "assistant",
        "model": asked.body["model"],
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage or {"input_tokens": told, "output_tokens": len(json.dumps(content)) // 4 + 1,
                           "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
    }  # fmt: skip
    if stop in ("end_turn", "tool_use", "max_tokens", "refusal", "pause_turn", "stop_sequence"):
        Message.model_validate(body)
    return Said(200, json.dumps(body).encode(), {"Content-Type": JSON})


def error(
    status: int, kind: str, text: str = "as told", headers: Mapping[str, str] | None = None, **details: str
) -> Said:
    """An error of the service."""
    body = {"type": "error", "error": {"type": kind, "message": text, **({"details": details} if details else {})}}
    return Said(status, json.dumps(body).encode(), {"Content-Type": JSON, **(headers or {})})


def good(given: Mapping[str, Any] | None = None, faults: Sequence[Mapping[str, str]] = ()) -> Mood:
    """Answers every draft with `given`, and every revision with the same and `faults`."""

    async def mood(asked: Asked) -> Said:
        return message(asked, reply(asked, given or assessment(), faults))

    return mood


def says(*texts: str, stop: str | None = "end_turn") -> Mood:
    """Answers with these texts in turn; the last one stays."""
    left = list(texts)

    async def mood(asked: Asked) -> Said:
        return message(asked, left.pop(0) if len(left) > 1 else left[0], stop=stop)

    return mood


def asks(*questions: tuple[str, Any], then: Mood, at_once: bool = False) -> Mood:
    """Asks its tools these questions, one a turn or all at once, and then answers as `then`, each conversation anew."""

    async def mood(asked: Asked) -> Any:
        turns = sum(turn["role"] == "assistant" for turn in asked.body["messages"])
        if asked.revises or "tools" not in asked.body or turns >= (1 if at_once else len(questions)):
            return await then(asked)
        some = questions if at_once else questions[turns : turns + 1]
        blocks = [
            {"type": "tool_use", "id": f"toolu_{turns}_{number}", "name": name, "input": given}
            for number, (name, given) in enumerate(some)
        ]
        return message(asked, blocks=blocks, stop="tool_use")

    return mood


def slow(seconds: float, then: Mood) -> Mood:
    """As `then`, so many seconds later."""

    async def mood(asked: Asked) -> Any:
        await asyncio.sleep(seconds)
        return await then(asked)

    return mood


def fails(said: Said) -> Mood:
    """Always the same answer."""

    async def mood(asked: Asked) -> Said:
        return said

    return mood


def overloaded() -> Mood:
    """529 to everything."""
    return fails(error(529, "overloaded_error", "Overloaded"))


def html() -> Mood:
    """A proxy's page with status 200."""
    return fails(Said(200, b"<html><body>Sign in to the hotel network</body></html>", {"Content-Type": "text/html"}))


def never() -> Mood:
    """Accepts and never says a word."""

    async def mood(asked: Asked) -> Any:
        return silent()

    return mood


def drops(after: bytes = b"") -> Mood:
    """Hangs up, after the beginning of an answer where one is given."""

    async def mood(asked: Asked) -> Any:
        return hang_up(after)

    return mood


def in_turn(*moods: Mood) -> Mood:
    """One mood after the other, request by request; the last one stays."""
    left = list(moods)

    async def mood(asked: Asked) -> Any:
        return await (left.pop(0) if len(left) > 1 else left[0])(asked)

    return mood


class MessagesApi:
    """Serves /v1/messages and /v1/models. `lists` False is a server that cannot say what it offers.

    `searches`: it has the service's own web search, and says so.
    """

    def __init__(
        self,
        mood: Mood | None = None,
        *,
        models: Sequence[str] = MODELS,
        lists: bool = True,
        strict: bool = True,
        headers: Mapping[str, str] | None = None,
        searches: bool = False,
    ) -> None:
        self.mood = mood or good()
        self.key = "sk-test-0123456789abcdef"
        self.asked: list[Asked] = []
        self.refused: list[str] = []
        self.busiest = 0
        self.headers = dict(headers or {})
        self._busy = 0
        self._models = models
        self._lists = lists
        self._strict = strict
        self._searches = searches
        self._server = FeedServer()

    async def __aenter__(self) -> MessagesApi:
        await self._server.__aenter__()
        self._server.script("/v1/messages", self._messages)
        if self._lists:
            self._server.script("/v1/models", self._list)
        return self

    async def __aexit__(self, *ended: Any) -> None:
        await self._server.__aexit__(*ended)

    @property
    def url(self) -> str:
        """The address to give as ANTHROPIC_BASE_URL."""
        return f"http://{self._server.host}"

    async def _list(self, request: Request, writer: asyncio.StreamWriter) -> None:
        yes = {"supported": True}
        able = {
            "batch": yes, "citations": yes, "code_execution": yes, "image_input": yes, "pdf_input": yes,
            "structured_outputs": yes, "effort": yes, "thinking": yes, "context_management": yes,
            "server_tools": {"supported": True, "code_execution": yes, "web_search": {"supported": self._searches}},
        }  # fmt: skip
        data = [
            {"id": one, "type": "model", "display_name": one, "created_at": "2026-10-07T00:00:00Z",
             "lifecycle": "active", "max_input_tokens": 1_000_000, "max_tokens": 128_000, "capabilities": able}
            for one in self._models
        ]  # fmt: skip
        body = {"data": data, "has_more": False, "first_id": None, "last_id": None}
        writer.write(answer(200, json.dumps(body).encode(), {"Content-Type": JSON}))
        await writer.drain()

    async def _messages(self, request: Request, writer: asyncio.StreamWriter) -> None:
        self._busy += 1
        self.busiest = max(self.busiest, self._busy)
        try:
            said = await self._said(request)
            if not isinstance(said, Said):
                await said(request, writer)
                return
            headers = {"request-id": f"req_{len(self.asked):06}", **self.headers, **said.headers}
            writer.write(answer(said.status, said.body, headers))
            await writer.drain()
        finally:
            self._busy -= 1

    async def _said(self, request: Request) -> Any:
        if request.headers.get("authorization") != f"Bearer {self.key}":
            return error(401, "authentication_error", "invalid bearer token")
        body = json.loads(request.body)
        wrong = self._wrong(request, body) if self._strict else None
        if wrong:
            self.refused.append(wrong)
            return error(400, "invalid_request_error", wrong)
        if body["model"] not in self._models:
            return error(404, "not_found_error", f"model: {body['model']}")
        asked = Asked(len(self.asked), body, request.headers, request.at)
        self.asked.append(asked)
        return await self.mood(asked)

    def _wrong(self, request: Request, body: Mapping[str, Any]) -> str | None:
        """What the service would refuse in a request; None where it is right."""
        if request.headers.get("anthropic-version") != VERSION:
            return f"anthropic-version: {request.headers.get('anthropic-version')}"
        for name in ("temperature", "top_p", "top_k"):
            if name in body:
                return f"{name}: Extra inputs are not permitted"
        try:
            checked = _ADAPTER.validate_python(body)
            for turn in checked["messages"]:
                if not isinstance(turn["content"], str):
                    list(turn["content"])
            list(checked.get("tools", ()))
        except ValidationError as bad:
            return str(bad.errors()[0]["msg"])
        if unknown := set(body) - _KEYS - {"stream"}:
            return f"{min(unknown)}: Extra inputs are not permitted"
        return _wrong_turns(body["messages"], body) or _wrong_schema(body) or self._wrong_search(body)

    def _wrong_search(self, body: Mapping[str, Any]) -> str | None:
        kinds = [str(tool.get("type", "")) for tool in body.get("tools", ())]
        searching = next((kind for kind in kinds if kind.startswith("web_search_")), None)
        if searching and not self._searches:
            return f"tools.0: Input tag '{searching}' found using 'type' does not match any of the expected tags"
        if searching and "format" in body.get("output_config", {}):
            return "output_config.format: cannot be used together with citations"
        return None


def _wrong_turns(turns: Sequence[Mapping[str, Any]], body: Mapping[str, Any]) -> str | None:
    if body.get("tool_choice", {}).get("type") in ("any", "tool"):
        return "tool_choice: forced tool use is not supported by this model"
    if turns[-1]["role"] != "user":
        return "messages: this model does not support prefill"
    open_questions: set[str] = set()
    for turn in turns:
        blocks = turn["content"] if isinstance(turn["content"], list) else [{"type": "text", "text": turn["content"]}]
        if any(block["type"] == "text" and not block["text"] for block in blocks):
            return "messages: text content blocks must be non-empty"
        if turn["role"] == "user":
            if open_questions != {block["tool_use_id"] for block in blocks if block["type"] == "tool_result"}:
                return "messages: each tool_use must have one tool_result, and no other"
            open_questions = set()
        else:
            open_questions = {block["id"] for block in blocks if block["type"] == "tool_use"}
            if open_questions and "tools" not in body:
                return "tools: required where messages hold tool_use"
    return None


def _wrong_schema(body: Mapping[str, Any]) -> str | None:
    shape = body.get("output_config", {}).get("format", {}).get("schema")
    text = json.dumps(shape)
    for word in _UNSUPPORTED:
        if f'"{word}":' in text:
            return f"output_config.format.schema: {word} is not supported"
    if shape and text.count('"type": "object"') != text.count('"additionalProperties": false'):
        return "output_config.format.schema: additionalProperties must be false"
    return None


def _texts(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(_texts(block.get("content", block.get("text", ""))) for block in content)


async def _serve(mood: Mood, strict: bool) -> None:
    async with MessagesApi(mood, strict=strict) as api:
        print(json.dumps({"url": api.url, "key": api.key}), flush=True)
        await asyncio.Event().wait()


def main() -> None:
    """Serves one mood until the process is ended."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--mood", choices=("good", "slow", "overloaded", "html", "never", "drops"), default="good")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--quick", action="store_true", help="believe requests, to be measured against")
    given = parser.parse_args()
    moods: Mapping[str, Mood] = {
        "good": good(),
        "slow": slow(given.seconds, good()),
        "overloaded": overloaded(),
        "html": html(),
        "never": never(),
        "drops": drops(),
    }
    asyncio.run(_serve(moods[given.mood], strict=not given.quick))


if __name__ == "__main__":
    main()
