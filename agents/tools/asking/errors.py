"""Why a public source gave no answer. Messages are one line in words and never hold a key or a whole address.

AgentError
  SourceError       the source gave no answer; `fault` says how
    NotAnAnswer     bytes came, but they answer nothing (HTML, an error inside a 200, broken JSON)
    NotAsked        nobody was asked: no key, switched off, the source rests, or its own limit is used up
"""

from __future__ import annotations

from typing import Literal

from agents.errors import AgentError

Fault = Literal["refused", "limited", "status", "timeout", "unreachable", "no_answer", "resting", "spent", "not_set_up"]
"""refused: blocked or wrong key. limited: asked too often. resting: the breaker is open. spent: our own limit."""


class SourceError(AgentError):
    """A source gave no answer. `retry_after_s` is how long it wants to be left alone, where it says so."""

    def __init__(self, fault: Fault, message: str, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.fault: Fault = fault
        self.retry_after_s = retry_after_s

    def under(self, title: str) -> SourceError:
        """The same failure, its message beginning with the source's `title`."""
        return self if str(self).startswith(title) else SourceError(self.fault, f"{title}: {self}", self.retry_after_s)


class NotAnAnswer(SourceError):
    """Bytes came and they answer nothing: a block page, an error inside a 200, broken or foreign content."""

    def __init__(self, message: str, fault: Fault = "no_answer") -> None:
        super().__init__(fault, message)


class NotAsked(SourceError):
    """Nobody was asked, so that nothing is known about the source's health."""
