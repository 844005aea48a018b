"""The request of one turn, as it is sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Generic, TypeVar

from agents.analysts.claude import prompts
from agents.analysts.claude.capabilities import Capabilities
from agents.analysts.claude.failures import Failure
from agents.analysts.claude.message import Answer
from agents.analysts.protocol import Bill
from agents.budget import OUTPUT_TOKENS
from agents.calls import Stage
from agents.models import AgentName, ToolName

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Order(Generic[T]):
    """One call to make. `read` turns the answer into what is wanted, or raises BadReply."""

    agent: AgentName
    item_id: str
    revision: int
    stage: Stage
    messages: tuple[Mapping[str, Any], ...]
    read: Callable[[Answer], T]
    bill: Bill
    tools: tuple[ToolName, ...] = ()
    may_ask: bool = False
    urgent: bool = False
    until: float | None = None


def build_request(order: Order[Any], model: str, able: Capabilities) -> dict[str, Any]:
    """The request as it is sent. Nothing in it depends on the time, so that equal work is an equal request."""
    told = prompts.instructions(order.agent, order.stage)
    block: dict[str, Any] = {"type": "text", "text": told}
    request: dict[str, Any] = {"model": model, "max_tokens": OUTPUT_TOKENS, "messages": list(order.messages)}
    output: dict[str, Any] = {}
    if able.structured:
        output["format"] = {"type": "json_schema", "schema": prompts.schema(order.stage)}
    else:
        block["text"] = f"{told}\n{prompts.schema_in_words(order.stage)}"
    if able.caching:
        block["cache_control"] = {"type": "ephemeral"}
    if able.effort:
        output["effort"] = "low"
    request["system"] = [block]
    if output:
        request["output_config"] = output
    if able.tools and order.tools:
        request["tools"] = prompts.tool_definitions(order.tools)
        if not order.may_ask:
            request["tool_choice"] = {"type": "none"}
    return request


def wants_plain(failure: Failure, request: Mapping[str, Any]) -> bool:
    """Whether a server refused what stands beside the prompt, and not the prompt."""
    said = failure.detail.casefold()
    words = ("output_config", "cache_control", "effort", "json_schema", "tool_choice", "extra inputs", "unknown field")
    return failure.cause == "error" and "output_config" in request and any(word in said for word in words)


def digest(model: str, fixed: str, messages: str) -> str:
    """Names a request: model, instructions, schema, item and evidence are all in it, and nothing else is."""
    return sha256("\n".join((model, fixed, messages)).encode("utf-8", "replace")).hexdigest()


def dump(value: object) -> str:
    """JSON that is the same for equal values."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
