"""What an analyst gets and what it must give. One analyst thinks for all five agents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from agents.models import AgentName, Assessment, Critique, Engine, Evidence, Fault
from feeds.models import Item


@dataclass(frozen=True, slots=True)
class Holding:
    """A symbol the user watches. `names` extend the built-in names; suppliers and customers are symbols."""

    symbol: str
    names: tuple[str, ...] = ()
    holding: bool = False
    suppliers: tuple[str, ...] = ()
    customers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Brief:
    """All an agent may judge from: the item, its own evidence, the watchlist and the time. `novelty` is the story's."""

    item: Item
    now: datetime
    evidence: tuple[Evidence, ...] = ()
    watchlist: Mapping[str, Holding] = field(default_factory=dict)
    novelty: float = 1.0


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


__all__ = ["Analyst", "Brief", "Critique", "Holding", "Revision"]
