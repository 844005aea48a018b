"""What an item gives to ask the public sources about: its companies by name, its event in search words."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from agents.links import Symbols
from agents.models import FlashEvent
from agents.tools.protocol import Question

EVENT_WORDS: Final[Mapping[FlashEvent, str]] = {
    "export_ban": "export controls",
    "sanctions": "sanctions",
    "tariffs": "tariffs",
    "rate_surprise": "interest rate decision",
    "bankruptcy": "bankruptcy",
    "trading_halt": "trading halt",
    "geopolitical_conflict": "military conflict",
    "fraud": "securities fraud",
    "earnings_shock": "earnings",
    "regulatory_action": "enforcement action",
}
"""How each flash event is called in searches."""
GEO_EVENTS: Final[frozenset[FlashEvent]] = frozenset({"export_ban", "sanctions", "tariffs", "geopolitical_conflict"})

_REMEMBERED: Final = 4_000
_ENDING: Final = re.compile(
    r"(?:[\s,]+(?:inc|corp|corporation|co|company|ltd|limited|plc|llc|lp|sa|se|ag|nv|n\.v|ab|asa|oyj|spa|holdings?|group|"
    r"trust|adr|new|de|class [a-c]|the|&)\.?|/[a-z]*/?)+$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Company:
    """A company an item names: its symbol and its name as searches know it."""

    symbol: str
    name: str


class Companies:
    """Reads companies out of questions and texts, with the table of symbols and the user's own names."""

    def __init__(self, symbols: Symbols, names: Mapping[str, tuple[str, ...]]) -> None:
        self._symbols = symbols
        self._names = names
        self._read: OrderedDict[str, frozenset[str]] = OrderedDict()

    def of(self, question: Question) -> tuple[Company, ...]:
        """The companies of a question in its order; markets and what has no name are left out."""
        found = []
        for symbol in self.symbols_of(question):
            own = self._names.get(symbol)
            name = own[0] if own else self.registered(symbol)
            if name and name != symbol:
                found.append(Company(symbol, name))
        return tuple(found)

    def registered(self, symbol: str) -> str:
        """The name a symbol is registered under, as people write it; "" where the table does not tell."""
        return plain_name(self._symbols.name(symbol) or "")

    def symbols_of(self, question: Question) -> tuple[str, ...]:
        """The symbols of a question that stand for companies in its item (`company_symbols`)."""
        return company_symbols(question, self._symbols, self._names)

    def first(self, question: Question) -> Company | None:
        """The company an item is about."""
        return next(iter(self.of(question)), None)

    def named_in(self, text: str) -> frozenset[str]:
        """The symbols a text names. A feed is read for every item, so what was read once is remembered."""
        known = self._read.get(text)
        if known is None:
            known = frozenset(mention.symbol for mention in self._symbols.mentions(text, extra=self._names))
            self._read[text] = known
            if len(self._read) > _REMEMBERED:
                self._read.popitem(last=False)
        return known


def company_symbols(question: Question, symbols: Symbols, names: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The symbols of a question without those of markets.

    WTI is crude oil, and a driller only where the publisher attached the symbol or the watchlist has a name for it.
    """
    item = question.item
    markets = {subject.symbol for subject in symbols.subjects(item.text)}.difference(item.tickers)
    if not markets.isdisjoint(question.symbols):
        markets.difference_update(mention.symbol for mention in symbols.mentions(item.text, extra=names))
    return tuple(symbol for symbol in question.symbols if symbol not in markets)


def plain_name(name: str) -> str:
    """A registered name as people write it: "NVIDIA CORP" is "Nvidia", "TOYOTA MOTOR CORP/" is "Toyota Motor"."""
    bare = _ENDING.sub("", name.strip()).strip(" ,.&/")
    if not bare or not bare.isupper():
        return bare
    return " ".join(word.capitalize() if len(word) > 3 and word.isalpha() else word for word in bare.split())


def search_words(question: Question, companies: Companies) -> str:
    """What a news search is asked: the company by name, else the event; "" where the item gives neither."""
    company = companies.first(question)
    if company is not None:
        return company.name
    return EVENT_WORDS[question.event_type] if question.event_type else ""
