"""How each source is doing: its breaker, its own limits, its last answer. What the screens and `doctor` show."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from agents.tools.breaker import Breaker
from agents.tools.catalogue import SourceInfo
from agents.tools.errors import Fault, NotAsked, SourceError
from agents.tools.keys import KeyState

LONGEST_QUEUE_S: Final = 20.0
"""Who would wait longer than this for a turn is told so at once."""

Standing = Literal["not asked yet", "answering", "failing", "resting", "on trial", "switched off", "no key"]
"""`resting` is the open breaker, `on trial` the half-open one."""

_AT_ONCE: Final[frozenset[Fault]] = frozenset({"refused", "limited"})
_HARMLESS: Final[frozenset[Fault]] = frozenset({"status", "resting", "spent", "not_set_up"})
"""Failures that say something of the question and nothing of the source."""


@dataclass(frozen=True, slots=True)
class SourceState:
    """A source at one moment. `reason`: why it does not answer; `next_try_s`: in how many seconds it is asked again."""

    name: str
    title: str
    standing: Standing
    key: KeyState
    reason: str = ""
    next_try_s: float | None = None
    requests: int = 0
    last_latency_ms: float | None = None
    last_ok_at: datetime | None = None


@dataclass(slots=True)
class Health:
    """Watches one source. All times are seconds of one clock that never runs backwards."""

    info: SourceInfo
    breaker: Breaker = field(init=False)
    waiting: int = 0
    requests: int = 0
    latency_ms: float | None = None
    ok_at: datetime | None = None
    sent: deque[float] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self.breaker = Breaker(self.info.rest_s)

    def admit(self, now: float) -> None:
        """Counts one request that goes out. Raises NotAsked where none may."""
        title = self.info.title
        if self.waiting * self.info.interval_s > LONGEST_QUEUE_S:
            raise NotAsked(
                "spent", f"{title}: {self.waiting} questions wait already, one each {self.info.interval_s:g} s"
            )
        if self.info.budget is not None:
            most, span = self.info.budget
            while self.sent and now - self.sent[0] >= span:
                self.sent.popleft()
            if len(self.sent) >= most:
                wait = span - (now - self.sent[0])
                raise NotAsked("spent", f"{title}: its {most} requests per {_span(span)} are used up", wait)
        if not self.breaker.admits(now):
            wait = max(self.breaker.rests_until - now, 0.0)
            raise NotAsked("resting", f"{title} rests for {wait:.0f} s more: {self.breaker.reason}", wait)
        if self.info.budget is not None:
            self.sent.append(now)
        self.waiting += 1
        self.requests += 1

    def answered(self, latency_ms: float, at: datetime) -> None:
        """The source answered."""
        self.latency_ms, self.ok_at = latency_ms, at
        self.breaker.answered()

    def failed(self, now: float, error: SourceError) -> None:
        """The source gave no answer."""
        if error.fault in _HARMLESS:
            self.breaker.given_up()
        else:
            reason = str(error).removeprefix(f"{self.info.title}: ")
            self.breaker.failed(now, reason, at_once=error.fault in _AT_ONCE, wait_s=error.retry_after_s)

    def state(self, now: float, key: KeyState, *, off: bool) -> SourceState:
        """What a person is shown."""
        state = self.breaker.state(now)
        standing: Standing = "answering" if self.ok_at else "not asked yet"
        if off:
            standing = "switched off"
        elif key == "missing":
            standing = "no key"
        elif state != "closed":
            standing = "resting" if state == "open" else "on trial"
        elif self.breaker.failures:
            standing = "failing"
        return SourceState(
            self.info.name,
            self.info.title,
            standing,
            key,
            self.breaker.reason,
            max(self.breaker.rests_until - now, 0.0) if state == "open" else None,
            self.requests,
            self.latency_ms,
            self.ok_at,
        )


def _span(seconds: float) -> str:
    return "day" if seconds == 86_400 else "hour" if seconds == 3600 else f"{seconds:g} s"
