"""The rules analyst: reads an item once and lets five domains judge the reading."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from agents.analysts.protocol import Brief, Holding, Revision
from agents.analysts.rules import macro_mind, policy_radar, sector_scan, sentiment_pulse, signal_scope
from agents.analysts.rules.reading import Reading, read
from agents.bounds import RulesView, view_of
from agents.models import AGENT_NAMES, AgentName, Assessment, Engine
from feeds.models import Item
from feeds.symbols.table import SymbolTable

_REMEMBERED: Final = 64
"""Readings kept: enough for the items in flight; five agents ask for each within moments."""


@dataclass(frozen=True, slots=True)
class Domain:
    """The rules of one agent."""

    draft: Callable[[Reading, Brief, SymbolTable], Assessment]
    revise: Callable[[Reading, Brief, Assessment], Revision]


DOMAINS: Final[Mapping[AgentName, Domain]] = {
    "SignalScope": Domain(signal_scope.draft, signal_scope.revise),
    "SentimentPulse": Domain(sentiment_pulse.draft, sentiment_pulse.revise),
    "MacroMind": Domain(macro_mind.draft, macro_mind.revise),
    "SectorScan": Domain(sector_scan.draft, sector_scan.revise),
    "PolicyRadar": Domain(policy_radar.draft, policy_radar.revise),
}


class RulesAnalyst:
    """The built-in engine. Deterministic: the same brief gives the same assessment, to the last digit."""

    def __init__(self, symbols: SymbolTable, watchlist: Mapping[str, Holding]) -> None:
        self._symbols = symbols
        self._watchlist = dict(watchlist)
        self._names = {symbol: holding.names for symbol, holding in watchlist.items()}
        self._readings: OrderedDict[Item, Reading] = OrderedDict()
        self._newest: tuple[Item, Reading] | None = None

    @property
    def engine(self) -> Engine:
        return "rules"

    @property
    def model(self) -> str | None:
        return None

    async def draft(self, agent: AgentName, brief: Brief) -> Assessment:
        """The item at face value, as this agent's domain weighs it."""
        return DOMAINS[agent].draft(self.reading(brief.item), brief, self._symbols)

    async def revise(self, agent: AgentName, brief: Brief, draft: Assessment) -> Revision:
        """The faults that the item's words and the evidence show in the draft."""
        return DOMAINS[agent].revise(self.reading(brief.item), brief, draft)

    async def view(self, item: Item) -> RulesView:
        """What these rules make of the item's words alone, for a model's word to be held to."""
        brief = Brief(item, item.first_seen_at, watchlist=self._watchlist)
        read = self.reading(item)
        assessments = [DOMAINS[agent].draft(read, brief, self._symbols) for agent in AGENT_NAMES]
        return view_of(
            assessments,
            events=frozenset(one.event for one in read.happenings),
            certain=frozenset(one.event for one in read.happenings if one.now),
        )

    def reading(self, item: Item) -> Reading:
        """The reading of an item, made once."""
        if self._newest is not None and self._newest[0] is item:
            return self._newest[1]
        known = self._readings.get(item)
        if known is not None:
            return known
        fresh = read(item, self._symbols, self._watchlist, self._names)
        self._readings[item] = fresh
        self._newest = item, fresh
        if len(self._readings) > _REMEMBERED:
            self._readings.popitem(last=False)
        return fresh
