"""A small linear model of what kind of news a text is; its word weights ship as data and can be shown.

Trained by `python -m tests.evaluation.train` on an MIT-licensed set of labelled market tweets. It speaks only where no
rule does: `reading.signal_type` asks the rules first.
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
_DROP: Final = re.compile(r"https?://\S+|#\w+|@\w+|[’]s\b|'s\b")


@dataclass(frozen=True, slots=True)
class Kind:
    """How likely each kind is against the likeliest (log-odds, 0 and below), and the words that weighed most."""

    signal: SignalType
    label: str
    odds: dict[SignalType, float]
    words: tuple[str, ...]


def features(text: str) -> list[str]:
    """Words and word pairs, numbers as "0", symbols as "$x"; each once."""
    words = []
    for word in _WORD.findall(_DROP.sub(" ", text.lower())):
        if word[0] == "$" and not word[1:2].isdigit():
            words.append("$x")
        else:
            words.append(re.sub(r"\d+", "0", word) if any(letter.isdigit() for letter in word) else word)
    return list(dict.fromkeys([*words, *(f"{a} {b}" for a, b in pairwise(words))]))


def kind(text: str) -> Kind:
    """The model's reading of a text."""
    weights = _weights()
    sums = list(weights[""])
    known = [(name, weights[name]) for name in features(text) if name in weights]
    for _, row in known:
        for place, weight in enumerate(row):
            sums[place] += weight
    best = max(range(len(CLASSES)), key=lambda place: sums[place])
    odds: dict[SignalType, float] = {}
    for label, value in zip(CLASSES, sums, strict=True):
        signal = _SIGNALS[label]
        odds[signal] = max(odds.get(signal, -99.0), round(value - sums[best], 3))
    words = sorted((name for name, row in known if row[best] > 0.2), key=lambda name: (-weights[name][best], name))
    return Kind(_SIGNALS[CLASSES[best]], CLASSES[best], odds, tuple(words[:3]))


@cache
def _weights() -> dict[str, tuple[float, ...]]:
    text = resources.files("agents.analysts.rules").joinpath("kind_words.tsv").read_text(encoding="utf-8")
    table = {}
    for line in text.splitlines():
        name, *row = line.split("\t")
        table[name] = tuple(int(weight) / 20 for weight in row)
    return table
