"""The JSON of `tapewatch why --json`, closed and tested. Times are ISO 8601 in UTC; what is not known is null."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AwareDatetime, Field

from agents.investigation.models import (
    CauseType,
    Certainty,
    Collector,
    Confirmation,
    CoverageState,
    Decomposition,
    Evidence,
    Hypothesis,
    Rank,
    Status,
    Timing,
    Verdict,
)
from agents.investigation.state import Answer
from app.lines.contract import Line
from feeds.models import Precision, TimeKind

Share = Annotated[float, Field(ge=0, le=1)]


class AnchorLine(Line):
    """The move as it was measured."""

    onset_at: AwareDatetime
    precision_s: int
    change_pct: float
    range_pct: float
    mads: float


class EvidenceLine(Line):
    """One piece of evidence for (`supports`) or against a hypothesis."""

    rank: Rank
    timing: Timing
    supports: bool
    published_at: AwareDatetime | None
    effective_at: AwareDatetime | None
    precision: Precision
    time_kind: TimeKind
    source: str
    source_url: str
    claim: str
    collector: Collector
    round: int


class ConfirmedBy(Line):
    """What would confirm a hypothesis, and when it comes out; null where no date is public."""

    what: str
    when: AwareDatetime | None


class HypothesisLine(Line):
    """One possible cause."""

    cause_type: CauseType
    title: str
    statement: str
    certainty: Certainty
    score: Share
    status: Status
    evidence: list[EvidenceLine]
    confirmed_by: ConfirmedBy | None
    next_information_at: AwareDatetime | None


class CoverageLine(Line):
    """One line of the checklist."""

    collector: Collector
    source: str
    state: CoverageState


class DecompositionLine(Line):
    """How the move splits up, in percent; `noise_pct` is within what the residual ordinarily lies."""

    market_pct: float | None
    sector_pct: float | None
    currency_pct: float | None
    residual_pct: float
    noise_pct: float | None
    basis: list[str]


class BoundLine(Line):
    """Calls, tokens and dollars."""

    calls: int
    tokens: int
    usd: float


class InvestigationLine(Line):
    """The whole investigation."""

    symbol: str
    question: str
    anchor: AnchorLine | None
    verdict: Verdict
    unknown_because: list[str]
    hypotheses: list[HypothesisLine]
    coverage: list[CoverageLine]
    decomposition: DecompositionLine | None
    rounds: int
    bound: BoundLine
    used: BoundLine


def investigation_line(answer: Answer) -> InvestigationLine:
    """The answer as the contract says."""
    anchor = answer.anchor
    return InvestigationLine(
        symbol=answer.case.symbol,
        question=answer.case.question,
        anchor=AnchorLine(
            onset_at=anchor.onset_at,
            precision_s=anchor.precision_s,
            change_pct=anchor.change_pct,
            range_pct=anchor.range_pct,
            mads=anchor.mads,
        )
        if anchor
        else None,
        verdict=answer.verdict,
        unknown_because=list(answer.unknown_because),
        hypotheses=[_hypothesis(one) for one in answer.hypotheses],
        coverage=[CoverageLine(collector=one.collector, source=one.source, state=one.state) for one in answer.coverage],
        decomposition=_decomposition(answer.decomposition),
        rounds=answer.rounds,
        bound=BoundLine(calls=answer.bound.calls, tokens=answer.bound.tokens, usd=answer.bound.usd),
        used=BoundLine(calls=answer.used.calls, tokens=answer.used.tokens, usd=answer.used.usd),
    )


def schema() -> dict[str, Any]:
    """The JSON schema of an investigation."""
    return InvestigationLine.model_json_schema()


def _hypothesis(one: Hypothesis) -> HypothesisLine:
    coming = one.next_information
    return HypothesisLine(
        cause_type=one.cause_type,
        title=one.title,
        statement=one.statement,
        certainty=one.certainty,
        score=one.score,
        status=one.status,
        evidence=[_evidence(evidence) for evidence in one.evidence],
        confirmed_by=_confirmed_by(one.confirmed_by),
        next_information_at=coming.when if coming else None,
    )


def _evidence(one: Evidence) -> EvidenceLine:
    return EvidenceLine(
        rank=one.rank,
        timing=one.timing,
        supports=one.supports,
        published_at=one.published_at,
        effective_at=one.effective_at,
        precision=one.precision,
        time_kind=one.time_kind,
        source=one.source,
        source_url=one.source_url,
        claim=one.claim,
        collector=one.collector,
        round=one.round,
    )


def _confirmed_by(one: Confirmation | None) -> ConfirmedBy | None:
    return None if one is None else ConfirmedBy(what=one.what, when=one.when)


def _decomposition(one: Decomposition | None) -> DecompositionLine | None:
    if one is None:
        return None
    return DecompositionLine(
        market_pct=one.market_pct,
        sector_pct=one.sector_pct,
        currency_pct=one.currency_pct,
        residual_pct=one.residual_pct,
        noise_pct=one.noise_pct,
        basis=list(one.basis),
    )
