"""An analyst of a recording: it thinks as another does, and fails where the recording says that it failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agents.analysts.protocol import Analyst, Brief, Revision
from agents.errors import AnalystFailed
from agents.models import AbstentionCause, AgentName, Assessment, Engine


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an agent says nothing of an item."""

    cause: AbstentionCause
    detail: str


Failures = Mapping[tuple[str, AgentName], Failure]
"""By the address of an item and the agent."""


@dataclass(frozen=True, slots=True)
class RecordedAnalyst:
    """`analyst`, with the failures of the recording."""

    analyst: Analyst
    failures: Failures

    @property
    def engine(self) -> Engine:
        return self.analyst.engine

    @property
    def model(self) -> str | None:
        return self.analyst.model

    async def draft(self, agent: AgentName, brief: Brief) -> Assessment:
        """As the analyst drafts; raises AnalystFailed where the recording says so."""
        failure = self.failures.get((brief.item.url, agent))
        if failure is not None:
            raise AnalystFailed(failure.cause, failure.detail)
        return await self.analyst.draft(agent, brief)

    async def revise(self, agent: AgentName, brief: Brief, draft: Assessment) -> Revision:
        """As the analyst revises."""
        return await self.analyst.revise(agent, brief, draft)
