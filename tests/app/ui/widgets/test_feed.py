"""The list on a terminal: what moves, what holds still, what is painted."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from textual.events import MouseScrollDown

from app.ui.order import CARD_LINES
from storage.models import CardDetail
from tests.app.ui.samples import DAY, NOW, card_detail, day, many
from tests.app.ui.stage import NARROW, WIDE, Stage, stage


def _place(on: Stage) -> int:
    """The line of the screen the selected card stands on."""
    feed = on.feed
    assert feed.cursor is not None
    index = feed.model.order.index(feed.cursor)
    assert index is not None
    return feed.model.order.line(index) - feed.scroll_offset.y


def _list(on: Stage) -> list[str]:
    """The list as it is painted, without its scrollbar."""
    return [line[: on.feed.cells] for line in on.screen()[3:-1]]


def _newer(number: int) -> list[CardDetail]:
    return many(number, NOW + timedelta(hours=3), first_key=100_000)


async def test_the_newest_card_is_on_top_and_under_the_cursor() -> None:
    async with stage() as on:
        assert on.feed.cursor == 1
        assert "US adds 14 chipmakers" in on.text()


async def test_a_live_list_shows_what_arrives() -> None:
    async with stage() as on:
        on.tape.arrive(*_newer(5))
        await on.settle()
        assert on.feed.cursor == on.feed.model.order.keys[0] != 1
        assert on.feed.waiting == 0
        assert "live" in on.text()


async def test_500_arrivals_move_neither_the_selected_card_nor_the_view() -> None:
    async with stage([*day(), *many(60)], size=WIDE) as on:
        await on.press("j", "j", "j", "j", "j", "j", "j", "j", "j", "j", "j", "j")
        key, place, seen = on.feed.cursor, _place(on), _list(on)
        arriving = _newer(500)
        for start in range(0, 500, 125):
            on.tape.arrive(*arriving[start : start + 125])
            await on.settle()
        assert (on.feed.cursor, _place(on)) == (key, place)
        assert _list(on) == seen
        loud = sum(detail.card.urgency != "FYI" for detail in arriving)
        assert on.feed.waiting == loud
        assert f"+{loud} new" in on.text()


async def test_the_selected_card_holds_its_place_in_a_list_shorter_than_the_screen() -> None:
    async with stage(day()[:3]) as on:
        await on.press("j")
        key, place = on.feed.cursor, _place(on)
        on.tape.arrive(*_newer(2))
        await on.settle()
        assert (on.feed.cursor, _place(on)) == (key, place)


async def test_g_goes_to_the_newest_and_makes_the_list_live() -> None:
    async with stage() as on:
        await on.press("j")
        on.tape.arrive(*_newer(3))
        await on.settle()
        assert on.feed.waiting
        await on.press("g")
        assert on.feed.cursor == on.feed.model.order.keys[0]
        assert (on.feed.scroll_offset.y, on.feed.waiting, on.feed.held) == (0, 0, False)


async def test_what_waits_above_is_counted_down_as_one_scrolls_to_it() -> None:
    async with stage() as on:
        await on.press("j")
        on.tape.arrive(*_newer(4))
        await on.settle()
        waiting = on.feed.waiting
        assert waiting == 3
        await on.press("k", "k")
        assert on.feed.waiting == 2


async def test_a_held_card_that_changes_is_repainted_in_place() -> None:
    async with stage() as on:
        await on.press("j")
        place = _place(on)
        changed = card_detail(replace(DAY[1], title="Maersk takes its guidance back"), 2)
        on.tape.arrive(changed)
        await on.settle()
        assert "Maersk takes its guidance back" in on.text()
        assert _place(on) == place


async def test_the_keys_move_the_cursor() -> None:
    async with stage(many(100), size=NARROW) as on:
        keys = on.feed.model.order.keys
        page = on.feed.view_height // CARD_LINES
        for key, index in (
            ("j", 1),
            ("down", 2),
            ("k", 1),
            ("up", 0),
            ("up", 0),
            ("pagedown", page),
            ("space", 2 * page),
            ("pageup", page),
            ("b", 0),
            ("G", 99),
            ("down", 99),
            ("end", 99),
            ("home", 0),
        ):
            await on.press(key)
            assert on.feed.cursor == keys[index], key
            assert 0 <= _place(on) <= on.feed.view_height - CARD_LINES + 1, key


async def test_the_quiet_section_stands_under_its_rule() -> None:
    async with stage(size=NARROW) as on:
        await on.press("G")
        assert "── FYI · 6 cards ──" in on.text() or on.feed.scroll_offset.y
        await on.press("t")
        assert "── FYI" not in on.text()
        assert "by time" in on.text()


async def test_the_selected_card_stays_selected_through_a_filter() -> None:
    async with stage() as on:
        await on.press("j")
        assert on.feed.cursor == 2
        await on.press("2")
        assert on.feed.cursor == 2
        await on.press("2")
        assert on.feed.cursor == 2
        await on.press("1")
        assert on.feed.cursor == 1


async def test_the_mouse_selects_and_opens() -> None:
    async with stage() as on:
        y = on.feed.model.order.line(2)
        await on.pilot.click(on.feed, offset=(10, y + 1))
        await on.done()
        assert on.feed.cursor == on.feed.model.order.keys[2]
        await on.pilot.click(on.feed, offset=(10, y + 1), times=2)
        await on.done()
        assert on.detail.rows.has_focus


async def test_the_wheel_scrolls_and_holds_the_list() -> None:
    async with stage(many(100)) as on:
        on.feed.post_message(MouseScrollDown(on.feed, 5, 5, 0, 1, 0, False, False, False))
        await on.done()
        assert on.feed.scroll_offset.y > 0
        assert on.feed.held


async def test_an_empty_list_says_what_it_waits_for() -> None:
    async with stage([], status=None) as on:
        assert "waiting for the first feeds … 33 of 34 answered" in on.text()
        assert "[[watchlist]]" in on.text()
