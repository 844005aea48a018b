"""How alike two headlines are as reports of one event, and what rules that out."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from feeds.stories.lexicon import BETWEEN_STATES, SERIES, TRANSITIVE
from feeds.stories.phrases import SEAT
from feeds.stories.terms import Terms, mentions
from feeds.stories.tokens import Figure

SAME_STORY = 0.5
"""From this similarity on two items are one story."""

LIGHT_EVENTS = frozenset({"move", "talks"})
"""Events that say little: prices moved, somebody considers something."""

_NO_TERMS: frozenset[str] = frozenset()
_COPY = 0.5
_AKIN = 0.4
_FAIR_PART = 0.3
_MARKET_DAY = timedelta(hours=10)


@dataclass(frozen=True, slots=True)
class Sketch:
    """What is remembered of an item for grouping: the terms of its title with their weights, and a sample of its text.

    `support` are names, words and figures of the summary, a tuple because thousands are kept (see `backing`); `heading`
    and `shingles` recognise copies.
    """

    item_id: str
    story_id: str
    outlet: str
    at: datetime
    terms: Terms
    weights: dict[str, float]
    total: float
    support: tuple[str, ...]
    heading: int
    shingles: array[int]


def weigh(terms: Terms) -> dict[str, float]:
    """The terms of a title by what they say about the event: names and events most, common words least."""
    weights = dict.fromkeys(terms.common, 0.5)
    weights |= dict.fromkeys(terms.words, 1.2)
    weights |= {_written(figure): 1.5 if figure[0] else 0.5 for figure in terms.figures}
    weights |= {_tag(event): 0.8 if event in LIGHT_EVENTS else 2.5 for event in terms.events}
    weights |= {name: 1.5 if name in terms.places else 3.0 if name in terms.sure else 2.0 for name in terms.names}
    return weights


def support(summary: str) -> tuple[str, ...]:
    """The names, words and figures of a summary, in the same spelling as those of a title."""
    said, figures = mentions(summary)
    return tuple(sorted({*said, *map(_written, figures)}))


def backing(sketch: Sketch) -> frozenset[str]:
    """The terms of a sketch's summary as a set, to be asked."""
    return _as_set(sketch.support) if sketch.support else _NO_TERMS


@lru_cache(maxsize=512)
def _as_set(terms: tuple[str, ...]) -> frozenset[str]:
    return frozenset(terms)


def figures(terms: Iterable[str]) -> set[Figure]:
    """The figures among written terms."""
    parts = (term.partition("#") for term in terms)
    return {(unit, number) for unit, mark, number in parts if mark}


@lru_cache(maxsize=4096)
def _written(figure: Figure) -> str:
    return f"{figure[0]}#{figure[1]}"


@lru_cache(maxsize=256)
def _tag(event: str) -> str:
    return f"={event}"


def compare(one: Sketch, other: Sketch) -> tuple[float, bool]:
    """(similarity 0..1, is a copy). The order of the two does not matter."""
    shared = _shared_names(one, other)
    copy = is_copy(one, other, shared)
    if copy:
        return (0.0, False) if contradicts(one, other) else (max(0.95, _coverage(one, other)), True)
    similarity = _similarity(one, other, shared) if shared else 0.0
    if similarity >= SAME_STORY and contradicts(one, other):
        return 0.0, False
    return similarity, False


def _similarity(one: Sketch, other: Sketch, shared: frozenset[str]) -> float:
    """How alike two titles are that share names and of which none is a copy, whether they contradict or not."""
    there, back = _coverage(one, other), _coverage(other, one)
    similarity = 0.6 * max(there, back) + 0.4 * min(there, back)
    if not _same_matter(one, other):
        similarity *= 0.6
    events = (one.terms.events & other.terms.events) - LIGHT_EVENTS
    if events and _names_the_event(one, other, shared, events):
        similarity = max(similarity, 0.6)
    elif not events:
        similarity *= _doubt(one, other)
    if _figures_differ(one, other):
        similarity *= 0.85
    return similarity


def akin(one: Sketch, opening: Sketch) -> bool:
    """Whether a report still speaks of what opened the story, so that a chain of reports does not wander off."""
    if _coverage(one, opening) >= _AKIN or _coverage(opening, one) >= _AKIN:
        return True
    return compare(one, opening)[0] >= SAME_STORY


def is_copy(one: Sketch, other: Sketch, shared: frozenset[str]) -> bool:
    """The same headline, or so much of the same text that one was copied from the other."""
    if one.heading and one.heading == other.heading:
        return True
    size = min(len(one.shingles), len(other.shingles))
    return bool(shared and size) and len(set(one.shingles).intersection(other.shingles)) / size >= _COPY


def contradicts(one: Sketch, other: Sketch) -> bool:
    """Whether the two cannot be reports of one event, however alike they read."""
    a, b = one.terms, other.terms
    events = a.events & b.events
    if _periods_differ(a, b):
        return True
    if a.preview != b.preview and "acquire" not in a.events | b.events and not (a.stages | b.stages):
        return True
    if events <= {"move"} and a.events | b.events == {"move"} and abs(one.at - other.at) > _MARKET_DAY:
        return True
    if _figures_differ(one, other) and (_is_series(events) or _same_template(a, b)):
        return True
    if a.goods and b.goods and not a.goods & b.goods:
        return True
    return _other_parties(one, other, events - LIGHT_EVENTS)


