"""Settings, cost and latency, scorecard: opened by key, read from the database, and clear about having nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.clock import SteppedClock
from app.config.config import load
from app.config.in_force import InForce, in_force
from app.records import Records
from storage.database import Database
from storage.items import Items
from storage.signals import Signals
from storage.sources import Sources
from tests.app.ui.samples import NOW
from tests.app.ui.stage import NARROW, WIDE, Stage, stage
from tests.storage.samples import NOW as THEN
from tests.storage.samples import WIRE, entry, signal


@asynccontextmanager
async def kept(tmp_path: Path, size: tuple[int, int] = WIDE, text: str = 'engine = "rules"\n') -> AsyncIterator[Stage]:
    file = tmp_path / "config.toml"
    if text:
        file.write_text(text, encoding="utf-8")

    def settings() -> InForce:
        return in_force(load(file), file, flags={}, places={"database": tmp_path / "t.db"})

    async with Database.open(tmp_path / "t.db", now=THEN) as database:
        await Sources(database).sync([WIRE], THEN)
        taken = await Items(database).ingest(WIRE, [entry("Velkor halts its mill")], now=THEN)
        await Signals(database).save(signal(taken.new[0]), alert=None)
        records = Records(database, SteppedClock(NOW), watchlist={}, settings=settings)
        async with stage(size=size, records=records) as on:
            yield on


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize(
    ("key", "name", "told"),
    [
        ("comma", "SettingsScreen", ("config.toml", "line 1", "default")),
        ("c", "CostsScreen", ("over the newest 1 scored item", "seen → card", "SignalScope", "rss_search")),
        ("p", "ScorecardScreen", ("0 symbols followed", "no price is known yet")),
    ],
)
async def test_a_screen_opens_and_closes_with_its_key(
    tmp_path: Path, key: str, name: str, told: tuple[str, ...], size: tuple[int, int]
) -> None:
    async with kept(tmp_path, size) as on:
        await on.press(key)
        await on.done()
        assert on.top() == name
        for part in told:
            assert part in on.text()
        await on.press(key)
        assert on.top() == "MonitorScreen"


async def test_without_a_file_the_settings_say_how_to_write_one(tmp_path: Path) -> None:
    async with kept(tmp_path, text="") as on:
        await on.press("comma")
        assert "tapewatch config init" in on.text()


async def test_without_records_the_keys_are_not_there() -> None:
    async with stage() as on:
        for key in ("c", "p", "comma", "v"):
            await on.press(key)
            assert on.top() == "MonitorScreen"


async def test_what_cannot_be_read_is_said_and_the_screen_stays(tmp_path: Path) -> None:
    async with kept(tmp_path) as on:

        async def broken() -> None:
            raise OSError("the disk has gone")

        on.app.records.times = broken  # type: ignore[union-attr, method-assign]
        await on.press("c")
        await on.done()
        assert on.top() == "CostsScreen"
        assert "the disk has gone" in on.screen()[-1]
