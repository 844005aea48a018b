"""The request of one turn, as it is sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Generic, TypeVar

from agents.analysts.claude import prompts
from agents.analysts.claude.capabilities import Capabilities
from agents.analysts.claude.failures import Failure
from agents.analysts.claude.message import Answer
from agents.analysts.protocol import Bill
from agents.budget import OUTPUT_TOKENS, input_tokens
from agents.calls import Asker, Stage
from agents.models import ToolName

T = TypeVar("T")

SEARCH_TOOL: Final = "web_search_20250305"
"""The service's search without filtering by code, which would be charged as well."""


@dataclass(frozen=True, slots=True)
class Script:
    """What is told before the conversation, and its limits, where it is not one of the five agents that speaks.

    `most_bytes` is the longest request, `most_output` the longest answer in tokens, thinking included. `searches` are
    the web searches the service may make inside the call; it has no schema then, and an early end is no failure.
    """

    model: str
    instructions: str
    schema: Mapping[str, Any]
    version: str
    most_bytes: int
    most_output: int
    searches: int = 0


@dataclass(frozen=True, slots=True)
class Order(Generic[T]):
    """One call to make. `read` turns the answer into what is wanted, or raises BadReply.

    An order without a `script` is one of an agent, whose instructions, model and limits are those of its stage.
    """

    agent: Asker
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
    script: Script | None = None

    @property
    def most_output(self) -> int:
        """The longest answer, in tokens; sent as `max_tokens`."""
        return self.script.most_output if self.script else OUTPUT_TOKENS

    @property
    def version(self) -> str:
        """Names the instructions in force."""
        return self.script.version if self.script else prompts.version()

    @property
    def searches(self) -> int:
        """The web searches the service may make inside the call."""
        return self.script.searches if self.script else 0

    def model(self, by_agent: Mapping[Any, str]) -> str:
        """The model that is to answer."""
        return self.script.model if self.script else by_agent[self.agent]

    def most_bytes(self, extra_calls: int) -> int:
        """The longest request that the stated worst case allows."""
        return self.script.most_bytes if self.script else input_tokens(extra_calls)


def build_request(order: Order[Any], model: str, able: Capabilities) -> dict[str, Any]:
    """The request as it is sent. Nothing in it depends on the time, so that equal work is an equal request."""
    told = order.script.instructions if order.script else prompts.instructions(order.agent, order.stage)
    schema = order.script.schema if order.script else prompts.schema(order.stage)
    block: dict[str, Any] = {"type": "text", "text": told}
    request: dict[str, Any] = {"model": model, "max_tokens": order.most_output, "messages": list(order.messages)}
    output: dict[str, Any] = {}
    if order.searches:
        request["tools"] = [{"type": SEARCH_TOOL, "name": "web_search", "max_uses": order.searches}]
    elif able.structured:
        output["format"] = {"type": "json_schema", "schema": schema}
    else:
        block["text"] = f"{told}\n{prompts.in_words(schema)}"
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
