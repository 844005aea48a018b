"""PolicyRadar: rules and their enforcement."""

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
    direct_links,
    faults_of_item,
    revised,
)
from agents.analysts.rules.magnitude import largest
from agents.analysts.rules.reading import Happening, Reading
from agents.models import Assessment, Fault, FlashEvent, SignalType
from feeds.symbols import SymbolTable

_EVENTS: Final[dict[FlashEvent, float]] = {
    "regulatory_action": 0.52,
    "fraud": 0.54,
    "export_ban": 0.60,
    "tariffs": 0.58,
    "sanctions": 0.58,
    "trading_halt": 0.50,
    "bankruptcy": 0.45,
    "rate_surprise": 0.55,
}
_MATERIAL: Final[dict[FlashEvent, float]] = {
    "regulatory_action": 0.56,
    "fraud": 0.54,
    "export_ban": 0.60,
    "tariffs": 0.58,
    "sanctions": 0.58,
}
"""From which draft score an act is material enough to be tagged: this agent's tag alone can make a FLASH."""
_DOCUMENTS: Final = ("regulatory_documents", "sec_enforcement", "central_bank_statements", "asic_enforcement")
_LEGAL: Final = re.compile(
    r"\b(?:sues?|sued|lawsuit|court|judge|trial|settles?|settlement|probe|investigat\w+|fined?|fines|charged|"
    r"charges|regulat\w+|antitrust|SEC|DOJ|FTC|FDA|FAA|plead\w*|ruling|ruled|appeal|"
    r"legal|watchdog|prosecutors?|indict\w+|class action|law firm|attorney|patent|claims?)\b",
    re.I,
)
_MAJOR: Final = re.compile(
    r"\b(?:US|U\.S\.?|FAA|EASA|SEC|DOJ|FTC|FDA|Justice Department|EU|European Commission|Europe|UK|Britain|"
    r"British|China|Japan|India|Germany|France|Canada|Australia|federal|"
    r"Trump|Washington|Brussels|Beijing|Treasury|White House|Russia|prosecutors?|regulators?|CFTC|BaFin|"
    r"watchdog|authorit\w+|aviation)\b"
)
_HEAVY: Final = re.compile(
    r"\b(?:grounds?|grounded|bans?|banned|blocks?|blocked|revokes?|shuts?|airspace|suspends?|grounding|bars|"
    r"prohibits|sues?|sued|charged|charges|fraud|securities fraud|criminal|indict\w+|accounting|fabricated)\b",
    re.I,
)


def draft(reading: Reading, brief: Brief, symbols: SymbolTable) -> Assessment:
    """An act of an authority by its weight and target; legal and rule news by kind."""
    sheet = Sheet()
    signal = reading.signal_type
    happening = _act(reading)
    view = View(sheet, signal, 0.55)
    if happening is not None:
        sheet.add(happening.label, _EVENTS[happening.event])
        _weigh(sheet, reading)
        common_terms(sheet, reading, brief)
        material = _material(reading, happening, sheet.total)
        view.event = happening.event if material else None
        view.confidence = 0.75
    elif signal == "policy_change":
        sheet.add("policy", 0.42)
        common_terms(sheet, reading, brief)
        view.confidence = 0.6
    elif _LEGAL.search(reading.text):
        sheet.add("legal matter", 0.36)
        _weigh(sheet, reading)
        common_terms(sheet, reading, brief)
        view.signal, view.confidence = _legal_signal(reading), 0.6
    else:
        sheet.add("no rule or enforcement", 0.1)
        view.confidence = 0.55
    if happening is not None or sheet.total >= 0.45:
        view.links = direct_links(reading, min(1.0, max(0.0, sheet.total)), view.event)
    return assessment(view, reading)


def _material(reading: Reading, happening: Happening, weight: float) -> bool:
    """Whether an act may be tagged: this agent's tag alone can make a FLASH, so the target must matter."""
    threshold = _MATERIAL.get(happening.event)
    if threshold is None or not happening.in_title:
        return False
    if happening.event in ("regulatory_action", "fraud"):
        named = any(not mention.quoted for mention in reading.mentions)
        money = largest(reading.magnitudes, "money")
        big = money is not None and money.value >= 5e8
        heavy = _HEAVY.search(reading.title) is not None and _MAJOR.search(reading.title) is not None
        return weight >= threshold and (big or bool(reading.move) or (named and heavy))
    return weight >= threshold and _MAJOR.search(reading.title) is not None


def _act(reading: Reading) -> Happening | None:
    found = [one for one in reading.happenings if one.event in _EVENTS]
    now = [one for one in found if one.now] or found
    return max(now, key=lambda one: _EVENTS[one.event], default=None)


def _legal_signal(reading: Reading) -> SignalType:
    return "policy_change" if reading.signal_type == "routine_news" else reading.signal_type


def _weigh(sheet: Sheet, reading: Reading) -> None:
    if any(mention.about and not mention.quoted for mention in reading.mentions):
        sheet.add("named listed company", 0.06)
    money = largest(reading.magnitudes, "money")
    if money is not None and money.value >= 1e8:
        sheet.add(money.quote, 0.04 if money.value < 1e9 else 0.08)
    heavy = _HEAVY.search(reading.text)
    if heavy:
        sheet.add(f'"{heavy.group()}"', 0.04)


def revise(reading: Reading, brief: Brief, draft: Assessment) -> Revision:
    """Looks for acts that are only asked for, settled or routine; official documents confirm."""
    amendments = faults_of_item(reading, _act(reading), tagged=draft.event_type is not None)
    settled = re.search(r"\b(?:settles?|settled|settlement|to settle)\b", reading.text, re.I)
    if settled and draft.impact_score >= 0.4:
        quote = settled.group()
        amendments.append(Amendment(Fault(quote, f'"{quote}": the matter ends'), "settled", -0.05, None, True))
    if draft.event_type is not None:
        for one in brief.evidence:
            if one.tool in _DOCUMENTS and one.status == "ok":
                fault = Fault(one.id, f"{one.source} holds the document")
                amendments.append(Amendment(fault, "official document", 0.03, None, False, 0.08))
    return revised(reading, draft, amendments)
