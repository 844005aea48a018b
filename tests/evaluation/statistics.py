"""The figures of the table, with bootstrap intervals. Plain Python: the sets are small."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

_Row = TypeVar("_Row")


def interval(
    rows: Sequence[_Row], figure: Callable[[Sequence[_Row]], float], repeats: int = 200
) -> tuple[float, float]:
    """The 95% bootstrap interval of a figure over rows; the seed is fixed."""
    chance = random.Random(7)
    drawn = sorted(figure(chance.choices(rows, k=len(rows))) for _ in range(repeats))
    return drawn[int(0.025 * repeats)], drawn[int(0.975 * repeats) - 1]


def f1(gold: Sequence[str], given: Sequence[str], label: str) -> float:
    hits = sum(g == label == s for g, s in zip(gold, given, strict=True))
    wrong = sum(s == label != g for g, s in zip(gold, given, strict=True))
    missed = sum(g == label != s for g, s in zip(gold, given, strict=True))
    return 2 * hits / (2 * hits + wrong + missed) if hits else 0.0


def macro_f1(pairs: Sequence[tuple[str, str]]) -> float:
    gold, given = [g for g, _ in pairs], [s for _, s in pairs]
    labels = sorted(set(gold))
    return sum(f1(gold, given, label) for label in labels) / len(labels)


def confusions(pairs: Sequence[tuple[str, str]], most: int = 6) -> list[tuple[tuple[str, str], int]]:
    """The commonest (gold, given) pairs that differ."""
    return Counter(pair for pair in pairs if pair[0] != pair[1]).most_common(most)


def auc(pairs: Sequence[tuple[bool, float]]) -> float:
    """Probability that a positive ranks above a negative; ties count half."""
    order = ranks([score for _, score in pairs])
    positives = [rank for (label, _), rank in zip(pairs, order, strict=True) if label]
    negatives = len(pairs) - len(positives)
    if not positives or not negatives:
        return 0.5
    return (sum(positives) - len(positives) * (len(positives) + 1) / 2) / (len(positives) * negatives)


def ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in range(start, end + 1):
            found[order[place]] = (start + end) / 2 + 1
        start = end + 1
    return found


def pearson(pairs: Sequence[tuple[float, float]]) -> float:
    count = len(pairs)
    mean_x = sum(x for x, _ in pairs) / count
    mean_y = sum(y for _, y in pairs) / count
    above = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
    x_part = sum((x - mean_x) ** 2 for x, _ in pairs)
    y_part = sum((y - mean_y) ** 2 for _, y in pairs)
    return above / (x_part * y_part) ** 0.5 if x_part and y_part else 0.0


def spearman(pairs: Sequence[tuple[float, float]]) -> float:
    return pearson(list(zip(ranks([x for x, _ in pairs]), ranks([y for _, y in pairs]), strict=True)))
