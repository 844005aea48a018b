"""The body of a 200: a message of the protocol, or a failure. Read by us, since a body that is none must not pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.analysts.claude.failures import CallFailed, Failure, of_error_object
from agents.calls import Usage

DONE: Final = frozenset({"end_turn", "stop_sequence", "tool_use"})
CUT: Final = frozenset({"max_tokens", "model_context_window_exceeded"})


class _Usage(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cache_creation_input_tokens: int | None = Field(default=0, ge=0)
    cache_read_input_tokens: int | None = Field(default=0, ge=0)


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
    """A whole answer. `content` are its blocks as they came, to be sent back unchanged. `usage` None: not counted."""

    content: tuple[dict[str, Any], ...]
    text: str
    asked: tuple[Asked, ...]
    usage: Usage | None


def read_usage(body: str) -> Usage | None:
    """The tokens a body says were used; None where it does not say."""
    try:
        return _usage(_Message.model_validate_json(body))
    except ValidationError:
        return None


def read_message(body: str) -> Answer:
    """The answer in `body`; raises CallFailed. Why the model stopped is looked at before anything it wrote."""
    if failure := of_error_object(body):
        raise CallFailed(failure)
    try:
        message = _Message.model_validate_json(body)
    except ValidationError:
        page = " but a web page" if body.lstrip()[:1] == "<" else ""
        raise CallFailed(Failure("malformed", f"the service answered 200 with no message{page}")) from None
    text = "".join(str(block.get("text", "")) for block in message.content if block.get("type") == "text")
    _refuse_unfinished(message, text)
    asked = tuple(
        Asked(str(block.get("id", "")), str(block.get("name", "")), block.get("input"))
        for block in message.content
        if block.get("type") == "tool_use"
    )
    return Answer(tuple(message.content), text, asked, _usage(message))


def _refuse_unfinished(message: _Message, text: str) -> None:
    reason = message.stop_reason
    if reason in DONE:
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
