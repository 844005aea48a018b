"""One call to a model service as it is kept for the drill-down: exact words both ways, tokens, money, time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from agents.models import AbstentionCause, AgentName

Role = Literal["PrimarySource", "MarketStructure", "Narrative", "Adjudicator"]
"""The nodes of an investigation that may ask a model."""
Asker: TypeAlias = AgentName | Role
"""Who makes a call: one of the five agents on an item, or a node of an investigation."""

Stage = Literal["search", "draft", "revise", "read", "adjudicate"]
"""Of an agent: a web search for evidence, its draft and its second reading. Of an investigation: a collector's and the
Adjudicator's reading."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the service counted them. `input_tokens` are those neither written to nor read from its cache."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_write_tokens: int = 0
    cache_read_tokens: int = 0

    @property
    def total(self) -> int:
        """All tokens of the call."""
        return self.input_tokens + self.output_tokens + self.cache_write_tokens + self.cache_read_tokens


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of one agent for one revision of an item, or of one node of an investigation in one round.

    Of an investigation `item_id` is the case and `revision` the round.

    `fixed` is the part of the request that is the same for every item (instructions, tools, schema), `messages` the
    rest, both JSON; `reply` is the answer's body as it came, cut to a stated length. `cause` is None where the call
    gave a usable answer. `cost_nano` is in 1e-9 USD, None where the model has no known price. `cached`: answered from
    our own cache, at no cost.
    """

    item_id: str
    revision: int
    agent: Asker
    stage: Stage
    model: str
    prompt_version: str
    fixed: str
    messages: str
    reply: str
    started_at: datetime
    elapsed_ms: float
    cause: AbstentionCause | None = None
    detail: str = ""
    request_id: str = ""
    usage: Usage = Usage()
    cost_nano: int | None = None
    cached: bool = False
    attempts: int = 1


class CallBook(Protocol):
    """Where calls are kept; implemented by storage."""

    async def keep(self, call: ModelCall) -> None: ...


class ReplyCache(Protocol):
    """Replies by the digest of their request; implemented by storage."""

    async def find(self, digest: str) -> str | None: ...

    async def keep(self, digest: str, reply: str, *, now: datetime) -> None: ...
