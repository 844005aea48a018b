"""What can go wrong inside an agent.

AgentError
  ScoreError      a score that is no number in 0..1
  AnalystFailed   the analyst could not give an assessment; becomes an Abstention with the same cause
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents.models import AbstentionCause


class AgentError(Exception):
    """A failure inside an agent; `str(error)` is one line."""


class ScoreError(AgentError, ValueError):
    """A score that is no number in 0..1. Never clamped."""


class AnalystFailed(AgentError):
    """The analyst could not give an assessment. `cause` becomes the abstention's cause."""

    def __init__(self, cause: AbstentionCause, detail: str) -> None:
        super().__init__(detail)
        self.cause: AbstentionCause = cause
        self.detail = detail
