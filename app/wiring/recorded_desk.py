"""The desk of a recording: the rules, with the evidence and the failures that were written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agents.analysts.protocol import Holding
from agents.analysts.recorded import RecordedAnalyst
from agents.analysts.rules.analyst import RulesAnalyst
from agents.desk import Desk
from agents.tools import build_tools
from agents.tools.protocol import Archive
from agents.tools.recorded import recorded_tools
from app.pipeline.beside_recording import Beside
from app.wiring.offline_desk import event_reader
from feeds.symbols.table import SymbolTable


def recorded_desk(watched: Mapping[str, Holding], archive: Archive, source_ids: Sequence[str], beside: Beside) -> Desk:
    """Nobody is asked: tools answer from `beside`, and from the items that were played before."""
    symbols = SymbolTable.load()
    analyst = RulesAnalyst(symbols, watched)
    tools = recorded_tools(beside.answers, build_tools(archive, symbols, source_ids or None))
    return Desk(RecordedAnalyst(analyst, beside.failures), tools, symbols, watched, read_event=event_reader(analyst))
