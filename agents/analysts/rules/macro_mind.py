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
from agents.analysts.rules.scan import watched, word_list
from agents.models import Assessment, Direction, Evidence, Fault, TickerLink
from feeds.symbols.table import SymbolTable

_DECIDES: Final = watched(
    re.compile(
        r"\b(?:raises?|raised|hikes?|hiked|cuts?|lowers?|lowered|lifts?|keeps?|holds?|leaves|left|delivers?|"
        r"delivered|maintains)\b.{0,50}\b(?:rates?|bps?|basis[- ]points?|point|(?:monetary )?policy (?:unchanged|"
        r"steady|settings))\b",
        re.I,
    ),
    "raise hike cut cuts lower lift keep hold leave left deliver maintain",
)
_EXPECTED: Final = word_list(
    "as_expected in_line unchanged widely_expected matching_forecasts keep keeps hold holds leave leaves"
)
_TALK: Final = word_list(
    "says say said sees speech remarks podcast tells comments warns argues calls urges Bullard Waller Barkin Mester "
    "Daly Bostic Kashkari George Evans Kaplan Rosengren",
    0,
)
_CHIEF: Final = word_list("Powell Lagarde Draghi Yellen Bailey Carney Kuroda Ueda Warsh Bullard Waller", 0)
"""Central bankers whose word moves markets."""
_TOP_DATA: Final = watched(
    re.compile(
        r"\b(?:inflation|CPI|consumer prices?|payrolls|jobs report|unemployment|GDP|economy (?:grows|grew|shrinks|"
        r"shrank|contracts|contracted)|job growth|recession)\b",
        re.I,
    ),
    "inflation cpi consumer payrolls jobs unemployment gdp economy job recession",
)
_FIGURE: Final = watched(
    re.compile(
        r"\b(?:PMI|PPI|producer prices?|retail sales|jobless claims|industrial (?:output|production)|"
        r"factory (?:orders|activity|output)|trade (?:deficit|surplus|gap)|exports|imports|housing starts|"
        r"home sales|consumer (?:confidence|sentiment|spending)|wage (?:growth|gains)|durable goods|current account|"
        r"business (?:confidence|morale)|manufacturing activity|service sector)\b",
        re.I,
    ),
    (
        "pmi ppi producer retail jobless industrial factory trade exports imports housing home consumer wage durable "
        "current business manufacturing service"
    ),
)
_MAJOR: Final = word_list(
    "US U.S. U.S America American Fed China Chinese Japan Japanese Germany German euro_zone Euro_zone eurozone "
    "Eurozone UK British Britain global world ECB BOJ BoE India",
    0,
)
_SHARPLY: Final = word_list(
    "unexpected* surpris* far_above far_below sharply soars jumps surges plunges collapses slumps shock* highest_since "
    "lowest_since record worst biggest dive dives crash* well_above well_below"
)
_MOVES: Final = word_list("plung* crash* soar* surg* slump* collaps* record below_zero negative historic")
_TRADED: Final = word_list(
    "oil crude Brent gold dollar yen euro sterling pound yuan yields stocks shares Dow Nasdaq futures wheat copper "
    "bitcoin lira rouble ruble gas S&P Nikkei FTSE"
)
_RISES_FALLS: Final = word_list(
    "rise rises rose fall falls fell gain gains jump jumps slip slips drop drops slide slides climb climbs tumble* "
    "edge* higher lower hit hits plung* soar* surg* slump* sink* rally rallies dip dips ease eases steady rebound* "
    "retreat*"
)


def draft(reading: Reading, brief: Brief, symbols: SymbolTable) -> Assessment:
    """A rate decision by its size and surprise; data against expectation; markets by the size of the move."""
    sheet = Sheet()
    happening = reading.happening("rate_surprise")
    view = View(sheet, reading.signal_type, 0.55)
    if happening is not None:
        sheet.add(happening.label, 0.76)
        _basis_points(sheet, reading)
        common_terms(sheet, reading, brief)
        view.event, view.confidence = "rate_surprise", 0.75
    else:
        label, amount, confidence = _content(reading)
        sheet.add(label, amount)
        view.confidence = confidence
        if amount >= _CONTENT:
            _surprise(sheet, reading)
            _basis_points(sheet, reading)
            common_terms(sheet, reading, brief)
    view.links = _links(reading, brief, sheet)
    return assessment(view, reading)


