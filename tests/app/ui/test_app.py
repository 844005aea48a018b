from __future__ import annotations

import json
import random
from datetime import UTC, timedelta
from pathlib import Path

import pytest
from textual.color import Color

from app.clock import SteppedClock
from app.events import Bus, StorageTrouble
from app.pipeline.status import Status
from app.ui.app import MonitorApp
from app.ui.keys import SECTIONS, bindings
from app.ui.theme import CONTRAST, LIGHT
from tests.app.ui.cards_in_memory import MemoryCards, MemoryControl
from tests.app.ui.play import saying
from tests.app.ui.samples import DAY, NOW, card_detail, day, many
from tests.app.ui.stage import NARROW, WIDE, stage


async def test_a_terminal_that_is_too_small_says_so_and_recovers() -> None:
    async with stage() as on:
        for size in ((0, 0), (1, 1), (3, 40), (49, 24), (80, 9), (300, 1)):
            await on.pilot.resize_terminal(*size)
            await on.done()
            assert on.top() == "TooSmall", size
            await on.pilot.resize_terminal(*NARROW)
            await on.done()
            assert on.top() == "MonitorScreen", size
        assert "FLASH" in on.text()


async def test_the_size_that_is_needed_is_named() -> None:
    async with stage(size=(40, 8)) as on:
        assert "50×10 at least, this is 40×8" in on.text()
        assert "q quit" in on.text()


async def test_the_smallest_size_that_fits_shows_cards() -> None:
    async with stage(size=(50, 10)) as on:
        assert on.top() == "MonitorScreen"
        assert "0.91" in on.text()


async def test_what_lies_above_the_monitor_survives_a_size_too_small() -> None:
    async with stage() as on:
        await on.press("question_mark")
        await on.pilot.resize_terminal(20, 5)
        await on.done()
        await on.pilot.resize_terminal(*WIDE)
        await on.done()
        assert on.top() == "HelpScreen"


async def test_between_narrow_and_wide_the_selected_card_stays_in_view() -> None:
    async with stage(many(50)) as on:
        await on.press(*"jjjjjjjjj")
        key = on.feed.cursor
        for size in (NARROW, (120, 12)):
            await on.pilot.resize_terminal(*size)
            await on.done()
            assert on.feed.cursor == key


async def test_a_flash_rings_once_for_a_burst_and_the_banner_counts() -> None:
    async with stage() as on:
        for key in (50, 51, 52):
            on.tape.alert(card_detail(DAY[0], key), NOW)
        await on.settle()
        assert on.app.bells == 1
        assert "+2 more" in on.screen()[1]
        assert on.toasts == []


async def test_an_alert_is_a_toast_and_rings_no_bell() -> None:
    async with stage() as on:
        on.tape.alert(on.cards.details[2], NOW)
        await on.settle()
        assert on.app.bells == 0
        assert on.toasts == ["Maersk lifts full-year guidance as Red Sea detours lengthen\nMAERSK-B ▲  ZIM ▲"]


async def test_on_a_small_screen_an_alert_stands_on_the_bottom_line_and_covers_no_card() -> None:
    async with stage(size=NARROW) as on:
        before = on.screen()[:-1]
        on.tape.alert(on.cards.details[2], NOW)
        await on.settle()
        assert "ALERT  Maersk lifts full-year guidance" in on.screen()[-1]
        assert "? help" in on.screen()[-1]
        assert on.screen()[1:-1] == before[1:]
        assert not on.app.screen.query("Toast")


async def test_at_most_two_toasts_lie_over_what_is_read() -> None:
    async with stage() as on:
        for key in (2, 3, 8):
            on.tape.alert(on.cards.details[key], NOW)
            await on.settle()
        assert len(on.app.screen.query("Toast")) <= 2


async def test_the_day_turns_and_the_banner_and_the_cards_say_so() -> None:
    async with stage() as on:
        on.tape.alert(on.cards.details[1], NOW)
        await on.settle()
        assert "FLASH 18:00" in on.screen()[1]
        assert any(" 18:0" in line[:20] for line in on.screen()[3:])
        on.clock.step(NOW + timedelta(hours=6))
        on.app.monitor.tick()
        await on.done()
        assert "FLASH 10 Mar" in on.screen()[1]
        assert not any(" 18:0" in line[:20] for line in on.screen()[2:])


