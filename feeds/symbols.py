"""Which companies and markets a text names, and why we think so.

The rule: a link needs a reason a reader can check. Names match whole words in capitals; a name that is also an ordinary
word, a person or a place ("Target", "Gap", "Apple") needs company-like surroundings (`feeds.symbols_context`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from feeds.symbols_context import Context, Word
from feeds.symbols_data import Catalogue, Entry, How, by_first_word, read, words_of

_CASHTAG: Final = re.compile(r"(?<![\w$])\$([A-Z]{1,6}(?:[.\-][A-Z]{1,3})?)(?![\w$])")
_QUALIFIED: Final = re.compile(
    r"\b([A-Za-z]{3,12}(?: American| Arca)?)\s?:\s?([A-Z0-9]{1,7}(?:[.\-][A-Z]{1,2})?)(?![\w])"
)
_FOREIGN: Final = re.compile(
    r"(?<![\w.])([A-Z0-9]{1,7}(?:-[A-Z])?\.(?:TO|L|T|DE|PA|AS|MI|MC|SW|HK|AX|KS|SS|SZ|NS|BO|ST|HE|CO|OL|BR|F|SR|TW))\b"
)
_RIC: Final = re.compile(r"<([A-Z]{1,5})\.(?:O|N|OQ|A|K)>")
_BRACKETED: Final = re.compile(r"\(([A-Z]{1,5}(?:[.\-][A-Z])?)\)")
_BARE: Final = re.compile(r"(?<![\w$&.:'’-])([A-Z]{3,5})(?![\w&'’-])")
_LISTED_ENOUGH: Final = 1500
"""Rank by market value down to which a symbol in capitals is believed without a mark."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A company named in a text. `start` and `end` are offsets into the text.

    `about` says that the text is about it and not only names it; `quoted` that it is the analyst house or newsroom whose
    view is reported, which is no link.
    """

    symbol: str
    text: str
    start: int
    end: int
    how: How
    reason: str
    about: bool
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Subject:
    """A market that is no company: a currency pair, a commodity, a rate, an index."""

    symbol: str
    text: str
    start: int
    end: int


class SymbolTable:
    """The offline map of companies: about 7,000 listed in the US and the members of 20 indices elsewhere."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        words = catalogue.words
        self._stop = frozenset(words["stop_symbols"]["words"].split())
        self._ordinary = frozenset(words["ordinary"]["words"].split())
        self._houses = frozenset(words["analyst_houses"]["symbols"].split())
        self._exchanges: Mapping[str, str] = words["exchanges"]
        self._not_after = {word: frozenset(after.split()) for word, after in words["not_after"].items()}
        self._not_before = {word: frozenset(before.split()) for word, before in words["not_before"].items()}
        subjects: Mapping[str, str] = words["subjects"]
        self._subjects = re.compile("|".join(rf"\b(?P<{symbol}>{pattern})" for symbol, pattern in subjects.items()))
        self._sectors = {sector: tuple(labels.split()) for sector, labels in words["sectors"].items()}
        self._members: dict[str, list[str]] = {}
        self._extra: Mapping[str, tuple[str, ...]] = {}
        self._extra_index: dict[str, tuple[Entry, ...]] = {}

    @classmethod
    def load(cls) -> SymbolTable:
        """The table of the bundled lists. About 0.1 s the first time, so call it away from the event loop."""
        return _load()

    def known(self, symbol: str) -> bool:
        """Whether the symbol is a listing in the map."""
        return symbol in self._catalogue.names or symbol in self._catalogue.alias

    def reported(self, symbol: str) -> str:
        """The symbol under which a share class or a second listing is reported (GOOG as GOOGL)."""
        return self._catalogue.alias.get(symbol, symbol)

    def name(self, symbol: str) -> str:
        """The company's name; the symbol itself where nobody told us."""
        return self._catalogue.names.get(self.reported(symbol), symbol)

    def sector(self, symbol: str) -> str:
        """One of the eleven sectors, or "" where the lists do not say."""
        labels = " ".join(self._catalogue.industries.get(self.reported(symbol), ())).lower()
        for sector, words in self._sectors.items():
            if any(word in labels for word in words):
                return sector
        return ""

    def peers(self, symbol: str, limit: int = 5) -> tuple[str, ...]:
        """Companies that share the most particular industries, the closest first, then the largest."""
        own = self._catalogue.industries.get(self.reported(symbol), ())
        members = self._by_industry()
        closeness: dict[str, float] = {}
        for industry in set(own):
            among = members[industry]
            for peer in among:
                closeness[peer] = closeness.get(peer, 0.0) + 1.0 / len(among)
        closeness.pop(self.reported(symbol), None)
        rank = self._catalogue.rank
        order = sorted(closeness, key=lambda peer: (-closeness[peer], rank.get(peer, len(rank)), peer))
        return tuple(order[:limit])

    def subjects(self, text: str) -> tuple[Subject, ...]:
        """Currency pairs, commodities, rates and indices the text names, each once, in order."""
        found: dict[str, Subject] = {}
        for match in self._subjects.finditer(text):
            symbol = str(match.lastgroup)
            found.setdefault(symbol, Subject(symbol, match.group(), match.start(), match.end()))
        return tuple(found.values())

    def mentions(self, text: str, *, extra: Mapping[str, tuple[str, ...]] | None = None) -> tuple[Mention, ...]:
        """Each company the text names, once, in order of appearance. `extra` is the watchlist: symbol to further names."""
        if extra is not None and extra is not self._extra:
            self._watch(extra)
        context = Context(text)
        named = self._named(context, extra is not None)
        found = [*named, *self._marked(text, extra or {}, [(mention.start, mention.end) for mention in named])]
        found.sort(key=lambda mention: (mention.start, -mention.end))
        unique: dict[str, Mention] = {}
        for mention in found:
            before = unique.get(mention.symbol)
            if before is None or (before.quoted and not mention.quoted):
                unique[mention.symbol] = mention
        return context.judged(tuple(unique.values()))

    def _watch(self, extra: Mapping[str, tuple[str, ...]]) -> None:
        entries = [
            Entry(words_of(name), symbol, "watchlist")
            for symbol, names in extra.items()
            for name in names
            if words_of(name)
        ]
        self._extra, self._extra_index = extra, by_first_word(entries)

    def _by_industry(self) -> dict[str, list[str]]:
        if not self._members:
            for symbol, industries in self._catalogue.industries.items():
                for industry in set(industries):
                    self._members.setdefault(industry, []).append(symbol)
        return self._members

    def _marked(
        self, text: str, extra: Mapping[str, tuple[str, ...]], named: Sequence[tuple[int, int]]
    ) -> list[Mention]:
        """Symbols with a mark: cash-tags, exchanges, RICs, brackets, and plain capitals outside a longer name."""
        found = []
        if "$" in text:
            for match in _CASHTAG.finditer(text):
                found.append(self._mention(match, 1, "cashtag", f"cash-tag {match.group()}"))
        if ":" in text:
            for match in _QUALIFIED.finditer(text):
                suffix = self._exchanges.get(match[1].replace(" ", "").upper())
                if suffix is not None:
                    symbol = match[2] if "." in match[2] else match[2] + suffix
                    found.append(self._mention(match, 2, "exchange", f"listed as {match.group()}", symbol))
        for match in _RIC.finditer(text):
            found.append(self._mention(match, 1, "exchange", f"listed as {match.group()}"))
        for match in _FOREIGN.finditer(text):
            if self.known(match[1]) or match[1] in extra:
                found.append(self._mention(match, 1, "exchange", f"listed as {match[1]}"))
        for match in _BRACKETED.finditer(text):
            if self._believed(match[1], extra, marked=True):
                found.append(self._mention(match, 1, "symbol", f"symbol {match.group()}"))
        if not text.isupper():
            for match in _BARE.finditer(text):
                inside = any(start <= match.start() < end for start, end in named)
                if not inside and self._believed(match[1], extra, marked=False):
                    found.append(self._mention(match, 1, "symbol", f"symbol {match[1]} in capitals"))
        return found

    def _believed(self, symbol: str, extra: Mapping[str, tuple[str, ...]], *, marked: bool) -> bool:
        if symbol in extra and (marked or symbol not in self._stop):
            return True
        if symbol in self._stop or not self.known(symbol):
            return False
        if marked:
            return len(symbol) > 1
        rank = self._catalogue.rank.get(self.reported(symbol), _LISTED_ENOUGH)
        return rank < _LISTED_ENOUGH and symbol.lower() not in self._ordinary

    def _mention(self, match: re.Match[str], group: int, how: How, reason: str, symbol: str = "") -> Mention:
        written = symbol or match[group]
        reported = self.reported(written if self.known(written) else written.replace(".", "-"))
        final = reported if self.known(reported) else written
        return Mention(final, match.group(), match.start(), match.end(), how, reason, about=True)

    def _named(self, context: Context, watched: bool) -> list[Mention]:
        """Names in the text: the longest name at each word, not inside one another."""
        found = []
        position = 0
        words = context.words
        while position < len(words):
            entry = self._longest(words, position, watched) if words[position].proper else None
            if entry is None:
                position += 1
                continue
            length = len(entry.words)
            if entry.symbol and self._meant(entry, context, position):
                found.append(self._named_mention(entry, context, position))
            position += length
        return found

    def _longest(self, words: Sequence[Word], position: int, watched: bool) -> Entry | None:
        for form in {words[position].plain: None, words[position].base: None}:
            own = self._extra_index.get(form, ()) if watched else ()
            for entry in (*own, *self._catalogue.index.get(form, ())):
                if _fits(entry.words, words, position):
                    return entry
        return None

    def _meant(self, entry: Entry, context: Context, position: int) -> bool:
        if len(entry.words) > 1:
            return entry.how == "watchlist" or context.capitalised(position, len(entry.words))
        word = entry.words[0]
        if context.next_plain(position) in self._not_after.get(word, ()):
            return False
        if context.previous_plain(position) in self._not_before.get(word, ()):
            return False
        return not entry.needs_context or context.company_like(position)

    def _named_mention(self, entry: Entry, context: Context, position: int) -> Mention:
        last = position + len(entry.words) - 1
        start, end = context.words[position].start, context.words[last].end
        written = context.text[start:end].rstrip("'’")
        name = self._catalogue.names.get(entry.symbol, entry.symbol)
        reason = f'{entry.how} "{written}"' + ("" if entry.how == "name" else f" of {name}")
        quoted = entry.symbol in self._houses and context.quoted_house(position, last)
        return Mention(entry.symbol, written, start, start + len(written), entry.how, reason, about=True, quoted=quoted)


def _fits(name: tuple[str, ...], words: Sequence[Word], position: int) -> bool:
    if position + len(name) > len(words):
        return False
    return all(part in (words[position + i].plain, words[position + i].base) for i, part in enumerate(name))


@cache
def _load() -> SymbolTable:
    return SymbolTable(read())
