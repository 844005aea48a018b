"""Finding companies in a text: by name word for word, and by marks such as cash-tags and exchange symbols."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from feeds.symbols.context import Context, Word
from feeds.symbols.data import Catalogue, Entry, How, ordinary_words

NameIndex: TypeAlias = Mapping[str, tuple[Entry, ...]]
"""Ways to write companies by their first word, the longest first."""

_MARKS: Final = r"\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
"""Marks that combine with the letter before them: what one stands on is not the letter it looks like."""
_CASHTAG: Final = re.compile(rf"(?<![\w$])\$([A-Z]{{1,6}}(?:[.\-][A-Z]{{1,3}})?)(?![\w${_MARKS}])")
_QUALIFIED: Final = re.compile(
    r"\b([A-Za-z]{3,12}(?: American| Arca)?)\s?:\s?([A-Z0-9]{1,7}(?:[.\-][A-Z]{1,2})?)(?![\w])"
)
_FOREIGN: Final = re.compile(
    r"(?<![\w.])([A-Z0-9]{1,7}(?:-[A-Z])?\."
    r"(?:TO|L|T|DE|PA|AS|MI|MC|SW|HK|AX|KS|SS|SZ|NS|BO|ST|HE|CO|OL|BR|F|SR|TW))\b"
)
_RIC: Final = re.compile(r"<([A-Z]{1,5})\.(?:O|N|OQ|A|K)>")
_BRACKETED: Final = re.compile(r"\(([A-Z]{1,5}(?:[.\-][A-Z])?)\)")
_BARE: Final = re.compile(r"(?<![\w$&.:'’-])([A-Z]{3,5})(?![\w&'’-])")
_LISTED_ENOUGH: Final = 1500
"""Rank by market value down to which a symbol in capitals is believed without a mark."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A company named in a text. `start` and `end` are offsets into the text.

    `about` says that the text is about it and not only names it; `quoted` that it is the analyst house whose view is
    reported, which is no link; `beside` that the name only describes somebody else ("Apple supplier Velda").
    """

    symbol: str
    text: str
    start: int
    end: int
    how: How
    reason: str
    about: bool
    quoted: bool = False
    beside: bool = False


class MarkedSymbols:
    """Symbols with a mark: $AAPL, NYSE: F, 7203.T, <BAC.N>, (CRM), and plain capitals where they are safe."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._stop = frozenset(catalogue.words["stop_symbols"]["words"].split())
        self._ordinary = frozenset(ordinary_words(catalogue.words))
        self._exchanges: Mapping[str, str] = catalogue.words["exchanges"]

    def find(self, text: str, watched: Mapping[str, object], taken: Sequence[tuple[int, int]]) -> Iterator[Mention]:
        """The symbols of a text; plain capitals inside a `taken` span belong to a longer name."""
        if "$" in text:
            for match in _CASHTAG.finditer(text):
                yield self._mention(match, match[1], "cashtag", f"cash-tag {match.group()}")
        if ":" in text:
            yield from self._qualified(text)
        if "<" in text:
            for match in _RIC.finditer(text):
                yield self._mention(match, match[1], "exchange", f"listed as {match.group()}")
        if "." in text:
            for match in _FOREIGN.finditer(text):
                if self._catalogue.known(match[1]) or match[1] in watched:
                    yield self._mention(match, match[1], "exchange", f"listed as {match[1]}")
        if "(" in text:
            for match in _BRACKETED.finditer(text):
                if self._believed(match[1], watched, marked=True):
                    yield self._mention(match, match[1], "symbol", f"symbol {match.group()}")
        if not text.isupper():
            for match in _BARE.finditer(text):
                inside = any(start <= match.start() < end for start, end in taken)
                if not inside and self._believed(match[1], watched, marked=False):
                    yield self._mention(match, match[1], "symbol", f"symbol {match[1]} in capitals")

    def _qualified(self, text: str) -> Iterator[Mention]:
        for match in _QUALIFIED.finditer(text):
            suffix = self._exchanges.get(match[1].replace(" ", "").upper())
            if suffix is not None:
                symbol = match[2] if "." in match[2] else match[2] + suffix
                yield self._mention(match, symbol, "exchange", f"listed as {match.group()}")

    def _believed(self, symbol: str, watched: Mapping[str, object], *, marked: bool) -> bool:
        if symbol in watched and (marked or symbol not in self._stop):
            return True
        if symbol in self._stop or not self._catalogue.known(symbol):
            return False
        if marked:
            return len(symbol) > 1
        rank = self._catalogue.rank.get(self._catalogue.reported(symbol), _LISTED_ENOUGH)
        return rank < _LISTED_ENOUGH and symbol.lower() not in self._ordinary

    def _mention(self, match: re.Match[str], written: str, how: How, reason: str) -> Mention:
        known = written if self._catalogue.known(written) else written.replace(".", "-")
        symbol = self._catalogue.reported(known) if self._catalogue.known(known) else written
        return Mention(symbol, match.group(), match.start(), match.end(), how, reason, about=True)


class NamedCompanies:
    """Names of companies, word for word: the longest name at each word, none inside another."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        words = catalogue.words
        self._houses = frozenset(words["analyst_houses"]["symbols"].split())
        self._not_after = {word: frozenset(after.split()) for word, after in words["not_after"].items()}
        self._not_before = {word: frozenset(before.split()) for word, before in words["not_before"].items()}

    def find(self, context: Context, watched: NameIndex) -> list[Mention]:
        """The names in a text; names of the watchlist go before the map's."""
        found = []
        position = 0
        words = context.words
        while position < len(words):
            entry = self._longest(words, position, watched) if words[position].proper else None
            if entry is None:
                position += 1
                continue
            if entry.symbol and self._meant(entry, context, position):
                found.append(self._mention(entry, context, position))
            position += len(entry.words)
        return found

    def _longest(self, words: Sequence[Word], position: int, watched: NameIndex) -> Entry | None:
        word = words[position]
        for form in (word.plain, word.base) if word.base != word.plain else (word.plain,):
            for entry in (*watched.get(form, ()), *self._catalogue.index.get(form, ())):
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

    def _mention(self, entry: Entry, context: Context, position: int) -> Mention:
        last = position + len(entry.words) - 1
        start = context.words[position].start
        written = context.text[start : context.words[last].end].rstrip("'’")
        name = self._catalogue.names.get(entry.symbol, entry.symbol)
        reason = f'{entry.how} "{written}"' + ("" if entry.how == "name" else f" of {name}")
        quoted = entry.symbol in self._houses and context.quoted_house(position, last)
        end = start + len(written)
        return Mention(entry.symbol, written, start, end, entry.how, reason, about=True, quoted=quoted)


def _fits(name: tuple[str, ...], words: Sequence[Word], position: int) -> bool:
    """Whether the words from `position` on are the name, whose first word is already known to agree."""
    if len(name) == 1:
        return True
    if position + len(name) > len(words):
        return False
    following = words[position + 1 : position + len(name)]
    return all(part in (word.plain, word.base) for part, word in zip(name[1:], following, strict=True))
