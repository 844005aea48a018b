"""`sector_peers`: companies of the same industry, from the offline company table."""

from __future__ import annotations

from dataclasses import dataclass

from agents.links import Symbols
from agents.models import Evidence, EvidenceItem, ToolName
from agents.tools.local import LocalTool
from agents.tools.protocol import Question
from agents.tools.result import empty, ok
from agents.tools.subjects import company_symbols

COMPANIES = 3
"""Peers are looked up for this many of the companies an item names."""
PEERS = 6
"""Peers given for one company."""
SOURCE = "offline company table"


@dataclass(frozen=True)
class SectorPeers(LocalTool):
    """Answers at once and without the network; a company the table does not hold has no peers here."""

    symbols: Symbols

    @property
    def name(self) -> ToolName:
        return "sector_peers"

    def answer(self, question: Question) -> Evidence:
        """The peers of the companies the item names; `empty` where it names none or the table knows none."""
        asked = company_symbols(question, self.symbols, {})[:COMPANIES]
        if not asked:
            return empty(self.name, question.now, SOURCE, "the item names no company")
        found = [self._peer(symbol, peer) for symbol in asked for peer in self.symbols.peers(symbol, PEERS)]
        if not found:
            return empty(self.name, question.now, SOURCE, f"no peers known of {', '.join(asked)}")
        return ok(self.name, question.now, SOURCE, found)

    def _peer(self, symbol: str, peer: str) -> EvidenceItem:
        name = self.symbols.name(peer)
        sector = self.symbols.sector(symbol)
        named = f"{peer} {name}" if name else peer
        return EvidenceItem(f"{named}: same industry as {symbol}{f' ({sector})' if sector else ''}", source=SOURCE)
