"""What storage keeps of alerts: the wish to raise one, its way through the channels, and what a person silenced."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from agents.models import FlashEvent, SignalType, Urgency
from feeds.models import Published, Tier
from storage.models import CardTicker

TERMINAL = "terminal"
"""The channel of the screen itself."""

Verdict = Literal["passed", "changed", "held", "stopped"]
Outcome = Literal["alert", "feed only", "too old", "muted", "told before"]
"""What became of a signal: it alerted, or the gate that stopped it."""


class Step(NamedTuple):
    """One gate on the way to an alert, what it said and why, in words."""

    gate: str
    verdict: Verdict
    detail: str


@dataclass(frozen=True, slots=True)
class AlertDraft:
    """A wish to tell a person of a signal, the reason in words. Storage decides whether the story may alert again.

    `urgency` None is the signal's own. Any other `outcome` than "alert" is only kept with its `trace`. Alerts of one
    `kind` closer together than `cooldown` are held until it is over.
    """

    reason: str
    created_at: datetime
    channels: tuple[str, ...] = (TERMINAL,)
    urgency: Urgency | None = None
    outcome: Outcome = "alert"
    trace: tuple[Step, ...] = ()
    kind: str = ""
    cooldown: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class AlertContent:
    """All that a message says of an alert. The score is that of the item which raised it, as it stands now."""

    key: str
    urgency: Urgency
    reason: str
    created_at: datetime
    card_key: int
    item_id: str
    title: str
    source_name: str
    tier: Tier
    outlets: int
    url: str
    published: Published
    first_seen_at: datetime
    impact_score: float | None = None
    confidence_score: float | None = None
    signal_type: SignalType | None = None
    event_type: FlashEvent | None = None
    tickers: tuple[CardTicker, ...] = ()


@dataclass(frozen=True, slots=True)
class AlertDue:
    """An alert that waits on a channel. `unanswered` attempts may have arrived, so a repeat is the same `message`."""

    content: AlertContent
    attempts: int = 0
    unanswered: int = 0
    message: str = ""
    held: str = ""

    @property
    def key(self) -> str:
        """The key of the alert."""
        return self.content.key


DeliveryState = Literal["waiting", "sent", "dead", "skipped"]


@dataclass(frozen=True, slots=True)
class Delivery:
    """How an alert stands on one channel. `error` is why it is not there yet, or never will be."""

    channel: str
    state: DeliveryState
    attempts: int
    unanswered: int
    held: str
    error: str
    delivered_at: datetime | None
    message: str = ""


@dataclass(frozen=True, slots=True)
class LoggedAlert:
    """A row of the log of alerts, with its way through every channel."""

    key: str
    card_key: int
    item_id: str
    urgency: Urgency
    title: str
    reason: str
    created_at: datetime
    acknowledged_at: datetime | None
    acknowledged_by: str
    deliveries: tuple[Delivery, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """Why a revision of an item alerted or did not. `alert` is the key of what it raised."""

    item_id: str
    revision: int
    title: str
    decided_at: datetime
    outcome: Outcome
    alert: str | None
    trace: tuple[Step, ...]


MuteKind = Literal["ticker", "source", "story", "event", "all"]


@dataclass(frozen=True, slots=True)
class Mute:
    """Something a person does not want to hear of before `until`; kind "all" is a snooze. `shown` is for reading."""

    id: int
    kind: MuteKind
    value: str
    shown: str
    made_at: datetime
    until: datetime
    made_by: str = ""
