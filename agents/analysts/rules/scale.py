"""How large an event is beyond its kind: lost supply, share of the world, reach, and what makes it smaller."""

from __future__ import annotations

import re
from typing import Final

from agents.analysts.rules.events import data, joined
from agents.analysts.rules.magnitude import Magnitude, largest

_RULES: Final = tuple(
    (str(row["label"]), float(row["amount"]), tuple(row["stems"]), joined(row["patterns"], flags=re.IGNORECASE))
    for row in data("scale.toml")["rule"]
)


def scale(text: str, magnitudes: tuple[Magnitude, ...]) -> tuple[tuple[str, float], ...]:
    """Terms for the size of an event, each with a label in words."""
    low = text.lower()
    terms = []
    for label, amount, stems, pattern in _RULES:
        if any(stem in low for stem in stems) and pattern.search(text):
            terms.append((label, amount))
    barrels = largest(magnitudes, "barrels")
    if barrels is not None and barrels.value >= 4e5:
        terms.append((barrels.quote, 0.03 if barrels.value < 1e6 else 0.06 if barrels.value < 5e6 else 0.09))
    return tuple(terms)
