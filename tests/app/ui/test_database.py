"""The screen over a real database: what is saved is shown, what is done is kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from pathlib import Path

from agents.models import Urgency
from app.clock import SteppedClock
from app.events import Bus, CardChanged
from app.pipeline.status import Status
from app.ui.app import MonitorApp
from storage.cards import CardReader
from storage.database import Database
from storage.items import Items
from storage.marks import Marks
from storage.models import CardFilter
from storage.signals import Signals
from storage.sources import Sources
from tests.app.ui.stage import NARROW
from tests.storage.samples import NOW, WIRE, entry, signal


class StoredControl:
    """Acts on the database, without a pipeline."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks

    def status(self) -> Status:
        return Status(feeds_ok=1, feeds_total=1)

    async def mark_read(self, keys: Sequence[int]) -> None:
        await self._marks.read(keys)

    async def star(self, key: int, on: bool) -> None:
        await self._marks.star(key, on)

    async def acknowledge(self, keys: object) -> None:
        raise NotImplementedError

    async def check_now(self, source_id: str | None = None) -> None:
        raise NotImplementedError


async def test_a_saved_signal_is_shown_found_starred_and_read(tmp_path: Path) -> None:
    async with Database.open(tmp_path / "t.db", now=NOW) as database:
        await Sources(database).sync([WIRE], NOW)
        items, signals = Items(database), Signals(database)
        bus = Bus()
        with CardReader(database.path) as cards:
            app = MonitorApp(cards, bus, StoredControl(Marks(database)), SteppedClock(NOW), UTC)
            async with app.run_test(size=NARROW, notifications=True) as pilot:
                taken = await items.ingest(WIRE, [entry("Brückenwerk raises its outlook")], now=NOW)
                saved = await signals.save(signal(taken.new[0], Urgency.ALERT, impact=0.71), alert=None)
                bus.publish(CardChanged(saved.card_key))
                await pilot.pause(0.25)
                assert app.monitor.feed.cursor == saved.card_key
                await pilot.press("s", "enter")
                await pilot.pause(0.1)
                await pilot.press("escape", "slash", *"outlook", "enter")
                await pilot.pause()
                assert app.monitor.feed.model.order.keys == [saved.card_key]
            [card] = cards.cards(cards.order(CardFilter()))
            assert (card.starred, card.read) == (True, True)
