"""The tone of a text for the company it is about, -1 (bad) to 1 (good), with the words that made it.

Finance has its own scale: a falling loss is good, rising costs are bad, and "to 8.2 from 5.1" is a rise without a verb.
The words are data (`tone.toml`). What little is said shrinks the tone: one mild word stays near nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agents.analysts.rules.events import data

_WORD: Final = re.compile(r"[a-z][a-z'’-]*|\d+(?:[.,]\d+)*%?|[.,;!?]")
_DATA: Final = data("tone.toml")
_WORDS: Final = {name: frozenset(text.split()) for name, text in _DATA["words"].items()}
_UP, _DOWN, _STRONG = _WORDS["rise"], _WORDS["fall"], _WORDS["strong"]
_BAD_THINGS, _FEARS = _WORDS["bad_things"], _WORDS["fears"]
_CURRENCIES = _WORDS["currencies"]
_ATTENTION, _SIDES = _WORDS["attention"], _WORDS["sides"]
_TURNING, _UNDOING = _WORDS["turning"], _WORDS["undoing"]
_WEIGHTS: Final = {word: float(row["value"]) for row in _DATA["weight"] for word in row["words"].split()}
_MOVE: Final = 0.8
_BREAKS: Final = frozenset([".", ";", "!", "?", "on", "as", "amid", "after", "despite", "while", "but", "due"])
"""What stands beyond one of these is no part of the same statement."""
_SIGNED: Final = re.compile(r"(?<![\w.%])([+-])\d+(?:\.\d+)?\s?%")
"""A move as a chart or a post writes it: "+3.1%"."""
_FROM: Final = re.compile(
    r"(\d[\d,]*(?:\.\d+)?)\s?(?:%|percent|mn|mln|m|million|bn|billion)?[^.;]{0,40}?\b(?:from|compared (?:to|with)|"
    r"versus|vs\.?|against|while)\b[^.;]{0,60}?(\d[\d,]*(?:\.\d+)?)",
    re.I,
)


def tone(text: str) -> tuple[float, tuple[str, ...]]:
    """The tone and up to five words that weighed most."""
    words = _WORD.findall(text.lower())
    parts = list(_parts(words))
    if not any(word in _UP or word in _DOWN for _, word in parts):
        change = _comparison(text)
        if change:
            parts.append(change)
    total = sum(weight for weight, _ in parts)
    parts.sort(key=lambda part: (-abs(part[0]), part[1]))
    return round(total / (1.0 + abs(total)), 2), tuple(word for _, word in parts[:5])


def _parts(words: list[str]) -> Iterator[tuple[float, str]]:
    """What each word adds, in the order of the text."""
    taken = _governed(words)
    conceded = False
    for place, word in enumerate(words):
        conceded = word == "despite" or (conceded and word not in ".,;!?")
        if word in _UP or word in _DOWN:
            if any(words[other] in _ATTENTION for other in _beside(words, place)):
                continue
            weight = _MOVE * (1 if word in _UP else -1) * (1.4 if word in _STRONG else 1.0)
            weight = -weight if place in taken.values() else weight
        elif place in taken:
            continue
        else:
            weight = _WEIGHTS.get(word, 0.0)
            if weight and place + 1 < len(words) and words[place + 1] in _CURRENCIES:
                continue
        if weight:
            minority = word in _SIDES and _minority(words, place)
            yield _turned(-weight if minority else weight, words, place) * (0.3 if conceded else 1.0), word


def _minority(words: list[str], place: int) -> bool:
    """Whether a side is that of less than half: "22% of tagged posts are bullish"."""
    shares = [word for word in words[max(0, place - 8) : place] if word.endswith("%")]
    return bool(shares) and float(shares[-1].rstrip("%").replace(",", ".")) < 50


def _turned(weight: float, words: list[str], place: int) -> float:
    before = words[max(0, place - 3) : place]
    if any(word in _TURNING for word in before):
        return -0.7 * weight
    if any(word in _UNDOING for word in before):
        return -0.5 * weight
    return weight


def _governed(words: list[str]) -> dict[int, int]:
    """The places of bad things whose move is told, each with the place of its move: "the loss narrowed"."""
    found: dict[int, int] = {}
    for place, word in enumerate(words):
        if word not in _UP and word not in _DOWN:
            continue
        for other in _beside(words, place):
            near = abs(other - place)
            if words[other] in _BAD_THINGS or (near == 1 and words[other] in _FEARS):
                found[other] = place
                break
    return found


def _beside(words: list[str], place: int) -> Iterator[int]:
    """Places beside a move that belong to its statement: three after it, five before it."""
    for other in range(place + 1, min(place + 4, len(words))):
        if words[other] in _BREAKS or words[other] in ("to", "into"):
            break
        yield other
    for other in range(place - 1, max(-1, place - 6), -1):
        if words[other] in _BREAKS:
            break
        yield other


def _comparison(text: str) -> tuple[float, str] | None:
    """ "EUR 8.2 mn, compared to EUR 5.1 mn": a rise, or a fall where the thing is a loss; "+3.1%" says it itself."""
    signed = _SIGNED.search(text) if "%" in text else None
    if signed is not None:
        return (_MOVE if signed[1] == "+" else -_MOVE), signed.group()
    match = _FROM.search(text)
    if match is None:
        return None
    now, before = (float(number.replace(",", "")) for number in match.groups())
    if now == before or 1900 < now < 2100 or 1900 < before < 2100:
        return None
    bad = bool(re.search(r"\b(?:loss|costs?|expenses|negative)\b", text[: match.end()], re.I))
    return (_MOVE if (now > before) is not bad else -_MOVE), match.group()[:40]
