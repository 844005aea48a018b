"""What a headline is about: names, events, figures, periods, however it is worded.

Everything here is a closed list of words and a few rules of thumb; the same title always gives the same terms.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from feeds.stories.phrases import COMMON, SEAT, SENSES
from feeds.stories.tokens import Figure, Period, Token, tokenize


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one headline.

    `names` are companies, people, agencies and places under one name each; `sure` those that are certainly names,
    `companies` those of them that are no agency and no place, `implied` the places of the agencies, `lead` what the
    event happens to. `events` are classes of
    events, `stages` how far a deal is, `figures` (unit, number), `periods` what time is spoken of, `goods`
    what is traded; `words` the stems of the rest, `common` those every headline uses.
    """

    names: frozenset[str]
    sure: frozenset[str]
    places: frozenset[str]
    companies: frozenset[str]
    implied: frozenset[str]
    lead: frozenset[str]
    events: frozenset[str]
    stages: frozenset[str]
    figures: frozenset[Figure]
    periods: frozenset[Period]
    goods: frozenset[str]
    words: frozenset[str]
    common: frozenset[str]
    preview: bool


def read(title: str) -> Terms:
    """The terms of a headline."""
    text = tokenize(title)
    tokens = text.tokens
    found = _senses(tokens)
    happening = (at for kind, _, at in found if kind in ("event", "object", "stop", "leave"))
    first_event = min(happening, default=len(tokens))
    names = {name: kind for name, kind in zip(text.names, text.kinds, strict=True) if name}
    implied = frozenset(SEAT[name] for name in names if name in SEAT)
    first = frozenset(name for name in text.names[:first_event] if name)
    companies = frozenset(name for name, kind in names.items() if kind == "name")
    stems = (token.stem for token, name in zip(tokens, text.names, strict=True) if not name)
    plain = frozenset(stem for stem in stems if stem)
    return Terms(
        names=_one(frozenset(names)),
        sure=_one(frozenset(name for name, kind in names.items() if kind != "maybe")),
        places=_one(frozenset(name for name, kind in names.items() if kind == "place")),
        companies=_one(companies),
        implied=_one(implied),
        lead=_one(first & companies or companies or (first or frozenset(names)) | implied),
        events=_one(_events(found)),
        stages=_one(frozenset(name for kind, name, _ in found if kind == "stage")),
        figures=_one(text.figures),
        periods=_one(text.periods),
        goods=_one(frozenset(name for kind, name, _ in found if kind == "goods")),
        words=_one(plain - COMMON),
        common=_one((plain & COMMON) | {name for kind, name, _ in found if kind == "same"}),
        preview=any(kind == "preview" for kind, _, _ in found),
    )


def mentions(text: str) -> tuple[frozenset[str], frozenset[Figure]]:
    """The names and words of a longer text, spelled as in `Terms`, and its figures that have a unit."""
    read = tokenize(text)
    said = frozenset([name or token.stem for token, name in zip(read.tokens, read.names, strict=True)]) - {""}
    return said, frozenset(figure for figure in read.figures if figure[0])


_T = TypeVar("_T")


@lru_cache(maxsize=4096)
def _one(values: frozenset[_T]) -> frozenset[_T]:
    """One object for equal sets: thousands of titles are kept in memory, and most of their sets are small."""
    return values


def _senses(tokens: list[Token]) -> list[tuple[str, str, int]]:
    """(kind, name, position) of every phrase of the lexicon in the headline; phrases may overlap."""
    found: list[tuple[str, str, int]] = []
    for position, first in enumerate(tokens):
        for phrase, kind, name in SENSES.get(first.sense, ()):
            length = len(phrase)
            if length == 1 or tuple(token.sense for token in tokens[position : position + length]) == phrase:
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
    halts = at.get("halt", ())
    of_shares = any(0 < halt - share <= 4 for halt in halts for share in at.get("market", ()))
    if of_shares or _near(halts, at.get("trading", ())):
        events.add("trading halt")
    if "office" in at and "leave" in at:
        events.add("new chief")
    if "move" in at and "market" in at:
        events.add("move")
    return frozenset(events)


def _near(some: Iterable[int], others: Iterable[int]) -> bool:
    others = list(others)
    return any(0 < abs(one - other) <= 6 for one in some for other in others)
