"""What a headline is about: names, events, figures, periods, however it is worded.

Everything here is a closed list of words and a few rules of thumb; the same title always gives the same terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from feeds import lexicon
from feeds.stems import stem

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
_PHRASE_WORD = re.compile(r"[^\W_]+(?:[&+'][^\W_]+|\+)*")
_WEEKDAYS = frozenset(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))
_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4"}


def _entries(text: str) -> Iterable[tuple[str, tuple[str, ...]]]:
    """The (name, phrase) pairs of a lexicon list; the name is empty where the list has none."""
    for line in text.strip().replace("\n ", " ").splitlines():
        name, _, phrases = line.rpartition(":")
        for phrase in phrases.split(","):
            yield name, tuple(_PHRASE_WORD.findall(phrase.casefold()))


def _flat(text: str) -> frozenset[str]:
    return frozenset(word for _, phrase in _entries(text) for word in phrase)


_Phrase = tuple[tuple[str, ...], str, str]


def _table(*lists: tuple[str, str], literal: bool = False) -> dict[str, list[_Phrase]]:
    """Phrases by their first word, the longest first, each with the kind and the name it stands for."""
    table: dict[str, list[_Phrase]] = {}
    for kind, text in lists:
        for name, phrase in _entries(text):
            key = phrase if literal else tuple(map(stem, phrase))
            table.setdefault(key[0], []).append((key, kind, name))
    for phrases in table.values():
        phrases.sort(key=lambda entry: -len(entry[0]))
    return table


_NAMES = _table(("place", lexicon.PLACES), ("agency", lexicon.AGENCIES), ("name", lexicon.COMPANIES), literal=True)
_SENSES = _table(
    ("event", lexicon.EVENTS),
    ("stage", lexicon.STAGES),
    ("object", lexicon.OBJECTS),
    ("same", lexicon.SAME),
    ("goods", lexicon.GOODS),
    ("down", lexicon.DOWN),
    ("up", lexicon.UP),
    ("hold", lexicon.HOLD),
    ("stop", lexicon.STOP),
    ("banned", lexicon.BANNED),
    ("trading", "trading"),
    ("office", lexicon.OFFICES),
    ("leave", lexicon.LEAVE),
    ("move", lexicon.MOVES),
    ("market", lexicon.MARKETS),
    ("preview", lexicon.PREVIEW),
)
_SMALL = _flat(lexicon.SMALL)
_MONTHS = _flat(lexicon.DATES)
_COMMON = frozenset(map(stem, _flat(lexicon.COMMON) | _MONTHS | _WEEKDAYS)) | frozenset(_SENSES)


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one headline.

    `names` are companies, people, agencies and places under one name each; `sure` those that are certainly names,
    `companies` those of them that are no agency and no place, `lead` what the event happens to. `events` are classes of
    events, `stages` how far a deal is, `figures` (unit, number), `periods` what time is spoken of, `goods`
    what is traded; `words` the stems of the rest, `common` those every headline uses.
    """

    names: frozenset[str]
    sure: frozenset[str]
    places: frozenset[str]
    companies: frozenset[str]
    lead: frozenset[str]
    events: frozenset[str]
    stages: frozenset[str]
    figures: frozenset[tuple[str, str]]
    periods: frozenset[tuple[str, str]]
    goods: frozenset[str]
    words: frozenset[str]
    common: frozenset[str]
    preview: bool


@dataclass(slots=True)
class _Token:
    text: str
    stem: str
    name: str = ""
    kind: str = ""


def read(title: str) -> Terms:
    """The terms of a headline."""
    title = title.replace("’", "'").replace("U.S.", "US").replace("U.K.", "UK").replace("E.U.", "EU")
    for pattern, figure in _POINT_WORDS:
        title = pattern.sub(figure, title)
    tokens, figures, periods = _tokens(title)
    _find_names(tokens)
    found = _senses(tokens)
    events = _events(found)
    first_event = min(
        (at for kind, _, at in found if kind in ("event", "object", "stop", "leave")), default=len(tokens)
    )
    names = {token.name: token.kind for token in tokens if token.name}
    first = frozenset(token.name for token in tokens[:first_event] if token.name)
    companies = frozenset(name for name, kind in names.items() if kind == "name")
    plain = {token.stem for token in tokens if not token.name and token.stem}
    senses = {name for kind, name, _ in found if kind == "same"}
    return Terms(
        names=frozenset(names),
        sure=frozenset(name for name, kind in names.items() if kind != "maybe"),
        places=frozenset(name for name, kind in names.items() if kind == "place"),
        companies=companies,
        lead=first & companies or companies or first or frozenset(names),
        events=events,
        stages=frozenset(name for kind, name, _ in found if kind == "stage"),
        figures=figures,
        periods=periods,
        goods=frozenset(name for kind, name, _ in found if kind == "goods"),
        words=frozenset(plain - _COMMON),
        common=frozenset((plain & _COMMON) | senses),
        preview=any(kind == "preview" for kind, _, _ in found),
    )