_CONTENT: Final = 0.28
"""From here on an item has macro content that its size can add to."""


def _content(reading: Reading) -> tuple[str, float, float]:
    """What the item tells about the economy, what that is worth at face value, and how sure that is."""
    scan, signal = reading.scan, reading.signal_type
    found: list[tuple[float, str, float]] = [(0.1, "no macro content", 0.5)]
    matter = reading.matter("macro")
    if matter is not None:
        found.append((matter.matter.base, matter.matter.label, 0.7))
    if reading.kind("policy_change") and scan.in_title(_DECIDES):
        found.append((0.50, "rate decision", 0.7))
    if signal == "macro_event" and reading.named is None:
        major = scan.search(_MAJOR) is not None
        if scan.in_title(_TOP_DATA):
            found.append((0.48 if major else 0.36, "key figure" if major else "key figure elsewhere", 0.65))
        elif scan.in_title(_FIGURE):
            found.append((0.40 if major else 0.32, "macro figure", 0.65))
        else:
            found.append((0.28, "macro talk", 0.6))
    if signal == "policy_change" and _central_bank(reading):
        talk = scan.in_title(_TALK) is not None
        chief = scan.in_title(_CHIEF) is not None
        found.append((0.42 if chief else 0.34 if talk else 0.36, "central bank talk" if talk else "central bank", 0.6))
    if reading.subjects:
        moves = scan.in_title(_TRADED) is not None and scan.in_title(_RISES_FALLS) is not None
        found.append((0.34 if moves else 0.26, f"touches {reading.subjects[0].symbol}", 0.55))
    amount, label, confidence = max(found)
    return label, amount, confidence


def _basis_points(sheet: Sheet, reading: Reading) -> None:
    points = largest(reading.magnitudes, "bp")
    if points is not None and points.value > 25:
        sheet.add(points.quote, min(0.12, 0.04 * (points.value - 25) / 25))


def _surprise(sheet: Sheet, reading: Reading) -> None:
    """Against expectation, by how much, and how unusual."""
    if reading.surprise and reading.signal_type != "policy_change":
        sheet.add(f'against expectation ("{reading.surprise_quote}")', 0.07)
    sharply = reading.scan.in_title(_SHARPLY)
    if sharply:
        key = reading.scan.in_title(_TOP_DATA) is not None and reading.scan.search(_MAJOR) is not None
        sheet.add(f'"{sharply.group()}"', 0.18 if key else 0.10)
    elif (move := reading.scan.search(_MOVES)) is not None:
        sheet.add(f'"{move.group()}"', 0.06)
    share = largest(reading.magnitudes, "percent")
    if share is not None and (reading.subjects or reading.surprise):
        size = abs(share.value)
        sheet.add(share.quote.strip(), 0.02 if size < 2 else 0.06 if size < 5 else 0.10 if size < 10 else 0.16)


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
    expected = reading.scan.in_title(_EXPECTED)
    if expected and draft.impact_score >= 0.4:
        quote = expected.group()
        amendments.append(Amendment(Fault(quote, f'"{quote}": no surprise'), "as expected", -0.08, None, True))
    for one in brief.evidence:
        if one.tool == "policy_rates" and one.status == "ok" and draft.event_type == "rate_surprise":
            amendments += _in_the_series(reading, one)
    return revised(reading, draft, amendments)


def _in_the_series(reading: Reading, evidence: Evidence) -> list[Amendment]:
    """An official series that holds the very rate the item reports; any other rate says nothing of it."""
    stated = {magnitude.value for magnitude in reading.magnitudes if magnitude.unit == "percent"}
    for item in evidence.items:
        value = dict(item.values).get("value")
        if value is not None and any(abs(value - rate) < 0.005 for rate in stated):
            fault = Fault(evidence.id, f"the series holds the rate: {item.text[:80]}")
            return [Amendment(fault, "confirmed by the policy rate", 0.02, None, False, 0.05)]
    return []
