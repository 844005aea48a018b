"""SectorScan: the company itself, its peers, its suppliers and customers."""

from __future__ import annotations

import re
from typing import Final

from agents.analysts.protocol import Brief, Revision
from agents.analysts.rules.arithmetic import Sheet
from agents.analysts.rules.company_links import direct_links, direction, further_links
from agents.analysts.rules.judgement import (
    View,
    assessment,
    common_terms,
    faults_of_item,
    kind_in_words,
    reads_like,
    revised,
)
from agents.analysts.rules.magnitude import Magnitude, largest
from agents.analysts.rules.reading import Happening, Reading
from agents.analysts.rules.scale import at_stake
from agents.analysts.rules.scan import watched, word_list
from agents.models import Assessment, FlashEvent, SignalType, TickerLink
from feeds.symbols.table import SymbolTable

_EVENTS: Final[dict[FlashEvent, float]] = {
    "bankruptcy": 0.60,
    "trading_halt": 0.60,
    "earnings_shock": 0.66,
    "fraud": 0.56,
    "regulatory_action": 0.52,
    "export_ban": 0.55,
    "tariffs": 0.52,
    "sanctions": 0.48,
}
_OWN: Final[frozenset[FlashEvent]] = frozenset({"bankruptcy", "trading_halt", "earnings_shock"})
_STOPS: Final[frozenset[FlashEvent]] = frozenset({"bankruptcy", "trading_halt"})
"""Events after which shares cannot be traded as before: how much they weigh is how large the name is."""
_KINDS: Final[dict[SignalType, tuple[float, float]]] = {
    "guidance_change": (0.52, 0.38),
    "m_and_a": (0.32, 0.24),
    "supply_chain": (0.36, 0.30),
    "earnings": (0.43, 0.30),
    "sentiment_surge": (0.30, 0.22),
}
"""What a kind of news is worth where a listed company is named, and where none is."""
_COMPANY_NEWS: Final = 0.24
_MOVED: Final = 0.48
_UNLISTED_MOVED: Final = 0.36
_UNLISTED_SHARES: Final = re.compile(
    r"(?!(?:Asian?|European?|US|U\.S\.?|UK|Global|World|Emerging|China|Chinese|Japan|Japanese|London|German|Indian|Wall|"
    r"Bank|Tech|Chip|Oil|Energy|Airline|Auto|Retail|Hong) )(?:[A-Z][\w&.’'-]+ ){1,3}(?:shares|stock)\b"
)
_QUIET: Final = word_list(
    "app apps store stores streaming launch* unveil* introduc* opens opening new hires worker workers campaign "
    "partner* test tests testing pilot pilots offer offers podcast game games show series film museum award"
)
_STRONG_MOVE: Final = word_list(
    "plung* tumbl* crash* soar* surge surges surged surging slump* collaps* plummet* worst swoon* spik* dive dives "
    "tripl* doubl* halv* wiped"
)
_CLEAR_MOVE: Final = word_list(
    "sink* sank jump* slash* warn* record biggest rally rallies rallied skid* leap* slid slides"
)
_SLIGHT: Final = word_list("slightly modestly edges marginally narrowly little_changed in_line small minor")
_SHARES: Final = word_list(
    "share shares stock investors market_cap market_value Wall_St Wall_Street result results forecast outlook sales "
    "revenue profit profits dividend earnings quarter* holiday guidance target targets downgrade* upgrade*"
)
_SYSTEMIC: Final = watched(
    r"\b(?:Brothers|Bank|Bancorp|Securities|Airlines|Airways|Motors|Exchange|Insurance|Railway)\b|\b(?i:bank|"
    r"airline|insurer|carmaker|automaker|crypto exchange|utility|flag carrier|giant|conglomerate)\b|"
    r"\b(?i:(?:largest|biggest|top|national|major) (?:\w+ ){0,2}(?:chain|retailer|group|company|lender|developer|"
    r"maker|operator|producer|broker|builder|firm))\b",
    (
        "brothers bank bancorp securities airline airways motors exchange insur railway carmaker automaker crypto "
        "utility =flag giant conglomerate largest biggest =top national major"
    ),
)
_WHOLE_MARKET: Final = watched(
    r"(?i:\b(?:all trading|market-?wide|circuit[- ]breakers?|trading floor|stock exchange|metal exchange|"
    r"entire market)\b|\b(?:nickel|copper|oil|crude|gas|futures|bond|gilt|options|currency|forex) trading\b)|"
    r"\b(?:NYSE|Nasdaq|LME|LSE|CME|Euronext|Exchange) (?:halts|suspends|stops) (?:all )?trading(?! (?:in|of))",
    "=all market circuit trading stock metal entire nickel copper oil crude gas futures bond gilt options currency "
    "forex nyse nasdaq lme lse cme euronext exchange",
)
_BESIDE: Final = word_list("supplier suppliers customer customers partner backed unit subsidiary")
_SUBSTANCE: Final[frozenset[SignalType]] = frozenset({"earnings", "guidance_change", "m_and_a", "supply_chain"})
"""Kinds of news in which a percentage belongs to the matter and is nothing incidental."""


