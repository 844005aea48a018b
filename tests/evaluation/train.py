"""Makes the word weights of `agents.analysts.rules.kind_model`: `python -m tests.evaluation.train`.

Multinomial logistic regression by AdaGrad with a fixed seed, in plain Python; a few seconds. Every seventh row, the
development rows and whatever begins like one of them are left out, so that the evaluation stays a test.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from pathlib import Path

from agents.analysts.rules.kind_model import CLASSES, features
from tests.evaluation.corpus import rows

TARGET = Path(__file__).resolve().parents[2] / "agents/analysts/rules/kind_words.tsv"
EPOCHS = 6
RATE = 0.25
DECAY = 2e-5
LEAST_ROWS = 4
LEAST_WEIGHT = 0.22


def examples() -> list[tuple[list[str], int]]:
    """Features and class of each training row; unlabelled topics are company news, one in two is kept."""
    labelled = [row for row in rows("event_tfnt_train_safe.jsonl.gz") if row["event_type"]]
    kept = [row for place, row in enumerate(labelled) if place % 7]
    tested = {_opening(row["text"]) for row in [*labelled[::7], *rows("events_dev.jsonl")]}
    kept = [row for row in kept if _opening(row["text"]) not in tested]
    others = [row for row in rows("event_tfnt_train_safe.jsonl.gz") if not row["event_type"]]
    company = ("Company | Product News", "Stock Commentary", "Personnel Change", "Stock Movement", "Dividend")
    others = [row for row in others if row["src_label"] in company][::3]
    texts = [(str(row["text"]), str(row["event_type"])) for row in kept] + [
        (str(row["text"]), "other") for row in others
    ]
    return [(features(text), CLASSES.index(label)) for text, label in texts]


def _opening(text: str) -> tuple[str, ...]:
    """The first words of a text; rows that share them repeat one another."""
    return tuple([name for name in features(text) if " " not in name][:6])


def train(data: list[tuple[list[str], int]]) -> dict[str, list[float]]:
    """The weights of every feature seen often enough, the bias under ""."""
    counts = Counter(name for names, _ in data for name in names)
    rows_of = [([name for name in names if counts[name] >= LEAST_ROWS] + [""], label) for names, label in data]
    weights: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * len(CLASSES))
    squares: defaultdict[str, list[float]] = defaultdict(lambda: [1e-2] * len(CLASSES))
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
    weights = train(examples())
    lines = []
    for name in sorted(weights):
        row = [round(weight * 20) for weight in weights[name]]
        if name == "" or max(abs(weight) for weight in weights[name]) >= LEAST_WEIGHT:
            lines.append("\t".join([name, *map(str, row)]))
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} features in {TARGET.name}, {TARGET.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
