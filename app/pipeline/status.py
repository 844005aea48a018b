"""What the status bar shows, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.models import Engine

if TYPE_CHECKING:
    from agents.tools.asking.health import SourceState


@dataclass(frozen=True, slots=True)
class Status:
    """How the monitor is doing.

    `queue` counts items that wait to be scored. Lag is from first seen to card saved, in seconds, over the recent
    items; None before the first. `spent_usd` is None where the engine costs nothing. `trouble` is one line, empty when
    all is well. `evidence` are the public sources of the tools; none where the tools may not use the network.
    """

    feeds_ok: int = 0
    feeds_total: int = 0
    queue: int = 0
    engine: Engine = "rules"
    model: str | None = None
    spent_usd: float | None = None
    budget_usd: float | None = None
    lag_p50_s: float | None = None
    lag_p95_s: float | None = None
    trouble: str = ""
    evidence: tuple[SourceState, ...] = ()
