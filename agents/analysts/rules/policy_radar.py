"""PolicyRadar: rules and their enforcement."""

from __future__ import annotations

from typing import Final

from agents.analysts.protocol import Brief, Revision
from agents.analysts.rules.arithmetic import Sheet
from agents.analysts.rules.company_links import direct_links
from agents.analysts.rules.evidence_terms import concerns_item
from agents.analysts.rules.judgement import (
    Amendment,
    View,
    assessment,
    common_terms,
    faults_of_item,
    revised,
)
from agents.analysts.rules.magnitude import largest
from agents.analysts.rules.reading import Happening, Reading
from agents.analysts.rules.scan import watched, word_list
from agents.models import Assessment, Fault, FlashEvent, SignalType
from feeds.symbols.table import SymbolTable

_EVENTS: Final[dict[FlashEvent, float]] = {
    "regulatory_action": 0.52,
    "fraud": 0.55,
    "export_ban": 0.60,
    "tariffs": 0.55,
    "sanctions": 0.56,
    "trading_halt": 0.50,
    "bankruptcy": 0.55,
    "rate_surprise": 0.55,
}
_MATERIAL: Final[dict[FlashEvent, float]] = {
    "regulatory_action": 0.56,
    "fraud": 0.55,
    "export_ban": 0.60,
    "tariffs": 0.55,
    "sanctions": 0.56,
    "bankruptcy": 0.55,
}
"""From which draft score an act is material enough to be tagged: this agent's tag alone can make a FLASH."""
_DOCUMENTS: Final = ("regulatory_documents", "sec_enforcement", "central_bank_statements", "asic_enforcement")
_LEGAL: Final = word_list(
    "sue sues sued lawsuit court judge trial settle settles settlement probe investigat* fine fined fines charged "
    "charges regulat* antitrust SEC DOJ FTC FDA FAA plead* ruling ruled appeal legal watchdog prosecutor "
    "prosecutors indict* class_action law_firm attorney patent"
)
_MAJOR: Final = watched(
    r"\b(?:US|U\.S\.?|FAA|EASA|SEC|DOJ|FTC|FDA|Justice D\w+|Commerce D\w+|Commerce|EU|European Commission|"
    r"Europe(?:an)?|UK|Britain|British|China|Chinese|Japan(?:ese)?|India|German[y]?|France|French|Canada|Australia|"
    r"Netherlands|Dutch|[Ff]ederal|Trump|Biden|White House|Washington|Brussels|Beijing|Treasury|Russian?|Saudi|"
    r"Iranian?|[Pp]rosecutors?|[Rr]egulators?|CFTC|BaFin|[Ww]atchdog|[Aa]uthorit\w+|[Aa]viation)\b",
    (
        "=us =u faa easa =sec doj ftc fda justice commerce =eu europe =uk britain british china chinese japan india "
        "german france french canada australia netherlands dutch federal trump biden white washington brussels "
        "beijing treasury russia saudi iran prosecutor regulator cftc bafin watchdog authorit aviation"
    ),
)
_HEAVY: Final = word_list(
    "ground grounds grounded ban bans banned block blocks blocked revoke revokes shut shuts airspace suspend suspends "
    "grounding bar bars prohibit prohibits sue sues sued charged charges fraud securities_fraud criminal indict* "
    "accounting fabricated"
)
_GROUNDED: Final = word_list("grounds grounded grounding")
"""Acts that matter whoever is named: aircraft that may not fly."""
_LENDER: Final = watched(
    r"\b(?:Bank|Bancorp|Bancshares|Brothers|Securities|Insurance)\b|\b(?i:(?:largest|biggest|major|national) "
    r"(?:\w+ )?(?:bank|lender|insurer|broker))\b",
    "bank bancorp bancsha brother securit insuran largest biggest major national",
)
"""Names whose failure is a matter of the supervisors: deposits, policies and counterparties hang on them."""
_NARROW: Final = word_list("anti-dumping antidumping countervailing safeguard_duties preliminary")
"""Duties on a single product after a long procedure."""
_MINOR: Final = word_list(
    "company firm firms companies individual individuals national nationals official officials businessman "
    "businessmen entities network networks hacker hackers judge judges minister ministers general generals airline"
)
"""Targets of sanctions that no market hangs on."""
_WEIGHTY: Final = word_list(
    "oil crude gas LNG bank banks chip* semiconductor* refinery refineries tanker* shipping aluminium steel metals "
    "nickel uranium rare_earth* telecom sovereign debt energy defense defence Huawei"
)
"""Fields in which an act against some firm moves a market all the same."""
_UNLISTED: Final = word_list(
    "Binance FTX Tether Kraken Huawei ByteDance TikTok OpenAI SpaceX Evergrande Aramco Gazprom Rosneft Lukoil Adani "
    "Samsung Foxconn SMIC Glencore Trafigura Vitol Cargill",
    0,
)
"""Names without a share in New York on which listed ones hang."""
_SETTLED: Final = word_list("settle settles settled settlement to_settle")
_DECIDED: Final = word_list(
    "pass passes passed approve approves approved sign signs signed enact enacts enacted adopt adopts adopted repeal* "
    "impose imposes imposed ban bans banned announces unveils sets order orders ordered scraps ends lifts raises cuts "
    "suspends releases extends blocks rejects overturns strikes_down upholds rules ruled"
)
_WORTH: Final = 0.40
"""From here on the companies an item names are linked."""


