"""How each source is doing: its breaker, its own limits, its last answer. What the screens and `doctor` show."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from agents.tools.asking.allowance import Askings
from agents.tools.asking.breaker import Breaker
from agents.tools.asking.catalogue import SourceInfo
from agents.tools.asking.errors import Fault, NotAsked, SourceError
from agents.tools.asking.keys import KeyState

LONGEST_QUEUE_S: Final = 20.0
"""Who would wait longer than this for a turn is told so at once."""

Standing = Literal[
    "not asked yet",
    "answering",
    "failing",
    "resting",
    "on trial",
    "switched off",
    "no key",
    "with Claude only",
    "used up",
]
"""`resting` is the open breaker, `on trial` the half-open one, `used up` the source's own limit."""

_AT_ONCE: Final[frozenset[Fault]] = frozenset({"refused", "limited"})
_HARMLESS: Final[frozenset[Fault]] = frozenset({"status", "resting", "spent", "not_set_up"})
"""Failures that say something of the question and nothing of the source."""


@dataclass(frozen=True, slots=True)
class SourceState:
    """A source at one moment. `reason`: why it does not answer; `next_try_s`: in how many seconds it is asked again.

    `used` of `most` requests of its hour or day are gone; None where it has no such limit or that is not known yet.
    `last_error` stays when it answers again. `skew_s` is how far its clock was ahead of ours.
    """

    name: str
    title: str
    standing: Standing
    key: KeyState
    reason: str = ""
    next_try_s: float | None = None
    requests: int = 0
    last_latency_ms: float | None = None
    last_ok_at: datetime | None = None
    used: int | None = None
    most: int | None = None
    last_error: str = ""
    last_error_at: datetime | None = None
    skew_s: float | None = None


@dataclass(slots=True)
class Health:
    """Watches one source. All times are seconds of one clock that never runs backwards."""

    info: SourceInfo
    breaker: Breaker = field(init=False)
    waiting: int = 0
    requests: int = 0
    latency_ms: float | None = None
    ok_at: datetime | None = None
    used: int | None = None
    used_up_until: float = float("-inf")
    used_up: str = ""
    error: str = ""
    error_at: datetime | None = None
    skew_s: float | None = None

    def __post_init__(self) -> None:
        self.breaker = Breaker(self.info.rest_s)

    def admit(self, now: float) -> None:
        """Counts one request that goes out. Raises NotAsked where none may."""
        title = self.info.title
        if self.waiting * self.info.interval_s > LONGEST_QUEUE_S:
            raise NotAsked(
                "spent", f"{title}: {self.waiting} questions wait already, one each {self.info.interval_s:g} s"
            )
        if not self.breaker.admits(now):
            wait = max(self.breaker.rests_until - now, 0.0)
            raise NotAsked("resting", f"{title} rests for {wait:.0f} s more: {self.breaker.reason}", wait)
        self.waiting += 1
        self.requests += 1

    def answered(self, latency_ms: float, at: datetime) -> None:
        """The source answered."""
        self.latency_ms, self.ok_at = latency_ms, at
        self.breaker.answered()

    async def allowed(self, askings: Askings, now_s: float, now: datetime, *, key: bool) -> None:
        """Counts one request against the source's own limit. Raises NotAsked where that is used up."""
        allowance = self.info.allowance
        if allowance is None:
            return
        most = allowance.limit(key=key)
        taken = await askings.take(self.info.name, most, allowance.began(now), now)
        self.used = taken.used
        if not taken.granted:
            again = allowance.again(now, taken.oldest or now)
            wait_s = (again - now).total_seconds()
            self.used_up_until, self.used_up = now_s + wait_s, allowance.words(most, again)
            raise NotAsked("spent", f"{self.info.title}: {self.used_up}", wait_s)

    def rest(self, now: float, wait_s: float, reason: str) -> None:
        """Leaves the source alone as an earlier run was told to."""
        self.breaker.failed(now, reason, at_once=True, wait_s=wait_s)
        self.breaker.rests_until = now + wait_s

    def failed(self, now: float, error: SourceError, at: datetime) -> None:
        """The source gave no answer."""
        reason = str(error).removeprefix(f"{self.info.title}: ")
        if error.fault in _HARMLESS:
            self.breaker.given_up()
            if error.fault == "not_set_up":
                self.breaker.reason = reason
        else:
            self.error, self.error_at = reason, at
            self.breaker.failed(now, reason, at_once=error.fault in _AT_ONCE, wait_s=error.retry_after_s)

    def state(self, now: float, key: KeyState, *, off: bool, modelless: bool = False) -> SourceState:
        """What a person is shown. `modelless`: only a model's service would answer, and none is there."""
        state = self.breaker.state(now)
        used_up = now < self.used_up_until
        standing: Standing = "answering" if self.ok_at else "not asked yet"
        if off:
            standing = "switched off"
        elif modelless:
            standing = "with Claude only"
        elif key == "missing":
            standing = "no key"
        elif state != "closed":
            standing = "resting" if state == "open" else "on trial"
        elif used_up:
            standing = "used up"
        elif self.breaker.failures:
            standing = "failing"
        again = {"resting": self.breaker.rests_until, "used up": self.used_up_until}.get(standing)
        return SourceState(
            self.info.name,
            self.info.title,
            standing,
            key,
            self.used_up if standing == "used up" else self.breaker.reason,
            None if again is None else max(again - now, 0.0),
            self.requests,
            self.latency_ms,
            self.ok_at,
            self.used,
            self.info.allowance.limit(key=key == "present") if self.info.allowance else None,
            self.error,
            self.error_at,
            self.skew_s,
        )
