"""A monitor as its users see it: what can be read and what can be asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from app.clock import Clock
from app.events import Bus
from app.pipeline.status import Status
from storage.cards import CardReader

if TYPE_CHECKING:
    from app.alerts.book import AlertBook
    from app.investigation.asking import Investigator
    from app.pipeline.pipeline import Pipeline
    from app.records import Records


class Monitor:
    """A monitor ready to run: what the screen reads, and the pipeline behind it once it is started."""

    def __init__(
        self,
        *,
        cards: CardReader,
        bus: Bus,
        clock: Clock,
        timezone: tzinfo,
        feeds_total: int,
        run: Callable[[], Awaitable[Pipeline]],
        book: AlertBook | None = None,
        investigator: Investigator | None = None,
        records: Records | None = None,
    ) -> None:
        self.cards = cards
        self.bus = bus
        self.clock = clock
        self.timezone = timezone
        self._idle = Status(feeds_total=feeds_total)
        self._run = run
        self.investigator = investigator
        self.book = book
        self.records = records
        self._pipeline: Pipeline | None = None
        self._started = asyncio.Event()

    async def start(self) -> None:
        """Builds the pipeline and starts it; called after the first paint, since that takes a moment."""
        self._pipeline = await self._run()
        self._started.set()

    async def _running(self) -> Pipeline:
        """The pipeline; what is asked for before it has started waits for it."""
        await self._started.wait()
        assert self._pipeline is not None
        return self._pipeline

    @property
    def finished(self) -> bool:
        """Whether a recording has come to its end and is scored."""
        return self._pipeline is not None and self._pipeline.finished

    def status(self) -> Status:
        """The figures of this moment."""
        return self._pipeline.status() if self._pipeline else self._idle

    async def acknowledge(self, keys: Sequence[str]) -> None:
        """Acknowledges alerts by their keys."""
        await (await self._running()).acknowledge(keys)

    async def mark_read(self, keys: Sequence[int]) -> None:
        """Marks cards as read."""
        await (await self._running()).mark_read(keys)

    async def star(self, key: int, on: bool) -> None:
        """Stars a card or takes the star off."""
        await (await self._running()).star(key, on)

    async def check_now(self, source_id: str | None = None) -> None:
        """Makes one source due at once, or all of them."""
        await (await self._running()).check_now(source_id)
