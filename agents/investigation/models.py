"""The typed state of an investigation. Everything is frozen; evidence is only ever added.

Certainty, timing and rank are set by code from what a source stated. Times are aware UTC and come from sources.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from agents.models import Engine
from agents.prices import Bar
from feeds.models import Precision, Tier, TimeKind

Rank = Literal["A", "B", "C", "D", "E"]
RANKS: tuple[Rank, ...] = get_args(Rank)
"""Strongest first: official record of the act, indirect official or market data, named newsroom, unnamed or later,
crowd or undated."""

Timing = Literal["lead", "overlap", "background", "lag"]
TIMINGS: tuple[Timing, ...] = get_args(Timing)

Certainty = Literal["high", "medium", "low", "minimal"]
Status = Literal["confirmed", "supported", "suspected", "refuted"]
Verdict = Literal["cause_found", "no_public_cause", "unknown"]
CoverageState = Literal["found", "nothing", "down"]
Direction = Literal["up", "down", "both"]
AssetKind = Literal["currency", "stock", "other"]

Collector = Literal["PrimarySource", "MarketStructure", "Narrative"]
COLLECTORS: tuple[Collector, ...] = get_args(Collector)

CauseType = Literal[
    "fx_intervention",
    "policy_change",
    "macro_event",
    "geopolitical_conflict",
    "trade_policy",
    "earnings",
    "guidance",
    "m_and_a",
    "legal_regulatory",
    "supply_chain",
    "analyst_action",
    "sector_move",
    "market_move",
    "liquidity",
    "other",
]
CAUSE_TYPES: tuple[CauseType, ...] = get_args(CauseType)


@dataclass(frozen=True, slots=True)
class Case:
    """What is asked. `at` is the time the move is near to, None for the largest move in sight; `names` are the
    company's further names; `window_s` is how far before the onset evidence is looked for, in seconds, None for the
    source's own reach; `engine` reads the records."""

    id: str
    symbol: str
    kind: AssetKind
    question: str
    asked_at: datetime
    at: datetime | None = None
    names: tuple[str, ...] = ()
    window_s: int | None = None
    engine: Engine = "rules"


@dataclass(frozen=True, slots=True)
class Anchor:
    """The move as code measured it.

    The onset is the bar [`onset_at`, `ends_at`): its width is the precision. `lead_from` is where the lead window
    begins. `mads` is the size in median absolute deviations of the baseline; below the threshold `unusual` is False.
    """

    symbol: str
    onset_at: datetime
    ends_at: datetime
    lead_from: datetime
    precision_s: int
    change_pct: float
    range_pct: float
    mads: float
    direction: Direction
    unusual: bool
    baseline_bars: int
    daily: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sighted:
    """What the Timeline found: the move, and the bars around it for the tests of reaction and the plot."""

    anchor: Anchor
    bars: tuple[Bar, ...]
    width_s: float
    source: str
    source_calls: int = 0


@dataclass(frozen=True, slots=True)
class Effective:
    """When an official record says that its act took effect: an instant, or a day without an hour."""

    at: datetime
    precision: Precision


@dataclass(frozen=True, slots=True)
class Record:
    """One published thing as a source gave it, before anybody asks what it means.

    `tier` is how close the source stands, where the feed registry or the checklist knows it; else the address and the
    name decide.
    """

    id: str
    title: str
    summary: str
    url: str
    source: str
    published_at: datetime | None
    precision: Precision
    time_kind: TimeKind = "published"
    effective: Effective | None = None
    tickers: tuple[str, ...] = ()
    tier: Tier | None = None

    @property
    def text(self) -> str:
        """Title and summary, the title first."""
        return f"{self.title}\n{self.summary}" if self.summary else self.title


@dataclass(frozen=True, slots=True)
class Evidence:
    """A record that speaks for or against one hypothesis, ranked and timed by code.

    `act` is False for a hint or a warning, `linked` says that the text itself tells of the move, `copies` counts
    syndicated copies of the text.
    """

    hypothesis: str
    cause_type: CauseType
    topic: str
    rank: Rank
    timing: Timing
    supports: bool
    claim: str
    source: str
    source_url: str
    published_at: datetime | None
    effective_at: datetime | None
    precision: Precision
    time_kind: TimeKind
    collector: Collector
    round: int
    record: str
    why: str = ""
    outlet: str = ""
    copies: int = 0
    act: bool = True
    linked: bool = False


@dataclass(frozen=True, slots=True)
class Coverage:
    """One line of the fixed checklist and what became of it. `detail` says it in words."""

    collector: Collector
    source: str
    state: CoverageState
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Decomposition:
    """How the move splits up, in percent of the price; None where no series allows to say.

    The noises are what is ordinary: the residual of `noise_bars` bars before the onset lay within `noise_pct` (two
    deviations), either currency against others within its own. None where the bars are too few to tell.
    """

    total_pct: float
    market_pct: float | None
    sector_pct: float | None
    currency_pct: float | None
    residual_pct: float
    basis: tuple[str, ...] = ()
    noise_pct: float | None = None
    base_noise_pct: float | None = None
    quote_noise_pct: float | None = None
    noise_bars: int = 0


@dataclass(frozen=True, slots=True)
class Gathered:
    """What one collector brought back in one round. `cut` names the limit it ran into, "" where it ended by itself.

    `tokens` and `nano` (nano-USD) are what its engine used, `dropped` what it said that does not count, a line each.
    """

    collector: Collector
    round: int
    evidence: tuple[Evidence, ...]
    coverage: tuple[Coverage, ...]
    decomposition: Decomposition | None = None
    source_calls: int = 0
    model_calls: int = 0
    cut: str = ""
    tokens: int = 0
    nano: int = 0
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a certainty came about: the best supporting evidence as rank x timing, and what capped it."""

    rank: Rank | None
    timing: Timing | None
    product: float
    capped: bool = False

    @property
    def formula(self) -> str:
        """`C x lead = 0.50`, with the cap where there is one."""
        if self.rank is None:
            return "nothing supports it = 0.00"
        capped = ", capped at low by refuting evidence" if self.capped else ""
        return f"{self.rank} x {self.timing} = {self.product:.2f}{capped}"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What would settle a hypothesis and when it comes out. `when` is None where the date is not public yet.

    `expected` marks a date by rule rather than one its publisher has announced.
    """

    what: str
    when: datetime | None
    expected: bool = True


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One possible cause with everything for and against it, in time order."""

    key: str
    cause_type: CauseType
    title: str
    statement: str
    certainty: Certainty
    score: float
    status: Status
    derivation: Derivation
    evidence: tuple[Evidence, ...]
    outlets: int
    confirmed_by: Confirmation | None = None
    next_information: Confirmation | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """A number of calls, tokens and dollars: the worst case before a run, or what a run used."""

    calls: int
    tokens: int
    usd: float


@dataclass(frozen=True, slots=True)
class Judged:
    """What the Adjudicator made of a round: hypotheses by score, and whether another look is worth it.

    `refuting` is the evidence its engine read as speaking against a hypothesis, `cut` why its engine said nothing;
    `tokens`, `nano` and `dropped` as of a collector.
    """

    round: int
    hypotheses: tuple[Hypothesis, ...]
    retry: bool
    reason: str = ""
    model_calls: int = 0
    refuting: tuple[Evidence, ...] = ()
    cut: str = ""
    tokens: int = 0
    nano: int = 0
    dropped: tuple[str, ...] = ()
