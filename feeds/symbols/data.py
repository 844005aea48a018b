"""The offline company lists, read once and turned into a name index.

Four sources: `us.tsv` (symbols and names as the SEC lists them in company_tickers.json, largest first;
a work of the US government, in the public domain), pytickersymbols (indices of other countries, industries; MIT), our
own `names.toml`, and `ordinary.txt` (names that are ordinary words, made from an MIT-licensed set of
market tweets by `python -m tests.evaluation.ordinary_words`).
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Final, Literal

How = Literal["cashtag", "exchange", "name", "short name", "brand", "watchlist", "symbol"]

WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*['’]?|&")
"""A word of a text or of a name; an apostrophe belongs to it, other punctuation separates."""


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set; for lists that are read more often than changed."""
    return frozenset(text.split())


_LEGAL: Final = word_set(
    """
    inc incorporated corp corporation co company cos ltd limited plc nv sa ag se ab asa oyj lp llc bv spa kgaa as
    adr ads de the new md mn nj pa va wi oh
    """
)
_LEGAL_LETTERS: Final = ("n v", "s a", "p l c", "a s", "l p", "s p a", "l l c", "s e")
_GROUPING: Final = word_set("holdings holding group bancorp bancorporation bancshares international")
_DESCRIPTORS: Final = word_set(
    """
    technologies technology tech therapeutics pharmaceuticals pharmaceutical pharma biosciences bioscience biopharma
    biotherapeutics medical sciences platforms platform industries systems networks network software semiconductor
    semiconductors solutions services financial finance energy resources motors motor materials entertainment
    communications communication brands foods health healthcare laboratories labs stores pharmacies airlines
    instruments devices interactive media digital global enterprises petroleum oil gas mining metals gold realty
    properties industrial com worldwide products international insurance partners group holdings electronics
    cosmetics restaurants automotive scientific diagnostics biotech genetics aerospace steel water power bank
    beverage beverages mortgage markets games gaming cruises hotels resorts & and surgical homes beauty chemical
    chemicals communities
    """
)
COMMON_PARTS: Final = _LEGAL | _GROUPING | _DESCRIPTORS
"""Words of names that tell no company from another."""
_SHELF: Final = re.compile(r"\bAcquisition\b|\bSPAC\b|\bCapital Investment Corp\b|\bWarrants?\b", re.I)
_LARGE: Final = 2600
"""Rank by market value down to which a one-word name that is also an ordinary word is worth knowing."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One way to write one company. `needs_context` marks ordinary words, people and places.

    `capitals` marks an abbreviation that is an ordinary word in other letters: "UPS", not "Start-Ups".
    """

    words: tuple[str, ...]
    symbol: str
    how: How
    needs_context: bool = False
    capitals: bool = False


