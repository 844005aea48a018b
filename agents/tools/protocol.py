"""The interface of an evidence tool, and what tools need from outer layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from agents.analysts.protocol import Bill
from agents.models import Evidence, FlashEvent, ToolName
from feeds.models import Item, Published, Tier


@dataclass(frozen=True, slots=True)
class Question:
    """What a tool is asked: the item, the symbols it links to, the flash event it may report, and the time.

    `bill` is where a tool that costs money says how much.
    """

    item: Item
    symbols: tuple[str, ...]
    event_type: FlashEvent | None
    now: datetime
    bill: Bill | None = field(default=None, compare=False)


class Tool(Protocol):
    """One mandatory tool. It never raises into an agent and never outlives its own deadline.

    What it cannot answer it says in the evidence's status: `not_configured`, `unavailable` or `empty`.
    """

    @property
    def name(self) -> ToolName: ...

    async def ask(self, question: Question) -> Evidence: ...


@dataclass(frozen=True, slots=True)
class EarlierItem:
    """An item of our own database that touches the same story, company or event. `why` says which ("same story")."""

    item_id: str
    title: str
    url: str
    source_id: str
    source_name: str
    tier: Tier
    published: Published
    first_seen_at: datetime
    why: str


@dataclass(frozen=True, slots=True)
class SourceHealth:
    """Whether a subscribed source answers. `last_ok_at` is None where it never did."""

    source_id: str
    last_ok_at: datetime | None
    interval_s: int


class Archive(Protocol):
    """Earlier items, newest first, strictly before `before`; implemented by storage."""

    async def earlier(
        self,
        item: Item,
        *,
        symbols: Sequence[str],
        event_type: FlashEvent | None,
        before: datetime,
        source_ids: Sequence[str] = (),
        limit: int = 8,
    ) -> Sequence[EarlierItem]:
        """Items of the same story, the same symbols or the same event; only from `source_ids` where given."""
        ...

    async def health(self, source_ids: Sequence[str]) -> Sequence[SourceHealth]:
        """The health of the subscribed ones among `source_ids`; unsubscribed ones are missing from the answer."""
        ...