def draft(reading: Reading, brief: Brief, symbols: SymbolTable) -> Assessment:
    """A company event by its weight and the size of the name, company news by its matter, size and surprise."""
    sheet = Sheet()
    happening = _company_event(reading)
    named = reading.named
    view = View(sheet, reading.signal_type, 0.7 if named is not None else 0.62)
    label, amount = _matter(reading)
    if happening is not None and (happening.event in _OWN or _EVENTS[happening.event] >= amount):
        sheet.add(happening.label, _EVENTS[happening.event])
        _standing(sheet, reading, happening, symbols)
        view.event = happening.event if happening.event in _OWN else None
        view.confidence = 0.75 if named is not None else 0.68
        if named is not None or happening.event not in _STOPS:
            _size(sheet, reading)
    else:
        sheet.add(label, amount)
        if named is not None:
            sheet.add("named listed company", 0.05)
            if amount <= _COMPANY_NEWS:
                sheet.add(*reads_like(reading, 0.08))
            stake = at_stake(reading.scan) if amount < _MATTER_SAYS_IT else None
            if stake is not None:
                sheet.add(*stake)
        if named is not None or amount > _NOTHING:
            _size(sheet, reading)
    if sheet.total > _NOTHING:
        common_terms(sheet, reading, brief)
    impact = min(1.0, max(0.0, sheet.total))
    happened = happening.event if happening is not None and happening.now else None
    view.links = (*direct_links(reading, impact, happened), *_neighbours(reading, brief, symbols, impact, happening))
    return assessment(view, reading)


_NOTHING: Final = 0.02
_MATTER_SAYS_IT: Final = 0.40
"""From here on a matter has said already what is at stake."""


def _matter(reading: Reading) -> tuple[str, float]:
    """What the news is about and what that is worth: the weightiest of a matter, a price move and the kind of news."""
    listed = reading.named is not None
    found: list[tuple[float, str]] = []
    matter = reading.matter("company")
    if matter is not None:
        worth = matter.matter.base if listed else matter.matter.alone
        if matter.start > len(reading.title):
            worth = min(worth, max(_NOTHING, worth - 0.12))
        found.append((worth, matter.matter.label))
    if listed and reading.move:
        found.append((_MOVED, f'its price moves ("{reading.move}")'))
    elif _UNLISTED_SHARES.match(reading.title) and reading.move and "market wrap" not in reading.traits:
        found.append((_UNLISTED_MOVED, f'the price of a name we do not list moves ("{reading.move}")'))
    kind = _KINDS.get(reading.signal_type)
    if kind is not None:
        found.append((kind[0] if listed else kind[1], kind_in_words(reading.signal_type)))
    elif listed:
        quiet = reading.model.prices < 0 and reading.scan.in_title(_QUIET) is not None
        found.append((0.21 if quiet else _COMPANY_NEWS, "product or shop news" if quiet else "company news"))
    worth, label = max(found, default=(_NOTHING, "no company"))
    return label, worth


def _company_event(reading: Reading) -> Happening | None:
    found = [one for one in reading.happenings if one.event in _EVENTS]
    now = [one for one in found if one.now] or found
    return max(now, key=lambda one: _EVENTS[one.event], default=None)