def draft(reading: Reading, brief: Brief, symbols: SymbolTable) -> Assessment:
    """An act of an authority by its weight and target; legal and rule news by kind."""
    sheet = Sheet()
    signal = reading.signal_type
    happening = _act(reading)
    view = View(sheet, signal, 0.66)
    if happening is not None:
        sheet.add(happening.label, _EVENTS[happening.event])
        _weigh(sheet, reading)
        common_terms(sheet, reading, brief)
        material = _material(reading, happening, sheet.total, symbols)
        view.event = happening.event if material else None
        if material and happening.now:
            sheet.add(material, 0.10)
        view.confidence = 0.75
    elif (found := _rule_or_case(reading)) is not None:
        label, amount, legal = found
        sheet.add(label, amount)
        _weigh(sheet, reading)
        common_terms(sheet, reading, brief)
        view.signal, view.confidence = _legal_signal(reading) if legal else signal, 0.66
    else:
        sheet.add("no rule or enforcement", 0.1)
    if happening is not None or sheet.total >= _WORTH:
        view.links = direct_links(reading, min(1.0, max(0.0, sheet.total)), view.event)
    return assessment(view, reading)


def _rule_or_case(reading: Reading) -> tuple[str, float, bool] | None:
    """What the news of rules and courts is worth at face value, and whether it is a case."""
    found: list[tuple[float, str, bool]] = []
    matter = reading.matter("policy")
    if matter is not None:
        worth = matter.matter.base if reading.named is not None else matter.matter.alone
        found.append((worth, matter.matter.label, True))
    if reading.scan.search(_LEGAL):
        found.append((0.34 if reading.named is not None else 0.26, "legal matter", True))
    if reading.signal_type == "policy_change":
        decided = reading.scan.in_title(_DECIDED) is not None
        found.append((0.34 if decided else 0.28, "a measure" if decided else "policy", False))
    if not found:
        return None
    amount, label, legal = max(found)
    return label, amount, legal


def _material(reading: Reading, happening: Happening, weight: float, symbols: SymbolTable) -> str:
    """Why an act may be tagged, or "": this agent's tag alone can make a FLASH, so the target must matter."""
    if not happening.in_title or weight < _MATERIAL.get(happening.event, 9.0):
        return ""
    if happening.event in ("regulatory_action", "fraud"):
        known = reading.scan.in_title(_GROUNDED) or reading.scan.in_title(_UNLISTED)
        named = reading.named is not None or known is not None
        money = largest(reading.magnitudes, "money")
        big = money is not None and money.value >= 5e8
        heavy = reading.scan.in_title(_HEAVY) is not None and reading.scan.in_title(_MAJOR) is not None
        big = big and (named or reading.scan.in_title(_MAJOR) is not None)
        return "a material act" if big or reading.move or (named and heavy) else ""
    if happening.event == "bankruptcy":
        company = reading.named
        large = company is not None and symbols.large(company.symbol)
        return "others depend on it" if large or reading.scan.in_title(_LENDER) else ""
    minor = reading.scan.in_title(_MINOR) is not None and reading.named is None and not reading.subjects
    if reading.scan.in_title(_NARROW) or (minor and not reading.scan.in_title(_WEIGHTY)):
        return ""
    return "an act of a major power" if reading.scan.in_title(_MAJOR) else ""


def _act(reading: Reading) -> Happening | None:
    found = [one for one in reading.happenings if one.event in _EVENTS]
    now = [one for one in found if one.now] or found
    return max(now, key=lambda one: _EVENTS[one.event], default=None)


def _legal_signal(reading: Reading) -> SignalType:
    return "policy_change" if reading.signal_type == "routine_news" else reading.signal_type


def _weigh(sheet: Sheet, reading: Reading) -> None:
    if reading.named is not None:
        sheet.add("named listed company", 0.04)
    elif (known := reading.scan.in_title(_UNLISTED)) is not None:
        sheet.add(f"{known.group()}, on which listed names hang", 0.04)
    money = largest(reading.magnitudes, "money")
    if money is not None and money.value >= 1e8:
        sheet.add(money.quote, 0.04 if money.value < 1e9 else 0.08)
    heavy = reading.scan.search(_HEAVY)
    if heavy:
        sheet.add(f'"{heavy.group()}"', 0.04)


def revise(reading: Reading, brief: Brief, draft: Assessment) -> Revision:
    """Looks for acts that are only asked for, settled or routine; official documents confirm."""
    amendments = faults_of_item(reading, _act(reading), tagged=draft.event_type is not None)
    settled = reading.scan.search(_SETTLED)
    if settled and draft.impact_score >= 0.4:
        quote = settled.group()
        amendments.append(Amendment(Fault(quote, f'"{quote}": the matter ends'), "settled", -0.05, None, True))
    if draft.event_type is not None:
        amendments += _confirmed(reading, brief)
    return revised(reading, draft, amendments)


def _confirmed(reading: Reading, brief: Brief) -> list[Amendment]:
    """The first official document on the event itself; a second one says no more."""
    for one in brief.evidence:
        if one.tool not in _DOCUMENTS or one.status != "ok":
            continue
        found = next((item for item in one.items if concerns_item(reading, item)), None)
        if found is not None:
            fault = Fault(one.id, f'{found.source or one.source} holds the document: "{found.text[:80]}"')
            return [Amendment(fault, "official document", 0.03, None, False, 0.08)]
    return []
