"""Every key of the monitor, and the way down to one evidence and back."""

from __future__ import annotations

from datetime import timedelta
from typing import get_args

import pytest

from app.ui.keys import MONITOR_KEYS, bindings
from app.ui.pages.page import AgentPlace, EvidencePlace, NumberName, NumberPlace
from tests.app.ui.samples import NOW, many
from tests.app.ui.stage import NARROW, WIDE, Stage, stage


async def _open_row(on: Stage, place: object) -> None:
    """Moves the cursor to the row that leads to `place`, and opens it."""
    for _ in range(80):
        row = on.detail.rows.current
        if row is not None and row.opens == place:
            break
        await on.press("j")
    await on.press("enter")
    assert on.place() == place


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_from_the_signal_to_one_evidence_and_back_level_by_level(size: tuple[int, int]) -> None:
    async with stage(size=size) as on:
        await on.press("enter")
        assert on.detail.rows.has_focus
        assert "impact" in on.text()
        await on.press("tab")
        assert on.place() == "agents"
        await _open_row(on, AgentPlace("SignalScope"))
        assert "critique of the draft" in on.text() or size == NARROW
        await _open_row(on, EvidencePlace("SignalScope", "geo_events#1"))
        assert "asked by SignalScope" in on.text()
        await on.press("escape")
        assert on.place() == AgentPlace("SignalScope")
        row = on.detail.rows.current
        assert row is not None
        assert row.opens == EvidencePlace("SignalScope", "geo_events#1")
        await on.press("escape")
        assert on.place() == "agents"
        await on.press("escape")
        assert on.feed.has_focus
        assert not on.app.monitor.has_class("-reading")


async def test_every_number_of_the_overview_opens() -> None:
    async with stage() as on:
        await on.press("enter")
        for name in get_args(NumberName):
            await _open_row(on, NumberPlace(name))
            await on.press("escape")


async def test_a_wide_screen_shows_the_card_under_the_cursor() -> None:
    async with stage() as on:
        await on.pilot.pause(0.2)
        assert on.detail.detail is not None
        assert on.detail.detail.card.key == 1
        await on.press("j")
        await on.pilot.pause(0.2)
        assert on.detail.detail.card.key == 2


async def test_a_narrow_screen_shows_one_thing_at_a_time() -> None:
    async with stage(size=NARROW) as on:
        assert not on.detail.display
        await on.press("enter")
        assert on.detail.display
        assert not on.app.monitor.query_one("#list").display
        await on.press("escape")
        assert not on.detail.display


async def test_tabs_turn_both_ways() -> None:
    async with stage() as on:
        await on.press("tab")
        assert on.tab() == "agents"
        await on.press("right_square_bracket")
        assert on.tab() == "evidence"
        await on.press("left_square_bracket", "shift+tab")
        assert on.tab() == "overview"
        await on.press("shift+tab")
        assert on.tab() == "tickers"


async def test_a_click_turns_to_a_tab() -> None:
    async with stage() as on:
        await on.pilot.click("#tabs", offset=(16, 0))
        await on.done()
        assert on.tab() == "agents"


async def test_a_card_scored_anew_keeps_the_page_that_is_open() -> None:
    async with stage() as on:
        await on.press("enter", "tab")
        await _open_row(on, AgentPlace("MacroMind"))
        on.tape.arrive(on.cards.details[1])
        await on.settle()
        assert on.place() == AgentPlace("MacroMind")


async def test_urgency_keys_choose_and_add_and_take_off() -> None:
    async with stage() as on:
        shown = on.feed.model.order
        await on.press("1")
        assert {on.cards.details[key].card.urgency for key in shown.keys} == {"FLASH"}
        await on.press("3")
        assert {on.cards.details[key].card.urgency for key in shown.keys} == {"FLASH", "NOTE"}
        await on.press("1")
        assert {on.cards.details[key].card.urgency for key in shown.keys} == {"NOTE"}
        assert "FLASH off" in on.text()
        await on.press("3")
        assert len(shown) == len(on.cards.details)
        await on.press("2", "4")
        assert {on.cards.details[key].card.urgency for key in shown.keys} == {"ALERT", "FYI"}


async def test_search_as_one_types_enter_keeps_escape_clears() -> None:
    async with stage() as on:
        await on.press("slash", *"maersk")
        await on.pilot.pause(0.2)
        assert on.feed.model.order.keys == [2]
        await on.press("enter")
        assert on.feed.has_focus
        assert "“maersk”  1 card" in on.text()
        await on.press("escape")
        assert len(on.feed.model.order) == len(on.cards.details)


async def test_letters_of_a_search_are_no_commands() -> None:
    async with stage() as on:
        await on.press("slash", *"faqs?1")
        assert on.top() == "MonitorScreen"
        assert on.app.is_running
        await on.press("escape")
        assert on.feed.has_focus


