"""The circuit breaker of one source: a source that fails is left alone for a while instead of being asked again.

closed      it is asked
open        it rests until `rests_until`; whoever asks is told why at once
half-open   its rest is over: one question goes through, and what becomes of it decides
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BreakerState = Literal["closed", "open", "half-open"]

PATIENCE = 3
"""So many failures in a row open it; a refusal or a stated wait opens it at once."""
LONGEST_REST_S = 1800.0


@dataclass(slots=True)
class Breaker:
    """Decides from outcomes alone; `now` are seconds of a clock that never runs backwards."""

    rest_s: float
    failures: int = 0
    rests: int = 0
    rests_until: float = float("-inf")
    reason: str = ""
    probing: bool = False

    def state(self, now: float) -> BreakerState:
        """Where it stands at `now`."""
        if not self.rests:
            return "closed"
        return "open" if now < self.rests_until or self.probing else "half-open"

    def admits(self, now: float) -> bool:
        """Whether a question may go out; in the half-open state the first one that asks becomes the probe."""
        state = self.state(now)
        if state == "half-open":
            self.probing = True
        return state != "open"

    def answered(self) -> None:
        """The source answered: all is forgotten."""
        self.failures, self.rests, self.rests_until, self.reason, self.probing = 0, 0, float("-inf"), "", False

    def failed(self, now: float, reason: str, *, at_once: bool = False, wait_s: float | None = None) -> None:
        """The source failed. It rests longer each time, at least `wait_s` where the source named a time."""
        self.failures += 1
        self.reason = reason
        if at_once or self.probing or self.failures >= PATIENCE:
            self.rests += 1
            rest = min(self.rest_s * 2 ** min(self.rests - 1, 10), LONGEST_REST_S)
            self.rests_until = now + max(rest, wait_s or 0.0)
        self.probing = False

    def given_up(self) -> None:
        """The question that was let through was cancelled: the next one may be the probe."""
        self.probing = False
