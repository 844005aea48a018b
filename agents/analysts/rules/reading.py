"""One reading of an item, shared by the five agents: what it reports, of whom, how much, how sure, in which tone.

Only what the text itself says goes in; what that is worth is each domain's own business.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from agents.analysts.protocol import Holding
from agents.analysts.rules.events import FLASH, KINDS, Found, find
from agents.analysts.rules.kind_model import Kind, kind
from agents.analysts.rules.magnitude import Magnitude, against_expectation, magnitudes, move_of_name, price_move
from agents.analysts.rules.matters import Domain, MatterFound, matters
from agents.analysts.rules.roles import Role, roles
from agents.analysts.rules.scan import Scan, word_list
from agents.analysts.rules.tone import tone
from agents.analysts.rules.traits import Trait, not_yet, traits, undone
from agents.models import SIGNAL_TYPES, FlashEvent, SignalType
from agents.orders import without_orders
from feeds.models import Item
from feeds.symbols.table import Mention, Subject, SymbolTable

_LINK: Final = re.compile(r"https?://\S+|[^\s@]+@\S+\.\w+")
_READ: Final = 800
"""Characters of an item that are read; what an item is about stands at its beginning."""
_CLAUSE: Final = re.compile(r"(?<![A-Z])[.;!?\n]\s")
"""Ends of clauses; the full stop of "U.S. " is none."""
_FLOWS: Final = word_list(
    "shipping tanker tankers port ports terminal terminals export exports pipeline pipelines canal strait Hormuz "
    "Red_Sea shipment shipments output production refinery loadings supply"
)
"""Goods that move: a conflict about them is supply news."""
_OF_COMPANIES: Final = frozenset({"bankruptcy", "trading_halt", "fraud", "earnings_shock", "regulatory_action"})
_BUSINESS: Final = word_list(
    "company companies group firm firms corporation profit profits sales revenue turnover earnings ebit share "
    "shares stock stocks shareholder shareholders order orders contract contracts operating quarter quarterly plc "
    "oyj corp inc ltd ag customers customer production dividend business bank banks retailer maker carmaker airline "
    "insurer lender chain supplier deal acquisition merger investment investors market markets plant factory unit "
    "subsidiary loss net mln mn eur services solution solutions product products economy inflation rates tariffs "
    "bull bullish bear bearish buy sell long short calls puts breakout chart upgrade* downgrade* target support "
    "resistance trade trading ceo chairman chief_executive FTSE DAX CAC Nikkei Dow Nasdaq S&P commodities "
    "balance_sheet growth assets"
)
"""Words of items about companies and markets, listed or not."""
_BUSINESS_KINDS: Final = frozenset({"earnings", "m_and_a", "other"})
"""Kinds of the model that are news of companies; "other" is company news of no particular kind."""
_TRUST: Final = 9.0
"""Log-odds a rule of strength 1 adds to the model's."""
_RULE_ONLY: Final = -1.0
"""Log-odds of the kinds the model does not know, before their rule is counted."""
_CREDIT: Final = frozenset({"debt trouble", "at odds with its creditors"})
"""Matters between a company and its creditors; their talks and deals are no takeovers."""
_CLEAR: Final = 0.3
"""The tone that the role of a company has at least."""
_NOT_EVENT: Final = frozenset({"solicitation", "calendar", "anniversary", "opinion", "question", "market wrap"})
"""Traits under which an event is never reported as happening now."""


@dataclass(frozen=True, slots=True)
class Happening:
    """A flash event the text speaks of. Not `now` where it is planned, feared, undone or remembered: see `doubt`."""

    event: FlashEvent
    signal: SignalType
    label: str
    quote: str
    now: bool
    doubt: str
    in_title: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything the rules know of one item. `clearness` is by how many log-odds its kind leads the next.

    `roles` are what the companies do there or what is done to them, `parts` the text that speaks of each, by symbol.
    """

    item: Item
    scan: Scan
    text: str
    title: str
    happenings: tuple[Happening, ...]
    kinds: tuple[Found, ...]
    matters: tuple[MatterFound, ...]
    traits: Mapping[Trait, str]
    magnitudes: tuple[Magnitude, ...]
    surprise: int
    surprise_quote: str
    move: str
    mentions: tuple[Mention, ...]
    subjects: tuple[Subject, ...]
    tone: float
    tone_words: tuple[str, ...]
    orders: tuple[str, ...]
    model: Kind
    roles: Mapping[str, Role]
    parts: Mapping[str, str]
    watched: frozenset[str] = frozenset()
    signal_type: SignalType = "routine_news"
    clearness: float = 0.0

    @property
    def named(self) -> Mention | None:
        """The listed company the item is about, the first where it names several."""
        return _first_about(self.mentions)

    @property
    def of_business(self) -> bool:
        """Whether the item is about a company or a market, so that its tone means something to a holder."""
        if self.subjects or any(not mention.quoted for mention in self.mentions):
            return True
        if (
            self.move
            or self.model.label in _BUSINESS_KINDS
            or any(one.event in _OF_COMPANIES for one in self.happenings)
        ):
            return True
        return self.scan.search(_BUSINESS) is not None

    @property
    def event(self) -> Happening | None:
        """The flash event reported as happening now, the first by the order of the list."""
        return next((one for one in self.happenings if one.now), None)

    def happening(self, *events: FlashEvent) -> Happening | None:
        """The first of these events, those happening now before the others."""
        found = [one for one in self.happenings if one.event in events]
        return next((one for one in found if one.now), found[0] if found else None)

    def matter(self, domain: Domain) -> MatterFound | None:
        """The weightiest matter of a domain, those of the title before the others."""
        listed = self.named is not None
        title = len(self.title)
        return max(
            (one for one in self.matters if one.matter.domain == domain),
            key=lambda one: (one.start <= title, one.matter.base if listed else one.matter.alone),
            default=None,
        )

    def kind(self, signal: SignalType) -> Found | None:
        return next((one for one in self.kinds if one.pattern.signal == signal), None)


def read(
    item: Item, symbols: SymbolTable, watchlist: Mapping[str, Holding], names: Mapping[str, tuple[str, ...]]
) -> Reading:
    """Reads an item. `names` are the watchlist's further names by symbol."""
    text, orders = without_orders(_plain(item.text))
    text = text[:_READ]
    title = text.partition("\n")[0]
    scan = Scan(text)
    seen = traits(scan)
    surprise, surprise_quote = against_expectation(scan)
    mentions = _with_publisher(symbols.mentions(text, extra=names), item, symbols)
    played, parts = roles(scan, mentions)
    value, words = _tone_of_named(text, _first_about(mentions), played)
    reading = Reading(
        item=item,
        scan=scan,
        text=text,
        title=title,
        happenings=tuple(_happening(found, text, len(title), seen) for found in find(scan, FLASH)),
        kinds=find(scan, KINDS),
        matters=matters(scan),
        traits=seen,
        magnitudes=magnitudes(text),
        surprise=surprise,
        surprise_quote=surprise_quote,
        move=price_move(scan) or _move_of_named(title, mentions),
        mentions=mentions,
        subjects=symbols.subjects(text),
        tone=value,
        tone_words=words,
        orders=orders,
        model=kind(text),
        roles=played,
        parts=parts,
        watched=frozenset(watchlist),
    )
    kind_of_news, clearness = _kind_of_news(reading)
    return replace(reading, signal_type=kind_of_news, clearness=clearness)


