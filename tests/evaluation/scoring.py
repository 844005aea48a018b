"""One text through the five agents, the synthesis and the urgency rules, without tools and watchlist."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime

from agents.analysts.rules.analyst import RulesAnalyst
from agents.desk import Desk
from agents.models import Signal
from feeds.models import Item, Published, Tier
from feeds.symbols.table import SymbolTable

NOW = datetime(2024, 1, 2, 15, 0, tzinfo=UTC)


def item(title: str, summary: str = "") -> Item:
    """An item of a newsroom that nobody has seen before."""
    key = f"{hash((title, summary)):x}"
    return Item(
        id=key,
        source_id="evaluation",
        source_name="evaluation",
        tier=Tier.NEWSROOM,
        title=title,
        summary=summary,
        url="",
        published=Published(),
        first_seen_at=NOW,
        story_id=key,
    )


def score(texts: Iterable[tuple[str, str]]) -> list[Signal]:
    """A signal for each (title, summary), in order."""
    symbols = SymbolTable.load()
    desk = Desk(RulesAnalyst(symbols, {}), {}, symbols, {})

    async def run() -> list[Signal]:
        return [await desk.judge(item(title, summary), now=NOW) for title, summary in texts]

    return asyncio.run(run())