def _other_parties(one: Sketch, other: Sketch, events: frozenset[str]) -> bool:
    """Whether the two name other companies, another subject of the event, or another counterpart."""
    a, b = one.terms, other.terms
    shared = _shared_names(one, other)
    between_states = bool(events & BETWEEN_STATES) and len(shared) >= 2
    same_company = _tells_any(other, a.companies) or _tells_any(one, b.companies)
    if a.companies and b.companies and not (same_company or between_states):
        return True
    if events - TRANSITIVE and not events & TRANSITIVE:
        return not a.lead & b.lead
    return len(shared) < 2 and not _tells_all(other, a.sure) and not _tells_all(one, b.sure)


def _doubt(one: Sketch, other: Sketch) -> float:
    """What the likeness of two titles counts that share no event: little when each tells another or one outlet both."""
    other_event = bool(one.terms.events - LIGHT_EVENTS and other.terms.events - LIGHT_EVENTS)
    own_outlet = bool(one.outlet) and one.outlet == other.outlet
    return 0.6 if other_event or own_outlet else 0.85


def _tells_any(sketch: Sketch, names: frozenset[str]) -> bool:
    return any(_tells(sketch, name) for name in names)


def _tells_all(sketch: Sketch, names: frozenset[str]) -> bool:
    return all(_tells(sketch, name) or SEAT.get(name) in sketch.terms.names for name in names)


def _tells(sketch: Sketch, name: str) -> bool:
    return name in sketch.weights or name in sketch.terms.implied or name in backing(sketch)


def _same_matter(one: Sketch, other: Sketch) -> bool:
    """Whether they share more than names: a fair part of what either title says about them."""
    return _part_told(one, other) >= _FAIR_PART or _part_told(other, one) >= _FAIR_PART


def _part_told(one: Sketch, other: Sketch) -> float:
    """The part of one title, names left out, that the other item says too."""
    names, weights, support = one.terms.names, other.weights, backing(other)
    whole = told = 0.0
    for term, weight in one.weights.items():
        if term not in names:
            whole += weight
            if term in weights or term in support:
                told += weight
    return told / whole if whole else 0.0


def _names_the_event(one: Sketch, other: Sketch, shared: frozenset[str], events: frozenset[str]) -> bool:
    """Whether what they share says which event of its kind it is; one country alone says it of a statistic only."""
    places = one.terms.places | other.terms.places
    if shared - places or len(shared) >= 2 or (shared and events & SERIES):
        return True
    figures = {number for _, number in one.terms.figures & other.terms.figures if len(number) > 1}
    return bool(shared and figures)


def _shared_names(one: Sketch, other: Sketch) -> frozenset[str]:
    a, b = one.terms, other.terms
    return (a.names & (b.names | b.words | b.implied)) | (b.names & (a.names | a.words | a.implied))


def _coverage(one: Sketch, other: Sketch) -> float:
    """The part of one title that the other item says too, in its title or, counting less, in its summary."""
    weights, support = other.weights, backing(other)
    said = 0.0
    for term, weight in one.weights.items():
        if term in weights:
            said += weight
        elif term in support:
            said += 0.6 * weight
    return said / one.total if one.total else 0.0


def _periods_differ(a: Terms, b: Terms) -> bool:
    if not (a.periods and b.periods):
        return False
    for kind in ("year", "quarter", "month", "day"):
        ours = {value for name, value in a.periods if name == kind}
        theirs = {value for name, value in b.periods if name == kind}
        if ours and theirs and not ours & theirs:
            return True
    return False


def _is_series(events: frozenset[str]) -> bool:
    return bool(events & SERIES) or any(event.startswith(("rate ", "dividend ")) for event in events)


def _same_template(a: Terms, b: Terms) -> bool:
    """The same words around other figures: the next number of a series, not another report; price moves excepted."""
    ours, theirs = a.words | a.common | a.names, b.words | b.common | b.names
    return "move" not in a.events and len(ours & theirs) >= 0.8 * len(ours | theirs)


def _figures_differ(one: Sketch, other: Sketch) -> bool:
    """Whether both titles give figures of the same unit and none of them agree."""
    mine, theirs = one.terms.figures, other.terms.figures
    if not (mine and theirs):
        return False
    for unit in {unit for unit, _ in mine if unit} & {unit for unit, _ in theirs}:
        ours = [figure for figure in mine if figure[0] == unit]
        if not any(same_figure(figure, yours) for figure in ours for yours in theirs):
            return True
    return False


def same_figure(one: Figure, other: Figure) -> bool:
    """Whether two figures agree, one of them perhaps rounded: 2.1b and 2b, 0.25 and 0.25."""
    if one == other:
        return True
    if one[0] != other[0]:
        return False
    try:
        a, b = float(one[1]), float(other[1])
    except ValueError:
        return False
    places = min(_places(one[1]), _places(other[1]))
    return _places(one[1]) != _places(other[1]) and round(a, places) == round(b, places)


def _places(number: str) -> int:
    return len(number.partition(".")[2])
