"""Times, tickers, assessments and evidence as columns and JSON, and back, without loss.

Times are microseconds since 1970 UTC. JSON holds floats as Python writes them, which reads back exactly.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from agents.models import (
    Assessment,
    Critique,
    EvidenceItem,
    Fault,
    LinkedTicker,
    Term,
    TickerLink,
    Urgency,
)

Json: TypeAlias = Any
Row: TypeAlias = tuple[Any, ...]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

BY_RANK: tuple[Urgency, ...] = (Urgency.FYI, Urgency.NOTE, Urgency.ALERT, Urgency.FLASH)
RANK: dict[Urgency | None, int | None] = {urgency: rank for rank, urgency in enumerate(BY_RANK)} | {None: None}


def stamp(at: datetime) -> int:
    """Microseconds since 1970 UTC of an aware time."""
    return (at - EPOCH) // _MICROSECOND


def moment(stamp: int) -> datetime:
    """The aware UTC time of a stamp."""
    return EPOCH + timedelta(microseconds=stamp)


def stamp_or_none(at: datetime | None) -> int | None:
    """As `stamp`; None stays None."""
    return None if at is None else stamp(at)


def moment_or_none(stamp: int | None) -> datetime | None:
    """As `moment`; None stays None."""
    return None if stamp is None else moment(stamp)


def urgency_of(rank: int | None) -> Urgency | None:
    """The urgency of a rank; None is unscored."""
    return None if rank is None else BY_RANK[rank]


def storable(text: str) -> str:
    """`text` with each half surrogate, which has no place in UTF-8, as U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_decode = json.JSONDecoder().decode


def dump(value: Json) -> str:
    """JSON text of plain values."""
    return storable(_encode(value))


def load(text: str) -> Json:
    """Plain values of JSON text that `dump` wrote."""
    return _decode(text)


def dump_assessment(value: Assessment) -> str:
    """An assessment as JSON."""
    return dump(
        {
            "impact": value.impact_score,
            "confidence": value.confidence_score,
            "signal_type": value.signal_type,
            "event_type": value.event_type,
            "tickers": [
                [one.symbol, one.impact_score, one.link_type, one.direction, one.reason] for one in value.tickers_linked
            ],
            "rationale": value.rationale,
            "tone": value.tone,
            "arithmetic": [[term.label, term.amount] for term in value.arithmetic],
        }
    )


def load_assessment(text: str) -> Assessment:
    """The assessment that `dump_assessment` wrote."""
    value = load(text)
    return Assessment(
        impact_score=value["impact"],
        confidence_score=value["confidence"],
        signal_type=value["signal_type"],
        event_type=value["event_type"],
        tickers_linked=tuple(TickerLink(*one) for one in value["tickers"]),
        rationale=value["rationale"],
        tone=value["tone"],
        arithmetic=tuple(Term(label, amount) for label, amount in value["arithmetic"]),
    )


def dump_critique(value: Critique) -> str | None:
    """A critique as JSON; None for one without any fault."""
    if not value.faults and not value.refused:
        return None
    return dump(
        {
            "faults": [[fault.pointer, fault.statement] for fault in value.faults],
            "refused": [[fault.pointer, fault.statement] for fault in value.refused],
        }
    )


def load_critique(text: str | None) -> Critique:
    """The critique that `dump_critique` wrote."""
    if text is None:
        return Critique()
    value = load(text)
    return Critique(_faults(value["faults"]), _faults(value["refused"]))


def _faults(pairs: Json) -> tuple[Fault, ...]:
    return tuple(Fault(pointer, statement) for pointer, statement in pairs)


def dump_findings(items: Iterable[EvidenceItem]) -> str:
    """The findings of an evidence as JSON."""
    found = [
        [one.text, one.url, one.source, stamp_or_none(one.at), one.precision, one.time_kind, one.values]
        for one in items
    ]
    return dump(found) if found else "[]"


def load_findings(text: str) -> tuple[EvidenceItem, ...]:
    """The findings that `dump_findings` wrote."""
    if text == "[]":
        return ()
    return tuple(
        EvidenceItem(
            text, url, source, moment_or_none(at), precision, kind, tuple((name, number) for name, number in values)
        )
        for text, url, source, at, precision, kind, values in load(text)
    )


def dump_linked(tickers: Iterable[LinkedTicker]) -> str:
    """The tickers of a synthesis as JSON."""
    return dump(
        [[one.symbol, one.impact_score, one.link_type, one.direction, one.reason, one.agents] for one in tickers]
    )


def load_linked(text: str) -> tuple[LinkedTicker, ...]:
    """The tickers that `dump_linked` wrote."""
    return tuple(
        LinkedTicker(symbol, impact, link, direction, reason, tuple(agents))
        for symbol, impact, link, direction, reason, agents in load(text)
    )
