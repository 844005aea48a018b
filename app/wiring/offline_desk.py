"""The desk of the rules without the network: what it needs is at hand in any process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agents.analysts.protocol import Holding
from agents.analysts.rules.analyst import RulesAnalyst
from agents.desk import Desk, EventReader
from agents.models import FlashEvent, ToolName
from agents.tools import build_tools
from agents.tools.protocol import Archive, Tool
from feeds.models import Item
from feeds.symbols.table import SymbolTable


def offline_desk(watched: Mapping[str, Holding], archive: Archive | None, source_ids: Sequence[str]) -> Desk:
    """The rules with the tools that the database answers."""
    symbols = SymbolTable.load()
    analyst = RulesAnalyst(symbols, watched)
    tools: Mapping[ToolName, Tool] = build_tools(archive, symbols, source_ids or None)
    return Desk(analyst, tools, symbols, watched, read_event=event_reader(analyst))


def event_reader(analyst: RulesAnalyst) -> EventReader:
    """Reads by rules which flash event an item may report."""

    def event(item: Item) -> FlashEvent | None:
        happening = analyst.reading(item).event
        return happening.event if happening else None

    return event
