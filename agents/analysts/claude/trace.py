"""What happened to one order so far: what was sent and what came back, the attempts, the money."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from time import perf_counter

from agents.analysts.claude.request import digest
from agents.calls import Usage


@dataclass(slots=True)
class Trace:
    """One order under way. Money is in nano-USD; `pending_nano` is reserved and may have been charged."""

    model: str
    fixed: str
    messages: str
    started_at: datetime
    begun: float = field(default_factory=perf_counter)
    attempts: int = 0
    reply: str = ""
    request_id: str = ""
    usage: Usage = field(default_factory=Usage)
    spent_nano: int = 0
    pending_nano: int = 0
    priced: bool = True
    cached: bool = False

    @property
    def digest(self) -> str:
        return digest(self.model, self.fixed, self.messages)

    @property
    def size(self) -> int:
        """Bytes of everything the model is told."""
        return len(self.fixed.encode()) + len(self.messages.encode())

    @property
    def cost_nano(self) -> int | None:
        """What it has cost; what was reserved and may have been charged counts. None without a price."""
        return self.spent_nano + self.pending_nano if self.priced else None
