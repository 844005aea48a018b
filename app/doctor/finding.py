"""One line of the doctor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warn", "bad"]
"""`warn`: it works, and would work better. `bad`: something a user counts on does not work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one thing, in words, and what to do about it; `fix` is empty where nothing is to be done."""

    section: str
    name: str
    level: Level
    words: str
    fix: str = ""


def ok(section: str, name: str, words: str, fix: str = "") -> Finding:
    """All is well; `fix` may still say what would be better."""
    return Finding(section, name, "ok", words, fix)


def warn(section: str, name: str, words: str, fix: str) -> Finding:
    """It works, and would work better."""
    return Finding(section, name, "warn", words, fix)


def bad(section: str, name: str, words: str, fix: str) -> Finding:
    """It does not work."""
    return Finding(section, name, "bad", words, fix)


def listed(names: list[str], most: int = 3) -> str:
    """Names in one line, the rest as a number."""
    told = ", ".join(names[:most])
    return told if len(names) <= most else f"{told} and {len(names) - most} more"


def size(count: int) -> str:
    """Bytes as people read them."""
    value = float(count)
    for unit in ("B", "KB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" or value >= 10 else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"


def age(seconds: float) -> str:
    """A length of time in its largest fitting unit."""
    for unit, long in (("d", 86_400.0), ("h", 3_600.0), ("min", 60.0)):
        if seconds >= long:
            return f"{seconds / long:.0f} {unit}"
    return f"{max(seconds, 0):.0f} s"
