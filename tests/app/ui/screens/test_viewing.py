"""The watchlist, a filter made part by part, and views that are saved and recalled by a digit."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from app.clock import SteppedClock
from app.config.config import Config
from app.config.in_force import InForce, in_force
from app.records import Records
from app.ui.screens.viewing import NO_WATCHLIST
from storage.database import Database
from storage.models import CardFilter
from tests.app.ui.samples import NOW, day
from tests.app.ui.stage import NARROW, WIDE, Stage, stage

HELD = {"NVDA": True, "ZIM": False}


@asynccontextmanager
async def watched(
    tmp_path: Path, watchlist: Mapping[str, bool] = HELD, size: tuple[int, int] = WIDE
) -> AsyncIterator[Stage]:
    def settings() -> InForce:
        return in_force(Config(), tmp_path / "config.toml", flags={})

    async with Database.open(tmp_path / "t.db", now=NOW) as database:
        records = Records(database, SteppedClock(NOW), watchlist=watchlist, settings=settings)
        async with stage(day(), size=size, records=records) as on:
            yield on


def titles(on: Stage) -> set[int]:
    return set(on.feed.model.order.keys)


async def test_the_watchlist_is_a_filter_and_its_tickers_carry_a_sign(tmp_path: Path) -> None:
    async with watched(tmp_path) as on:
        assert "◆NVDA" in on.text()
        assert "◇ZIM" in on.text()
        await on.press("w")
        assert titles(on) == {1, 2}
        assert "watchlist  2 cards" in on.text()
        await on.press("w")
        assert titles(on) == set(on.cards.details)


async def test_without_a_watchlist_the_key_says_how_one_is_made(tmp_path: Path) -> None:
    async with watched(tmp_path, {}) as on:
        assert on.toasts == [NO_WATCHLIST]
        await on.press("w")
        assert titles(on) == set(on.cards.details)
        assert NO_WATCHLIST in on.screen()[-1]


async def test_a_filter_is_made_part_by_part_and_the_list_follows(tmp_path: Path) -> None:
    async with watched(tmp_path) as on:
        await on.press("F")
        assert on.top() == "ChoosingScreen"
        await on.press("j", "j", "j", "enter", "enter")
        assert titles(on) == {1}
        assert on.app.monitor.filter.kinds == {"export_ban"}
        await on.press("escape", "escape")
        assert on.top() == "MonitorScreen"
        assert "export ban  1 card" in on.text()
        await on.press("F", "x", "escape")
        assert on.app.monitor.filter == CardFilter()


async def test_a_span_of_time_is_chosen_and_let_go(tmp_path: Path) -> None:
    async with watched(tmp_path) as on:
        await on.press("F", "j", "enter", "enter")
        since = on.app.monitor.filter.since
        assert since is not None
        assert NOW - since.at == since.span
        assert all(on.cards.details[key].card.at >= since.at for key in titles(on))
        await on.press("enter")
        assert on.app.monitor.filter.since is None


async def test_two_enters_at_once_do_no_harm(tmp_path: Path) -> None:
    async with watched(tmp_path) as on:
        await on.press("F")
        rows = on.app.screen.query_one("#choices")
        row = rows.current  # type: ignore[attr-defined]
        for _ in range(2):
            rows.post_message(type(rows).Opened(rows, row))  # type: ignore[attr-defined]
        await on.done()
        assert on.top() == "ChoosingScreen"


async def test_a_view_is_saved_recalled_by_its_digit_and_taken_away(tmp_path: Path) -> None:
    async with watched(tmp_path) as on:
        await on.press("v")
        assert "none is saved yet" in on.text()
        await on.press("escape", "w", "v", "n", *"mine", "enter")
        assert on.toasts[-1] == "saved; v 1 shows it again"
        assert "1  mine" in on.text()
        await on.press("escape", "w")
        assert titles(on) == set(on.cards.details)
        await on.press("v", "1")
        assert on.top() == "MonitorScreen"
        assert titles(on) == {1, 2}
        await on.press("w")
        [recall] = [one for one in on.app.get_system_commands(on.app.screen) if one.title == "View: mine"]
        recall.callback()
        await on.done()
        assert titles(on) == {1, 2}
        await on.press("v", "x")
        assert "none is saved yet" in on.text()
        await on.press("escape", "escape")
        assert titles(on) == set(on.cards.details)


async def test_the_filter_stands_in_one_line_on_a_small_screen_too(tmp_path: Path) -> None:
    async with watched(tmp_path, size=NARROW) as on:
        await on.press("w", "1", "u")
        line = next(line for line in on.screen() if "watchlist" in line)
        assert "FLASH · watchlist · unread  1 card" in line


async def test_an_empty_list_says_what_restricts_it(tmp_path: Path) -> None:
    async with watched(tmp_path) as on:
        await on.press("w", "S")
        assert titles(on) == set()
        assert "no card passes" in on.text()
        assert "esc shows everything" in on.text()
