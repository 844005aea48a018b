"""SectorScan: the company itself, its peers, its suppliers and customers."""

from __future__ import annotations

import re
from typing import Final

from agents.analysts.protocol import Brief, Revision
from agents.analysts.rules.arithmetic import Sheet
from agents.analysts.rules.judgement import (
    View,
    assessment,
    common_terms,
    direct_links,
    direction,
    faults_of_item,
    further_links,
    revised,
)
from agents.analysts.rules.magnitude import largest
from agents.analysts.rules.reading import Happening, Reading
from agents.models import Assessment, FlashEvent, SignalType, TickerLink
from feeds.symbols import SymbolTable

_EVENTS: Final[dict[FlashEvent, float]] = {
    "bankruptcy": 0.82,
    "trading_halt": 0.72,
    "earnings_shock": 0.74,
    "fraud": 0.56,
    "regulatory_action": 0.52,
    "export_ban": 0.55,
    "tariffs": 0.52,
    "sanctions": 0.48,
}
_OWN: Final[frozenset[FlashEvent]] = frozenset({"bankruptcy", "trading_halt", "earnings_shock"})
_KINDS: Final[dict[SignalType, float]] = {
    "guidance_change": 0.56,
    "m_and_a": 0.46,
    "supply_chain": 0.44,
    "earnings": 0.50,
    "sentiment_surge": 0.30,
}
_MOVED: Final = 0.52
_QUIET: Final = re.compile(
    r"\b(?:app|apps|stores?|streaming|launch\w*|unveil\w*|introduc\w+|opens?|opening|new|hires?|workers?|campaign|"
    r"partner\w*|tests?|testing|pilots?|offers?|podcast|game|games|show|series|film|museum|award)\b",
    re.I,
)
_STRONG_MOVE: Final = re.compile(
    r"\b(?:plung\w+|tumbl\w+|crash\w*|soar\w*|surg\w+|slump\w*|collaps\w+|plummet\w*|sink\w*|sank|jump\w*|"
    r"slash\w*|warn\w*|worst|record|biggest|rall(?:y|ies|ied)|skid\w*|swoon\w*|spik\w+|dives?)\b",
    re.I,
)
_SHARES: Final = re.compile(
    r"\b(?:shares?|stock|investors|market (?:cap|value)|Wall St(?:reet)?|results?|forecast|outlook|sales|revenue|"
    r"profits?|dividend|earnings|quarter\w*|holiday|guidance|targets?|downgrade\w*|upgrade\w*)\b",
    re.I,
)
_PERSONAL: Final = re.compile(
    r"\b(?:former|ex-|widow|man|woman|couple|restaurant|school|council|charity|shop|pub|chef)\b", re.I
)


def draft(reading: Reading, brief: Brief, symbols: SymbolTable) -> Assessment:
    """A company event by its weight, company news by kind, size and direction against expectation."""
    sheet = Sheet()
    signal = reading.signal_type
    happening = _company_event(reading)
    named = next((mention for mention in reading.mentions if mention.about and not mention.quoted), None)
    view = View(sheet, signal, 0.55)
    if happening is not None:
        sheet.add(happening.label, _EVENTS[happening.event])
        if named is not None:
            sheet.add("named listed company", 0.05)
        elif happening.event == "bankruptcy" and _institution(reading):
            sheet.add("a bank, broker or systemic name", 0.05)
        _size(sheet, reading)
        view.event = happening.event if happening.event in _OWN else None
        view.confidence = 0.75 if named is not None else 0.68
    elif named is not None and reading.move and _KINDS.get(signal, 0.0) < _MOVED:
        sheet.add(f'its price moves ("{reading.move}")', _MOVED)
        sheet.add("named listed company", 0.05)
        _size(sheet, reading)
        view.confidence = 0.65
    elif named is not None or signal in _KINDS:
        sheet.add(signal.replace("_", " ") if signal in _KINDS else "company news", _KINDS.get(signal, 0.24))
        if signal not in _KINDS and _QUIET.search(reading.title):
            sheet.add("product or shop news", -0.06)
        if named is not None:
            sheet.add("named listed company", 0.05)
        _size(sheet, reading)
        view.confidence = 0.65 if named is not None else 0.5
    else:
        sheet.add("no company", 0.1)
        view.confidence = 0.5
    common_terms(sheet, reading, brief)
    impact = min(1.0, max(0.0, sheet.total))
    happened = happening.event if happening is not None and happening.now else None
    view.links = (*direct_links(reading, impact, happened), *_neighbours(reading, brief, symbols, impact, happening))
    return assessment(view, reading)


