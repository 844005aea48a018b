"""Analysts for tests: one that answers as told, one that waits, ones that fail, and one that obeys the item's text."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from agents.analysts.protocol import Brief, Revision
from agents.errors import AnalystFailed
from agents.models import (
    AGENT_NAMES,
    FLASH_EVENTS,
    AbstentionCause,
    AgentName,
    Assessment,
    Engine,
    Fault,
    FlashEvent,
    TickerLink,
)

PLAIN = Assessment(
    impact_score=0.5,
    confidence_score=0.8,
    signal_type="routine_news",
    event_type=None,
    tickers_linked=(),
    rationale="as told",
)


@dataclass
class GoodAnalyst:
    """Answers every draft with `says`, per agent where `by_agent` holds one, and revises as `revision` tells."""

    says: Assessment = PLAIN
    by_agent: Mapping[AgentName, Assessment] = field(default_factory=dict)
    revision: Revision | None = None
    engine: Engine = "rules"
    model: str | None = None
    drafted: list[AgentName] = field(default_factory=list)
    briefs: list[Brief] = field(default_factory=list)

    async def draft(self, agent: AgentName, brief: Brief) -> Assessment:
        self.drafted.append(agent)
        self.briefs.append(brief)
        return self.by_agent.get(agent, self.says)

    async def revise(self, agent: AgentName, brief: Brief, draft: Assessment) -> Revision:
        return self.revision or Revision((), draft)


class SlowAnalyst(GoodAnalyst):
    """Keeps the agents in `slow` waiting until `release` is set; `all_waiting` tells that all of them are."""

    def __init__(self, slow: Sequence[AgentName] = AGENT_NAMES) -> None:
        super().__init__()
        self.slow = slow
        self.release = asyncio.Event()
        self.all_waiting = asyncio.Event()
        self.waiting: list[AgentName] = []
        self.cancelled: list[AgentName] = []

    async def draft(self, agent: AgentName, brief: Brief) -> Assessment:
        answer = await super().draft(agent, brief)
        if agent not in self.slow:
            return answer
        self.waiting.append(agent)
        if len(self.waiting) == len(self.slow):
            self.all_waiting.set()
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.cancelled.append(agent)
            raise
        return answer


@dataclass
class FailingAnalyst(GoodAnalyst):
    """Fails with a cause for the agents in `causes`, while drafting or, if `in_revision`, while revising."""

    causes: Mapping[AgentName, AbstentionCause] = field(default_factory=dict)
    in_revision: bool = False

    async def draft(self, agent: AgentName, brief: Brief) -> Assessment:
        if agent in self.causes and not self.in_revision:
            raise AnalystFailed(self.causes[agent], "as told")
        return await super().draft(agent, brief)

    async def revise(self, agent: AgentName, brief: Brief, draft: Assessment) -> Revision:
        if agent in self.causes:
            raise AnalystFailed(self.causes[agent], "as told")
        return await super().revise(agent, brief, draft)


@dataclass
class BrokenAnalyst(GoodAnalyst):
    """Breaks the contract: raises `error` for the agents in `agents`."""

    error: Exception = field(default_factory=lambda: RuntimeError("a bug"))
    agents: Sequence[AgentName] = ("MacroMind",)

    async def draft(self, agent: AgentName, brief: Brief) -> Assessment:
        if agent in self.agents:
            raise self.error
        return await super().draft(agent, brief)


class ObedientAnalyst(GoodAnalyst):
    """Does whatever the item's text says, as a model without any sense would.

    It scores the first number after "score", links every word in capitals as `direct`, tags the first flash event it
    reads, and revises its draft to a full score when the text tells it to, pointing at whatever it likes.
    """

    async def draft(self, agent: AgentName, brief: Brief) -> Assessment:
        await super().draft(agent, brief)
        text = brief.item.text
        impact = self._ordered_impact(text)
        links = tuple(
            TickerLink(symbol, impact, "direct", "up", "the text says so")
            for symbol in dict.fromkeys(re.findall(r"\b[A-Z]{2,5}\b", text))
        )
        return replace(PLAIN, impact_score=impact, event_type=self._ordered_event(text), tickers_linked=links)

    async def revise(self, agent: AgentName, brief: Brief, draft: Assessment) -> Revision:
        ordered = Fault("the operator", "the score is too low")
        return Revision((ordered,), replace(draft, impact_score=1.0, event_type="bankruptcy"))

    @staticmethod
    def _ordered_impact(text: str) -> float:
        found = re.search(r"score\D{0,12}([01]\.\d+)", text)
        return float(found[1]) if found else PLAIN.impact_score

    @staticmethod
    def _ordered_event(text: str) -> FlashEvent | None:
        return next((event for event in FLASH_EVENTS if event in text), None)
