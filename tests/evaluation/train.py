"""Makes the word weights of `agents.analysts.rules.kind_model`: `python -m tests.evaluation.train`.

Two logistic regressions by AdaGrad with a fixed seed, in plain Python, under a minute: what kind of news a text is
(seven classes), and whether it tells of prices and results or of products, people and cases. They learn from one set of
labelled market tweets under the MIT licence and from nothing else; of it every seventh row, the development rows and
whatever begins like one of them are left out, so that the evaluation stays a test.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from pathlib import Path

from agents.analysts.rules.kind_model import CLASSES, features
from tests.evaluation.corpus import Row, rows

TARGET = Path(__file__).resolve().parents[2] / "agents/analysts/rules/kind_words.tsv"
EPOCHS = 6
RATE = 0.25
DECAY = 2e-5
LEAST_ROWS = 4
LEAST_WEIGHT = 0.22


Examples = list[tuple[list[str], int]]
HEADER = (
    "# Weights in twentieths, one line a feature: its weight for each class of kind_model.CLASSES, then for news of "
    "prices.",
    "# Learned by `python -m tests.evaluation.train` from labelled market tweets under the MIT licence, and nothing "
    "else.",
)
COMPANY = ("Company | Product News", "Stock Commentary", "Personnel Change", "Stock Movement", "Dividend")
PRICES = ("Stock Movement", "Earnings", "Markets")
NO_PRICES = ("Company | Product News", "Personnel Change", "Legal | Regulation", "M&A | Investments")


def kept_rows() -> list[Row]:
    """The rows one may learn from."""
    every = rows("event_tfnt_train_safe.jsonl.gz")
    labelled = [row for row in every if row["event_type"]]
    tested = {_opening(row["text"]) for row in [*labelled[::7], *rows("events_dev.jsonl")]}
    return [row for row in every if _opening(row["text"]) not in tested]


def kinds(kept: list[Row]) -> Examples:
    """Features and class of each row; unlabelled topics are company news, one in three is kept."""
    labelled = [(str(row["text"]), str(row["event_type"])) for row in kept if row["event_type"]]
    others = [row for row in kept if not row["event_type"] and row["src_label"] in COMPANY][::3]
    texts = [*labelled, *((str(row["text"]), "other") for row in others)]
    return [(features(text), CLASSES.index(label)) for text, label in texts]


def prices(kept: list[Row]) -> Examples:
    """Features of each row, and 1 where it tells of prices and results, 0 where of products, people and cases."""
    told = [row for row in kept if row["src_label"] in (*PRICES, *NO_PRICES)]
    return [(features(row["text"]), int(row["src_label"] in PRICES)) for row in told]


def _opening(text: str) -> tuple[str, ...]:
    """The first words of a text; rows that share them repeat one another."""
    return tuple([name for name in features(text) if " " not in name][:6])


def train(data: Examples, classes: int) -> dict[str, list[float]]:
    """The weights of every feature seen often enough, the bias under ""."""
    counts = Counter(name for names, _ in data for name in names)
    rows_of = [([name for name in names if counts[name] >= LEAST_ROWS] + [""], label) for names, label in data]
    weights: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * classes)
    squares: defaultdict[str, list[float]] = defaultdict(lambda: [1e-2] * classes)
    chance = random.Random(11)
    for _ in range(EPOCHS):
        chance.shuffle(rows_of)
        for names, label in rows_of:
            sums = [sum(column) for column in zip(*(weights[name] for name in names), strict=True)]
            top = max(sums)
            powers = [math.exp(value - top) for value in sums]
            whole = sum(powers)
            slopes = [power / whole - (place == label) for place, power in enumerate(powers)]
            for name in names:
                row, seen = weights[name], squares[name]
                for place, slope in enumerate(slopes):
                    slope += DECAY * row[place]
                    seen[place] += slope * slope
                    row[place] -= RATE * slope / math.sqrt(seen[place])
    return weights


def main() -> None:
    kept = kept_rows()
    by_kind, by_price = train(kinds(kept), len(CLASSES)), train(prices(kept), 2)
    none_kind, none_price = [0.0] * len(CLASSES), [0.0, 0.0]
    lines = list(HEADER)
    for name in sorted({*by_kind, *by_price}):
        against, towards = by_price.get(name, none_price)
        weights = [*by_kind.get(name, none_kind), towards - against]
        if name == "" or max(abs(weight) for weight in weights) >= LEAST_WEIGHT:
            lines.append("\t".join([name, *(str(round(weight * 20)) for weight in weights)]))
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines) - len(HEADER)} features in {TARGET.name}, {TARGET.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
