"""A small linear model of what kind of news a text is; its word weights ship as data and can be shown.

The weights (`kind_words.tsv`) are made by `python -m tests.evaluation.train` from an MIT-licensed set of labelled
market tweets. The kind speaks only where no rule does: `reading.signal_type` asks the rules first. The last weight of
a line tells news of prices and results from news of products, people and cases, which move prices less.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Final

from agents.models import SignalType

CLASSES: Final = ("earnings", "m_and_a", "macro_event", "policy_change", "regulatory_action", "routine_news", "other")
"""The classes of the training set, in the order of the weights in the data file; "other" is company news."""

_SIGNALS: Final[dict[str, SignalType]] = {
    "earnings": "earnings",
    "m_and_a": "m_and_a",
    "macro_event": "macro_event",
    "policy_change": "policy_change",
    "regulatory_action": "policy_change",
    "routine_news": "routine_news",
    "other": "routine_news",
}
_WORD: Final = re.compile(r"\$?[a-z0-9&][a-z0-9&'-]*|[%?]")
_SYMBOL: Final = re.compile(r"\$(?!\d)[a-z0-9&][a-z0-9&'-]*")
_NUMBER: Final = re.compile(r"\d+")
_UNIT: Final = 20.0
"""Weights are kept in twentieths."""
_TELLING: Final = 4
_SHORT: Final = 2
"""Letters up to which a word tells a reader nothing ("u" of "U.S.")."""
_READ: Final = 300
"""Characters of a text that are read."""
_DROP: Final = re.compile(r"https?://\S+|#\w+|@\w+|[’]s\b|'s\b")
_DROPPED: Final = ("://", "#", "@", "’s", "'s")
"""One of these stands in all that is dropped."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How likely each kind is against the likeliest (log-odds, 0 and below), and the words that weighed most.

    `prices` are the log-odds that it is news of prices and results.
    """

    signal: SignalType
    label: str
    odds: dict[SignalType, float]
    words: tuple[str, ...]
    prices: float = 0.0


def features(text: str) -> list[str]:
    """Words and word pairs, numbers as "0", symbols as "$x"; each once."""
    low = text.lower()
    if any(map(low.__contains__, _DROPPED)):
        low = _DROP.sub(" ", low)
    if "$" in low:
        low = _SYMBOL.sub("$x", low)
    words = _WORD.findall(_NUMBER.sub("0", low))
    return list(dict.fromkeys([*words, *map(" ".join, pairwise(words))]))


def kind(text: str) -> Kind:
    """The model's reading of a text, of its beginning where it is longer than what the model was trained on."""
    weights = _weights()
    known = [(name, row) for name in features(text[:_READ]) if (row := weights.get(name)) is not None]
    sums = [sum(column) for column in zip(weights[""], *(row for _, row in known), strict=True)]
    prices = sums.pop() / _UNIT
    top = max(sums)
    best = sums.index(top)
    odds: dict[SignalType, float] = {}
    for label, value in zip(CLASSES, sums, strict=True):
        signal = _SIGNALS[label]
        odds[signal] = max(odds.get(signal, -99.0), (value - top) / _UNIT)
    words = sorted((-row[best], name) for name, row in known if row[best] > _TELLING and len(name) > _SHORT)
    return Kind(_SIGNALS[CLASSES[best]], CLASSES[best], odds, tuple(name for _, name in words[:3]), prices)


@cache
def _weights() -> dict[str, tuple[int, ...]]:
    """Weights in twentieths by feature, the bias under ""."""
    text = resources.files("agents.analysts.rules").joinpath("kind_words.tsv").read_text(encoding="utf-8")
    table = {}
    for line in text.splitlines():
        if line.startswith("# "):
            continue
        name, *row = line.split("\t")
        table[name] = tuple(map(int, row))
    return table
