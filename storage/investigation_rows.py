"""Node results, cases and answers of investigations as JSON text, and back, without loss."""

from __future__ import annotations

from typing import Any, Final

from pydantic import TypeAdapter

from agents.investigation.models import Case, Gathered, Judged, Sighted
from agents.investigation.ports import NodeResult
from agents.investigation.state import Answer
from storage.encoding import storable


def dump_result(result: NodeResult) -> str:
    """A node's result as JSON."""
    kind = _SIGHTED if isinstance(result, Sighted) else _JUDGED if isinstance(result, Judged) else _GATHERED
    return _text(kind.dump_json(result))


def load_result(node: str, text: str) -> NodeResult:
    """The result of a node that `dump_result` wrote."""
    kind = {"Timeline": _SIGHTED, "Adjudicator": _JUDGED}.get(node, _GATHERED)
    result: NodeResult = kind.validate_json(text)
    return result


def dump_case(case: Case) -> str:
    """A case as JSON."""
    return _text(_CASE.dump_json(case))


def load_case(text: str) -> Case:
    """The case that `dump_case` wrote."""
    return _CASE.validate_json(text)


def dump_answer(answer: Answer) -> str:
    """An answer as JSON."""
    return _text(_ANSWER.dump_json(answer))


def load_answer(text: str) -> Answer:
    """The answer that `dump_answer` wrote."""
    return _ANSWER.validate_json(text)


def _text(json: bytes) -> str:
    return storable(json.decode())


_SIGHTED: Final[TypeAdapter[Any]] = TypeAdapter(Sighted)
_GATHERED: Final[TypeAdapter[Any]] = TypeAdapter(Gathered)
_JUDGED: Final[TypeAdapter[Any]] = TypeAdapter(Judged)
_CASE: Final[TypeAdapter[Case]] = TypeAdapter(Case)
_ANSWER: Final[TypeAdapter[Answer]] = TypeAdapter(Answer)
