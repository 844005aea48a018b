"""What the dispatcher asks of a channel."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from app.alerts.text import Message


@dataclass(frozen=True, slots=True)
class Pace:
    """How a channel is fed.

    Alerts are gathered for `gather` and, while more come, up to `gather_most`. More than `singles` at once become one
    digest (None: never). At most `burst` messages go out at once, then one every `refill`.
    """

    gather: timedelta = timedelta(seconds=1)
    gather_most: timedelta = timedelta(seconds=5)
    singles: int | None = 3
    burst: int = 5
    refill: timedelta = timedelta(seconds=3)
    limit_unanswered: int = 5
    """So many attempts without an answer, then a message is given up: it has probably arrived that often."""
    limit_attempts: int | None = None
    """Where a service never says why it fails, so many attempts are made."""
    shelf_life: timedelta = timedelta(hours=24)
    """What could not be told for so long is given up, or skipped where nothing was tried in vain (`skips`)."""
    skips: bool = False


class Channel(Protocol):
    """A way to a person. `label` is stored and shown; it holds no secret."""

    @property
    def label(self) -> str: ...

    @property
    def pace(self) -> Pace: ...

    async def send(self, message: Message) -> None:
        """Returns once the service has taken the message. Raises a SendError."""
        ...

    async def aclose(self) -> None:
        """Lets go of what the channel holds."""
        ...
