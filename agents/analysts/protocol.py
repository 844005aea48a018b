"""What an analyst gets and what it must give. One analyst thinks for all five agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from agents.models import AgentName, Assessment, Critique, Engine, Evidence, Fault, ToolName
from feeds.models import Item


@dataclass(frozen=True, slots=True)
class Holding:
    """A symbol the user watches. `names` extend the built-in names; suppliers and customers are symbols."""

    symbol: str
    names: tuple[str, ...] = ()
    holding: bool = False
    suppliers: tuple[str, ...] = ()
    customers: tuple[str, ...] = ()


class Enquiry(Protocol):
    """Further questions of one agent to its own tools. Code keeps to the list and the limit, whatever is asked."""

    @property
    def tools(self) -> tuple[ToolName, ...]:
        """The tools that may be asked; empty once nothing is left."""
        ...

    @property
    def left(self) -> int:
        """How many questions are left."""
        ...

    async def ask(self, tool: str, words: str, symbols: Sequence[str]) -> Evidence | str:
        """The evidence, which joins the agent's own, or in words why the question was not put."""
        ...


@dataclass(slots=True)
class Bill:
    """What thinking for one agent on one item has cost so far: tokens, and nano-USD where every call had a price."""

    model: str | None = None
    nano: int = 0
    calls: int = 0
    unpriced: int = 0
    tokens: int = 0

    def add(self, nano: int | None, tokens: int = 0) -> None:
        """Counts a call and its tokens; None where it has no known price."""
        self.calls += 1
        self.tokens += tokens
        self.unpriced += nano is None
        self.nano += nano or 0

    @property
    def usd(self) -> float | None:
        """The cost in USD; None where nothing was called or a call has no known price."""
        return self.nano / 1e9 if self.calls and not self.unpriced else None


@dataclass(frozen=True, slots=True)
class Brief:
    """All an agent may judge from: the item, its own evidence, the watchlist and the time. `novelty` is the story's.

    `concerned` are the symbols the item names. `until` is the event loop's time at which the answer comes too late;
    `urgent` says that others should wait for it. `bill` is where an engine that costs money says how much.
    """

    item: Item
    now: datetime
    evidence: tuple[Evidence, ...] = ()
    watchlist: Mapping[str, Holding] = field(default_factory=dict)
    novelty: float = 1.0
    concerned: tuple[str, ...] = ()
    urgent: bool = False
    until: float | None = field(default=None, compare=False)
    enquiry: Enquiry | None = field(default=None, compare=False)
    bill: Bill = field(default_factory=Bill, compare=False)


@dataclass(frozen=True, slots=True)
class Revision:
    """The faults an analyst claims to see in its draft and the assessment it would give instead."""

    faults: tuple[Fault, ...]
    final: Assessment


class Analyst(Protocol):
    """An engine that thinks for an agent. Both calls raise `AnalystFailed` with a cause, and nothing else."""

    @property
    def engine(self) -> Engine: ...

    @property
    def model(self) -> str | None: ...

    async def draft(self, agent: AgentName, brief: Brief) -> Assessment:
        """The first score, from the item and the gathered evidence."""
        ...

    async def revise(self, agent: AgentName, brief: Brief, draft: Assessment) -> Revision:
        """Concrete faults of `draft` and the score without them. No fault: `final` is ignored."""
        ...


__all__ = ["Analyst", "Bill", "Brief", "Critique", "Enquiry", "Holding", "Revision"]
