"""The JSON that scripts rely on: one item per input line, one signal per output line.

Scores are numbers to PLACES decimals; what is not scored is null, never 0. Times are ISO 8601 in UTC.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, FiniteFloat

from agents.models import (
    AbstentionCause,
    AgentName,
    Direction,
    Engine,
    Evidence,
    EvidenceStatus,
    FlashEvent,
    LinkType,
    Outcome,
    Reading,
    Report,
    Signal,
    SignalType,
    ToolName,
    Urgency,
)
from feeds.models import Change, Item, TimeDoubt

PLACES: Final = 4
Score = Annotated[float, Field(ge=0, le=1)]
Tone = Annotated[float, Field(ge=-1, le=1)]


class Line(BaseModel):
    """A part of the contract: closed, so that the schema is the whole truth."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ItemInput(BaseModel):
    """An input line. Only `title` is needed; keys beyond these are ignored, wrong types are not."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True, hide_input_in_errors=True)

    title: str = Field(min_length=1)
    id: str | int | None = None
    summary: str | None = None
    url: str | None = None
    source: str | None = None
    published_at: str | int | FiniteFloat | None = None
    tickers: list[str] | None = None


class ItemLine(Line):
    """The item a signal belongs to."""

    id: str
    title: str
    summary: str
    url: str
    source: str
    tier: int
    outlet: str
    story_id: str
    tickers: list[str]
    published_at: AwareDatetime | None
    published_doubt: TimeDoubt | None
    revision: int
    change: Change
    backlog: bool


class TickerLine(Line):
    """A linked ticker after synthesis."""

    symbol: str
    impact_score: Score
    link_type: LinkType
    direction: Direction
    reason: str
    agents: list[AgentName]


class FindingLine(Line):
    """One finding inside an evidence."""

    text: str
    url: str
    source: str
    at: AwareDatetime | None


class EvidenceLine(Line):
    """What one tool answered."""

    id: str
    tool: ToolName
    status: EvidenceStatus
    source: str
    url: str
    fetched_at: AwareDatetime
    detail: str
    items: list[FindingLine]


class FaultLine(Line):
    """A fault an agent found in its own draft, and where it points."""

    pointer: str
    statement: str


class AgentLine(Line):
    """One agent's report (`ok`) or abstention (`abstained`, with its cause); scores are null for an abstention."""

    agent: AgentName
    status: Literal["ok", "abstained"]
    cause: AbstentionCause | None
    detail: str
    draft_impact_score: Score | None
    impact_score: Score | None
    confidence_score: Score | None
    reported_confidence: Score | None
    event_type: FlashEvent | None
    signal_type: SignalType | None
    tone: Tone | None
    critique: list[FaultLine]
    rationale: str
    evidence: list[EvidenceLine]
    elapsed_ms: float


class SignalLine(Line):
    """One scored item: an output line of `score`, `run --headless` and `replay --headless`."""

    id: str
    item: ItemLine
    urgency: Urgency | None
    impact_score: Score | None
    confidence_score: Score | None
    signal_type: SignalType | None
    event_type: FlashEvent | None
    tickers_linked: list[TickerLine]
    novelty: Score
    agreement: Score | None
    tone: Tone | None
    reading: Reading | None
    degraded: bool
    agents_ok: int
    agents: list[AgentLine]
    engine: Engine
    model: str | None
    cost_usd: float | None
    provisional: bool
    notes: list[str]
    published_at: AwareDatetime | None
    first_seen_at: AwareDatetime
    scored_at: AwareDatetime


def _shown(score: float) -> float:
    return round(score, PLACES)


def signal_line(item: Item, signal: Signal) -> SignalLine:
    """`signal` of `item` in the words of the contract."""
    total = signal.synthesis
    return SignalLine.model_construct(
        id=item.id,
        item=item_line(item),
        urgency=signal.urgency,
        impact_score=_shown(total.impact_score) if total else None,
        confidence_score=_shown(total.confidence_score) if total else None,
        signal_type=total.signal_type if total else None,
        event_type=total.event_type if total else None,
        tickers_linked=[
            TickerLine.model_construct(
                symbol=ticker.symbol,
                impact_score=_shown(ticker.impact_score),
                link_type=ticker.link_type,
                direction=ticker.direction,
                reason=ticker.reason,
                agents=list(ticker.agents),
            )
            for ticker in (total.tickers_linked if total else ())
        ],
        novelty=_shown(signal.novelty),
        agreement=_shown(total.agreement) if total else None,
        tone=_shown(total.tone) if total and total.tone is not None else None,
        reading=signal.reading,
        degraded=signal.degraded,
        agents_ok=total.agents_ok if total else 0,
        agents=[agent_line(outcome) for outcome in signal.outcomes],
        engine=signal.engine,
        model=signal.model,
        cost_usd=signal.cost_usd,
        provisional=signal.provisional,
        notes=list(signal.notes),
        published_at=item.published.at,
        first_seen_at=item.first_seen_at,
        scored_at=signal.scored_at,
    )


def item_line(item: Item) -> ItemLine:
    """The item itself."""
    return ItemLine.model_construct(
        id=item.id,
        title=item.title,
        summary=item.summary,
        url=item.url,
        source=item.source_name,
        tier=int(item.tier),
        outlet=item.outlet,
        story_id=item.story_id,
        tickers=list(item.tickers),
        published_at=item.published.at,
        published_doubt=item.published.doubt,
        revision=item.revision,
        change=item.change,
        backlog=item.backlog,
    )


def agent_line(outcome: Outcome) -> AgentLine:
    """One agent's outcome, report or abstention."""
    evidence = [evidence_line(one) for one in outcome.evidence]
    if not isinstance(outcome, Report):
        return AgentLine.model_construct(
            agent=outcome.agent,
            status="abstained",
            cause=outcome.cause,
            detail=outcome.detail,
            draft_impact_score=None,
            impact_score=None,
            confidence_score=None,
            reported_confidence=None,
            event_type=None,
            signal_type=None,
            tone=None,
            critique=[],
            rationale="",
            evidence=evidence,
            elapsed_ms=round(outcome.elapsed_ms, 3),
        )
    return AgentLine.model_construct(
        agent=outcome.agent,
        status="ok",
        cause=None,
        detail="",
        draft_impact_score=_shown(outcome.draft.impact_score),
        impact_score=_shown(outcome.final.impact_score),
        confidence_score=_shown(outcome.confidence_score),
        reported_confidence=_shown(outcome.final.confidence_score),
        event_type=outcome.final.event_type,
        signal_type=outcome.final.signal_type,
        tone=None if outcome.final.tone is None else _shown(outcome.final.tone),
        critique=[FaultLine(pointer=f.pointer, statement=f.statement) for f in outcome.critique.faults],
        rationale=outcome.final.rationale,
        evidence=evidence,
        elapsed_ms=round(outcome.elapsed_ms, 3),
    )


def evidence_line(evidence: Evidence) -> EvidenceLine:
    """One tool's answer, without its raw bytes."""
    return EvidenceLine.model_construct(
        id=evidence.id,
        tool=evidence.tool,
        status=evidence.status,
        source=evidence.source,
        url=evidence.url,
        fetched_at=evidence.fetched_at,
        detail=evidence.detail,
        items=[
            FindingLine.model_construct(text=one.text, url=one.url, source=one.source, at=one.at)
            for one in evidence.items
        ],
    )


def schema() -> dict[str, object]:
    """The JSON schema of an output line."""
    found = SignalLine.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}
