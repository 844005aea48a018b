"""Evidence, assessments, reports and signals: the words of the product as frozen types.

Scores are floats in 0..1 and are refused outside (`ScoreError`), never clamped: a clamped NaN would read as certainty.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal, TypeAlias, get_args

from agents.errors import ScoreError
from feeds.models import Precision, TimeKind

AgentName = Literal["SignalScope", "SentimentPulse", "MacroMind", "SectorScan", "PolicyRadar"]
AGENT_NAMES: tuple[AgentName, ...] = get_args(AgentName)

ToolName = Literal[
    "geo_events",
    "rss_search",
    "web_search",
    "reddit_sentiment",
    "stocktwits_ratio",
    "youtube_sentiment",
    "policy_rates",
    "cpi",
    "fx_rates",
    "oil_gold",
    "sector_peers",
    "supply_chain",
    "regulatory_documents",
    "central_bank_statements",
    "sec_enforcement",
    "asic_enforcement",
]

SignalType = Literal[
    "earnings",
    "guidance_change",
    "m_and_a",
    "policy_change",
    "supply_chain",
    "macro_event",
    "routine_news",
    "sentiment_surge",
]
SIGNAL_TYPES: tuple[SignalType, ...] = get_args(SignalType)

FlashEvent = Literal[
    "export_ban",
    "sanctions",
    "tariffs",
    "rate_surprise",
    "bankruptcy",
    "trading_halt",
    "geopolitical_conflict",
    "fraud",
    "earnings_shock",
    "regulatory_action",
]
FLASH_EVENTS: tuple[FlashEvent, ...] = get_args(FlashEvent)

LinkType = Literal["direct", "chain", "sector", "macro"]
LINK_TYPES: tuple[LinkType, ...] = get_args(LinkType)
"""Closest first: the order in which synthesis prefers them."""

Direction = Literal["up", "down", "unclear"]
Engine = Literal["rules", "claude"]


class Urgency(StrEnum):
    """How loudly a signal is delivered, loudest first."""

    FLASH = "FLASH"
    ALERT = "ALERT"
    NOTE = "NOTE"
    FYI = "FYI"


def score(value: object) -> float:
    """`value` if it is a real number in 0..1; raises ScoreError otherwise (NaN, bool, string, 1.2)."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
        raise ScoreError(f"not a score in 0..1: {value!r}")
    return float(value)


EvidenceStatus = Literal["ok", "empty", "unavailable", "not_configured", "stale"]
ANSWERED: frozenset[EvidenceStatus] = frozenset({"ok", "empty", "stale"})
"""The states that count as an answer when confidence is computed."""


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """One finding inside an evidence: text with its own time, precision and address. Times come from the tool."""

    text: str
    url: str = ""
    source: str = ""
    at: datetime | None = None
    precision: Precision = "unknown"
    time_kind: TimeKind = "published"
    values: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one tool call returned. `empty` (asked, nothing there) and `unavailable` (could not ask) never mix.

    `id` is unique within its report ("rss_search#1"); `detail` says in words why there is no answer; `raw` is the
    answer as it came, cut to a stated length, for the drill-down.
    """

    id: str
    tool: ToolName
    status: EvidenceStatus
    source: str
    fetched_at: datetime
    url: str = ""
    items: tuple[EvidenceItem, ...] = ()
    detail: str = ""
    raw: str = ""
    elapsed_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class TickerLink:
    """Why and how strongly one symbol is touched."""

    symbol: str
    impact_score: float
    link_type: LinkType
    direction: Direction
    reason: str

    def __post_init__(self) -> None:
        score(self.impact_score)


@dataclass(frozen=True, slots=True)
class Term:
    """One summand of an explained score: a label in words and the signed amount it adds."""

    label: str
    amount: float


@dataclass(frozen=True, slots=True)
class Assessment:
    """A score with its reasons, as draft or as final.

    `tone` is -1..1, positive is good for the named company, None where the agent has no view of it.
    `arithmetic` sums to `impact_score` for the rules analyst and is empty for a model.
    """

    impact_score: float
    confidence_score: float
    signal_type: SignalType
    event_type: FlashEvent | None
    tickers_linked: tuple[TickerLink, ...]
    rationale: str
    tone: float | None = None
    arithmetic: tuple[Term, ...] = ()

    def __post_init__(self) -> None:
        score(self.impact_score)
        score(self.confidence_score)
        if self.tone is not None and not -1.0 <= self.tone <= 1.0:
            raise ScoreError(f"not a tone in -1..1: {self.tone!r}")


@dataclass(frozen=True, slots=True)
class Fault:
    """A concrete fault of a draft. `pointer` is an evidence id or words quoted from the item; code checks it."""

    pointer: str
    statement: str


@dataclass(frozen=True, slots=True)
class Critique:
    """The valid faults found in the draft and the ones code refused. No valid fault: the draft stands unchanged."""

    faults: tuple[Fault, ...] = ()
    refused: tuple[Fault, ...] = ()


AbstentionCause = Literal[
    "timeout", "refusal", "malformed", "truncated", "budget", "unavailable", "authentication", "error"
]


@dataclass(frozen=True, slots=True)
class Report:
    """What one agent says of one item.

    `confidence_score` is the counted confidence: reported x (0.5 + 0.5 x answered / mandatory). The reported value is
    `final.confidence_score`. `dropped_tickers` are symbols found in neither text, watchlist, symbol table nor tool;
    `held` says, a line each, what code changed to keep a model's word within its bounds (`agents.bounds`).
    """

    agent: AgentName
    draft: Assessment
    critique: Critique
    final: Assessment
    confidence_score: float
    evidence: tuple[Evidence, ...]
    engine: Engine
    model: str | None = None
    dropped_tickers: tuple[str, ...] = ()
    elapsed_ms: float = 0.0
    cost_usd: float | None = None
    held: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        score(self.confidence_score)


@dataclass(frozen=True, slots=True)
class Abstention:
    """An agent that failed, with the cause. It is never a low score and never "neutral"."""

    agent: AgentName
    cause: AbstentionCause
    detail: str
    engine: Engine
    evidence: tuple[Evidence, ...] = ()
    model: str | None = None
    elapsed_ms: float = 0.0
    cost_usd: float | None = None


Outcome: TypeAlias = Report | Abstention


@dataclass(frozen=True, slots=True)
class LinkedTicker:
    """A symbol after synthesis: the consensus of the agents that name it."""

    symbol: str
    impact_score: float
    link_type: LinkType
    direction: Direction
    reason: str
    agents: tuple[AgentName, ...] = ()


@dataclass(frozen=True, slots=True)
class Synthesis:
    """The reports of one item added up by the fixed rules (`agents.synthesis_engine`)."""

    impact_score: float
    confidence_score: float
    signal_type: SignalType
    event_type: FlashEvent | None
    tickers_linked: tuple[LinkedTicker, ...]
    agreement: float
    tone: float | None
    agents_ok: int


Reading = Literal["act by your rules", "hypothesis", "known noise", "ignore"]


@dataclass(frozen=True, slots=True)
class Signal:
    """An item's reports, synthesised. No agent succeeded: `synthesis` and `urgency` are None, unscored and not low.

    `provisional` is what the rules say while the model is still thinking.
    """

    item_id: str
    revision: int
    outcomes: tuple[Outcome, ...]
    synthesis: Synthesis | None
    urgency: Urgency | None
    degraded: bool
    reading: Reading | None
    novelty: float
    engine: Engine
    scored_at: datetime
    model: str | None = None
    cost_usd: float | None = None
    notes: tuple[str, ...] = field(default=())
    provisional: bool = False
