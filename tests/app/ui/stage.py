"""A monitor on a headless terminal, with cards in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC
from functools import cached_property
from typing import Any

from textual.pilot import Pilot

from app.clock import SteppedClock
from app.events import Bus
from app.pipeline.status import Status
from app.records import Records
from app.ui.app import MonitorApp
from app.ui.widgets.detail import Detail
from app.ui.widgets.feed import Feed
from storage.models import CardDetail, SourceRow
from tests.app.ui.cards_in_memory import MemoryCards, MemoryControl, Tape
from tests.app.ui.samples import NOW, day, sources

WIDE = (130, 36)
NARROW = (80, 24)


class HeardApp(MonitorApp):
    """Remembers what it said, on the bottom line and in toasts."""

    @cached_property
    def heard(self) -> list[str]:
        return []

    def notify(self, message: str, **options: Any) -> None:
        self.heard.append(message)
        super().notify(message, **options)

    def toast(self, message: str, *, title: str) -> None:
        if self.is_roomy:
            self.heard.append(message)
        super().toast(message, title=title)


class RungApp(HeardApp):
    """Counts its bells, and tells when nothing waits to be taken in."""

    bells = 0

    @cached_property
    def taken(self) -> asyncio.Event:
        return asyncio.Event()

    def _take_in(self) -> None:
        super()._take_in()
        self.taken.set()

    def bell(self) -> None:
        self.bells += 1


@dataclass
class Stage:
    app: RungApp
    pilot: Pilot[None]
    cards: MemoryCards
    control: MemoryControl
    tape: Tape
    clock: SteppedClock

    @property
    def feed(self) -> Feed:
        return self.app.monitor.feed

    @property
    def detail(self) -> Detail:
        return self.app.monitor.detail

    def place(self) -> object:
        """Which page of the card is shown."""
        return self.detail.place

    def tab(self) -> str:
        return self.detail.tab

    def top(self) -> str:
        """The name of the screen that has the keyboard."""
        return type(self.app.screen).__name__

    async def press(self, *keys: str) -> None:
        for key in keys:
            self.app.simulate_key(key)
            await self.done()

    async def done(self) -> None:
        """Waits until everything that was set off has been handled; no timers are waited for."""
        for _ in range(2):
            handled = asyncio.Event()
            self.app.call_later(handled.set)
            await handled.wait()
            await self.pilot._wait_for_screen()
            await self.app.workers.wait_for_complete()
        painted = asyncio.Event()
        self.app.screen.call_after_refresh(painted.set)
        await painted.wait()

    async def settle(self) -> None:
        """Waits until a batch of arrivals has been taken in."""
        self.app.taken.clear()
        await self.app.taken.wait()
        await self.done()

    def screen(self) -> list[str]:
        """The lines of the screen as they are painted."""
        width, height = self.app.size
        lines = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip)[:width] for strip in lines][:height]

    def text(self) -> str:
        return "\n".join(self.screen())

    @property
    def toasts(self) -> list[str]:
        return self.app.heard


@asynccontextmanager
async def stage(
    details: Sequence[CardDetail] | None = None,
    *,
    size: tuple[int, int] = WIDE,
    status: Status | None = None,
    source_rows: Sequence[SourceRow] | None = None,
    records: Records | None = None,
    app_class: type[RungApp] = RungApp,
) -> AsyncIterator[Stage]:
    """The monitor over `details`, the small day by default."""
    cards = MemoryCards(day() if details is None else details, sources() if source_rows is None else source_rows)
    bus = Bus()
    control = MemoryControl(cards, NOW, status)
    clock = SteppedClock(NOW)
    app = app_class(cards, bus, control, clock, UTC, records=records)
    async with app.run_test(size=size, notifications=True) as pilot:
        on = Stage(app, pilot, cards, control, Tape(cards, bus), clock)
        await on.done()
        yield on
