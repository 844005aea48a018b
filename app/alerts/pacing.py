"""How often a channel is asked: a bucket of messages, and the rest after a failure."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Final

from app.alerts.channels.protocol import Pace
from app.alerts.errors import ChannelGone, NotSent, SendError

FIRST_BACK_OFF: Final = timedelta(seconds=2)
LONGEST_BACK_OFF: Final = timedelta(minutes=15)
REFUSED_PAUSE: Final = timedelta(minutes=5)
NOW: Final = timedelta(0)


class Bucket:
    """`pace.burst` messages at once, then one every `pace.refill`. A wall clock that is set back refills nothing."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._tokens = float(pace.burst)
        self._filled_at: datetime | None = None

    def take(self, now: datetime) -> timedelta:
        """Takes the right to send one message; if there is none, says how long until there is one."""
        refill, burst = self._pace.refill, self._pace.burst
        since = max(now - self._filled_at, NOW) if self._filled_at else NOW
        gained: float = since / refill if refill else burst
        self._filled_at = now
        self._tokens = min(self._tokens + gained, burst)
        if self._tokens >= 1:
            self._tokens -= 1
            return NOW
        return refill * (1 - self._tokens)


class Patience:
    """Rests after failures, longer after each, with jitter; at least as long as the service asks for."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice
        self.failures = 0
        self.refusals = 0
        self._until: datetime | None = None

    def failed(self, error: SendError, now: datetime) -> None:
        """The channel rests from now on."""
        self.failures += 1
        if isinstance(error, ChannelGone):
            self.refusals += 1
            wait = REFUSED_PAUSE
        elif isinstance(error, NotSent) and error.retry_in is not None:
            wait = max(error.retry_in, timedelta(seconds=1))
        else:
            longest = min(FIRST_BACK_OFF * 2 ** min(self.failures - 1, 16), LONGEST_BACK_OFF)
            wait = longest * self._dice.uniform(0.5, 1.0)
        self._until = now + wait

    def succeeded(self) -> None:
        """The channel works."""
        self.failures = self.refusals = 0
        self._until = None

    def left(self, now: datetime) -> timedelta:
        """How long the channel still rests. A wall clock that was set back does not stretch it."""
        if self._until is not None and NOW < (left := self._until - now) <= LONGEST_BACK_OFF:
            return left
        self._until = None
        return NOW
