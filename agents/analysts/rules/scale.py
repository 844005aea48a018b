"""How large a thing is beyond its kind: an event by lost supply and reach, company news by what is at stake."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from agents.analysts.rules.events import data, joined
from agents.analysts.rules.magnitude import Magnitude
from agents.analysts.rules.scan import Scan, Watched, watched

_Rule = tuple[str, float, Watched]


def _rules(rows: Iterable[Mapping[str, Any]]) -> tuple[_Rule, ...]:
    return tuple(
        (str(row["label"]), float(row["amount"]), watched(joined(row["patterns"], flags=re.IGNORECASE), row["stems"]))
        for row in rows
    )


_DATA: Final = data("scale.toml")
_EVENT: Final = _rules(_DATA["rule"])
_COMPANY: Final = _rules(_DATA["company"])
_BARRELS: Final = ((3e6, 0.06), (1e6, 0.03), (4e5, 0.0), (0.0, -0.05))
"""Barrels a day from which an amount of oil weighs so much."""
_LEVEL: Final = re.compile(r"(?:\bto|\bquotas? (?:of|at)) (?:a |about |around |roughly )?$", re.I)
"""Before an amount that is what output comes to, and not by how much it changes."""


def scale(scan: Scan, magnitudes: tuple[Magnitude, ...]) -> tuple[tuple[str, float], ...]:
    """Terms for the size of an event, each with a label in words."""
    terms = [(label, amount) for label, amount, pattern in _EVENT if scan.search(pattern)]
    changes = [one for one in magnitudes if one.unit == "barrels" and not _is_level(scan.text, one)]
    if changes:
        most = max(changes, key=lambda one: one.value)
        terms.append((most.quote, next(amount for least, amount in _BARRELS if most.value >= least)))
    return tuple(terms)


def at_stake(scan: Scan) -> tuple[str, float] | None:
    """A term for what the title says is at stake for a company, with its word; None where it says nothing of it."""
    for label, amount, pattern in _COMPANY:
        match = scan.in_title(pattern)
        if match:
            return f'{label} ("{match.group()}")', amount
    return None


def _is_level(text: str, amount: Magnitude) -> bool:
    place = text.find(amount.quote)
    return _LEVEL.search(text[max(0, place - 24) : place]) is not None
