"""Items, readings and reports of the rules analyst, for tests that name only a headline."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache

from agents.analysts.protocol import Brief, Holding, Revision
from agents.analysts.rules.analyst import RulesAnalyst
from agents.analysts.rules.reading import Reading
from agents.models import AGENT_NAMES, AgentName, Assessment, Evidence
from feeds.models import Item, Published, Tier
from feeds.symbols.table import SymbolTable

NOW = datetime(2026, 3, 10, 18, 30, tzinfo=UTC)


def item(title: str, summary: str = "", tier: Tier = Tier.NEWSROOM, tickers: tuple[str, ...] = ()) -> Item:
    return Item(
        id="item-1",
        source_id="wire",
        source_name="The Wire",
        tier=tier,
        title=title,
        summary=summary,
        url="",
        published=Published(),
        first_seen_at=NOW,
        story_id="item-1",
        tickers=tickers,
    )


@cache
def analyst() -> RulesAnalyst:
    return RulesAnalyst(SymbolTable.load(), {})


def reading(title: str, summary: str = "") -> Reading:
    return analyst().reading(item(title, summary))


def judged(
    agent: AgentName,
    title: str,
    summary: str = "",
    *,
    evidence: tuple[Evidence, ...] = (),
    watchlist: Mapping[str, Holding] | None = None,
    tier: Tier = Tier.NEWSROOM,
    novelty: float = 1.0,
) -> tuple[Assessment, Revision]:
    """Draft and revision of one agent."""
    by = RulesAnalyst(SymbolTable.load(), watchlist) if watchlist else analyst()
    brief = Brief(item(title, summary, tier), NOW, evidence, watchlist or {}, novelty)

    async def both() -> tuple[Assessment, Revision]:
        draft = await by.draft(agent, brief)
        return draft, await by.revise(agent, brief, draft)

    return asyncio.run(both())


def finals(title: str, summary: str = "") -> dict[AgentName, Assessment]:
    """What each agent says in the end."""
    found = {}
    for agent in AGENT_NAMES:
        draft, revision = judged(agent, title, summary)
        found[agent] = revision.final if revision.faults else draft
    return found
