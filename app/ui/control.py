"""What the screen asks of the program beneath it. It reads through `Cards` and acts through `Control`, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.pipeline.status import Status
from storage.models import AlertRow, Card, CardCounts, CardDetail, CardFilter, SourceRow


class Control(Protocol):
    """What a person may set in motion. Every method returns once the change is committed."""

    def status(self) -> Status:
        """The figures of this moment; cheap enough to be asked every second."""
        ...

    async def acknowledge(self, keys: Sequence[str]) -> None:
        """Acknowledges alerts by their outbox keys."""
        ...

    async def mark_read(self, keys: Sequence[int]) -> None:
        """Marks cards as read."""
        ...

    async def star(self, key: int, on: bool) -> None:
        """Stars a card or takes the star off."""
        ...

    async def check_now(self, source_id: str | None = None) -> None:
        """Makes one source due at once, or all of them."""
        ...


class Cards(Protocol):
    """The read side of the database: point reads fast enough for the event loop."""

    def order(self, filter: CardFilter, limit: int | None = None) -> list[int]:
        """Keys in screen order, newest first, quiet ones last where the filter says so."""
        ...

    def matching(self, filter: CardFilter, keys: Sequence[int]) -> set[int]:
        """Those of `keys` that the filter wants."""
        ...

    def cards(self, keys: Sequence[int]) -> list[Card]:
        """The cards that exist among `keys`."""
        ...

    def detail(self, key: int) -> CardDetail | None:
        """A card opened."""
        ...

    def counts(self) -> CardCounts:
        """Cards by urgency."""
        ...

    def alerts_unacknowledged(self) -> list[AlertRow]:
        """The FLASH alerts nobody has acknowledged, newest first."""
        ...

    def alert(self, key: str) -> AlertRow | None:
        """One alert by its outbox key."""
        ...

    def sources(self) -> list[SourceRow]:
        """Every source with its state."""
        ...
