"""What storage keeps besides the inner layers' own types, and the read models of the screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from agents.calls import ModelCall
from agents.models import AgentName, Direction, FlashEvent, LinkType, Outcome, Report, Signal, SignalType, Urgency
from agents.novelty import PriorReport
from feeds.models import Change, Entry, Item, PollState, Published, Source, Tier


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source with its state and how many items it has given; one row of the feeds screen."""

    source: Source
    state: PollState
    items: int
    last_item_at: datetime | None


@dataclass(frozen=True, slots=True)
class Ingested:
    """What one poll changed: ids of new items, ids of items whose meaning changed, and how many were known already.

    `restructured` is True where a source renamed its whole archive and nothing in it was taken as new; `backlog` where
    the new ones are what the source already held when it was first read. `cards` are the keys of all cards that are new
    or differ now. `refused` are the entries that could not be taken in, each with the fault in words.
    """

    new: tuple[str, ...]
    changed: tuple[str, ...]
    known: int
    restructured: bool = False
    backlog: bool = False
    cards: tuple[int, ...] = ()
    refused: tuple[tuple[Entry, str], ...] = ()


ItemState = Literal["pending", "scored", "unscored"]
"""Where an item stands; it leaves "pending" once it has a score or was tried as often as is allowed."""


@dataclass(frozen=True, slots=True)
class Work:
    """All that is needed to score a pending item.

    `prior` are the reports of its story that came before it and `new_fact` says whether it adds to them. `done` holds
    the reports of this revision that landed before an interruption; an abstention is not among them, it is tried again.
    """

    item: Item
    card_key: int
    prior: tuple[PriorReport, ...]
    new_fact: bool
    attempts: int
    done: Mapping[AgentName, Report] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SavedSignal:
    """What saving a signal did: the card it shows on, where the item stands, and the alert it raised, if any."""

    card_key: int
    state: ItemState
    alert_key: str | None = None


@dataclass(frozen=True, slots=True)
class CardTicker:
    """One ticker on a card."""

    symbol: str
    impact_score: float
    link_type: LinkType
    direction: Direction


@dataclass(frozen=True, slots=True)
class Card:
    """The read model of one story: its first signal of the highest urgency, and what the story has gathered.

    `key` is the card's stable row number. `at` is the time it is sorted and labelled by: published where that can be
    trusted, else first seen, and for history without a credible time a day before (`published.doubt` says which).
    `outlets` counts independent ones, copies once. `impact_score`, `urgency` and what follows are None while unscored;
    `provisional` while the rules' score stands in for the model's.
    """

    key: int
    story_id: str
    item_id: str
    title: str
    source_name: str
    tier: Tier
    url: str
    at: datetime
    published: Published
    first_seen_at: datetime
    scored_at: datetime | None
    urgency: Urgency | None
    impact_score: float | None
    confidence_score: float | None
    signal_type: SignalType | None
    event_type: FlashEvent | None
    tickers: tuple[CardTicker, ...]
    outlets: int
    agents_ok: int
    degraded: bool
    novelty: float
    change: Change
    read: bool = False
    starred: bool = False
    provisional: bool = False
    muted: bool = False
    """Set by the screen, which knows the mutes in force."""


@dataclass(frozen=True, slots=True)
class StoryMember:
    """One item of a story, for the list of who reported it when."""

    item_id: str
    title: str
    source_name: str
    outlet: str
    tier: Tier
    url: str
    published: Published
    first_seen_at: datetime
    syndicated: bool


@dataclass(frozen=True, slots=True)
class PastScore:
    """An older score of the same item, kept when a revision was scored again."""

    revision: int
    scored_at: datetime
    urgency: Urgency | None
    impact_score: float | None


PriceState = Literal["waiting", "known", "none"]
"""`waiting`: its moment has not come, or the price is still looked for. `none`: there is none, and that is final."""


@dataclass(frozen=True, slots=True)
class PriceMark:
    """What a symbol cost `after` the item became public, at `moment`; `change_pct` is against the price at publication.

    The price is that of the last bar that had ended by `moment`, `width` wide, at `traded_at`; where the market was
    closed then, that of the first trade after it, and `traded_at` is later. `reason` says why there is no price.
    """

    symbol: str
    after: timedelta
    moment: datetime
    state: PriceState
    price: float | None = None
    change_pct: float | None = None
    traded_at: datetime | None = None
    width: timedelta | None = None
    currency: str = ""
    source: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class EvidenceSource:
    """A public source of evidence as the monitor saw it at `seen_at`; see `agents.tools.asking.health.SourceState`."""

    name: str
    standing: str
    reason: str
    requests: int
    latency_ms: float | None
    last_ok_at: datetime | None
    next_try_at: datetime | None
    seen_at: datetime
    used: int | None = None
    most: int | None = None
    last_error: str = ""
    last_error_at: datetime | None = None
    skew_s: float | None = None


@dataclass(frozen=True, slots=True)
class CardDetail:
    """A card opened: the item, its signal with all five outcomes, the story's members and earlier scores.

    `calls` are the calls to a model that the signal rests on, oldest first; empty where rules thought.
    """

    card: Card
    item: Item
    signal: Signal | None
    members: tuple[StoryMember, ...]
    history: tuple[PastScore, ...]
    prices: tuple[PriceMark, ...] = ()
    note: str = ""
    calls: tuple[ModelCall, ...] = ()

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The five outcomes in table order; empty while unscored."""
        return self.signal.outcomes if self.signal else ()


@dataclass(frozen=True, slots=True)
class Since:
    """A span of time that ends now, with the moment it began when it was chosen."""

    span: timedelta
    at: datetime


@dataclass(frozen=True, slots=True)
class CardFilter:
    """Which cards to show. Empty fields do not restrict; `text` is a full-text query typed by a person.

    `watchlist` holds the symbols of which a card must touch one, beside any of `tickers`; `sources` are names of which
    one reported the story; `kinds` are flash events and signal types; `agents` those whose final impact decided the
    score; `since` is when the card's item became public or, where that is not known, was first seen.
    """

    text: str = ""
    urgencies: frozenset[Urgency] = frozenset()
    tickers: frozenset[str] = frozenset()
    unread_only: bool = False
    starred_only: bool = False
    fyi_last: bool = True
    watchlist: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    kinds: frozenset[FlashEvent | SignalType] = frozenset()
    agents: frozenset[AgentName] = frozenset()
    since: Since | None = None

    @property
    def looks_inside(self) -> bool:
        """Whether cards must be looked into one by one, since no index answers."""
        return bool(self.sources or self.kinds or self.agents)


@dataclass(frozen=True, slots=True)
class CardCounts:
    """How many cards there are in all, how many of them unread, and both by urgency (None: unscored)."""

    total: int
    unread: int
    by_urgency: Mapping[Urgency | None, int]
    unread_by_urgency: Mapping[Urgency | None, int]

    def of(self, urgency: Urgency | None) -> int:
        """Cards of this urgency; None asks for the unscored."""
        return self.by_urgency.get(urgency, 0)


@dataclass(frozen=True, slots=True)
class AlertRow:
    """One row of the outbox. `key` is the same on every repeat, so that a receiver can drop it."""

    key: str
    card_key: int
    story_id: str
    item_id: str
    urgency: Urgency
    reason: str
    created_at: datetime
    delivered_at: datetime | None = None
    attempts: int = 0
    acknowledged_at: datetime | None = None
