"""MacroMind: rates, inflation, growth, currencies, oil and gold."""

from __future__ import annotations

import re
from typing import Final

from agents.analysts.protocol import Brief, Revision
from agents.analysts.rules.arithmetic import Sheet
from agents.analysts.rules.company_links import further_links
from agents.analysts.rules.judgement import (
    Amendment,
    View,
    assessment,
    common_terms,
    faults_of_item,
    revised,
)
from agents.analysts.rules.magnitude import largest
from agents.analysts.rules.reading import Reading
from agents.analysts.rules.scan import watched, word_list
from agents.analysts.rules.traits import not_yet
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
_EXPECTED: Final = word_list("as_expected in_line unchanged widely_expected matching_forecasts")
_KEPT: Final = word_list("keep keeps hold holds leave leaves")
"""What a central bank does that does nothing."""
_TALK: Final = word_list(
    "says say said sees speech remarks podcast tells comments warns argues calls urges Bullard Waller Barkin Mester "
    "Daly Bostic Kashkari George Evans Kaplan Rosengren",
    0,
)
_CHIEF: Final = word_list(
    "Powell Lagarde Draghi Yellen Bailey Carney Kuroda Ueda Warsh Bullard Waller",
    0,
)
"""Central bankers whose word moves markets."""
_PAPERS: Final = word_list("Fed_minutes ECB_minutes FOMC_minutes BoE_minutes dot_plot Fed_statement", 0)
"""What says how a central bank voted."""
_TOP_DATA: Final = watched(
    re.compile(
        r"\b(?:inflation|CPI|consumer prices?|payrolls|jobs report|unemployment(?! (?:benefit|insurance|"
        r"payment|aid|check|pay|office|line|scheme|fund))|GDP|economy (?:\w+ )?(?:grows|grew|"
        r"shrinks|shrank|contracts|contracted|stalls|stalled)|"
        r"job growth|(?:enters?|entered|in|into) (?:a )?recession)\b",
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
_MOVES: Final = word_list(
    "plung* crash* soar* surge surges surged surging slump* collaps* record below_zero negative historic"
)
_TRADED: Final = word_list(
    "oil crude Brent gold dollar yen euro sterling pound yuan yields stocks shares Dow Nasdaq futures wheat copper "
    "bitcoin lira rouble ruble gas S&P Nikkei FTSE"
)
_RISES_FALLS: Final = word_list(
    "rise rises rose fall falls fell gain gains jump jumps slip slips drop drops slide slides climb climbs tumble* "
    "edge* higher lower hit hits plung* soar* surge surges surged surging slump* sink* rally rallies dip dips ease "
    "eases steady rebound* "
    "retreat*"
)
_DECIDED_RATE: Final = re.compile(
    r"\b(?:to|at)\b (?:a )?(?:record |range of |new )?(-?\d{1,2}(?:\.\d{1,3})?)\s?%?"
    r"(?:\s?(?:-|–|to)\s?(-?\d{1,2}(?:\.\d{1,3})?))?\s?(?:%|percent\b|per cent\b|pct\b)",
    re.I,
)
"""The rate, or the range of rates, that a decision ends at."""
_BANKS: Final = (
    (re.compile(r"^(?:Fed funds|United States)"), re.compile(r"\b(?:Fed|FOMC|Federal Reserve|US|U\.S\.)")),
    (re.compile(r"^(?:ECB|euro area)"), re.compile(r"\b(?:ECB|European Central Bank|euro zone|euro area)\b", re.I)),
    (re.compile(r"^(?:Tokyo|Japan)"), re.compile(r"\b(?:BOJ|BoJ|Bank of Japan|Japan)\b")),
    (re.compile(r"^United Kingdom"), re.compile(r"\b(?:BoE|BOE|Bank of England|UK|Britain)\b")),
    (re.compile(r"^Australia"), re.compile(r"\b(?:RBA|Reserve Bank of Australia|Australia)\b")),
    (re.compile(r"^Switzerland"), re.compile(r"\b(?:SNB|Swiss)\b")),
    (re.compile(r"^Canada"), re.compile(r"\b(?:BoC|BOC|Bank of Canada|Canada)\b")),
)
"""How a series of policy rates begins, and how an item names its bank."""
_DAYS: Final = 3.0
"""A step of a policy rate is that of an item so many days after it at most."""


def draft(reading: Reading, brief: Brief, symbols: SymbolTable) -> Assessment:
    """A rate decision by its size and surprise; data against expectation; markets by the size of the move."""
    sheet = Sheet()
    happening = reading.happening("rate_surprise")
    view = View(sheet, reading.signal_type, 0.66)
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


_RATE_DECISION: Final = "rate decision"
_BANK_TALK: Final = "central bank talk"
_CONTENT: Final = 0.28
"""From here on an item has macro content that its size can add to."""


def _content(reading: Reading) -> tuple[str, float, float]:
    """What the item tells about the economy, what that is worth at face value, and how sure that is."""
    scan, signal = reading.scan, reading.signal_type
    found: list[tuple[float, str, float]] = [(0.1, "no macro content", 0.66)]
    matter = reading.matter("macro")
    if matter is not None:
        found.append((matter.matter.base, matter.matter.label, 0.7))
    decision = scan.in_title(_DECIDES) if reading.kind("policy_change") else None
    if decision:
        unsettled = not_yet(reading.title[: decision.start()], decision.group())
        found.append((0.36, "talk of rates", 0.6) if unsettled else (0.50, _RATE_DECISION, 0.7))
    if signal == "macro_event" and reading.named is None:
        major = scan.search(_MAJOR) is not None
        if scan.in_title(_TOP_DATA):
            found.append((0.48 if major else 0.36, "key figure" if major else "key figure elsewhere", 0.65))
        elif scan.in_title(_FIGURE):
            found.append((0.40 if major else 0.32, "macro figure", 0.65))
        else:
            found.append((0.28, "macro talk", 0.62))
    if signal == "policy_change" and _central_bank(reading):
        talk = scan.in_title(_TALK) is not None
        paper = scan.in_title(_PAPERS) is not None
        chief = talk and scan.in_title(_CHIEF) is not None
        found.append((0.42 if chief or paper else 0.36, _BANK_TALK if talk else "central bank", 0.6))
    if reading.subjects:
        moves = scan.in_title(_TRADED) is not None and scan.in_title(_RISES_FALLS) is not None
        found.append((0.34 if moves else 0.26, f"touches {reading.subjects[0].symbol}", 0.62))
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
    if draft.arithmetic and draft.arithmetic[0].label == _BANK_TALK:
        amendments = [one for one in amendments if one.label != "unconfirmed"]  # a central banker's hedge is the news
    expected = reading.scan.in_title(_EXPECTED)
    if expected is None and draft.arithmetic and draft.arithmetic[0].label == _RATE_DECISION:
        expected = reading.scan.in_title(_KEPT)
    if expected and draft.impact_score >= 0.4:
        quote = expected.group()
        amendments.append(Amendment(Fault(quote, f'"{quote}": no surprise'), "as expected", -0.08, None, True))
    for one in brief.evidence:
        if one.tool == "policy_rates" and one.status == "ok" and draft.event_type == "rate_surprise":
            amendments += _in_the_series(reading, one)
    return revised(reading, draft, amendments)


def _in_the_series(reading: Reading, evidence: Evidence) -> list[Amendment]:
    """An official series of the same bank that stepped in these days to the very rate the item reports.

    The rate from before the decision, which reports state too, and the rate of another bank confirm nothing.
    """
    decided = {float(rate) for match in _DECIDED_RATE.finditer(reading.text) for rate in match.groups() if rate}
    for item in evidence.items:
        values = dict(item.values)
        bank = next((named for label, named in _BANKS if label.search(item.text)), None)
        stepped = 0 <= values.get("days_since_step", -1.0) <= _DAYS
        if bank is None or not stepped or not bank.search(reading.text):
            continue
        if any(abs(values.get("value", -99.0) - rate) < 0.005 for rate in decided):
            fault = Fault(evidence.id, f"the series holds the rate: {item.text[:80]}")
            return [Amendment(fault, "confirmed by the policy rate", 0.02, None, False, 0.05)]
    return []
