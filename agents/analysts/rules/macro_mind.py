"""MacroMind: rates, inflation, growth, currencies, oil and gold."""

from __future__ import annotations

import re
from typing import Final

from agents.analysts.protocol import Brief, Revision
from agents.analysts.rules.arithmetic import Sheet
from agents.analysts.rules.judgement import (
    Amendment,
    View,
    assessment,
    common_terms,
    faults_of_item,
    further_links,
    revised,
)
from agents.analysts.rules.magnitude import largest
from agents.analysts.rules.reading import Reading
from agents.models import Assessment, Direction, Fault, TickerLink
from feeds.symbols import SymbolTable

_DECIDES: Final = re.compile(
    r"\b(?:raises?|raised|hikes?|hiked|cuts?|lowers?|lowered|lifts?|keeps?|holds?|leaves|left|delivers?|delivered|"
    r"maintains)\b.{0,50}\b(?:rates?|bps|basis[- ]points?|point)\b",
    re.I,
)
_EXPECTED: Final = re.compile(
    r"\b(?:as expected|in line|unchanged|widely expected|matching forecasts|keeps?|holds?|leaves)\b", re.I
)
_TALK: Final = re.compile(
    r"\b(?:says?|said|sees|speech|remarks|podcast|tells|comments|warns|argues|Bullard|Waller|Barkin|Mester|Daly|"
    r"Bostic|Kashkari|George|Evans)\b"
)


def draft(reading: Reading, brief: Brief, symbols: SymbolTable) -> Assessment:
    """A rate decision by its size and surprise; data against expectation; markets by the size of the move."""
    sheet = Sheet()
    happening = reading.happening("rate_surprise")
    signal = reading.signal_type
    view = View(sheet, signal, 0.55)
    if happening is not None:
        sheet.add(happening.label, 0.76)
        _basis_points(sheet, reading)
        common_terms(sheet, reading, brief)
        view.event, view.confidence = "rate_surprise", 0.75
    elif reading.kind("policy_change") and _DECIDES.search(reading.text):
        sheet.add("rate decision", 0.50)
        _basis_points(sheet, reading)
        common_terms(sheet, reading, brief)
        view.confidence = 0.7
    elif signal == "macro_event":
        figure = bool(reading.magnitudes or reading.surprise)
        sheet.add("macro figure" if figure else "macro talk", 0.42 if figure else 0.36)
        _surprise(sheet, reading)
        common_terms(sheet, reading, brief)
        view.confidence = 0.65
    elif signal == "policy_change" and _central_bank(reading):
        sheet.add("central bank talk" if _TALK.search(reading.text) else "central bank", 0.40)
        common_terms(sheet, reading, brief)
        view.confidence = 0.6
    elif reading.subjects:
        sheet.add(f"touches {reading.subjects[0].symbol}", 0.34)
        _moves(sheet, reading)
    else:
        sheet.add("no macro content", 0.1)
        view.confidence = 0.5
    view.links = _links(reading, brief, sheet)
    return assessment(view, reading)


def _basis_points(sheet: Sheet, reading: Reading) -> None:
    points = largest(reading.magnitudes, "bp")
    if points is not None and points.value > 25:
        sheet.add(points.quote, min(0.12, 0.04 * (points.value - 25) / 25))


def _surprise(sheet: Sheet, reading: Reading) -> None:
    if reading.surprise:
        sheet.add(f'against expectation ("{reading.surprise_quote}")', 0.07)
    share = largest(reading.magnitudes, "percent")
    if share is not None and abs(share.value) >= 8:
        sheet.add(share.quote.strip(), 0.03)
    _moves(sheet, reading)


def _moves(sheet: Sheet, reading: Reading) -> None:
    match = re.search(
        r"\b(?:plung\w+|crash\w*|soar\w*|surg\w+|slump\w*|collaps\w+|record|below zero|negative|historic)\b",
        reading.text,
        re.I,
    )
    if match:
        sheet.add(f'"{match.group()}"', 0.06)


def _central_bank(reading: Reading) -> bool:
    return any(found.pattern.label == "central bank or rules" for found in reading.kinds)


def _links(reading: Reading, brief: Brief, sheet: Sheet) -> tuple[TickerLink, ...]:
    """Markets of the item that the user watches, as links to a whole asset class."""
    impact = min(1.0, max(0.0, sheet.total))
    if impact < 0.4:
        return ()
    towards: Direction = "up" if reading.tone > 0.2 else "down" if reading.tone < -0.2 else "unclear"
    watched = [subject for subject in reading.subjects if subject.symbol in brief.watchlist]
    return tuple(
        link
        for subject in watched
        for link in further_links([subject.symbol], "macro", impact, towards, f'the market itself: "{subject.text}"')
    )


def revise(reading: Reading, brief: Brief, draft: Assessment) -> Revision:
    """Looks for what was expected anyway, and for hedges; policy-rate evidence confirms a decision."""
    happening = reading.happening("rate_surprise")
    amendments = faults_of_item(reading, happening, tagged=draft.event_type is not None)
    expected = _EXPECTED.search(reading.text)
    if expected and draft.impact_score >= 0.4:
        quote = expected.group()
        amendments.append(Amendment(Fault(quote, f'"{quote}": no surprise'), "as expected", -0.08, None, True))
    for one in brief.evidence:
        if one.tool == "policy_rates" and one.status == "ok" and draft.event_type == "rate_surprise":
            fault = Fault(one.id, f"{one.source} confirms the policy rate")
            amendments.append(Amendment(fault, "confirmed by the policy rate", 0.02, None, False, 0.05))
    return revised(reading, draft, amendments)
