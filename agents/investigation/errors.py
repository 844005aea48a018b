"""What can go wrong in an investigation.

InvestigationError
  NoSeries         there is no price series to find the move in; the investigation stops
  UnreadableTable  a price file that cannot be read; the message names the line
  SourceDown       a source of the checklist did not answer
    NotConfigured  there is nobody to ask
  NoReading        the engine gave no reading of what was brought; named by its cause
  Unread           a collector whose records nobody could read; it holds what it brought
  NodeFailed       a node failed in all its attempts; it knows what they took
  BoundReached     one more call would pass the bound that was stated; the caller is cut
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents.investigation.models import Gathered
    from agents.models import AbstentionCause


class InvestigationError(Exception):
    """A failure inside an investigation; `str(error)` is one line."""


class NoSeries(InvestigationError):
    """No price series, or one too thin to tell a move from noise. The investigation says so and stops."""


class UnreadableTable(InvestigationError, ValueError):
    """A price file that is no table of bars."""


class SourceDown(InvestigationError):
    """A source did not answer. It is never "nothing found"."""


class NotConfigured(SourceDown):
    """Nobody to ask: no source, no key, or switched off."""


class NoReading(InvestigationError):
    """The engine could not read what a collector brought. The records stay unread: no other engine reads them."""

    def __init__(self, cause: AbstentionCause, detail: str) -> None:
        super().__init__(f"{cause}: {detail}")
        self.cause = cause


class Unread(InvestigationError):
    """A collector without a reading. `gathered` is what it brought, with a line of coverage that says why."""

    def __init__(self, gathered: Gathered, reason: str) -> None:
        super().__init__(reason)
        self.gathered = gathered


class NodeFailed(InvestigationError):
    """A node failed in all its attempts, which took so many calls, tokens and nano-USD."""

    def __init__(self, message: str, source_calls: int, model_calls: int, tokens: int = 0, nano: int = 0) -> None:
        super().__init__(message)
        self.source_calls = source_calls
        self.model_calls = model_calls
        self.tokens = tokens
        self.nano = nano


class BoundReached(InvestigationError):
    """The stated number of calls is used up."""
