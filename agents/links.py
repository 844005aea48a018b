"""Which tickers an agent may link, and how closely. Decided by code, whatever the analyst was told.

A symbol is kept only if somebody could have known it: the item names it, it is on the watchlist, the symbol table holds
it, or a tool of the agent returned it. Everything else is dropped and counted.

`direct` means named in the item: in its text as the symbol table reads it, or among the tickers its publisher attached.
A `direct` link that is not falls to the closest type that code can show:
  chain    the watchlist gives the symbol as supplier or customer of a company the item names, or the other way round
  sector   it has the sector of a company the item names, or is one of its peers
  macro    nothing closer can be shown
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from agents.analysts.protocol import Holding
from agents.models import Assessment, Evidence, LinkType, TickerLink
from feeds.models import Item

PEERS = 12
"""How many peers of a named company count as its sector."""


class Subject(Protocol):
    """A place where a text names a market."""

    @property
    def symbol(self) -> str: ...


class Mention(Subject, Protocol):
    """A place where a text names a company. `quoted`: only as the house or newsroom whose view is reported."""

    @property
    def quoted(self) -> bool: ...


class Symbols(Protocol):
    """What agents need of the offline symbol table."""

    def mentions(self, text: str, *, extra: Mapping[str, tuple[str, ...]]) -> Sequence[Mention]:
        """The companies `text` names; `extra` adds names for symbols of the watchlist."""
        ...

    def subjects(self, text: str, /) -> Sequence[Subject]:
        """The currency pairs, commodities, rates and indices `text` names."""
        ...

    def known(self, symbol: str, /) -> bool: ...

    def reported(self, symbol: str, /) -> str:
        """The one symbol that stands for all listings of the same company; the symbol itself where it has no other."""
        ...

    def name(self, symbol: str, /) -> str | None: ...

    def sector(self, symbol: str, /) -> str | None: ...

    def peers(self, symbol: str, limit: int, /) -> Sequence[str]:
        """Symbols of the same industry, at most `limit`."""
        ...


class NamedSymbols:
    """The symbols one item names. Read once for all five agents, and only if somebody asks.

    `names` are the watchlist's further names of its symbols.
    """

    def __init__(
        self, item: Item, symbols: Symbols, watchlist: Mapping[str, Holding], names: Mapping[str, tuple[str, ...]]
    ) -> None:
        self._item = item
        self._symbols = symbols
        self._watchlist = watchlist
        self._names = names

    @cached_property
    def concerned(self) -> tuple[str, ...]:
        """What the item may be about: companies in the order of the text, those the publisher attached, markets."""
        companies = [mention.symbol for mention in self._mentions if not mention.quoted]
        attached = [canonical(ticker) for ticker in self._item.tickers]
        markets = [subject.symbol for subject in self._symbols.subjects(self._item.text)]
        return tuple(dict.fromkeys([*companies, *attached, *markets]))

    def names(self, symbol: str) -> bool:
        """Whether the item names `symbol`, under whichever of its listings."""
        return self._symbols.reported(symbol) in self._named

    def could_know(self, symbol: str, evidence: Sequence[Evidence]) -> bool:
        """Whether `symbol` comes from anywhere but the analyst's imagination. Cheapest question first."""
        return (
            symbol in self._watched
            or self._symbols.known(symbol)
            or self.names(symbol)
            or any(_returned(symbol, result) for result in evidence)
        )

    def honest(self, link: TickerLink) -> TickerLink:
        """`link`, its type lowered where it claims `direct` and the item does not name it."""
        if link.link_type != "direct" or self.names(link.symbol):
            return link
        return replace(link, link_type=self._closest_shown(link.symbol))

    @cached_property
    def _watched(self) -> frozenset[str]:
        """All symbols the user wrote down: watched ones, their suppliers and their customers."""
        traded = (s for holding in self._watchlist.values() for s in (*holding.suppliers, *holding.customers))
        return frozenset([*self._watchlist, *traded])

    @cached_property
    def _mentions(self) -> Sequence[Mention]:
        return self._symbols.mentions(self._item.text, extra=self._names)

    @cached_property
    def _named(self) -> frozenset[str]:
        quoted = [mention.symbol for mention in self._mentions if mention.quoted]
        return frozenset(self._symbols.reported(symbol) for symbol in (*self.concerned, *quoted))

    def _closest_shown(self, symbol: str) -> LinkType:
        if any(self._trade(symbol, named) or self._trade(named, symbol) for named in self.concerned):
            return "chain"
        sector = self._symbols.sector(symbol)
        for named in self.concerned:
            if (sector and sector == self._symbols.sector(named)) or symbol in self._symbols.peers(named, PEERS):
                return "sector"
        return "macro"

    def _trade(self, watched: str, other: str) -> bool:
        """Whether the watchlist entry of `watched` has `other` as supplier or customer."""
        holding = self._watchlist.get(watched)
        return holding is not None and other in (*holding.suppliers, *holding.customers)


@dataclass(frozen=True, slots=True)
class CheckedLinks:
    """An assessment whose links have passed the rules above, and the symbols that did not."""

    assessment: Assessment
    dropped: tuple[str, ...]


def check_links(assessment: Assessment, named: NamedSymbols, evidence: Sequence[Evidence]) -> CheckedLinks:
    """`assessment` with canonical, known and honestly typed links; the same object where nothing had to change."""
    kept: list[TickerLink] = []
    dropped: list[str] = []
    for link in assessment.tickers_linked:
        symbol = canonical(link.symbol)
        if not named.could_know(symbol, evidence):
            dropped.append(symbol)
            continue
        kept.append(named.honest(link if symbol == link.symbol else replace(link, symbol=symbol)))
    if tuple(kept) != assessment.tickers_linked:
        assessment = replace(assessment, tickers_linked=tuple(kept))
    return CheckedLinks(assessment, tuple(dict.fromkeys(dropped)))


def canonical(symbol: str) -> str:
    """A symbol as the tables spell it: no cash sign, no blanks, capitals."""
    return symbol.strip().lstrip("$").upper()


def _returned(symbol: str, evidence: Evidence) -> bool:
    """Whether a tool's finding holds `symbol` as a word of its own, in capitals."""
    if not symbol:
        return False
    word = re.compile(rf"(?<![\w.]){re.escape(symbol)}(?!\w)")
    return any(word.search(item.text) for item in evidence.items)