def _standing(sheet: Sheet, reading: Reading, happening: Happening, symbols: SymbolTable) -> None:
    """How large the name is that the event befalls."""
    named = reading.named
    if happening.event not in _STOPS:
        if named is not None:
            sheet.add("named listed company", 0.05)
        return
    money = largest(reading.magnitudes, "money")
    if happening.event == "trading_halt" and reading.scan.search(_WHOLE_MARKET):
        sheet.add("a whole market", 0.22)
    elif named is not None and symbols.large(named.symbol):
        sheet.add("large listed company", 0.25)
    elif happening.event == "bankruptcy" and named is not None:
        sheet.add("named listed company", 0.22)
    elif happening.event == "bankruptcy" and reading.scan.in_title(_SYSTEMIC):
        sheet.add("a bank, an airline or a name of its size", 0.22)
    elif happening.event == "bankruptcy" and money is not None and money.value >= 1e9:
        sheet.add(money.quote, 0.20)
    elif named is not None:
        sheet.add("named listed company", 0.12)
    elif happening.event == "bankruptcy" and (partner := _partner(reading)):
        sheet.add(f"it deals with {partner}", 0.08)


def _partner(reading: Reading) -> str:
    """The listed company whose supplier, customer or unit the item is about, or ""."""
    beside = (one for one in reading.mentions if not one.about and not one.quoted)
    return next((one.symbol for one in beside if reading.scan.in_title(_BESIDE)), "")


def _size(sheet: Sheet, reading: Reading) -> None:
    """Larger surprises weigh more: the move, the money, the words."""
    if reading.surprise:
        sheet.add(f'against expectation ("{reading.surprise_quote}")', 0.05)
    share = largest(tuple(one for one in reading.magnitudes if not _is_holding(reading, one)), "percent")
    if share is not None and abs(share.value) >= 3 and (reading.move or _substantial(reading)):
        size = abs(share.value)
        sheet.add(share.quote.strip(), 0.02 if size < 5 else 0.06 if size < 10 else 0.10 if size < 20 else 0.14)
    money = largest(reading.magnitudes, "money")
    if money is not None and money.value >= 1e9:
        sheet.add(money.quote, 0.03 if money.value < 1e10 else 0.06)
    strong = reading.scan.search(_STRONG_MOVE)
    clear = None if strong else reading.scan.search(_CLEAR_MOVE)
    if strong:
        sheet.add(f'"{strong.group()}"', 0.07)
    elif clear:
        sheet.add(f'"{clear.group()}"', 0.04)
    if abs(reading.tone) >= 0.35:
        sheet.add(f"tone {reading.tone:+.2f}", 0.06 * abs(reading.tone))
    slight = reading.scan.in_title(_SLIGHT)
    if slight:
        sheet.add(f'"{slight.group()}"', -0.08)
    if reading.scan.in_title(_SHARES):
        sheet.add("about its shares or results", 0.06)


def _is_holding(reading: Reading, amount: Magnitude) -> bool:
    """Whether a percentage is a part of a company that is held, and tells no change."""
    return reading.text.find(f"{amount.quote} stake") >= 0 or reading.text.find(f"{amount.quote} of ") >= 0


def _substantial(reading: Reading) -> bool:
    return reading.signal_type in _SUBSTANCE or bool(reading.happenings) or reading.matter("company") is not None


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
    first = reading.named
    if first is not None and impact >= 0.65 and brief.watchlist:
        peers = symbols.peers(first.symbol, 12)
        held = [peer for peer in peers if peer in brief.watchlist and peer not in named]
        links += further_links(held, "sector", impact * 0.6, "unclear", f"same industry as {first.symbol}")
    return tuple(links)


def revise(reading: Reading, brief: Brief, draft: Assessment) -> Revision:
    """Looks for what makes company news smaller: hedges, dates only, comment, private persons."""
    happening = _company_event(reading)
    amendments = faults_of_item(reading, happening, tagged=draft.event_type is not None)
    return revised(reading, draft, amendments)
