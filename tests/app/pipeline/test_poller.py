from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from app.events import ItemAccepted, SourceChecked
from feeds.errors import HttpStatus, ParseError, Unreachable
from feeds.models import Validators
from tests.app.pipeline.world import Feeds, entry, source, world
from tests.fakes.clock import ManualClock


async def test_what_a_feed_holds_becomes_items_and_is_asked_for_conditionally_afterwards(
    tmp_path: Path, now: datetime
) -> None:
    feeds = Feeds({"wire": [entry("a", "First", now)]})
    async with world(tmp_path / "db", ManualClock(now), feeds) as w:
        await w.until(lambda: len(w.saved) == 1)
        feeds.answers["wire"] = [entry("a", "First", now), entry("b", "Second story entirely", now)]
        await w.clock.advance(70)
        await w.until(lambda: len(w.saved) == 2)
    assert [validators for _, validators in feeds.asked] == [Validators(), Validators('"1"')]
    assert [item.title for item, _ in w.saved] == ["First", "Second story entirely"]


async def test_an_unchanged_feed_costs_neither_a_parse_nor_an_item(tmp_path: Path, now: datetime) -> None:
    feeds = Feeds({"wire": [entry("a", "First", now)]})
    async with world(tmp_path / "db", ManualClock(now), feeds) as w:
        await w.until(lambda: len(w.saved) == 1 and w.checked(1))
        w.events.clear()
        feeds.answers["wire"] = None
        await w.clock.advance(70)
        await w.until(lambda: w.checked(1))
        assert feeds.parsed == 1
        assert w.events == [SourceChecked("wire")]
        assert w.pipeline.status().feeds_ok == 1


async def test_a_feed_is_not_asked_again_before_its_time_not_even_after_a_restart(
    tmp_path: Path, now: datetime
) -> None:
    feeds = Feeds()
    for pause_s in (0.0, 30.0):
        clock = ManualClock(now + timedelta(seconds=pause_s))
        async with world(tmp_path / "db", clock, feeds) as w:
            await w.until(lambda: len(feeds.asked) == 1)
            await w.clock.advance(20)
            await asyncio.sleep(0.05)
    assert len(feeds.asked) == 1


async def test_a_check_that_a_person_asks_for_comes_at_once_and_is_conditional(tmp_path: Path, now: datetime) -> None:
    feeds = Feeds()
    async with world(tmp_path / "db", ManualClock(now), feeds, (source("a"), source("b"))) as w:
        await w.until(lambda: w.checked(2))
        await w.pipeline.check_now("b")
        await w.until(lambda: w.checked(3))
        await w.pipeline.check_now()
        await w.until(lambda: w.checked(5))
        await w.pipeline.check_now("nobody")
    assert feeds.asked[2][0] == "b"
    assert all(validators == Validators('"1"') for _, validators in feeds.asked[2:])


@pytest.mark.parametrize("error", [HttpStatus("down (500)", 500), ParseError("no feed"), Unreachable("no answer")])
async def test_a_failing_feed_is_said_and_comes_back_by_itself(
    tmp_path: Path, now: datetime, error: HttpStatus | ParseError | Unreachable
) -> None:
    feeds = Feeds({"wire": error})
    async with world(tmp_path / "db", ManualClock(now), feeds, (source("wire"), source("other"))) as w:
        await w.until(lambda: w.checked(2))
        assert (w.pipeline.status().feeds_ok, w.pipeline.status().feeds_total) == (1, 2)
        state = next(row.state for row in w.cards.sources() if row.source.id == "wire")
        assert (state.status, state.last_error) == ("failing", str(error))
        feeds.answers["wire"] = [entry("a", "First", now)]
        await w.later(lambda: len(w.saved) == 1, step_s=100)
        await w.until(lambda: w.pipeline.status().feeds_ok == 2)


