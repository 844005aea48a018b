"""What a reader's answer must be: one JSON object of readings and questions, each checked alone.

An entry that gives more than it is asked for (a rank, a time), names what is not there or is malformed is dropped and
counted; the others stand. An answer that is no such object at all is a `BadReply`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from agents.analysts.claude.validate import BadReply, only_object, wire_schema
from agents.investigation.models import CauseType
from agents.investigation.readings.causes import Refused
from feeds.documents.text import clean

READINGS: Final = 120
"""Most readings one answer may hold; the rest is dropped."""
QUESTIONS: Final = 8
REFUTING: Final = 20
REASON: Final = 200
TITLE: Final = 60
E = TypeVar("E", bound=BaseModel)


def _line(limit: int) -> AfterValidator:
    return AfterValidator(lambda text: clean(text, limit=limit))


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)


class ReadingEntry(_Entry):
    """What one record says of one hypothesis."""

    record: int
    cause_type: CauseType
    hypothesis: Annotated[str, Field(max_length=80)]
    title: Annotated[str, _line(TITLE)]
    effect: Literal["supports", "refutes"]
    states_act: bool
    reason: Annotated[str, _line(REASON)]


class QuestionEntry(_Entry):
    """A further question to a source of the reader's own checklist."""

    source: Annotated[str, Field(max_length=60)]
    about: Annotated[str, Field(max_length=400)]
    days_before: Annotated[int, Field(ge=0, le=30)]


class ReaderReply(_Entry):
    """A collector's whole answer."""

    readings: list[ReadingEntry]
    questions: list[QuestionEntry]


class RefutingEntry(_Entry):
    """A piece of evidence that speaks against a hypothesis other than its own."""

    evidence: int
    hypothesis: Annotated[str, Field(max_length=80)]
    reason: Annotated[str, _line(REASON)]


class AdjudicatorReply(_Entry):
    """The Adjudicator's whole answer."""

    another_look: bool
    refuting: list[RefutingEntry]


@dataclass(frozen=True, slots=True)
class Readings:
    """A reader's answer as far as it is one."""

    readings: tuple[ReadingEntry, ...]
    questions: tuple[QuestionEntry, ...]
    refused: tuple[Refused, ...]


@dataclass(frozen=True, slots=True)
class SecondReading:
    """The Adjudicator's answer as far as it is one."""

    another_look: bool
    refuting: tuple[RefutingEntry, ...]
    refused: tuple[Refused, ...]


@cache
def reader_schema() -> dict[str, Any]:
    """The JSON schema of a collector's answer."""
    return wire_schema(ReaderReply)


@cache
def adjudicator_schema() -> dict[str, Any]:
    """The JSON schema of the Adjudicator's answer."""
    return wire_schema(AdjudicatorReply)


def read_readings(text: str) -> Readings:
    """A collector's answer; raises BadReply."""
    found = only_object(text)
    refused = _uninvited(found, ReaderReply)
    readings, bad = _entries(ReadingEntry, found, "readings", READINGS)
    questions, worse = _entries(QuestionEntry, found, "questions", QUESTIONS)
    return Readings(readings, questions, (*refused, *bad, *worse))


def read_second(text: str) -> SecondReading:
    """The Adjudicator's answer; raises BadReply."""
    found = only_object(text)
    refused = _uninvited(found, AdjudicatorReply)
    worth = found.get("another_look")
    if not isinstance(worth, bool):
        raise BadReply("another_look: neither true nor false")
    refuting, bad = _entries(RefutingEntry, found, "refuting", REFUTING)
    return SecondReading(worth, refuting, (*refused, *bad))


def _uninvited(found: dict[str, Any], kind: type[BaseModel]) -> list[Refused]:
    return [
        Refused(f"the answer gives {clean(name, limit=40)!r}, which is not its to give")
        for name in found
        if name not in kind.model_fields
    ][:QUESTIONS]


def _entries(kind: type[E], found: dict[str, Any], name: str, most: int) -> tuple[tuple[E, ...], list[Refused]]:
    """(the good entries of a list, what is wrong with the others)."""
    given = found.get(name)
    if not isinstance(given, list):
        raise BadReply(f"{name}: no list")
    good: list[E] = []
    refused: list[Refused] = []
    for place, entry in enumerate(given[:most]):
        try:
            # Half surrogates, which JSON escapes can spell, have no place in UTF-8.
            good.append(kind.model_validate_json(json.dumps(entry, ensure_ascii=False).encode("utf-8", "replace")))
        except ValidationError as error:
            refused.append(Refused(f"{name} {place + 1}: {_said(error)}"))
    if len(given) > most:
        refused.append(Refused(f"{len(given) - most} {name} beyond {most}"))
    return tuple(good), refused


def _said(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(map(str, problem["loc"])) or "entry"
    if problem["type"] == "extra_forbidden":
        return f"it gives {clean(place, limit=40)!r}, which is not its to give"
    return clean(f"{place}: {problem['msg']}", limit=160)