def _tokens(title: str) -> tuple[list[_Token], frozenset[tuple[str, str]], frozenset[tuple[str, str]]]:
    tokens: list[_Token] = []
    figures: set[tuple[str, str]] = set()
    periods: set[tuple[str, str]] = set()
    previous = ""
    for match in _TOKEN.finditer(title):
        text = match.group()
        low = text.casefold()
        if match["figure"]:
            period = _year(match)
            (periods if period else figures).add(period or _figure(match))
            tokens.append(_Token(text, ""))
        else:
            text = text.removesuffix("'s").removesuffix("'S")
            low = text.casefold()
            periods |= _period(low, previous)
            tokens.append(_Token(text, "" if low in _SMALL else stem(low)))
        previous = low
    for quarter in re.finditer(r"\b[qQ]([1-4])\b", title):
        periods.add(("quarter", quarter[1]))
    return tokens, frozenset(figures), frozenset(periods)


def _year(match: re.Match[str]) -> tuple[str, str] | None:
    figure = match["figure"]
    is_year = (
        figure.isdigit() and len(figure) == 4 and "1990" <= figure <= "2099" and not (match["money"] or match["unit"])
    )
    return ("year", figure) if is_year else None


def _figure(match: re.Match[str]) -> tuple[str, str]:
    unit = (match["unit"] or "").casefold()
    unit = _UNITS.get(unit, unit)
    return unit or ("$" if match["money"] else ""), match["figure"].replace(",", "").strip(".")


def _period(word: str, previous: str) -> set[tuple[str, str]]:
    if word == "quarter" and previous in _ORDINALS:
        return {("quarter", _ORDINALS[previous])}
    if word in _MONTHS and word != "may":
        return {("month", word)}
    return {("day", word)} if word in _WEEKDAYS else set()


def _find_names(tokens: list[_Token]) -> None:
    """Mark known names by the list and other names by their capitals, which prove nothing in a Title Like This."""
    position = 0
    while position < len(tokens):
        length, name, kind = _known_name(tokens, position)
        for token in tokens[position : position + length]:
            token.name, token.kind = name, kind
        position += length or 1
    words = [token.text for token in tokens[1:] if token.text[0].isalpha() and len(token.text) > 3 and not token.name]
    capitals = sum(word[0].isupper() for word in words)
    styled = len(words) > 2 and capitals / len(words) > 0.7
    for token in tokens:
        if token.name or not token.stem or not token.text[0].isupper() or token.stem in _COMMON or len(token.text) < 2:
            continue
        shaped = not token.text[1:].islower() and not token.text.isupper()
        token.name, token.kind = token.stem, "maybe" if styled and not shaped else "name"


def _known_name(tokens: list[_Token], position: int) -> tuple[int, str, str]:
    low = tokens[position].text.casefold()
    for phrase, kind, name in _NAMES.get(low, ()):
        length = len(phrase)
        if tuple(token.text.casefold() for token in tokens[position : position + length]) != phrase:
            continue
        if length == 1 and not tokens[position].text[0].isupper():
            continue
        if name == "us" and low == "us" and tokens[position].text != "US":
            continue
        return length, name, kind
    return 0, "", ""


def _senses(tokens: list[_Token]) -> list[tuple[str, str, int]]:
    """(kind, name, position) of every phrase of the lexicon in the headline; phrases may overlap."""
    stems = [stem(token.text.casefold()) if token.text[0].isalpha() else token.text for token in tokens]
    found: list[tuple[str, str, int]] = []
    for position, first in enumerate(stems):
        for phrase, kind, name in _SENSES.get(first, ()):
            if len(phrase) == 1 or tuple(stems[position : position + len(phrase)]) == phrase:
                found.append((kind, name, position))
    return found


def _events(found: list[tuple[str, str, int]]) -> frozenset[str]:
    """Events named by a word, and events made of two: cut + guidance, ban + exports, chief + resigns."""
    at: dict[str, list[int]] = {}
    for kind, _, position in found:
        at.setdefault(kind, []).append(position)
    events = {name for kind, name, _ in found if kind == "event"}
    turns = [(position, kind) for kind in ("down", "up", "hold") for position in at.get(kind, ())]
    for kind, name, position in found:
        near = [(abs(position - other), turn) for other, turn in turns if 0 < abs(position - other) <= 6]
        if kind == "object" and near:
            events.add(f"{name} {min(near)[1]}")
    if "profit warning" in events:
        events = (events - {"profit warning"}) | {"guidance down"}
    if "workforce down" in events or "layoffs" in events:
        events = (events - {"workforce down"}) | {"layoffs"}
    stops = at.get("stop", ()) or ()
    if _near(stops, at.get("banned", ())):
        events.add("ban")
    if _near([*stops, *at.get("down", ())], at.get("trading", ())):
        events.add("trading halt")
    if "office" in at and "leave" in at:
        events.add("new chief")
    if "move" in at and "market" in at:
        events.add("move")
    return frozenset(events)


def _near(some: Iterable[int], others: Iterable[int]) -> bool:
    others = list(others)
    return any(0 < abs(one - other) <= 6 for one in some for other in others)
