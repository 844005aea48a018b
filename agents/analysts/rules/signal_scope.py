"""SignalScope: geopolitics, sanctions, trade measures and macro events."""

from __future__ import annotations

from typing import Final

from agents.analysts.protocol import Brief, Revision
from agents.analysts.rules.arithmetic import Sheet
from agents.analysts.rules.company_links import direct_links
from agents.analysts.rules.corroboration import faults_of_evidence
from agents.analysts.rules.evidence_terms import sanctions_terms
from agents.analysts.rules.judgement import (
    View,
    assessment,
    common_terms,
    faults_of_item,
    kind_in_words,
    revised,
)
from agents.analysts.rules.magnitude import largest
from agents.analysts.rules.reading import Reading
from agents.analysts.rules.scale import scale
from agents.analysts.rules.scan import watched, word_list
from agents.models import Assessment, FlashEvent
from feeds.symbols.table import SymbolTable

_EVENTS: Final[dict[FlashEvent, float]] = {
    "geopolitical_conflict": 0.58,
    "sanctions": 0.55,
    "export_ban": 0.64,
    "tariffs": 0.56,
}
_OVERLAP: Final = 0.3
"""What the size of an event can add in full; of more only a half counts, because its signs say the same."""
_SMALLEST: Final = -0.2
"""What the signs of a small event can take away in all, because they too say the same."""
_KINDS: Final = {"supply_chain": 0.36, "macro_event": 0.30, "policy_change": 0.30}
_SHOCKS: Final = {"supply_chain": 0.61, "policy_change": 0.48, "macro_event": 0.37}
"""The same kinds where they touch energy or a key material: a sector-wide matter."""
_POWER: Final = watched(
    r"\b(?:US|U\.S\.?|China|Chinese|Russia|Russian|Iran|Iranian|Saudi|Israel|EU|Taiwan|Ukraine|Iraqi?|Kuwait|"
    r"OPEC\+?|NATO|Trump|Putin|Beijing|Moscow|Tehran|Washington)\b",
    (
        "=us =u china chinese russia iran saudi israel =eu taiwan ukrain iraq kuwait opec nato trump putin beijin "
        "moscow tehran washin"
    ),
)
_ENERGY: Final = word_list(
    "oil crude gas LNG pipeline pipelines refinery refineries tanker tankers OPEC OPEC+ Hormuz Suez Red_Sea "
    "Panama_Canal Bab-el-Mandeb Aramco chip chips semiconductor semiconductors rare_earth rare_earths grain grains "
    "wheat copper cobalt lithium uranium palladium nickel aluminium platinum PGM rhodium potash fertiliser fertilizer "
    "ammonia helium neon iron_ore coal rice palm_oil soybean soybeans cocoa coffee sugar zinc tin gallium germanium "
    "graphite"
)


def draft(reading: Reading, brief: Brief, symbols: SymbolTable) -> Assessment:
    """The item at face value, by event first, by kind of news otherwise."""
    sheet = Sheet()
    happening = reading.happening("geopolitical_conflict", "sanctions", "export_ban", "tariffs")
    if happening is not None:
        sheet.add(happening.label, _EVENTS[happening.event])
        _weigh(sheet, reading)
        common_terms(sheet, reading, brief)
        view = View(sheet, reading.signal_type, 0.75 if happening.in_title else 0.65, happening.event)
    else:
        signal = reading.signal_type
        shock = signal in _SHOCKS and reading.scan.search(_ENERGY) is not None
        base = _SHOCKS[signal] if shock else _KINDS.get(signal, 0.12)
        label = "supply of a key material" if shock else kind_in_words(signal)
        sheet.add(label if signal in _KINDS else "outside geopolitics and macro", base)
        if signal in _KINDS:
            _weigh(sheet, reading, 1.0 if shock else 0.6, material=not shock)
            common_terms(sheet, reading, brief)
        else:
            for named, amount in sanctions_terms(brief.evidence):
                sheet.add(named, amount)
        view = View(sheet, signal, 0.66)
    if view.event is not None:
        view.links = direct_links(reading, min(1.0, max(0.0, sheet.total)), view.event)
    return assessment(view, reading)


def _weigh(sheet: Sheet, reading: Reading, factor: float = 1.0, *, material: bool = True) -> None:
    """What makes it larger or smaller; `material` is False where the first term has named the material already."""
    before = sheet.total
    if factor == 1.0 and reading.scan.search(_POWER):
        sheet.add("a major power", 0.02)
    if material and reading.scan.search(_ENERGY):
        sheet.add("energy or a key material", 0.07 * factor)
    size = scale(reading.scan, reading.magnitudes)
    for label, amount in size:
        sheet.add(label, amount * factor)
    smaller = sum(amount for _, amount in size if amount < 0)
    if smaller < _SMALLEST:
        sheet.add("these overlap", (_SMALLEST - smaller) * factor)
    money = largest(reading.magnitudes, "money")
    if money is not None and money.value >= 3e10:
        sheet.add(f"{money.quote}", 0.05 * factor)
    share = largest(reading.magnitudes, "percent")
    if share is not None and abs(share.value) >= 20:
        sheet.add(f"{share.quote.strip()}", 0.03 * factor)
    if sheet.total - before > _OVERLAP:
        sheet.add("these overlap", -(sheet.total - before - _OVERLAP) / 2)


def revise(reading: Reading, brief: Brief, draft: Assessment) -> Revision:
    """Reads the draft against the item's hedges and against earlier reports of the story."""
    happening = reading.happening("geopolitical_conflict", "sanctions", "export_ban", "tariffs")
    amendments = faults_of_item(reading, happening, tagged=draft.event_type is not None)
    return revised(reading, draft, [*amendments, *faults_of_evidence(reading, brief.evidence)])
