"""What storage keeps besides the inner layers' own types, and the read models of the screen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from agents.models import Direction, FlashEvent, LinkType, Outcome, Signal, SignalType, Urgency
from feeds.models import Change, Item, PollState, Published, Source, Tier


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

    `restructured` is True where a source renamed its whole archive and nothing in it was taken as new.
    """

    new: tuple[str, ...]
    changed: tuple[str, ...]
    known: int
    restructured: bool = False


@dataclass(frozen=True, slots=True)
class CardTicker:
    """One ticker on a card."""

    symbol: str
    impact_score: float
    link_type: LinkType
    direction: Direction


@dataclass(frozen=True, slots=True)
class Card:
    """The read model of one story: its strongest signal, and what the story has gathered.

    `key` is the card's stable row number. `at` is the time it is sorted and labelled by: published where that can be
    trusted, else first seen (`published.doubt` says which). `outlets` counts independent ones, copies once.
    `impact_score`, `urgency` and what follows are None while unscored.
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


@dataclass(frozen=True, slots=True)
class CardDetail:
    """A card opened: the item, its signal with all five outcomes, the story's members and earlier scores."""

    card: Card
    item: Item
    signal: Signal | None
    members: tuple[StoryMember, ...]
    history: tuple[PastScore, ...]

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The five outcomes in table order; empty while unscored."""
        return self.signal.outcomes if self.signal else ()


@dataclass(frozen=True, slots=True)
class CardFilter:
    """Which cards to show. Empty fields do not restrict; `text` is a full-text query typed by a person."""

    text: str = ""
    urgencies: frozenset[Urgency] = frozenset()
    tickers: frozenset[str] = frozenset()
    unread_only: bool = False
    starred_only: bool = False
    fyi_last: bool = True


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
