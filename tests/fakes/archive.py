"""An archive in memory, for the tools that ask the program's own database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from agents.models import FlashEvent
from agents.tools.protocol import EarlierItem, SourceHealth
from feeds.models import Item


@dataclass
class MemoryArchive:
    """Gives what it holds, restricted by source only; it does not look at times, so that a tool's own check shows."""

    holds: Sequence[EarlierItem] = ()
    sources: Sequence[SourceHealth] = ()
    fails: Exception | None = None
    asked: list[dict[str, object]] = field(default_factory=list)

    async def earlier(
        self,
        item: Item,
        *,
        symbols: Sequence[str],
        event_type: FlashEvent | None,
        before: datetime,
        source_ids: Sequence[str] = (),
        limit: int = 8,
    ) -> Sequence[EarlierItem]:
        if self.fails:
            raise self.fails
        self.asked.append(
            {"symbols": tuple(symbols), "event_type": event_type, "before": before, "source_ids": tuple(source_ids)}
        )
        return [held for held in self.holds if not source_ids or held.source_id in source_ids][:limit]

    async def health(self, source_ids: Sequence[str]) -> Sequence[SourceHealth]:
        if self.fails:
            raise self.fails
        return [source for source in self.sources if source.source_id in source_ids]
