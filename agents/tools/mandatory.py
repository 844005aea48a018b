"""All sixteen mandatory tools: who answers each, or what would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agents.links import Symbols
from agents.models import ToolName
from agents.tools.archive import NO_ARCHIVE, EarlierNews, SourceNews
from agents.tools.local import NotConfigured
from agents.tools.peers import SectorPeers
from agents.tools.protocol import Archive, Tool
from feeds.registry import builtin_sources

PUBLISHERS: Mapping[ToolName, tuple[str, tuple[str, ...]]] = {
    "geo_events": (
        "feeds on sanctions, export control and trade (OFAC, OFSI, EU, Federal Register)",
        (
            "federal-register-ofac",
            "federal-register-export-control",
            "federal-register-ustr",
            "google-ofac",
            "ofsi",
            "eu-sanctions",
        ),
    ),
    "regulatory_documents": (
        "feeds of rule makers (Federal Register, SEC, CFTC, FDIC, FINRA, FTC)",
        ("federal-register-", "sec-press", "cftc-press", "fdic", "finra-", "ftc-"),
    ),
    "central_bank_statements": (
        "feeds of central banks (Fed, ECB, BOJ, BoE, RBA, BIS)",
        ("fed-", "ecb-", "boj", "boe-", "rba-", "bis-"),
    ),
    "sec_enforcement": (
        "feeds of the SEC (litigation, administrative proceedings, press)",
        ("sec-litigation", "sec-administrative", "sec-press"),
    ),
    "asic_enforcement": ("a feed on ASIC's media releases", ("google-asic", "asic")),
}
"""Tools that feeds answer: what such feeds are called in words, and how their source ids begin."""

UNANSWERED: Mapping[ToolName, str] = {
    "web_search": "a web search service would answer this; none is connected",
    "reddit_sentiment": "Reddit's search feed would answer this; it is not connected",
    "stocktwits_ratio": "the Stocktwits message stream would answer this; it is not connected",
    "youtube_sentiment": "YouTube's search would answer this; it is not connected",
    "policy_rates": "the central banks' rate series would answer this; none is connected",
    "cpi": "a consumer price series (BLS, Eurostat) would answer this; none is connected",
    "fx_rates": "reference exchange rates (ECB) would answer this; none is connected",
    "oil_gold": "oil and gold quotes would answer this; none is connected",
    "supply_chain": "company filings that name suppliers and customers would answer this; none is connected",
}
"""Tools that nothing answers here, with what would."""


def build_tools(
    archive: Archive | None, symbols: Symbols, source_ids: Sequence[str] | None = None
) -> dict[ToolName, Tool]:
    """One tool for each of the sixteen names, none of which touches the network (see `agents.tools.public`).

    `source_ids` are the sources that may be subscribed (default: built in). Without an archive what it would answer is
    `not_configured`, never `empty`.
    """
    tools: dict[ToolName, Tool] = {name: NotConfigured(name, reason) for name, reason in UNANSWERED.items()}
    tools["sector_peers"] = SectorPeers(symbols)
    if archive is None:
        for name in ("rss_search", *PUBLISHERS):
            tools[name] = NotConfigured(name, NO_ARCHIVE)
        return tools
    tools["rss_search"] = EarlierNews(archive)
    known = [source.id for source in builtin_sources()] if source_ids is None else source_ids
    for name, (about, prefixes) in PUBLISHERS.items():
        fitting = tuple(source_id for source_id in known if source_id.startswith(prefixes))
        tools[name] = SourceNews(name, archive, fitting, about)
    return tools
