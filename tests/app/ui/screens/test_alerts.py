"""Alerts by keyboard: mute, snooze, note, star, read, undo, and the log with its dead letters."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot

from agents.models import Urgency
from app.alerts.book import AlertBook
from app.clock import SteppedClock
from app.events import Bus
from app.ui.screens.alerts import mute_choices
from storage.alert_log import AlertReader
from storage.alerts import AlertDraft, Step
from storage.cards import CardReader
from storage.database import Database
from storage.items import Items
from storage.marks import Marks
from storage.outbox import Outbox
from storage.signals import Signals
from storage.sources import Sources
from tests.app.ui.stage import HeardApp
from tests.app.ui.test_database import StoredControl
from tests.storage.samples import NOW, WIRE, entry, signal

SIZE = (130, 36)


@dataclass
class Bench:
    """The monitor over a database with an alert in it."""

    app: HeardApp
    pilot: Pilot[None]
    book: AlertBook
    outbox: Outbox
    cards: CardReader
    key: str

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.app.workers.wait_for_complete()
            await self.pilot.pause(0.02)

    def text(self) -> str:
        lines = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in line) for line in lines)

    @property
    def top(self) -> str:
        return type(self.app.screen).__name__

    @property
    def toasts(self) -> list[str]:
        return self.app.heard


@asynccontextmanager
async def bench(path: Path) -> AsyncIterator[Bench]:
    async with Database.open(path / "t.db", now=NOW) as database:
        await Sources(database).sync([WIRE], NOW)
        items, signals, outbox, clock = Items(database), Signals(database), Outbox(database), SteppedClock(NOW)
        taken = await items.ingest(WIRE, [entry("Nordia Steel halts its mill"), entry("Velkor names a head")], now=NOW)
        trace = (Step("score", "passed", "ALERT by score: impact 0.71"),)
        draft = AlertDraft("ALERT: fraud", NOW, channels=("terminal", "phone"), trace=trace)
        saved = await signals.save(signal(taken.new[0], Urgency.ALERT, impact=0.71), alert=draft)
        await signals.save(signal(taken.new[1], Urgency.NOTE), alert=None)
        key = saved.alert_key or ""
        await outbox.delivered([key], now=NOW)
        await outbox.give_up([key], "answered 403: bot was blocked", channel="phone")
        with CardReader(database.path) as cards, AlertReader(database.path) as reader:
            book = AlertBook(database, reader, clock)
            app = HeardApp(cards, Bus(), StoredControl(Marks(database)), clock, UTC, book=book)
            async with app.run_test(size=SIZE, notifications=True) as pilot:
                await pilot.pause()
                app.monitor.feed.select(saved.card_key)
                yield Bench(app, pilot, book, outbox, cards, key)


async def test_a_ticker_is_muted_for_a_chosen_time_marked_in_the_feed_and_unmuted_by_undo(tmp_path: Path) -> None:
    async with bench(tmp_path) as on:
        assert "muted" not in on.text()
        await on.press("m", "right", "enter")
        (mute,) = on.book.mutes()
        assert (mute.kind, mute.until - mute.made_at) == ("ticker", timedelta(days=1))
        assert "muted" in on.text()
        assert f"ticker {mute.value} is silent for 24 h, U takes it back" in on.toasts
        await on.press("U")
        assert on.book.mutes() == []
        assert "muted · " not in on.text()


async def test_escape_mutes_nothing(tmp_path: Path) -> None:
    async with bench(tmp_path) as on:
        await on.press("m", "escape")
        assert on.top == "MonitorScreen"
        assert on.book.mutes() == []


async def test_snooze_is_shown_and_ends_with_the_same_key(tmp_path: Path) -> None:
    async with bench(tmp_path) as on:
        await on.press("z")
        assert [one.kind for one in on.book.mutes()] == ["all"]
        on.app.monitor.tick()
        await on.pilot.pause()
        assert "snoozed" in on.text()
        await on.press("z")
        assert on.book.mutes() == []
        await on.press("U")
        assert [one.kind for one in on.book.mutes()] == ["all"]


async def test_what_is_muted_on_a_command_line_is_marked_within_a_second(tmp_path: Path) -> None:
    async with bench(tmp_path) as on:
        await on.book._mutes.add("source", WIRE.name, WIRE.name, until=NOW + timedelta(hours=1), now=NOW, by="cli")
        on.app.monitor.tick()
        await on.pilot.pause(0.05)
        assert on.text().count("muted") >= 2


async def test_a_note_is_written_shown_and_undone(tmp_path: Path) -> None:
    async with bench(tmp_path) as on:
        await on.press("n", *"sold", "enter")
        card = on.app.monitor.feed.cursor
        assert card is not None
        assert on.book.note(card) == "sold"
        await asyncio.sleep(0.15)
        await on.press("enter")
        assert "sold" in on.text()
        await on.press("escape", "U")
        assert on.book.note(card) == ""


async def test_star_and_read_are_undone_one_by_one(tmp_path: Path) -> None:
    async with bench(tmp_path) as on:
        key = on.app.monitor.feed.cursor
        assert key is not None

        def state() -> tuple[bool, bool]:
            card = on.cards.card(key)
            assert card is not None
            return card.starred, card.read

        await on.press("s", "r")
        assert state() == (True, True)
        await on.press("U")
        assert state() == (True, False)
        await on.press("U")
        assert state() == (False, False)
        await on.press("U")
        assert "nothing to undo" in on.toasts


async def test_all_that_is_listed_is_marked_as_read_and_only_that_is_undone(tmp_path: Path) -> None:
    async with bench(tmp_path) as on:
        await on.press("r", "R")
        assert on.cards.counts().unread == 0
        assert "1 marked as read, U takes it back" in on.toasts
        await on.press("U")
        assert on.cards.counts().unread == 1


async def test_the_log_shows_the_way_through_the_channels_and_why_and_lets_dead_letters_wait_again(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as on:
        await on.press("m", "enter", "A")
        assert on.top == "AlertsScreen"
        assert "1 dead letter" in on.text()
        assert "phone: DEAD LETTER, answered 403: bot was blocked" in on.text()
        assert "Silent now" in on.text()
        await on.press("j", "enter")
        assert "first alert of this story" in on.text()
        await on.press("r")
        assert [row.key for row in await on.outbox.pending("phone")] == [on.key]
        await on.press("d")
        assert "no dead letters" in on.text()
        await on.press("k", "x")
        assert on.book.mutes() == []
        await on.press("escape")
        assert on.top == "MonitorScreen"


async def test_without_a_book_the_keys_are_not_there(tmp_path: Path) -> None:
    async with Database.open(tmp_path / "t.db", now=NOW) as database:
        with CardReader(database.path) as cards:
            app = HeardApp(cards, Bus(), StoredControl(Marks(database)), SteppedClock(NOW), UTC)
            async with app.run_test(size=SIZE) as pilot:
                await pilot.press("m", "A", "z", "U")
                assert type(app.screen).__name__ == "MonitorScreen"


def test_without_a_card_only_everything_can_be_muted() -> None:
    assert mute_choices(None) == [("all", "", "")]


@pytest.mark.parametrize("size", [(80, 24), (130, 36)])
async def test_the_dialogs_fit_any_terminal_the_monitor_fits(tmp_path: Path, size: tuple[int, int]) -> None:
    async with bench(tmp_path) as on:
        await on.pilot.resize_terminal(*size)
        await on.press("m")
        assert "Mute for" in on.text()
        assert "everything (snooze)" in on.text()
        await on.press("escape", "n")
        assert "Note" in on.text()
        await on.press("escape")
        assert on.top == "MonitorScreen"
