"""Which companies and markets a text names, and why we think so.

The rule: a link needs a reason a reader can check. Names match whole words in capitals; a name that is also an ordinary
word, a person or a place ("Target", "Gap", "Shell") needs company-like surroundings (`feeds.symbols.context`).
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Final, TypeVar

from feeds.symbols.context import Context
from feeds.symbols.data import Catalogue, Entry, by_first_word, read, words_of
from feeds.symbols.disguise import plain_letters
from feeds.symbols.matching import MarkedSymbols, Mention, NamedCompanies, NameIndex
from feeds.symbols.roles import judged

_T = TypeVar("_T")
_REMEMBERED: Final = 128
"""Texts whose mentions are kept; an item is asked about several times within moments."""

_WORDS: Final = re.compile(r"[a-z0-9]+")
_PEERS: Final = 12
"""Peers that are remembered of a company; nobody asks for more."""
_LARGE: Final = 1500
"""Rank by market value."""

_NOBODY: Final[Mapping[str, tuple[str, ...]]] = {}


@dataclass(frozen=True, slots=True)
class Subject:
    """A market that is no company: a currency pair, a commodity, a rate, an index."""

    symbol: str
    text: str
    start: int
    end: int


class _Subjects:
    """Markets by the ways to write them; a pattern is tried only where one of its words stands in the text."""

    def __init__(self, patterns: Mapping[str, str], words: Mapping[str, str]) -> None:
        self._patterns = [(symbol, re.compile(rf"\b{pattern}")) for symbol, pattern in patterns.items()]
        self._by_word: dict[str, int] = {}
        for place, symbol in enumerate(patterns):
            for word in words[symbol].split():
                self._by_word[word] = self._by_word.get(word, 0) | 1 << place
        self.symbols = frozenset(patterns)

    def find(self, text: str) -> tuple[Subject, ...]:
        """The subjects a text names, each once, in order of appearance."""
        mask = 0
        by_word = self._by_word
        for word in set(_WORDS.findall(text.lower())):
            if word in by_word:
                mask |= by_word[word]
        found = []
        while mask:
            symbol, pattern = self._patterns[(mask & -mask).bit_length() - 1]
            mask &= mask - 1
            match = pattern.search(text)
            if match:
                found.append(Subject(symbol, match.group(), match.start(), match.end()))
        return tuple(sorted(found, key=lambda subject: subject.start))


class SymbolTable:
    """The offline map of companies: about 6,000 listed in the US and the members of 20 indices elsewhere."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._marked = MarkedSymbols(catalogue)
        self._named = NamedCompanies(catalogue)
        self._subjects = _Subjects(catalogue.words["subjects"], catalogue.words["subject_words"])
        sectors: Mapping[str, str] = catalogue.words["sectors"]
        self._sectors = {sector: tuple(labels.split()) for sector, labels in sectors.items()}
        self._extra = _NOBODY
        self._extra_index: NameIndex = {}
        self._peers: dict[str, tuple[str, ...]] = {}
        self._recent: OrderedDict[str, tuple[Mention, ...]] = OrderedDict()
        self._recent_subjects: OrderedDict[str, tuple[Subject, ...]] = OrderedDict()

    @classmethod
    def load(cls) -> SymbolTable:
        """The table of the bundled lists. About 0.1 s the first time, so call it away from the event loop."""
        return _load()

    def known(self, symbol: str) -> bool:
        """Whether the symbol is a listing in the map or one of its markets."""
        return self._catalogue.known(symbol) or symbol in self._subjects.symbols

    def reported(self, symbol: str) -> str:
        """The symbol under which a share class or a second listing is reported (GOOG as GOOGL)."""
        return self._catalogue.reported(symbol)

    def name(self, symbol: str) -> str:
        """The company's name; the symbol itself where nobody told us."""
        return self._catalogue.names.get(self.reported(symbol), symbol)

    def large(self, symbol: str) -> bool:
        """Whether the company is among the larger quarter of those listed in the US, or in an index elsewhere."""
        own = self.reported(symbol)
        return self.known(own) and self._catalogue.rank.get(own, 0) < _LARGE

    def sector(self, symbol: str) -> str:
        """One of the eleven sectors, or "" where the lists do not say."""
        labels = " ".join(self._catalogue.industries.get(self.reported(symbol), ())).lower()
        for sector, words in self._sectors.items():
            if any(word in labels for word in words):
                return sector
        return ""

    def peers(self, symbol: str, limit: int = 5) -> tuple[str, ...]:
        """Companies that share the most particular industries, the closest first, then the largest; at most twelve."""
        known = self._peers.get(symbol)
        if known is None:
            known = self._peers[symbol] = self._by_closeness(symbol)[:_PEERS]
        return known[:limit]

    def _by_closeness(self, symbol: str) -> tuple[str, ...]:
        own = self._catalogue.industries.get(self.reported(symbol), ())
        closeness: dict[str, float] = {}
        for industry in sorted(set(own)):
            among = self._members[industry]
            for peer in among:
                closeness[peer] = closeness.get(peer, 0.0) + 1.0 / len(among)
        closeness.pop(self.reported(symbol), None)
        rank = self._catalogue.rank
        order = sorted(closeness, key=lambda peer: (-round(closeness[peer], 6), rank.get(peer, len(rank)), peer))
        return tuple(order)

    def subjects(self, text: str) -> tuple[Subject, ...]:
        """Currency pairs, commodities, rates and indices the text names, each once, in order."""
        return _remembered(self._recent_subjects, text, self._subjects.find)

    def mentions(self, text: str, *, extra: Mapping[str, tuple[str, ...]] | None = None) -> tuple[Mention, ...]:
        """Each company the text names, once, in order of appearance. `extra` is the watchlist, symbol to names."""
        self._watch(extra or _NOBODY)
        return _remembered(self._recent, text, self._find)

    def _find(self, text: str) -> tuple[Mention, ...]:
        written, text = text, plain_letters(text)
        context = Context(text)
        named = self._named.find(context, self._extra_index)
        spans = [(mention.start, mention.end) for mention in named]
        found = [*named, *self._marked.find(text, self._extra, spans)]
        if text is not written:
            found = [_as_written(mention, written) for mention in found]
        found.sort(key=lambda mention: (mention.start, -mention.end))
        unique: dict[str, Mention] = {}
        for mention in found:
            before = unique.get(mention.symbol)
            if before is None or (before.quoted and not mention.quoted):
                unique[mention.symbol] = mention
        return judged(context, tuple(unique.values()))

    def _watch(self, extra: Mapping[str, tuple[str, ...]]) -> None:
        """Takes over a watchlist; what was found under another one no longer counts."""
        if extra == self._extra:
            return
        entries = [
            Entry(words_of(name), symbol, "watchlist")
            for symbol, names in extra.items()
            for name in names
            if words_of(name)
        ]
        self._extra, self._extra_index = dict(extra), by_first_word(entries)
        self._recent.clear()

    @cached_property
    def _members(self) -> Mapping[str, list[str]]:
        members: dict[str, list[str]] = {}
        for symbol, industries in self._catalogue.industries.items():
            for industry in set(industries):
                members.setdefault(industry, []).append(symbol)
        return members


def _remembered(recent: OrderedDict[str, _T], text: str, find: Callable[[str], _T]) -> _T:
    """What was found in a text, searched once while the text is among the newest."""
    known = recent.get(text)
    if known is None:
        known = recent[text] = find(text)
        if len(recent) > _REMEMBERED:
            recent.popitem(last=False)
    return known


def _as_written(mention: Mention, written: str) -> Mention:
    """A mention found in plain letters, with the words as they stand, and the reason saying so where they differ."""
    words = written[mention.start : mention.end]
    if words == mention.text:
        return mention
    return replace(mention, text=words, reason=f"{mention.reason}, written as {words}")


@cache
def _load() -> SymbolTable:
    return SymbolTable(read())


__all__ = ["Mention", "Subject", "SymbolTable"]
