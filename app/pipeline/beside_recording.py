"""What a recording brings beside its items: the answers of the tools, agents that failed, and prices; read strictly."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from pydantic import BaseModel, ConfigDict, TypeAdapter

from agents.analysts.recorded import Failure, Failures
from agents.models import AbstentionCause, AgentName, Evidence, EvidenceItem, EvidenceStatus, ToolName
from agents.prices import WIDTHS, Bar, BarWidth, NoPrices, PriceSeries
from agents.tools.recorded import RECORDED, Answers
from agents.tools.result import RAW_LIMIT
from feeds.documents.text import clean, safe_url
from feeds.models import Precision, TimeKind

TEXT: Final = 300


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FindingInput(_Strict):
    """A finding of a recorded answer."""

    text: str
    url: str = ""
    source: str = ""
    at: datetime | None = None
    precision: Precision = "second"
    time_kind: TimeKind = "published"
    values: dict[str, float] = {}


class AnswerInput(_Strict):
    """What one tool answered about the item with the address `item`; "*" is every item."""

    item: str
    tool: ToolName
    status: EvidenceStatus
    source: str = ""
    url: str = ""
    detail: str = ""
    findings: tuple[FindingInput, ...] = ()
    raw: str = ""


class FailureInput(_Strict):
    """An agent that said nothing of an item."""

    item: str
    agent: AgentName
    cause: AbstentionCause
    detail: str


@dataclass(frozen=True, slots=True)
class Beside:
    """Beside a recording; `prices` are (time, price) by symbol, in order of time."""

    answers: Answers = field(default_factory=dict)
    failures: Failures = field(default_factory=dict)
    prices: Mapping[str, Sequence[tuple[datetime, float]]] = field(default_factory=dict)


_LINE: TypeAdapter[AnswerInput | FailureInput] = TypeAdapter(AnswerInput | FailureInput)
_PRICES: TypeAdapter[dict[str, list[tuple[datetime, float]]]] = TypeAdapter(dict[str, list[tuple[datetime, float]]])


def read_beside(lines: Iterable[str], prices: str = "{}") -> Beside:
    """The answers and failures in JSON lines, and prices as one JSON object. Raises ValueError for what is neither."""
    answers: dict[str, dict[ToolName, Evidence]] = {}
    failures: dict[tuple[str, AgentName], Failure] = {}
    for line in lines:
        if not line.strip():
            continue
        read = _LINE.validate_python(json.loads(line))
        if isinstance(read, FailureInput):
            failures[read.item, read.agent] = Failure(read.cause, clean(read.detail, limit=TEXT))
        else:
            answers.setdefault(read.item, {})[read.tool] = _evidence(read)
    walks = _PRICES.validate_python(json.loads(prices))
    return Beside(answers, failures, {symbol: sorted(walk) for symbol, walk in walks.items()})


def _evidence(read: AnswerInput) -> Evidence:
    return Evidence(
        id=f"{read.tool}#1",
        tool=read.tool,
        status=read.status,
        source=f"{RECORDED}, {clean(read.source, limit=TEXT)}" if read.source else RECORDED,
        fetched_at=datetime.now(UTC),
        url=safe_url(read.url) if read.url else "",
        items=tuple(_finding(one) for one in read.findings),
        detail=clean(read.detail, limit=TEXT),
        raw=clean(read.raw, limit=RAW_LIMIT, one_line=False),
    )


def _finding(read: FindingInput) -> EvidenceItem:
    return EvidenceItem(
        clean(read.text, limit=TEXT),
        safe_url(read.url) if read.url else "",
        clean(read.source, limit=TEXT),
        read.at,
        read.precision if read.at else "unknown",
        read.time_kind,
        tuple(read.values.items()),
    )


class RecordedPrices:
    """Bars along the lines between recorded prices; see `agents.tools.prices.Prices`."""

    def __init__(self, prices: Mapping[str, Sequence[tuple[datetime, float]]]) -> None:
        self._prices = prices

    async def bars(
        self, symbol: str, start: datetime, end: datetime, width: BarWidth, *, now: datetime
    ) -> PriceSeries | NoPrices:
        """Bars of `symbol` within the span and the recording, none after `now`."""
        walk = self._prices.get(symbol)
        if not walk:
            return NoPrices(symbol, "the recording holds no prices of it", answered=True)
        step = WIDTHS[width]
        at = max(start, walk[0][0]).replace(second=0, microsecond=0)
        last = min(end, now, walk[-1][0])
        bars: list[Bar] = []
        while at <= last:
            opened, closed = _on(walk, at), _on(walk, at + step)
            bars.append(Bar(at, opened, max(opened, closed), min(opened, closed), closed))
            at += step
        return PriceSeries(symbol, width, tuple(bars), RECORDED, "", "USD", now, "invented price")


def _on(walk: Sequence[tuple[datetime, float]], at: datetime) -> float:
    """The price at a time, on the line between the two recorded ones around it."""
    place = bisect_right(walk, at, key=lambda one: one[0])
    if place == 0:
        return walk[0][1]
    if place == len(walk):
        return walk[-1][1]
    (before, low), (after, high) = walk[place - 1], walk[place]
    return round(low + (high - low) * ((at - before) / (after - before)), 2)
