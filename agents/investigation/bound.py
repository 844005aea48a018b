"""The worst case of an investigation: a product of constants, stated before anything runs and never passed.

calls = collectors x (source calls + model calls) x rounds + adjudications; tokens and dollars are those of the model.
"""

from __future__ import annotations

from dataclasses import dataclass

from agents.investigation.errors import BoundReached
from agents.investigation.models import COLLECTORS, Bound


@dataclass(frozen=True, slots=True)
class Caps:
    """The limits of every run. Times in seconds, prices in USD per million tokens (0 for an engine without a model)."""

    source_calls: int = 16
    model_calls: int = 0
    rounds: int = 2
    attempts: int = 2
    node_attempts: int = 2
    source_timeout_s: float = 15.0
    collector_timeout_s: float = 60.0
    input_tokens: int = 12_000
    output_tokens: int = 1_500
    usd_in: float = 0.0
    usd_out: float = 0.0

    @property
    def adjudications(self) -> int:
        """Model calls of the Adjudicator: one a round, none without a model."""
        return self.rounds if self.model_calls else 0

    @property
    def worst_model_calls(self) -> int:
        return len(COLLECTORS) * self.model_calls * self.rounds + self.adjudications

    def worst_case(self) -> Bound:
        """The bound of a whole run: the price series, the collectors in every round, and the adjudications."""
        sources = self.source_calls + len(COLLECTORS) * self.source_calls * self.rounds
        return Bound(sources + self.worst_model_calls, *self.spent(self.worst_model_calls))

    def spent(self, model_calls: int) -> tuple[int, float]:
        """(tokens, dollars) that so many model calls cost at most."""
        tokens = model_calls * (self.input_tokens + self.output_tokens)
        usd = model_calls * (self.input_tokens * self.usd_in + self.output_tokens * self.usd_out) / 1e6
        return tokens, round(usd, 6)

    def formula(self) -> str:
        """The product in words."""
        terms = (
            f"{len(COLLECTORS)} collectors x ({self.source_calls} source + {self.model_calls} model calls)"
            f" x {self.rounds} rounds + {self.adjudications} adjudications + {self.source_calls} for the series"
        )
        return f"{terms} = {self.worst_case().calls} calls"


class NodeMeter:
    """Counts one node's calls over all its attempts against the caps."""

    def __init__(self, caps: Caps, round_: int = 1) -> None:
        self._caps = caps
        self.round = round_
        self.source_calls = 0
        self.model_calls = 0
        self.tokens = 0
        self.nano = 0

    def source_call(self) -> None:
        """Counts a call to a source; raises BoundReached instead of passing the limit."""
        if self.source_calls >= self._caps.source_calls:
            raise BoundReached(f"cut after {self.source_calls} source calls, the limit")
        self.source_calls += 1

    def model_call(self) -> None:
        """Counts a call to the model; raises BoundReached instead of passing the limit."""
        limit = self._caps.model_calls
        if self.model_calls >= limit:
            raise BoundReached(f"cut after {self.model_calls} model calls, the limit")
        self.model_calls += 1

    def paid(self, tokens: int, nano: int) -> None:
        """Counts what a model call took."""
        self.tokens += tokens
        self.nano += nano

    @property
    def model_calls_left(self) -> int:
        """How many calls to the model are left."""
        return self._caps.model_calls - self.model_calls

    @property
    def calls(self) -> int:
        """All calls so far."""
        return self.source_calls + self.model_calls
