"""A headline in tokens: its words and their stems, its names, its figures and the periods it speaks of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from feeds.stories.phrases import COMMON, MONTHS, NAMES, SMALL, WEEKDAYS
from feeds.stories.stems import stem

_TOKEN = re.compile(
    r"(?P<money>[$€£¥])?(?P<figure>\d+(?:[.,]\d+)*)\s?"
    r"(?P<unit>%|(?:percent(?!age)|per cent|pct|basis points|basis point|bps|bp"
    r"|trillion|billion|bln|bn|million|mln|mn|[kmb])\b)?"
    r"|[^\W\d_]+(?:[&+'][^\W\d_]+|\+)*"
)
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


@dataclass(slots=True)
class Token:
    """A word or number, `low` in small letters. `stem` is empty for small words and numbers, `name` for no name.

    `kind` is "place", "agency" or "name", or "maybe" where only a capital in a title of capitals speaks for it.
    """

    text: str
    low: str
    stem: str
    name: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text in tokens, with the figures and periods among them."""

    tokens: list[Token]
    figures: frozenset[Figure]
    periods: frozenset[Period]


def tokenize(text: str) -> Tokens:
    """The tokens of a headline or a longer text, names marked."""
    text = text.replace("’", "'").replace("U.S.", "US").replace("U.K.", "UK").replace("E.U.", "EU")
    if "point" in text or "Point" in text:
        for pattern, written in _POINT_WORDS:
            text = pattern.sub(written, text)
    tokens: list[Token] = []
    figures: set[Figure] = set()
    periods: set[Period] = {("quarter", quarter[1]) for quarter in _QUARTER.finditer(text)}
    previous = ""
    for match in _TOKEN.finditer(text):
        word = match[0]
        if match["figure"] is None:  # a word, or a number that is no digit: "½", "²", "Ⅷ", "①"
            word, low, stemmed = _read(word)
            if low in _TIMES:
                periods.update(_period(low, previous))
            tokens.append(Token(word, low, stemmed))
            previous = low
        else:
            year = _year(match)
            (periods if year else figures).add(year or _figure(match))
            tokens.append(Token(word, word, ""))
            previous = word
    _find_names(tokens)
    return Tokens(tokens, frozenset(figures), frozenset(periods))


@lru_cache(maxsize=16384)
def _read(word: str) -> tuple[str, str, str]:
    """A word without its possessive, in small letters, and its stem, "" for a small word; the words of news repeat."""
    word = word.removesuffix("'s").removesuffix("'S")
    low = word.casefold()
    return word, low, "" if low in SMALL else stem(low)


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


def _find_names(tokens: list[Token]) -> None:
    """Mark known names by the list and other names by their capitals, which prove nothing in a Title Like This."""
    known_until = 0
    for position, token in enumerate(tokens):
        if position >= known_until and token.low in NAMES:
            length, name, kind = _known_name(tokens, position)
            for part in tokens[position : position + length]:
                part.name, part.kind = name, kind
            known_until = position + length
    words = [token.text for token in tokens[1:] if token.text[0].isalpha() and len(token.text) > 3 and not token.name]
    capitals = sum(word[0].isupper() for word in words)
    styled = len(words) > 2 and capitals / len(words) > 0.7
    for token in tokens:
        if token.name or not token.stem or not token.text[0].isupper() or token.stem in COMMON or len(token.text) < 2:
            continue
        shaped = not token.text[1:].islower() and not token.text.isupper()
        token.name, token.kind = token.stem, "maybe" if styled and not shaped else "name"


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
