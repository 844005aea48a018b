"""The body of a 200: a message of the protocol, or a failure. Read by us, since a body that is none must not pass."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.analysts.claude.failures import CallFailed, Failure, of_error_object
from agents.calls import Usage

DONE: Final = frozenset({"end_turn", "stop_sequence", "tool_use"})
CUT: Final = frozenset({"max_tokens", "model_context_window_exceeded"})


class _ServerToolUse(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    web_search_requests: int | None = Field(default=0, ge=0)


class _Usage(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cache_creation_input_tokens: int | None = Field(default=0, ge=0)
    cache_read_input_tokens: int | None = Field(default=0, ge=0)
    server_tool_use: _ServerToolUse | None = None


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    type: Literal["message"]
    content: list[dict[str, Any]]
    stop_reason: str | None = None
    stop_details: dict[str, Any] | None = None
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question the model puts to a tool, as it wrote it."""

    id: str
    tool: str
    given: Any


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer. `content` are its blocks as they came, to be sent back unchanged. `usage` None: not counted.

    `stop` says why the model stopped.
    """

    content: tuple[dict[str, Any], ...]
    text: str
    asked: tuple[Asked, ...]
    usage: Usage | None
    stop: str = ""


def read_usage(body: str) -> Usage | None:
    """The tokens a body says were used; None where it does not say."""
    try:
        return _usage(_Message.model_validate_json(body))
    except ValidationError:
        return None


def read_searches(body: str) -> int:
    """The web searches a body says the service made for it, which have a price of their own."""
    try:
        used = _Message.model_validate_json(body).usage
    except ValidationError:
        return 0
    return (used.server_tool_use.web_search_requests or 0) if used and used.server_tool_use else 0


def keepable(body: str) -> str:
    """`body` without what only the service can read and nobody may be shown: the encrypted text of found pages."""
    if '"encrypted_' not in body:
        return body
    try:
        return json.dumps(readable(json.loads(body)), ensure_ascii=False)
    except (ValueError, RecursionError):
        return ""


def readable(value: Any) -> Any:
    """JSON without what is encrypted in it."""
    if isinstance(value, dict):
        return {name: readable(below) for name, below in value.items() if not name.startswith("encrypted_")}
    return [readable(below) for below in value] if isinstance(value, list) else value


def read_message(body: str, *, whole: bool = True) -> Answer:
    """The answer in `body`; raises CallFailed. Why the model stopped is looked at before anything it wrote.

    With `whole` an answer that ended early is a failure.
    """
    if failure := of_error_object(body):
        raise CallFailed(failure)
    try:
        message = _Message.model_validate_json(body)
    except ValidationError:
        page = " but a web page" if body.lstrip()[:1] == "<" else ""
        raise CallFailed(Failure("malformed", f"the service answered 200 with no message{page}")) from None
    text = "".join(str(block.get("text", "")) for block in message.content if block.get("type") == "text")
    _refuse_unfinished(message, text, whole=whole)
    asked = tuple(
        Asked(str(block.get("id", "")), str(block.get("name", "")), block.get("input"))
        for block in message.content
        if block.get("type") == "tool_use"
    )
    return Answer(tuple(message.content), text, asked, _usage(message), message.stop_reason or "")


def _refuse_unfinished(message: _Message, text: str, *, whole: bool) -> None:
    reason = message.stop_reason
    if reason in DONE or (not whole and reason != "refusal"):
        return
    if reason == "refusal":
        category = (message.stop_details or {}).get("category")
        raise CallFailed(Failure("refusal", f"the model refused{f' ({category})' if category else ''}"), text)
    if reason in CUT:
        raise CallFailed(Failure("truncated", f"the answer was cut off ({reason})"), text)
    raise CallFailed(Failure("malformed", f"the answer ended for no reason we know ({reason})"), text)


def _usage(message: _Message) -> Usage | None:
    used = message.usage
    if used is None:
        return None
    return Usage(
        used.input_tokens,
        used.output_tokens,
        used.cache_creation_input_tokens or 0,
        used.cache_read_input_tokens or 0,
    )
