"""What can go wrong in an investigation.

InvestigationError
  NoSeries         there is no price series to find the move in; the investigation stops
  UnreadableTable  a price file that cannot be read; the message names the line
  SourceDown       a source of the checklist did not answer
    NotConfigured  there is nobody to ask
  NodeFailed       a node failed in all its attempts; it knows how many calls they took
  BoundReached     one more call would pass the bound that was stated; the caller is cut
"""

from __future__ import annotations


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


class NodeFailed(InvestigationError):
    """A node failed in all its attempts, which took so many calls."""

    def __init__(self, message: str, source_calls: int, model_calls: int) -> None:
        super().__init__(message)
        self.source_calls = source_calls
        self.model_calls = model_calls


class BoundReached(InvestigationError):
    """The stated number of calls is used up."""
