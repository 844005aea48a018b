"""Old stories go once a day, as far as the configuration says, and the screen hears of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agents.models import Urgency
from app.events import Bus, CardChanged, Event
from app.pipeline.housekeeping import Housekeeper
from app.pipeline.trouble import Troubles
from app.pipeline.write_pause import WritePause
from storage.cards import CardReader
from storage.database import Database
from storage.items import Items
from storage.models import CardFilter
from storage.retention import Keeping, Retention
from storage.signals import Signals
from tests.fakes.clock import ManualClock
from tests.storage.samples import WIRE, entry, signal

TITLES = ("Velkor files for bankruptcy", "Nordia Steel opens a mill", "Lumen Grid names a chairman")
YEAR = timedelta(days=365)


@pytest.mark.parametrize(("keeping", "left"), [(Keeping(YEAR, None), 2), (Keeping(None, YEAR), 3)])
async def test_what_is_too_old_goes_and_the_screen_hears_of_it(
    tmp_path: Path, now: datetime, keeping: Keeping, left: int
) -> None:
    clock, bus, heard = ManualClock(now), Bus(), list[Event]()
    bus.subscribe(heard.append)
    async with Database.open(tmp_path / "db", now=now) as database:
        items, signals = Items(database), Signals(database)
        for days, title in zip((400, 100, 1), TITLES, strict=True):
            at = now - timedelta(days=days)
            (item_id,) = (await items.ingest(WIRE, [entry(title, at=at)], now=at)).new
            await signals.save(signal(item_id, Urgency.NOTE), alert=None)
        pause = WritePause(clock, bus, Troubles())
        assert await Housekeeper(Retention(database), keeping, pause, clock, bus).tidy(now) == 3 - left
        with CardReader(database.path) as cards:
            assert len(cards.order(CardFilter())) == left
    assert heard == [CardChanged(1)] * (3 - left)
