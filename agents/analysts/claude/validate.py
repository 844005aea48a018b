"""What a reply must be: exactly one JSON object with exactly our fields, every number a number in its range.

Nothing is clamped, scaled, guessed or filled in. What does not fit is a `BadReply` whose message says what is wrong,
without repeating the reply.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from agents.analysts.protocol import Revision
from agents.models import Assessment, Direction, Fault, FlashEvent, LinkType, SignalType, TickerLink
from feeds.documents.text import clean

TICKERS: Final = 20
"""Most tickers one assessment links; a longer list is a failure, not cut."""
FAULTS: Final = 8
WORDS: Final = 600
"""Longest rationale or statement that is kept, in characters; longer ones are cut with an ellipsis."""
REASON: Final = 200
LONGEST: Final = 60_000
"""A longer reply is refused unread."""


class BadReply(ValueError):
    """A reply that is no answer. `str(error)` is one line and fit for the model and for the screen."""


def _line(limit: int) -> AfterValidator:
    return AfterValidator(lambda text: clean(text, limit=limit))


def _plain_zero(value: float) -> float:
    return value + 0.0


Score = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False), AfterValidator(_plain_zero)]
Tone = Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False), AfterValidator(_plain_zero)]
Symbol = Annotated[str, Field(pattern=r"^\$?[A-Za-z0-9][A-Za-z0-9.=^/-]{0,14}$")]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)


class LinkReply(_Reply):
    """A ticker the item touches."""

    symbol: Symbol
    impact_score: Score
    link_type: LinkType
    direction: Direction
    reason: Annotated[str, _line(REASON)]


class AssessmentReply(_Reply):
    """A whole assessment. All fields are required; `event_type` is "none" where no flash event happens."""

    impact_score: Score
    confidence_score: Score
    signal_type: SignalType
    event_type: FlashEvent | Literal["none"]
    tone: Tone | None
    tickers_linked: Annotated[list[LinkReply], Field(max_length=TICKERS)]
    rationale: Annotated[str, Field(min_length=1), _line(WORDS)]

    def assessment(self) -> Assessment:
        """The reply in the words of the product."""
        return Assessment(
            impact_score=self.impact_score,
            confidence_score=self.confidence_score,
            signal_type=self.signal_type,
            event_type=None if self.event_type == "none" else self.event_type,
            tickers_linked=tuple(
                TickerLink(one.symbol, one.impact_score, one.link_type, one.direction, one.reason)
                for one in self.tickers_linked
            ),
            rationale=self.rationale,
            tone=self.tone,
        )


class FaultReply(_Reply):
    """A fault of the draft and what shows it."""

    pointer: Annotated[str, _line(WORDS)]
    statement: Annotated[str, _line(WORDS)]


class RevisionReply(_Reply):
    """The faults found, and the assessment without them."""

    faults: Annotated[list[FaultReply], Field(max_length=FAULTS)]
    final: AssessmentReply

    def revision(self) -> Revision:
        """The reply in the words of the product."""
        faults = tuple(Fault(one.pointer, one.statement) for one in self.faults)
        return Revision(faults, self.final.assessment())


R = TypeVar("R", bound=_Reply)


def read_reply(kind: type[R], text: str) -> R:
    """The one object in `text` as a `kind`; raises BadReply."""
    found = only_object(text)
    try:
        # Half surrogates, which JSON escapes can spell, have no place in UTF-8.
        return kind.model_validate_json(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        said = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'object'}: {one['msg']}" for one in problems[:4])
        more = f"; and {len(problems) - 4} more" if len(problems) > 4 else ""
        raise BadReply(clean(said + more, limit=300)) from None


_OPENING: Final = re.compile(r"[{\[]")
_FENCE: Final = re.compile(r"\A```(?:json)?\s*\n(.*?)\n?\s*```\Z", re.DOTALL)


def only_object(text: str) -> dict[str, Any]:
    """The JSON object that `text` is, or the only one it holds between other words; raises BadReply."""
    if len(text) > LONGEST:
        raise BadReply(f"the reply is longer than {LONGEST} characters")
    text = text.strip().removeprefix("\ufeff").strip()
    if not text:
        raise BadReply("the reply is empty")
    if fenced := _FENCE.match(text):
        text = fenced[1].strip()
    found = _objects(text)
    if not found:
        raise BadReply("the reply holds no JSON object")
    if len(found) > 1:
        raise BadReply("the reply holds more than one JSON object")
    return found[0]


def _objects(text: str) -> list[dict[str, Any]]:
    """The outermost objects in `text`, two at most. A bracket that opens nothing readable spoils the whole reply."""
    found: list[dict[str, Any]] = []
    place = 0
    while len(found) < 2 and (opening := _OPENING.search(text, place)):
        place = opening.start()
        try:
            value, place = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            raise BadReply("the reply is not valid JSON") from None
        if not isinstance(value, dict):
            raise BadReply("the reply is a JSON array, not an object")
        found.append(value)
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys stand once: of two scores nobody knows which is meant."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no number")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse)

_UNSUPPORTED: Final = frozenset(
    {"minimum", "maximum", "pattern", "minLength", "maxLength", "maxItems", "minItems", "title", "default"}
)
"""What the service's structured output does not enforce; our own validation does."""


def wire_schema(kind: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of `kind` as the service takes it: flat keywords, references resolved, objects closed."""
    whole = kind.model_json_schema()
    schema = _plain(whole, whole.get("$defs", {}))
    assert isinstance(schema, dict)
    return schema


def _plain(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_plain(one, definitions) for one in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _plain(definitions[node["$ref"].rpartition("/")[2]], definitions)
    kept: dict[str, Any] = {}
    for key, value in node.items():
        if key == "properties":
            kept[key] = {name: _plain(one, definitions) for name, one in value.items()}
        elif key not in _UNSUPPORTED and key not in ("$defs", "description"):
            kept[key] = _plain(value, definitions)
    return kept