async def test_a_bug_in_one_check_stops_no_other_feed(tmp_path: Path, now: datetime) -> None:
    feeds = Feeds()
    feeds.answers["broken"] = object()  # type: ignore[assignment]
    async with world(tmp_path / "db", ManualClock(now), feeds, (source("broken"), source("wire"))) as w:
        await w.until(lambda: w.checked(2))
        assert w.pipeline.status().feeds_ok == 1
        assert w.pipeline.status().trouble == ""


async def test_after_a_suspend_every_feed_is_asked_within_a_tick(tmp_path: Path, now: datetime) -> None:
    feeds = Feeds()
    async with world(tmp_path / "db", ManualClock(now), feeds) as w:
        await w.until(lambda: w.checked(1))
        w.clock.jump(timedelta(hours=8))
        await w.clock.advance(16)
        await w.until(lambda: len(feeds.asked) == 2)


async def test_a_clock_set_back_does_not_put_a_check_off(tmp_path: Path, now: datetime) -> None:
    feeds = Feeds()
    async with world(tmp_path / "db", ManualClock(now), feeds) as w:
        await w.until(lambda: w.checked(1))
        w.clock.jump(timedelta(hours=-3))
        await w.clock.advance(16)
        await w.until(lambda: len(feeds.asked) == 2)


async def test_a_dead_network_is_one_trouble_and_is_tried_again_within_seconds(tmp_path: Path, now: datetime) -> None:
    sources = tuple(source(f"s{number}") for number in range(6))
    feeds = Feeds({one.id: Unreachable("no answer") for one in sources})
    async with world(tmp_path / "db", ManualClock(now), feeds, sources) as w:
        await w.until(lambda: w.checked(6))
        assert w.pipeline.status().trouble.count("no network") == 1
        for one in sources:
            feeds.answers[one.id] = []
        await w.later(lambda: w.pipeline.status().trouble == "", step_s=5)
        assert w.clock.now() - now < timedelta(minutes=2)


async def test_ids_go_on_only_after_the_commit(tmp_path: Path, now: datetime) -> None:
    feeds = Feeds({"wire": [entry("a", "First", now)]})
    async with world(tmp_path / "db", ManualClock(now), feeds) as w:
        await w.until(lambda: len(w.saved) == 1)
        accepted = [event.item_id for event in w.events if isinstance(event, ItemAccepted)]
    assert accepted == [w.saved[0][0].id]


async def test_a_poller_that_is_cancelled_at_any_moment_ends(tmp_path: Path, now: datetime) -> None:
    async with world(tmp_path / "db", ManualClock(now), Feeds(), start=False) as w:
        poller = w.pipeline._intake
        for moments in range(80):
            task = asyncio.create_task(poller.run(lambda *_: None))
            await asyncio.sleep(0.004)
            poller.check_now()
            for _ in range(moments % 8):
                await asyncio.sleep(0)
            task.cancel()
            done, _ = await asyncio.wait((task,), timeout=1)
            assert done == {task}


class Poison(str):
    """A title that breaks whatever looks at it."""

    def casefold(self) -> str:
        raise ZeroDivisionError("poison")


async def test_an_entry_that_breaks_the_program_costs_no_other_and_is_named_once(
    tmp_path: Path, now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    broken = replace(entry("p", "", now), title=Poison("Velkor sues Amberline"))
    feeds = Feeds({"wire": [entry("a", "Nordia Steel halts a mill", now), broken, entry("b", "Tessaly opens", now)]})
    async with world(tmp_path / "db", ManualClock(now), feeds) as w:
        await w.until(lambda: len(w.saved) == 2 and w.checked(1))
        await w.clock.advance(70)
        await w.until(lambda: w.checked(2))
        (row,) = w.cards.sources()
    assert {item.title for item, _ in w.saved} == {"Nordia Steel halts a mill", "Tessaly opens"}
    assert row.state.status == "ok"
    assert row.state.last_error == (
        "1 entry left out, a fault of this program: 'Velkor sues Amberline' (ZeroDivisionError: poison)"
    )
    assert len([line for line in caplog.messages if "Velkor sues Amberline" in line]) == 1
