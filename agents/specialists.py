"""The five specialists: what each looks for, the tools it must ask, and the scale all of them score by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agents.models import AgentName, ToolName


@dataclass(frozen=True, slots=True)
class Specialist:
    """One agent's domain. Every tool of `tools` is asked before any score, so that coverage is fixed and known."""

    name: AgentName
    looks_for: str
    tools: tuple[ToolName, ...]


SPECIALISTS: tuple[Specialist, ...] = (
    Specialist(
        "SignalScope",
        "geopolitics, sanctions, macro events",
        ("geo_events", "rss_search", "web_search"),
    ),
    Specialist(
        "SentimentPulse",
        "the crowd",
        ("reddit_sentiment", "stocktwits_ratio", "youtube_sentiment"),
    ),
    Specialist(
        "MacroMind",
        "the macro backdrop",
        ("policy_rates", "cpi", "fx_rates", "oil_gold"),
    ),
    Specialist(
        "SectorScan",
        "peers and the supply chain",
        ("sector_peers", "supply_chain"),
    ),
    Specialist(
        "PolicyRadar",
        "rules and enforcement",
        ("regulatory_documents", "central_bank_statements", "sec_enforcement", "asic_enforcement"),
    ),
)
"""In table order, which is the last tie-breaker of synthesis and the order of every list of agents."""

TABLE_ORDER: Mapping[AgentName, int] = {specialist.name: place for place, specialist in enumerate(SPECIALISTS)}

CALIBRATION: tuple[tuple[str, str], ...] = (
    ("0.80 - 1.00", "direct and serious impact (a holding is named, bankruptcy, a huge earnings surprise)"),
    ("0.65 - 0.79", "marked indirect impact (sector-wide move, blow to a main customer or supplier)"),
    ("0.40 - 0.64", "moderate relevance (industry trend, macro figure as expected)"),
    ("0.00 - 0.39", "weak signal (general comment, remote relation)"),
)
"""What an impact score means, as (range, meaning); word for word in every prompt and in the help."""

ANTI_SUPPRESSION = (
    "DO NOT suppress scores out of caution — if a stock is directly named with clear impact, score it 0.75+."
)
"""Stands word for word beside the calibration."""
