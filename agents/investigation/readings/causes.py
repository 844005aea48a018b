"""What a record may report as a cause, and how it speaks of it (`causes.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal

from agents.investigation.models import CauseType, Record

Scope = Literal["leg", "world", "bank", "country", "data", "vote"]
Stance = Literal["report", "warning", "hint", "expectation", "denial", "no comment"]


@dataclass(frozen=True, slots=True)
class Cause:
    """One kind of cause with the words that report it."""

    name: str
    type: CauseType
    title: str
    scope: Scope
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a record says of one hypothesis, before rank and timing.

    `own_act`: the publisher is the actor. `indirect`: data that fits the act without stating it. `linked`: the text
    itself tells of the move. `why` gives the reason in words.
    """

    record: Record
    hypothesis: str
    cause_type: CauseType
    topic: str
    supports: bool
    own_act: bool = False
    indirect: bool = False
    linked: bool = False
    act: bool = True
    why: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """Something an engine said that does not count, in words. `limit`: it would have gone beyond a limit."""

    why: str
    limit: bool = False


def causes_in(text: str) -> Iterator[Cause]:
    """The causes a text may report, those of its title first."""
    title = text.partition("\n")[0]
    seen = set()
    for part in (title, text):
        for cause in causes():
            if cause.name not in seen and cause.pattern.search(part):
                seen.add(cause.name)
                yield cause


def named(name: str) -> Cause:
    """The cause of that name."""
    return next(cause for cause in causes() if cause.name == name)


def stance(text: str) -> Stance:
    """How the text speaks: it reports, warns, hints, expects, denies, or has no comment."""
    if says("no_comment", text.partition("\n")[0]):
        return "no comment"
    if says("reported", text):
        return "report"
    for name in _ORDER:
        if says(name.replace(" ", "_"), text):
            return name
    return "hint" if says("hint", text.partition("\n")[0]) else "report"


_ORDER: Final[tuple[Stance, ...]] = ("no comment", "warning", "denial", "expectation")


def says(what: str, text: str) -> bool:
    """Whether the words of a stance ("hold", "tighten", "soft" ...) occur."""
    return _stances()[what].search(text) is not None


def policy_direction(text: str) -> int:
    """Which way a central bank's act pushes its own currency: tighter 1, easier or held -1, 0 where that is open."""
    tighter, easier = says("tighten", text), says("ease", text)
    if tighter != easier:
        return 1 if tighter else -1
    return -1 if not tighter and says("hold", text) else 0


def data_direction(text: str) -> int:
    """Which way a figure pushes its currency: above what was expected 1, below -1, 0 where that is open."""
    hot, soft = says("hot", text), says("soft", text)
    return 0 if hot == soft else 1 if hot else -1


def mood(text: str) -> int:
    """Whether the news calms (1) or frightens (-1) markets; 0 where that is open."""
    calmer, worse = says("calmer", text), says("worse", text)
    return 0 if calmer == worse else 1 if calmer else -1


def shares_went(text: str) -> int:
    """Which way the text says the company's shares went: 1 up, -1 down, 0 where that is open."""
    up, down = _shares()["up"].search(text), _shares()["down"].search(text)
    return 0 if bool(up) == bool(down) else 1 if up else -1


def is_opinion(text: str) -> bool:
    """Whether the words are those of a column rather than a report."""
    return _shares()["opinion"].search(text) is not None


@cache
def company_causes() -> tuple[tuple[CauseType, str, re.Pattern[str]], ...]:
    """(type, title, words) of what a record about a company may report, in the order in which they are tried."""
    return tuple((row["type"], row["title"], re.compile(row["pattern"], re.I)) for row in _data()["company"])


@cache
def _shares() -> dict[str, re.Pattern[str]]:
    return {name: re.compile(pattern, re.I) for name, pattern in _data()["share"].items()}


@cache
def causes() -> tuple[Cause, ...]:
    """All causes in the order in which they are tried."""
    return tuple(
        Cause(row["name"], row["type"], row["title"], row["scope"], re.compile("|".join(row["patterns"]), re.I))
        for row in _data()["cause"]
    )


@cache
def _stances() -> dict[str, re.Pattern[str]]:
    return {name: re.compile(pattern, re.I) for name, pattern in _data()["stance"].items()}


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(resources.files("agents.investigation.readings").joinpath("causes.toml").read_text("utf-8"))
