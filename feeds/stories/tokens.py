"""A headline in tokens: its words and their stems, its names, its figures and the periods it speaks of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from feeds.stories.phrases import COMMON, MONTHS, NAMES, SMALL, WEEKDAYS
from feeds.stories.stems import stem

_WORD = r"[^\W\d_]+(?:[&+'][^\W\d_]+|\+)*"
_NUMBER = (
    r"(?P<money>[$€£¥])?(?P<figure>\d+(?:[.,]\d+)*)\s?"
    r"(?P<unit>%|(?:percent(?!age)|per cent|pct|basis points|basis point|bps|bp"
    r"|trillion|billion|bln|bn|million|mln|mn|[kmb])\b)?"
)
_TOKEN = re.compile(f"{_WORD}|{re.sub('P<[a-z]+>', ':', _NUMBER)}")
_FIGURE = re.compile(_NUMBER)
_POINT_WORDS = (
    (
        re.compile(
            r"\b(?:a )?quarter(?: of a)?(?: percentage)?[ -]point\b|\b0?\.25 percentage points?\b", re.IGNORECASE
        ),
        "25 bp",
    ),
    (
        re.compile(r"\b(?:a )?half(?: a)?(?: percentage)?[ -]point\b|\b0?\.50? percentage points?\b", re.IGNORECASE),
        "50 bp",
    ),
    (
        re.compile(
            r"\bthree[ -]quarters? (?:of a )?(?:percentage )?point\b|\b0?\.75 percentage points?\b", re.IGNORECASE
        ),
        "75 bp",
    ),
)
_UNITS = {
    "percent": "%",
    "per cent": "%",
    "pct": "%",
    "basis points": "bp",
    "basis point": "bp",
    "bps": "bp",
    "trillion": "tn",
    "billion": "b",
    "bln": "b",
    "bn": "b",
    "million": "m",
    "mln": "m",
    "mn": "m",
}
_QUARTER = re.compile(r"\b[qQ]([1-4])\b")
_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4"}


_TIMES = frozenset({"quarter", *MONTHS, *WEEKDAYS})

Figure = tuple[str, str]
"""(unit, number): ("%", "3.1"), ("bp", "25"), ("b", "2"); the unit is "$" for bare money and "" for a bare number."""

Period = tuple[str, str]
"""(kind, value): ("quarter", "3"), ("month", "august"), ("year", "2026"), ("day", "monday")."""


class Token(NamedTuple):
    """A word or number, `low` in small letters; one object for all its places, so nothing here depends on the place.

    `stem` is empty for small words and numbers. `sense` is the stem by which the lexicon knows it, small words too.
    `listed` begins a known name, `nameable` may be a name by its capital, `shaped` is written like none but a name
    ("iPhone"), `counted` tells by being `capital` or not whether a title is written in capitals. `figure` and `year`
    are what a number says, `time` marks words of periods.
    """

    text: str
    low: str
    stem: str
    sense: str
    listed: bool = False
    nameable: bool = False
    shaped: bool = False
    counted: bool = False
    capital: bool = False
    figure: Figure | None = None
    year: Period | None = None
    time: bool = False


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text in tokens, with the figures and periods among them.

    For each token `names` has its name, empty for none, and `kinds` is "place", "agency" or "name", or "maybe" where
    only a capital in a title of capitals speaks for it.
    """

    tokens: list[Token]
    names: list[str]
    kinds: list[str]
    figures: frozenset[Figure]
    periods: frozenset[Period]


def tokenize(text: str) -> Tokens:
    """The tokens of a headline or a longer text, names marked."""
    text = text.replace("’", "'").replace("U.S.", "US").replace("U.K.", "UK").replace("E.U.", "EU")
    if "point" in text or "Point" in text:
        for pattern, written in _POINT_WORDS:
            text = pattern.sub(written, text)
    figures: set[Figure] = set()
    periods: set[Period] = set()
    if "q" in text or "Q" in text:
        periods.update(("quarter", quarter[1]) for quarter in _QUARTER.finditer(text))
    tokens = list(map(_read, _TOKEN.findall(text)))
    for position, token in enumerate(tokens):
        if token.figure:
            figures.add(token.figure)
        elif token.year:
            periods.add(token.year)
        elif token.time:
            periods.update(_period(token.low, tokens[position - 1].low if position else ""))
    names, kinds = _find_names(tokens)
    return Tokens(tokens, names, kinds, frozenset(figures), frozenset(periods))


@lru_cache(maxsize=16384)
def _read(written: str) -> Token:
    """A number, or a word without its possessive; the words of news repeat."""
    number = _FIGURE.match(written)
    if number is not None:
        year = _year(number)
        figure = None if year else _figure(number)
        return Token(written, written, "", stem(written), written in NAMES, figure=figure, year=year)
    word = written.removesuffix("'s").removesuffix("'S")  # perhaps a number that is no digit: "½", "²", "Ⅷ", "①"
    low = word.casefold()
    sense = stem(low)
    stemmed = "" if low in SMALL else sense
    capital = word[0].isupper()
    return Token(
        text=word,
        low=low,
        stem=stemmed,
        sense=sense,
        listed=low in NAMES,
        nameable=bool(stemmed) and capital and stemmed not in COMMON and len(word) > 1,
        shaped=not word[1:].islower() and not word.isupper(),
        counted=word[0].isalpha() and len(word) > 3,
        capital=capital,
        time=low in _TIMES,
    )


def _year(match: re.Match[str]) -> Period | None:
    figure = match["figure"]
    is_year = (
        figure.isdigit() and len(figure) == 4 and "1990" <= figure <= "2099" and not (match["money"] or match["unit"])
    )
    return ("year", figure) if is_year else None


def _figure(match: re.Match[str]) -> Figure:
    unit = (match["unit"] or "").casefold()
    unit = _UNITS.get(unit, unit)
    return unit or ("$" if match["money"] else ""), match["figure"].replace(",", "").strip(".")


def _period(word: str, previous: str) -> tuple[Period, ...]:
    if word == "quarter" and previous in _ORDINALS:
        return (("quarter", _ORDINALS[previous]),)
    if word in MONTHS and word != "may":
        return (("month", word),)
    return (("day", word),) if word in WEEKDAYS else ()


def _find_names(tokens: list[Token]) -> tuple[list[str], list[str]]:
    """The names and their kinds: those of the list, and others by their capitals, which prove nothing in a Title."""
    names, kinds = [""] * len(tokens), [""] * len(tokens)
    known_until = 0
    for position, token in enumerate(tokens):
        if token.listed and position >= known_until:
            length, name, kind = _known_name(tokens, position)
            known_until = position + length
            names[position:known_until] = [name] * length
            kinds[position:known_until] = [kind] * length
    counted = [token.capital for token, name in zip(tokens[1:], names[1:], strict=True) if token.counted and not name]
    styled = len(counted) > 2 and sum(counted) / len(counted) > 0.7
    for position, token in enumerate(tokens):
        if token.nameable and not names[position]:
            names[position], kinds[position] = token.stem, "maybe" if styled and not token.shaped else "name"
    return names, kinds


def _known_name(tokens: list[Token], position: int) -> tuple[int, str, str]:
    """(length, name, kind) of the listed name that begins at a token, of length 0 where none does."""
    token = tokens[position]
    for phrase, kind, name in NAMES[token.low]:
        length = len(phrase)
        if length > 1:
            if tuple(other.low for other in tokens[position : position + length]) != phrase:
                continue
        elif not token.text[0].isupper() or (name == "us" and token.low == "us" and token.text != "US"):
            continue
        return length, name, kind
    return 0, "", ""