def _tone_of_named(text: str, named: Mention | None, played: Mapping[str, Role]) -> tuple[float, tuple[str, ...]]:
    """The tone of the text; never against the role of the company the item is about, which is then named first."""
    value, words = tone(text)
    role = played.get(named.symbol) if named is not None else None
    if role is None or role.direction == "unclear":
        return value, words
    sign = 1.0 if role.direction == "up" else -1.0
    return (value, words) if value * sign >= _CLEAR else (sign * _CLEAR, (role.label, *words)[:5])


def _first_about(mentions: tuple[Mention, ...]) -> Mention | None:
    return next((mention for mention in mentions if mention.about and not mention.quoted), None)


def _move_of_named(title: str, mentions: tuple[Mention, ...]) -> str:
    """A price move told without the word shares, of the company itself: "GameStop soars 70%"."""
    named = _first_about(mentions)
    return move_of_name(title, named.end) if named is not None and named.end else ""


def _plain(text: str) -> str:
    """The text without addresses."""
    return _LINK.sub(" ", text) if "@" in text or "://" in text else text


def _happening(found: Found, text: str, title_length: int, seen: Mapping[Trait, str]) -> Happening:
    clause = _CLAUSE.split(text[: found.start])[-1]
    doubt = not_yet(clause, found.quote)
    if not doubt:
        doubt = undone(clause, found.quote)
    if not doubt:
        doubt = next((quote for trait, quote in seen.items() if trait in _NOT_EVENT), "")
    if not doubt and "denied" in seen:
        doubt = seen["denied"]
    pattern = found.pattern
    event = pattern.event
    if event is None:
        raise ValueError(f"not a flash pattern: {pattern.label}")
    return Happening(event, pattern.signal, pattern.label, found.quote, not doubt, doubt, found.start <= title_length)


def _with_publisher(mentions: tuple[Mention, ...], item: Item, symbols: SymbolTable) -> tuple[Mention, ...]:
    """The mentions and the symbols the publisher itself attached."""
    named = {mention.symbol for mention in mentions}
    attached = []
    for symbol in item.tickers:
        if symbol not in named:
            attached.append(Mention(symbol, symbol, 0, 0, "symbol", "attached by the publisher", about=not mentions))
    return (*mentions, *attached)


def _kind_of_news(reading: Reading) -> tuple[SignalType, float]:
    """The kind of news: the event's own kind first, then the strongest pattern, then routine; and how clear that is."""
    seen = reading.traits
    if "solicitation" in seen:
        return "policy_change", _TRUST
    if "calendar" in seen and reading.kind("earnings"):
        return "earnings", _TRUST
    event = reading.event
    if event is not None and event.signal != "routine_news":
        conflict = event.event == "geopolitical_conflict"
        return ("supply_chain" if conflict and reading.scan.search(_FLOWS) else event.signal), _TRUST
    odds = dict(reading.model.odds)
    credit = any(one.matter.label in _CREDIT and one.start <= len(reading.title) for one in reading.matters)
    for found in reading.kinds:
        signal = found.pattern.signal
        odds[signal] = max(odds.get(signal, -99.0), odds.get(signal, _RULE_ONLY) + _TRUST * _weight(found, reading))
    if credit:
        odds = {signal: value for signal, value in odds.items() if signal not in ("m_and_a", "macro_event")}
    best = max(SIGNAL_TYPES, key=lambda signal: odds.get(signal, -99.0))
    lead = odds[best] - max(value for signal, value in odds.items() if signal != best)
    told = reading.happenings[0] if reading.happenings else None
    if told is not None and (best == "routine_news" or (best == "macro_event" and told.in_title)):
        return told.signal, lead
    return best, lead


def _weight(found: Found, reading: Reading) -> float:
    in_title = found.start <= len(reading.title)
    return found.pattern.strength + (0.2 if in_title else 0.0) - found.start / 1000.0