async def test_trouble_stands_in_the_status_bar_in_words() -> None:
    async with stage(status=Status(feeds_ok=33, feeds_total=34, trouble="disk full: scoring pauses")) as on:
        on.app._bus.publish(StorageTrouble("disk full: scoring pauses"))
        await on.settle()
        assert "! disk full: scoring pauses" in on.screen()[0]


@pytest.mark.parametrize("keys", ["", "enter", "f", "question_mark"])
async def test_the_palette_does_all_that_keys_do(keys: str) -> None:
    async with stage() as on:
        if keys:
            await on.press(keys)
        offered = {command.title for command in on.app.get_system_commands(on.app.screen)}
        working = [one.binding for one in on.app.screen.active_bindings.values() if one.enabled and one.binding.id]
        assert {binding.tooltip for binding in working} - offered == {"Every command by its name"}
        known = {binding.id for _, section in SECTIONS for binding in bindings(section)}
        assert {binding.id for binding in working} <= known, "a key that the help does not know"


async def test_the_palette_offers_what_works_here() -> None:
    async with stage() as on:
        offered = {command.title for command in on.app.get_system_commands(on.app.screen)}
        for told in ("Search by words, company or ticker", "Only what is unread", "Leave", "Colours: high contrast"):
            assert told in offered
        assert "Acknowledge every FLASH in the banner" not in offered


async def test_every_theme_paints_every_screen() -> None:
    async with stage() as on:
        for theme in (LIGHT, CONTRAST, "nord"):
            on.app.theme = theme
            await on.press("f")
            assert "Market wire" in on.text()
            await on.press("escape")
            assert "0.91" in on.text()


async def test_outside_text_is_shown_as_it_is_and_never_as_markup(shared: Path) -> None:
    lines = (shared / "hostile" / "markup.jsonl").read_text().splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    details = [saying(text, card_detail(DAY[0], key)) for key, text in enumerate(texts, start=1)]
    async with stage(details) as on:
        on.tape.alert(details[0], NOW)
        await on.settle()
        for key, text in enumerate(texts, start=1):
            on.feed.select(key)
            await on.done()
            start = " ".join(text.split())[:30]
            if start.isascii():
                assert start in on.text()


async def test_the_pipeline_starts_after_the_first_paint() -> None:
    painted: list[str] = []
    cards = MemoryCards(day())
    app = MonitorApp(cards, Bus(), MemoryControl(cards, NOW), SteppedClock(NOW), UTC, on_ready=lambda: ready())

    async def ready() -> None:
        strips = app.screen._compositor.render_strips()
        painted.append("".join(segment.text for strip in strips for segment in strip))

    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        assert len(painted) == 1
        assert "US adds 14 chipmakers" in painted[0]


async def test_a_pipeline_that_cannot_start_ends_the_screen_with_its_error() -> None:
    cards = MemoryCards(day())

    async def ready() -> None:
        raise OSError("the database is in use by process 1234")

    app = MonitorApp(cards, Bus(), MemoryControl(cards, NOW), SteppedClock(NOW), UTC, on_ready=ready)
    with pytest.raises(OSError, match="in use by process 1234"):
        await app.run_async(headless=True, size=WIDE)


async def test_without_colours_the_loudest_is_the_brightest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with stage() as on:
        variables = on.app.theme_variables
        shades = [Color.parse(variables[name]).brightness for name in ("flash", "alert", "note", "fyi")]
        assert shades == sorted(shades, reverse=True)


@pytest.mark.parametrize("seed", range(3))
async def test_after_a_storm_of_sizes_the_selected_card_stands_where_it_stood(seed: int) -> None:
    dice = random.Random(seed)
    async with stage(many(60), size=(100, 30)) as on:
        await on.press(*"j" * dice.randrange(3, 12))
        selected = [number for number, line in enumerate(on.screen()) if line.startswith("█")]
        for _ in range(10):
            width, height = dice.choice((0, 3, 50, 80, 119, 120, 300)), dice.choice((0, 2, 9, 10, 13, 29, 30, 60))
            await on.pilot.resize_terminal(width, height)
        await on.pilot.resize_terminal(100, 30)
        await on.done()
        assert [number for number, line in enumerate(on.screen()) if line.startswith("█")] == selected
