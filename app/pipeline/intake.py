"""Where items come from. The poller asks feeds; a replay reads a recording. Both hand ids on, never content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from app.events import Bus, CardChanged, ItemAccepted
from storage.models import Ingested

Accepted: TypeAlias = Callable[[str, bool], None]
"""Takes the id of an item that was committed just now, and whether its feed held it already when first read."""


class Intake(Protocol):
    """A source of items for the pipeline."""

    @property
    def feeds_ok(self) -> int:
        """How many sources answered at their last check."""
        ...

    @property
    def feeds_total(self) -> int: ...

    async def run(self, accepted: Accepted) -> None:
        """Commits items and hands their ids to `accepted` until cancelled or, for a recording, until its end."""
        ...

    def check_now(self, source_id: str | None = None) -> None:
        """Makes one source due at once, or all of them; a check asked for is conditional too."""
        ...


def hand_on(ingested: Ingested, accepted: Accepted, bus: Bus) -> None:
    """Hands what one poll committed to scoring, and tells the screen which cards differ."""
    for item_id in ingested.new:
        accepted(item_id, ingested.backlog)
        bus.publish(ItemAccepted(item_id))
    for item_id in ingested.changed:
        accepted(item_id, False)
        bus.publish(ItemAccepted(item_id))
    for key in ingested.cards:
        bus.publish(CardChanged(key))
