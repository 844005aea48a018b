"""Finding companies in a text: by name word for word, and by marks such as cash-tags and exchange symbols."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from feeds.symbols.context import Context, Word
from feeds.symbols.data import Catalogue, Entry, How, ordinary_words, word_set, words_of
from feeds.symbols.roles import place_of_talk, quoted_house

NameIndex: TypeAlias = Mapping[str, tuple[Entry, ...]]
"""Ways to write companies by their first word, the longest first."""

_MARKS: Final = r"\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
"""Marks that combine with the letter before them: what one stands on is not the letter it looks like."""
_CASHTAG: Final = re.compile(rf"(?<![\w$])\$([A-Z]{{1,6}}(?:[.\-][A-Z]{{1,3}})?|[a-z]{{3,5}})(?![\w${_MARKS}])")
"""In small letters only what is a symbol and no word of the language: "$aapl", not "$cash"."""
_LISTED: Final = re.compile(r":\s?([A-Z0-9]{1,7}(?:[.\-][A-Z]{1,2})?)(?![\w])")
_EXCHANGE: Final = re.compile(r"\b([A-Za-z]{3,12}(?: American| Arca)?)$")
_EXCHANGE_LENGTH: Final = 24
_PLACE: Final = re.compile(r"\.(?:TO|L|T|DE|PA|AS|MI|MC|SW|HK|AX|KS|SS|SZ|NS|BO|ST|HE|CO|OL|BR|F|SR|TW)\b")
_FOREIGN: Final = re.compile(r"(?<![\w.])[A-Z0-9]{1,7}(?:-[A-Z])?$")
_FOREIGN_LENGTH: Final = 10
"""A symbol of another country is letters or digits and the place where it is listed; the place is looked for first."""
_RIC: Final = re.compile(r"<([A-Z]{1,5})\.(?:O|N|OQ|A|K)>")
_BRACKETED: Final = re.compile(r"\(([A-Z]{1,5}(?:[.\-][A-Z])?)\)")
_CAPITALS: Final = re.compile(r"[A-Z]{3,}")
_NOT_BEFORE: Final = frozenset("_$&.:'’-")
_NOT_AFTER: Final = frozenset("_&'’-")
"""What makes capitals a part of something else, as letters and digits do."""
_LISTED_ENOUGH: Final = 1500
"""Rank by market value down to which a symbol in capitals is believed without a mark."""
_LONGEST: Final = 5
"""Letters of a symbol that stands without a mark."""
_KINDS: Final = word_set(
    "group partners capital research ventures advisors university college hospital school council club museum"
)
"""What follows a name in the name of another house: "Norwood Group" is not Norwood Financial."""
_OFFICES: Final = word_set("executive financial operating technology legal commercial product accounting")
"""What makes a chief one of a company: "Intel chief executive", not "Intel chief warns of plot"."""


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
        self._markets = frozenset(catalogue.words["market_tags"]["words"].split())

    def find(self, text: str, watched: Mapping[str, object], taken: Sequence[tuple[int, int]]) -> Iterator[Mention]:
        """The symbols of a text; plain capitals inside a `taken` span belong to a longer name."""
        if "$" in text:
            for match in _CASHTAG.finditer(text):
                symbol = match[1].upper()
                if symbol not in self._markets and (
                    symbol == match[1] or self._believed(symbol, watched, marked=False)
                ):
                    yield self._mention(match, symbol, "cashtag", f"cash-tag {match.group()}")
        listed = list(self._qualified(text)) if ":" in text else []
        yield from listed
        if "<" in text:
            for match in _RIC.finditer(text):
                yield self._mention(match, match[1], "exchange", f"listed as {match.group()}")
        if "." in text:
            yield from self._foreign(text, watched)
        if "(" in text:
            for match in _BRACKETED.finditer(text):
                if self._believed(match[1], watched, marked=True):
                    yield self._mention(match, match[1], "symbol", f"symbol {match.group()}")
        if not text.isupper():
            yield from self._bare(text, watched, [*taken, *((one.start, one.end) for one in listed)])

    def _bare(self, text: str, watched: Mapping[str, object], taken: Sequence[tuple[int, int]]) -> Iterator[Mention]:
        for match in _CAPITALS.finditer(text):
            start, end = match.span()
            before, after = text[start - 1 : start], text[end : end + 1]
            if end - start > _LONGEST or before.isalnum() or before in _NOT_BEFORE:
                continue
            if after.isalnum() or after in _NOT_AFTER or any(first <= start < last for first, last in taken):
                continue
            if self._believed(match[0], watched, marked=False):
                yield self._mention(match, match[0], "symbol", f"symbol {match[0]} in capitals")

    def _foreign(self, text: str, watched: Mapping[str, object]) -> Iterator[Mention]:
        for place in _PLACE.finditer(text):
            own = _FOREIGN.search(text, max(0, place.start() - _FOREIGN_LENGTH), place.start())
            if own is None:
                continue
            symbol = text[own.start() : place.end()]
            if self._catalogue.known(symbol) or symbol in watched:
                yield self._found(symbol, symbol, own.start(), "exchange", f"listed as {symbol}")

    def _qualified(self, text: str) -> Iterator[Mention]:
        for listed in _LISTED.finditer(text):
            colon = listed.start() - text[listed.start() - 1 : listed.start()].isspace()
            exchange = _EXCHANGE.search(text, max(0, colon - _EXCHANGE_LENGTH), colon)
            suffix = self._exchanges.get(exchange[1].replace(" ", "").upper()) if exchange else None
            if exchange is not None and suffix is not None:
                symbol = listed[1] if "." in listed[1] else listed[1] + suffix
                written = text[exchange.start() : listed.end()]
                yield self._found(symbol, written, exchange.start(), "exchange", f"listed as {written}")

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
        return self._found(written, match.group(), match.start(), how, reason)

    def _found(self, symbol: str, written: str, start: int, how: How, reason: str) -> Mention:
        known = symbol if self._catalogue.known(symbol) else symbol.replace(".", "-")
        symbol = self._catalogue.reported(known) if self._catalogue.known(known) else symbol
        return Mention(symbol, written, start, start + len(written), how, reason, about=True)


class NamedCompanies:
    """Names of companies, word for word: the longest name at each word, none inside another."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._index = catalogue.index
        words = catalogue.words
        self._houses = frozenset(words["analyst_houses"]["symbols"].split())
        self._people = frozenset(words["people"]["words"].split())
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
        following = words[position + 1] if position + 1 < len(words) else None
        for form in (word.plain, word.base) if word.base != word.plain else (word.plain,):
            for entry in (*watched.get(form, ()), *self._index.get(form, ())):
                name = entry.words
                if len(name) == 1:
                    return entry
                if following is None or (name[1] != following.plain and name[1] != following.base):
                    continue
                if len(name) == 2 or _fits(name, words, position):
                    return entry
        return None

    def _meant(self, entry: Entry, context: Context, position: int) -> bool:
        word = " ".join(entry.words)
        last = position + len(entry.words) - 1
        if self._trap(word, context, position, last) or self._another(entry, context, last):
            return False
        if place_of_talk(context, position, last):
            return False
        if len(entry.words) > 1:
            return entry.how == "watchlist" or context.capitalised(position, len(entry.words))
        if entry.capitals and not context.words[position].text[:2].isupper():
            return False
        if not entry.needs_context or context.company_like(position, person=word in self._people):
            return True
        return self._paired(context, position)

    def _trap(self, word: str, context: Context, first: int, last: int) -> bool:
        """Whether the words beside a name are known to make it something else; two words are listed with a hyphen."""
        unwanted = self._not_after.get(word)
        if unwanted:
            after, later = context.next_plain(last), context.next_plain(last + 1)
            if f"{after}-{later}" in unwanted or (after in unwanted and not (after == "chief" and later in _OFFICES)):
                return True
        unwanted = self._not_before.get(word)
        if not unwanted:
            return False
        before = context.previous_plain(first)
        return before in unwanted or f"{context.previous_plain(first - 1)}-{before}" in unwanted

    def _another(self, entry: Entry, context: Context, last: int) -> bool:
        """Whether a smaller company's name goes on as the name of somebody else."""
        after = context.at(last + 1)
        if after.base not in _KINDS or not after.proper or entry.how not in ("name", "short name"):
            return False
        rank = self._catalogue.rank.get(entry.symbol, 0)
        return rank > _LISTED_ENOUGH and after.base not in words_of(self._catalogue.names.get(entry.symbol, ""))

    def _paired(self, context: Context, position: int) -> bool:
        """Whether a name is one of two, of which the other can be nothing but a company: "Visa and Mastercard"."""
        if context.next_plain(position) != "&" or position + 2 >= len(context.words):
            return False
        other = self._longest(context.words, position + 2, {}) if context.words[position + 2].proper else None
        return other is not None and bool(other.symbol) and not other.needs_context

    def _mention(self, entry: Entry, context: Context, position: int) -> Mention:
        last = position + len(entry.words) - 1
        start = context.starts[position]
        written = context.text[start : context.end(last)].rstrip("'’")
        name = self._catalogue.names.get(entry.symbol, entry.symbol)
        reason = f'{entry.how} "{written}"' + ("" if entry.how == "name" else f" of {name}")
        quoted = entry.symbol in self._houses and quoted_house(context, position, last)
        end = start + len(written)
        return Mention(entry.symbol, written, start, end, entry.how, reason, about=True, quoted=quoted)


def _fits(name: tuple[str, ...], words: Sequence[Word], position: int) -> bool:
    """Whether the words from `position` on are the name, whose first two words are already known to agree."""
    if position + len(name) > len(words):
        return False
    following = words[position + 2 : position + len(name)]
    return all(part in (word.plain, word.base) for part, word in zip(name[2:], following, strict=True))