@dataclass(slots=True)
class Catalogue:
    """All that is known offline. `alias` maps a further share class or listing to the symbol that is reported."""

    names: dict[str, str] = field(default_factory=dict)
    rank: dict[str, int] = field(default_factory=dict)
    alias: dict[str, str] = field(default_factory=dict)
    industries: dict[str, tuple[str, ...]] = field(default_factory=dict)
    index: dict[str, tuple[Entry, ...]] = field(default_factory=dict)
    words: Mapping[str, Any] = field(default_factory=dict)

    def known(self, symbol: str) -> bool:
        """Whether the symbol is a listing of the lists."""
        return symbol in self.names or symbol in self.alias

    def reported(self, symbol: str) -> str:
        """The symbol that stands for all listings of its company."""
        return self.alias.get(symbol, symbol)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a name in the form they are compared in: lower case, without apostrophes, "and" as "&"."""
    return tuple(plain(word) for word in WORD.findall(text))


def plain(word: str) -> str:
    """One word in the form it is compared in."""
    word = word.lower().replace("'", "").replace("’", "")
    return "&" if word == "and" else word


def by_first_word(entries: Iterable[Entry]) -> dict[str, tuple[Entry, ...]]:
    """Entries by their first word, the longest first, so that the longest name wins."""
    index: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.words:
            index[entry.words[0]].append(entry)
    return {word: tuple(sorted(found, key=lambda entry: -len(entry.words))) for word, found in index.items()}


def read() -> Catalogue:
    """The whole catalogue; about 0.1 s, so it is read once and away from the event loop."""
    catalogue = Catalogue(words=_own_words())
    _read_us(catalogue)
    from feeds.symbols.indices import read_indices  # it needs this module and a library of 26 ms, only here

    foreign = read_indices(catalogue)
    entries = _own_entries(catalogue)
    taken = {entry.words for entry in entries}
    ordinary = ordinary_words(catalogue.words)
    never = set(catalogue.words["never_alone"]["words"].split())
    official = {symbol: name for symbol, name in catalogue.names.items() if name and symbol in catalogue.rank}
    entries += _name_entries({**official, **foreign}, catalogue.rank, taken, ordinary, never)
    catalogue.index = by_first_word(entries)
    _merge(catalogue, foreign)
    for listing, symbol in catalogue.words["listings"].items():
        catalogue.alias.setdefault(listing, symbol)
    return catalogue


def ordinary_words(own: Mapping[str, Any]) -> set[str]:
    """Listed one-word names that are also ordinary words: those of the list and the traps we wrote down ourselves."""
    lines = resources.files("feeds.symbols").joinpath("ordinary.txt").read_text(encoding="utf-8").splitlines()
    ours = (*own["ordinary"]["words"].split(), *own["people"]["words"].split())
    return {*(line for line in lines if not line.startswith("#")), *ours}


def one_word_names() -> frozenset[str]:
    """The listed names, short forms included, that are one word."""
    catalogue = Catalogue()
    _read_us(catalogue)
    forms = (form for name in catalogue.names.values() if name for forms in _forms(name) for form in forms)
    return frozenset(form[0] for form in forms if len(form) == 1)


def _merge(catalogue: Catalogue, foreign: Mapping[str, str]) -> None:
    """Makes the home listing of a company that is also listed in the US another symbol of the same company."""
    for symbol, name in foreign.items():
        words = _forms(name)[0][0]
        for entry in catalogue.index.get(words[0], ()):
            if entry.words == words and entry.symbol != symbol and entry.symbol in catalogue.rank:
                catalogue.alias[symbol] = entry.symbol
                catalogue.industries.setdefault(entry.symbol, catalogue.industries.get(symbol, ()))
                break


def _own_words() -> Mapping[str, Any]:
    return tomllib.loads(resources.files("feeds.symbols").joinpath("names.toml").read_text(encoding="utf-8"))


def _read_us(catalogue: Catalogue) -> None:
    text = resources.files("feeds.symbols").joinpath("us.tsv").read_text(encoding="utf-8")
    markets = catalogue.words["subjects"]  # a company called like one of them would get its price: W&T Offshore, WTI
    for rank, line in enumerate(line for line in text.splitlines() if not line.startswith("#")):
        symbol, _, name = line.partition("\t")
        if symbol in markets:
            continue
        if name.startswith("="):
            catalogue.alias[symbol] = name[1:]
        else:
            catalogue.names[symbol] = name
            catalogue.rank[symbol] = rank


def _own_entries(catalogue: Catalogue) -> list[Entry]:
    entries = []
    tables: tuple[tuple[str, How], ...] = (
        ("short_names", "short name"),
        ("former_names", "short name"),
        ("brands", "brand"),
    )
    for table, how in tables:
        for written, symbol in catalogue.words[table].items():
            name = written.rstrip("?")
            capitals = name.isupper() and name.isalpha()
            entries.append(Entry(words_of(name), symbol, how, written.endswith("?"), capitals))
            if symbol and symbol not in catalogue.names:
                catalogue.names[symbol] = name
    return entries


def _name_entries(
    official: Mapping[str, str],
    rank: Mapping[str, int],
    taken: set[tuple[str, ...]],
    ordinary: set[str],
    never: set[str],
) -> list[Entry]:
    """Entries for official names and the short forms that belong to one company only."""
    full: dict[tuple[str, ...], str] = {}
    short: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for symbol, name in official.items():
        exact, shorter = _forms(name)
        for words in exact:
            full.setdefault(words, symbol)
        if not _SHELF.search(name):
            for words in shorter:
                short[words].append(symbol)
    entries = []
    for words, symbol in full.items():
        entry = _entry(words, symbol, "name", rank, ordinary, never)
        if words not in taken and entry is not None:
            entries.append(entry)
    for words, symbols in short.items():
        if words in full or words in taken or len(set(symbols)) > 1:
            continue
        entry = _entry(words, symbols[0], "short name", rank, ordinary, never)
        if entry is not None:
            entries.append(entry)
    return entries


def _entry(
    words: tuple[str, ...], symbol: str, how: How, rank: Mapping[str, int], ordinary: set[str], never: set[str]
) -> Entry | None:
    if len(words) > 1:
        generic = all(word in ordinary or word in never or word in _DESCRIPTORS or word == "&" for word in words)
        if generic and (how == "short name" or all(word in _DESCRIPTORS for word in words)):
            return None
        return Entry(words, symbol, how)
    word = words[0]
    if word in never or len(word) < 3 or word.isdigit():
        return None
    common = word in ordinary or len(word) < 4 or word in _DESCRIPTORS
    if common and (how == "short name" or rank.get(symbol, 0) > _LARGE) and len(word) < 4:
        return None
    return Entry(words, symbol, how, needs_context=common)


def _forms(name: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The official forms of a name and the shorter ones: "Micron Technology" and "Micron"."""
    words = list(words_of(re.sub(r"[/\\][A-Z]{2,3}[/\\]?|\(.*?\)", " ", name).replace("Class A", "")))
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    words = _without(words, _LEGAL)
    exact = [tuple(words)]
    grouped = _without(words, _GROUPING | _LEGAL)
    if grouped != words:
        exact.append(tuple(grouped))
    shorter = []
    while len(grouped) > 1 and grouped[-1] in _DESCRIPTORS:
        grouped = grouped[:-1]
        if grouped[-1] != "&":
            shorter.append(tuple(grouped))
    return exact, shorter


def _without(words: Sequence[str], endings: frozenset[str]) -> list[str]:
    left = list(words)
    while len(left) > 1:
        if left[-1] in endings or left[-1] == "&":
            left.pop()
            continue
        for letters in _LEGAL_LETTERS:
            parts = letters.split()
            if len(left) > len(parts) and left[-len(parts) :] == parts:
                del left[-len(parts) :]
                break
        else:
            return left
    return left