def signal_weighs(reading: Reading) -> bool:
    """Whether a percentage belongs to results, a forecast or a deal and not to something incidental."""
    return reading.signal_type in ("earnings", "guidance_change", "m_and_a", "supply_chain") or bool(reading.happenings)


def _company_event(reading: Reading) -> Happening | None:
    found = [one for one in reading.happenings if one.event in _EVENTS]
    now = [one for one in found if one.now] or found
    return max(now, key=lambda one: _EVENTS[one.event], default=None)


def _institution(reading: Reading) -> bool:
    return bool(
        re.search(
            r"\b(?:Brothers|Bank|Bancorp|Securities|Airlines?|Motors|Exchange|Group|Holdings|Insurance)\b",
            reading.title,
        )
    )


def _size(sheet: Sheet, reading: Reading) -> None:
    """Larger surprises weigh more: the move, the money, the words."""
    if reading.surprise:
        sheet.add(f'against expectation ("{reading.surprise_quote}")', 0.06)
    share = largest(reading.magnitudes, "percent")
    if share is not None and abs(share.value) >= 3 and (reading.move or signal_weighs(reading)):
        sheet.add(share.quote.strip(), 0.03 if abs(share.value) < 8 else 0.06 if abs(share.value) < 20 else 0.09)
    money = largest(reading.magnitudes, "money")
    if money is not None and money.value >= 1e9:
        sheet.add(money.quote, 0.03 if money.value < 1e10 else 0.06)
    move = _STRONG_MOVE.search(reading.text)
    if move:
        sheet.add(f'"{move.group()}"', 0.06)
    if _SHARES.search(reading.title):
        sheet.add("about its shares or results", 0.07)


def _neighbours(
    reading: Reading, brief: Brief, symbols: SymbolTable, impact: float, happening: Happening | None
) -> tuple[TickerLink, ...]:
    """Watched companies that sell to, buy from or compete with a company named in a weighty item."""
    if impact < 0.4:
        return ()
    named = {mention.symbol for mention in reading.mentions if mention.about and not mention.quoted}
    links: list[TickerLink] = []
    towards = direction(reading, happening.event if happening else None)
    for symbol, holding in brief.watchlist.items():
        if symbol in named:
            continue
        partner = next((one for one in (*holding.suppliers, *holding.customers) if one in named), None)
        if partner is not None:
            role = "supplier" if partner in holding.suppliers else "customer"
            links += further_links([symbol], "chain", impact * 0.85, towards, f"{partner} is its {role}")
    first = next((m.symbol for m in reading.mentions if m.about and not m.quoted), None)
    if first is not None and impact >= 0.65:
        peers = symbols.peers(first, 12)
        watched = [peer for peer in peers if peer in brief.watchlist and peer not in named]
        links += further_links(watched, "sector", impact * 0.6, "unclear", f"same industry as {first}")
    return tuple(links)


def revise(reading: Reading, brief: Brief, draft: Assessment) -> Revision:
    """Looks for what makes company news smaller: hedges, dates only, comment, private persons."""
    happening = _company_event(reading)
    amendments = faults_of_item(reading, happening, tagged=draft.event_type is not None)
    return revised(reading, draft, amendments)