async def test_a_search_without_a_hit_says_so() -> None:
    async with stage() as on:
        await on.press("slash", *"zzz", "enter")
        assert "no card says “zzz”" in on.text()


async def test_star_unread_and_starred() -> None:
    async with stage() as on:
        await on.press("j", "s")
        assert on.cards.details[2].card.starred
        await on.press("S")
        assert set(on.feed.model.order.keys) == {2, 3}
        await on.press("S", "s")
        assert not on.cards.details[2].card.starred
        await on.press("u")
        assert not any(on.cards.details[key].card.read for key in on.feed.model.order.keys)
        await on.press("escape")
        assert len(on.feed.model.order) == len(on.cards.details)


async def test_opening_a_card_marks_it_read() -> None:
    async with stage() as on:
        await on.press("enter")
        assert on.cards.details[1].card.read
        assert "• US adds" not in on.text()


async def test_a_flash_stays_in_the_banner_until_it_is_acknowledged() -> None:
    async with stage() as on:
        on.tape.alert(on.cards.details[1], NOW)
        await on.settle()
        assert "FLASH 18:00  US adds 14 chipmakers" in on.screen()[1]
        await on.press("j", "j", "f", "escape")
        assert "FLASH 18:00" in on.screen()[1]
        await on.press("a")
        assert on.cards.alerts_unacknowledged() == []
        assert "FLASH 18:00" not in on.screen()[1]


async def test_the_banner_counts_cards_not_alerts() -> None:
    async with stage() as on:
        for hours in range(2):  # the story, and a new fact in it
            on.tape.alert(on.cards.details[1], NOW + timedelta(hours=hours))
        await on.settle()
        assert "more" not in on.screen()[1]


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_banner_moves_no_card_of_somebody_who_reads(size: tuple[int, int]) -> None:
    async with stage(size=size) as on:
        await on.press("j", "j")
        before = [number for number, line in enumerate(on.screen()) if line.startswith("█")]
        on.tape.alert(on.cards.details[1], NOW)
        await on.settle()
        assert "FLASH 18:00  US adds" in on.screen()[1]
        assert [number for number, line in enumerate(on.screen()) if line.startswith("█")] == before
        await on.press("a")
        assert [number for number, line in enumerate(on.screen()) if line.startswith("█")] == before


async def test_the_link_opens_from_a_narrow_list_too() -> None:
    async with stage(size=NARROW) as on:
        assert on.app.monitor.check_action("open_link", ())


async def test_the_flash_opens_from_the_banner() -> None:
    async with stage() as on:
        on.tape.alert(on.cards.details[1], NOW)
        await on.settle()
        await on.press("j", "j", "tab", "exclamation_mark")
        assert on.detail.detail is not None
        assert on.detail.detail.card.key == 1
        assert on.feed.cursor == 1
        assert on.detail.place == "overview"


async def test_somebody_who_reads_is_not_disturbed_by_what_arrives() -> None:
    async with stage() as on:
        await on.pilot.pause(0.2)
        await on.pilot.click("#page", offset=(5, 0))
        await on.done()
        on.tape.arrive(*many(3, NOW + timedelta(hours=3), first_key=100_000))
        await on.settle()
        await on.pilot.pause(0.2)
        assert on.detail.detail is not None
        assert on.detail.detail.card.key == 1
        assert "+2 new" in on.text()


async def test_a_link_that_is_none_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    async with stage() as on:
        await on.press("o")
        assert on.toasts == ["no browser opener here; the address is https://news.example/story"]


async def test_a_refused_change_is_said_and_the_screen_goes_on() -> None:
    async with stage() as on:

        async def full(key: int, on: bool) -> None:
            raise OSError("the disk is full")

        on.control.star = full  # type: ignore[method-assign]
        await on.press("s")
        assert "the disk is full" in on.toasts
        assert on.app.is_running


async def test_escape_undoes_filter_then_selection_and_then_nothing() -> None:
    async with stage() as on:
        await on.press("j", "3")
        await on.press("escape")
        assert len(on.feed.model.order) == len(on.cards.details)
        on.feed.held = True
        await on.press("escape")
        assert not on.feed.held
        await on.press("escape")
        assert on.app.is_running


async def test_the_footer_shows_only_keys_that_work_here() -> None:
    async with stage() as on:
        keys = on.screen()[-1]
        assert "acknowledge" not in keys
        assert "? help" in keys
        on.tape.alert(on.cards.details[1], NOW)
        await on.settle()
        assert "a acknowledge" in on.screen()[-1]


async def test_no_key_is_dead() -> None:
    async with stage() as on:
        for binding in bindings(MONITOR_KEYS):
            name = binding.action.partition("(")[0]
            assert hasattr(on.app.monitor, f"action_{name}"), binding.id
