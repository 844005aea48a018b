"""How an item says what it says: unconfirmed, denied, not yet, looking back, opinion, calendar, solicitation, round-up.

Each trait carries the words that show it, so that a critique can point at them. The words are data (`traits.toml`).
"""

from __future__ import annotations

import re
from typing import Final, Literal, cast

from agents.analysts.rules.events import data, joined
from agents.analysts.rules.scan import Scan, scan_of, watched

Trait = Literal[
    "unconfirmed",
    "denied",
    "question",
    "opinion",
    "anniversary",
    "calendar",
    "preview",
    "solicitation",
    "round-up",
    "local",
    "live blog",
    "correction",
    "routine",
    "market wrap",
]

_DATA: Final = data("traits.toml")
_PATTERNS: Final = tuple(
    (
        cast(Trait, row["name"]),
        watched(joined(row["patterns"], flags=0 if row.get("case") else re.IGNORECASE), row["stems"]),
    )
    for row in _DATA["trait"]
)
_OPENINGS: Final = tuple((cast(Trait, row["name"]), joined(row["patterns"])) for row in _DATA["opening"])
_NOT_YET: Final = joined(_DATA["not_yet"]["patterns"], flags=re.IGNORECASE)
_UNDONE: Final = joined(_DATA["undone"]["patterns"], flags=re.IGNORECASE)
_UNDONE_INSIDE: Final = joined(_DATA["undone_inside"]["patterns"], flags=re.IGNORECASE)
_INTENDED_INSIDE: Final = joined(_DATA["intended_inside"]["patterns"], flags=re.IGNORECASE)
_NEAR_NOT_YET: Final = 70
_NEAR_UNDONE: Final = 30
"""How many characters before a happening can turn it."""


def traits(text: str | Scan) -> dict[Trait, str]:
    """The traits of the text, each with the words that show it."""
    scan = scan_of(text)
    found: dict[Trait, str] = {}
    for trait, pattern in _PATTERNS:
        match = scan.in_lead(pattern)
        if match:
            found[trait] = match.group().strip()
    for trait, opening in _OPENINGS:
        if trait not in found:
            match = opening.match(scan.text, 0, scan.title_end)
            if match:
                found[trait] = match.group().strip()
    title = scan.text[: scan.title_end].rstrip()
    if title.endswith("?"):
        found["question"] = " ".join(title.split()[-4:])
    return found


def not_yet(before: str, quote: str) -> str:
    """Words in or just before a happening that put it in the future or in somebody's wish, or ""."""
    match = _NOT_YET.search(before[-_NEAR_NOT_YET:]) or _INTENDED_INSIDE.search(quote)
    return match.group().strip() if match else ""


def undone(before: str, quote: str) -> str:
    """Words that turn a happening round (lifted, averted, acquitted), or ""."""
    match = _UNDONE.search(before[-_NEAR_UNDONE:]) or _UNDONE_INSIDE.search(quote)
    return match.group().strip() if match else ""
