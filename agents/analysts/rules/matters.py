"""Matters that are no flash event and still worth a trader's time: takeovers, failed trials, profit warnings, defaults.

Each is a row of `matters.toml` with what it is worth where a listed company is named, and what it is worth without.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from agents.analysts.rules.events import data, joined, word_end
from agents.analysts.rules.scan import Scan, Watched, watched

Domain = Literal["company", "macro", "policy"]


@dataclass(frozen=True, slots=True)
class Matter:
    """One row. `base` is its worth with a listed company named, `alone` without; both are one outside companies."""

    domain: Domain
    label: str
    base: float
    alone: float
    words: Watched


@dataclass(frozen=True, slots=True)
class MatterFound:
    """A matter the text reports, with its words; `start` is where."""

    matter: Matter
    quote: str
    start: int


def matters(scan: Scan) -> tuple[MatterFound, ...]:
    """The matters the text reports, each once."""
    found = []
    for matter in MATTERS:
        match = scan.in_lead(matter.words)
        if match:
            end = word_end(scan.text, match.end())
            found.append(MatterFound(matter, scan.text[match.start() : end].strip(), match.start()))
    return tuple(found)


def _matter(row: Mapping[str, Any], parts: Mapping[str, str]) -> Matter:
    return Matter(
        domain=row["domain"],
        label=row["label"],
        base=row["base"],
        alone=row.get("alone", row["base"]),
        words=watched(joined(row["patterns"], parts, re.IGNORECASE), row["stems"], row.get("also", ())),
    )


_DATA: Final = data("matters.toml")

MATTERS: Final = tuple(_matter(row, _DATA["parts"]) for row in _DATA["matter"])
"""The rows, in the order of the file."""
