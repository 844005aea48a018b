"""How large an event is beyond its kind: lost supply, share of the world, reach, and what makes it smaller."""

from __future__ import annotations

import re
from typing import Final

from agents.analysts.rules.events import data, joined
from agents.analysts.rules.magnitude import Magnitude, largest
from agents.analysts.rules.scan import Scan, watched

_RULES: Final = tuple(
    (str(row["label"]), float(row["amount"]), watched(joined(row["patterns"], flags=re.IGNORECASE), row["stems"]))
    for row in data("scale.toml")["rule"]
)


def scale(scan: Scan, magnitudes: tuple[Magnitude, ...]) -> tuple[tuple[str, float], ...]:
    """Terms for the size of an event, each with a label in words."""
    terms = [(label, amount) for label, amount, pattern in _RULES if scan.search(pattern)]
    barrels = largest(magnitudes, "barrels")
    if barrels is not None and barrels.value >= 4e5:
        terms.append((barrels.quote, 0.03 if barrels.value < 1e6 else 0.06 if barrels.value < 5e6 else 0.09))
    return tuple(terms)
