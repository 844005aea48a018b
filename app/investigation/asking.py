"""What the screen asks of an investigation, and what it gets back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from agents.calls import ModelCall
from agents.investigation.models import Bound, Sighted
from agents.investigation.ports import Watcher
from agents.investigation.state import Answer
from storage.investigations import PastInvestigation


@dataclass(frozen=True, slots=True)
class Wanted:
    """A move to look into: a symbol, a time near it or None for the largest in sight, and the story it is asked of."""

    symbol: str
    at: datetime | None = None
    story: str = ""

    @property
    def question(self) -> str:
        """The question as it is kept; "" for the usual one."""
        return f'What moved {self.symbol} around "{self.story}"?' if self.story else ""


@dataclass(frozen=True, slots=True)
class Found:
    """An answer with the prices it was read from, without them where there was no series, and the calls to the model
    that read the records."""

    answer: Answer
    sighted: Sighted | None = None
    calls: tuple[ModelCall, ...] = ()


class Investigator(Protocol):
    """Runs investigations and finds earlier ones."""

    @property
    def bound(self) -> Bound:
        """The worst case of one investigation."""
        ...

    async def ask(self, wanted: Wanted, watch: Watcher) -> Found:
        """Looks into a move; `watch` is told every node's state as it changes."""
        ...

    async def past(self, text: str = "") -> Sequence[PastInvestigation]:
        """Earlier investigations that hold `text`, the newest first."""
        ...

    async def found(self, case_id: str) -> Found | None:
        """The answer of an earlier one; None where it was interrupted."""
        ...

    async def watch_dates(self, told: Callable[[PastInvestigation], None]) -> None:
        """Asks again whatever awaits information that has come out, and tells it; never ends by itself."""
        ...

    async def look_again(self, case_id: str, watch: Watcher) -> Found:
        """Asks the sources of an earlier one again and keeps what changed."""
        ...
