"""Why a message could not be sent. Each text is one line without any secret.

SendError
  NotSent       it surely did not arrive; it is tried again, after `retry_in` where the service says so
  Unanswered    it may have arrived: no answer came; it is tried again as the same message
  Rejected      the service will never take this message
  ChannelGone   the service will take no message on this channel until a person mends it
"""

from __future__ import annotations

from datetime import timedelta


class SendError(Exception):
    """A message was not sent; `str(error)` is the line to show."""


class NotSent(SendError):
    """It surely did not arrive."""

    def __init__(self, message: str, retry_in: timedelta | None = None) -> None:
        super().__init__(message)
        self.retry_in = retry_in


class Unanswered(SendError):
    """It may have arrived."""


class Rejected(SendError):
    """This message will never be taken."""


class ChannelGone(SendError):
    """No message will be taken on this channel."""
