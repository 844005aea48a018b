"""The mandatory tools with the public sources behind them, our own database beside them where it answers too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from agents.models import ToolName
from agents.specialists import SPECIALISTS
from agents.tools import (
    asic_enforcement,
    central_bank_statements,
    cpi,
    fx_rates,
    geo_events,
    oil_gold,
    policy_rates,
    reddit_sentiment,
    regulatory_documents,
    rss_search,
    sec_enforcement,
    sector_peers,
    stocktwits_ratio,
    supply_chain,
    web_search,
    youtube_sentiment,
)
from agents.tools.local import NotConfigured
from agents.tools.protocol import Tool
from agents.tools.reach import Reach
from agents.tools.sourced import SourcedTool

BESIDE_FEEDS: Final[Mapping[ToolName, Callable[[Reach, Tool | None], SourcedTool]]] = {
    "geo_events": geo_events.build,
    "rss_search": rss_search.build,
    "regulatory_documents": regulatory_documents.build,
    "central_bank_statements": central_bank_statements.build,
    "sec_enforcement": sec_enforcement.build,
    "asic_enforcement": asic_enforcement.build,
}
"""Tools that our own database answers first."""
ALONE: Final[Mapping[ToolName, Callable[[Reach], SourcedTool]]] = {
    "web_search": web_search.build,
    "reddit_sentiment": reddit_sentiment.build,
    "stocktwits_ratio": stocktwits_ratio.build,
    "youtube_sentiment": youtube_sentiment.build,
    "policy_rates": policy_rates.build,
    "cpi": cpi.build,
    "fx_rates": fx_rates.build,
    "oil_gold": oil_gold.build,
    "sector_peers": sector_peers.build,
    "supply_chain": supply_chain.build,
}
"""Tools that public sources answer, two of them beside what is known offline."""


def public_tools(offline: Mapping[ToolName, Tool], reach: Reach) -> dict[ToolName, SourcedTool]:
    """All sixteen tools. `offline` are those of `build_tools`; what answers there comes first in the evidence."""
    found = {name: build(reach, _answering(offline.get(name))) for name, build in BESIDE_FEEDS.items()}
    found |= {name: build(reach) for name, build in ALONE.items()}
    return {name: found[name] for specialist in SPECIALISTS for name in specialist.tools}


def _answering(tool: Tool | None) -> Tool | None:
    """A tool that has somebody to ask; one that only says that nobody is there has nothing to add."""
    return None if isinstance(tool, NotConfigured) else tool
