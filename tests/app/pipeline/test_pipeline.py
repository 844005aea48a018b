from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from sqlite3 import Connection

import pytest

from agents.analysts.protocol import Brief
from agents.models import AGENT_NAMES, AgentName, Assessment, Report, Urgency
from app.events import AlertRaised, StorageTrouble
from app.pipeline.desk_process import DeskProcess, Setup
from storage.models import CardFilter
from tests.app.pipeline.world import LOUD, QUIET, Feeds, World, entry, source, world
from tests.fakes.analysts import FailingAnalyst, GoodAnalyst, SlowAnalyst
from tests.fakes.clock import ManualClock

SEEN = source("wire")


def raised(w: World) -> list[str]:
    return [event.alert_key for event in w.events if isinstance(event, AlertRaised)]


async def primed(w: World) -> None:
    """Lets the source give its first, empty document, so that what follows is news."""
    await w.until(lambda: w.checked(1))
    w.events.clear()


async def test_news_becomes_a_card_and_a_flash_raises_one_alert(tmp_path: Path, now: datetime) -> None:
    feeds = Feeds()
    async with world(tmp_path / "db", ManualClock(now), feeds) as w:
        await primed(w)
        feeds.answers["wire"] = [entry("a", "US adds 14 chipmakers to export list", w.clock.now())]
        await w.clock.advance(70)
        await w.until(lambda: len(raised(w)) == 1 and w.queue.idle)
        (key,) = w.cards.order(CardFilter())
        card = w.cards.card(key)
        assert card is not None
        assert card.urgency is Urgency.FLASH
        assert [row.key for row in w.cards.alerts_unacknowledged()] == raised(w)
        async with asyncio.timeout(3):
            while await w.outbox.pending("terminal"):  # noqa: ASYNC110 -- it is told first and written down then
                await asyncio.sleep(0.002)
        status = w.pipeline.status()
        assert (status.queue, status.engine, status.trouble) == (0, "rules", "")
        assert status.lag_p50_s is not None
        assert 0 < status.lag_p50_s < 2
        await w.pipeline.acknowledge(raised(w))
        assert w.cards.alerts_unacknowledged() == []


async def test_what_a_feed_held_already_is_scored_and_never_alerted(tmp_path: Path, now: datetime) -> None:
    feeds = Feeds({"wire": [entry("a", "US adds 14 chipmakers to export list", now), entry("b", "Undated", None)]})
    async with world(tmp_path / "db", ManualClock(now), feeds) as w:
        await w.until(lambda: len(w.saved) == 2 and w.queue.idle)
        assert raised(w) == []
        assert w.cards.alerts_unacknowledged() == []


async def test_a_second_start_repeats_neither_a_score_nor_an_alert(tmp_path: Path, now: datetime) -> None:
    feeds = Feeds()
    clock = ManualClock(now)
    async with world(tmp_path / "db", clock, feeds) as w:
        await primed(w)
        feeds.answers["wire"] = [entry("a", "US adds 14 chipmakers to export list", clock.now())]
        await w.clock.advance(70)
        await w.until(lambda: len(raised(w)) == 1 and w.queue.idle)
    clock.jump(timedelta(minutes=5))
    async with world(tmp_path / "db", clock, feeds) as again:
        await again.until(lambda: again.checked(1) and again.queue.idle)
        assert again.saved == []
        assert raised(again) == []


async def test_an_item_that_was_left_pending_is_scored_at_the_next_start(tmp_path: Path, now: datetime) -> None:
    feeds = Feeds()
    clock = ManualClock(now)
    slow = SlowAnalyst()
    async with world(tmp_path / "db", clock, feeds, analyst=slow) as w:
        await primed(w)
        feeds.answers["wire"] = [entry("a", "US adds 14 chipmakers to export list", clock.now())]
        await w.clock.advance(70)
        await slow.all_waiting.wait()
    assert w.saved == []
    async with world(tmp_path / "db", clock, feeds) as again:
        await again.until(lambda: len(again.saved) == 1 and again.queue.idle and len(raised(again)) == 1)


async def test_an_alert_that_was_not_told_is_told_at_the_next_start_with_the_same_key_unless_it_is_old(
    tmp_path: Path, now: datetime
) -> None:
    feeds = Feeds()
    clock = ManualClock(now)
    async with world(tmp_path / "db", clock, feeds) as w:
        await primed(w)
        feeds.answers["wire"] = [entry("a", "US adds 14 chipmakers to export list", clock.now())]
        await w.clock.advance(70)
        await w.until(lambda: len(raised(w)) == 1 and w.queue.idle)
        told = raised(w)
        await _untell(w)
    async with world(tmp_path / "db", clock, feeds) as again:
        await again.until(lambda: raised(again) == told)
        await again.until(lambda: again.queue.idle)
        await _untell(again)
    clock.jump(timedelta(minutes=31))
    async with world(tmp_path / "db", clock, feeds) as late:
        await late.until(lambda: late.checked(1))
        assert raised(late) == []
        assert await late.outbox.pending("terminal") == []


async def _untell(w: World) -> None:
    """Puts the outbox back to where a kill between saving and telling leaves it."""
    await asyncio.sleep(0.02)
    await w.database.write(_run("UPDATE delivery SET delivered_at = NULL, state = 'waiting'"))


async def test_an_unscored_item_is_tried_again_later_and_shown_as_unscored_until_then(
    tmp_path: Path, now: datetime
) -> None:
    feeds = Feeds({"wire": [entry("a", "First", now)]})
    failing = FailingAnalyst(says=QUIET, causes=dict.fromkeys(AGENT_NAMES, "unavailable"))
    async with world(tmp_path / "db", ManualClock(now), feeds, analyst=failing) as w:
        await w.until(lambda: bool(w.cards.order(CardFilter())) and w.queue.idle)
        (key,) = w.cards.order(CardFilter())
        card = w.cards.card(key)
        assert card is not None
        assert card.impact_score is None
        assert w.saved == []
        failing.causes = {}
        await w.later(lambda: len(w.saved) == 1)
        assert w.saved[0][1].urgency is Urgency.NOTE


async def test_an_item_nobody_can_score_is_given_up_after_so_many_attempts(tmp_path: Path, now: datetime) -> None:
    feeds = Feeds({"wire": [entry("a", "First", now)]})
    failing = FailingAnalyst(causes=dict.fromkeys(AGENT_NAMES, "unavailable"))
    async with world(tmp_path / "db", ManualClock(now), feeds, analyst=failing) as w:
        await w.until(lambda: bool(w.cards.order(CardFilter())))
        await w.later(lambda: bool(w.saved), step_s=600)
        assert [signal.synthesis for _, signal in w.saved] == [None]


async def test_a_full_disk_pauses_and_recovers_without_losing_anything(tmp_path: Path, now: datetime) -> None:
    feeds = Feeds()
    async with world(tmp_path / "db", ManualClock(now), feeds, analyst=GoodAnalyst(QUIET)) as w:
        await primed(w)
        await w.database.write(_fill)
        names = [f"Company {number} opens plant number {number * 7}" for number in range(300)]
        feeds.answers["wire"] = [entry(name, name, w.clock.now()) for name in names]
        await w.clock.advance(70)
        await w.until(lambda: any(isinstance(event, StorageTrouble) and event.message for event in w.events))
        assert "no space left" in w.pipeline.status().trouble
        await w.database.write(_run("PRAGMA max_page_count = 1000000"))
        await w.later(lambda: len(w.saved) == 300, step_s=5)
        assert w.pipeline.status().trouble == ""
        assert [e.message for e in w.events if isinstance(e, StorageTrouble)][-1] == ""


def _fill(connection: Connection) -> None:
    """Leaves the database room for two more pages."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 2}")


def _run(statement: str) -> Callable[[Connection], None]:
    def job(connection: Connection) -> None:
        connection.execute(statement)

    return job


async def test_stopping_takes_less_than_a_second_whatever_the_analyst_does(tmp_path: Path, now: datetime) -> None:
    feeds = Feeds({"wire": [entry("a", "First", now)]})
    slow = SlowAnalyst()
    async with world(tmp_path / "db", ManualClock(now), feeds, analyst=slow) as w:
        await slow.all_waiting.wait()
        began = asyncio.get_running_loop().time()
        await w.pipeline.stop()
        assert asyncio.get_running_loop().time() - began < 0.9


async def test_marks_reach_the_cards(tmp_path: Path, now: datetime) -> None:
    feeds = Feeds({"wire": [entry("a", "First", now)]})
    async with world(tmp_path / "db", ManualClock(now), feeds) as w:
        await w.until(lambda: len(w.saved) == 1)
        (key,) = w.cards.order(CardFilter())
        await w.pipeline.mark_read([key])
        await w.pipeline.star(key, True)
        card = w.cards.card(key)
        assert card is not None
        assert (card.read, card.starred) == (True, True)


@pytest.mark.parametrize("count", [1, 200])
async def test_everything_accepted_reaches_one_end(tmp_path: Path, now: datetime, count: int) -> None:
    names = [f"Company {number} opens plant number {number * 7}" for number in range(count)]
    feeds = Feeds({"wire": [entry(name, name, now) for name in names]})
    async with world(tmp_path / "db", ManualClock(now), feeds, analyst=GoodAnalyst(QUIET)) as w:
        await w.until(lambda: len(w.saved) == count)
        assert sorted(item.title for item, _ in w.saved) == sorted(names)


class Leisurely(GoodAnalyst):
    """Takes its time, so that a second process has something to do."""

    async def draft(self, agent: AgentName, brief: Brief) -> Assessment:
        await asyncio.sleep(0.02)
        return await super().draft(agent, brief)


@pytest.mark.parametrize("module", ["app.wiring.desk_worker", "app.no_such_module"])
async def test_a_flood_is_shared_with_a_second_process_and_nothing_is_scored_twice(
    tmp_path: Path, now: datetime, module: str
) -> None:
    feeds = Feeds({"wire": [entry(str(n), f"Company {n} opens plant {n * 7}", now) for n in range(400)]})
    beside = DeskProcess(Setup(tmp_path / "db", {}, ()), module)
    analyst = Leisurely(LOUD)
    async with world(tmp_path / "db", ManualClock(now), feeds, analyst=analyst, beside=beside) as w:
        await w.until(lambda: len(w.saved) == 400 and w.queue.idle, within_s=30)
        reports = [signal.outcomes[0] for _, signal in w.saved]
    there = sum(isinstance(one, Report) and one.final.rationale != LOUD.rationale for one in reports)
    assert len({item.id for item, _ in w.saved}) == 400
    assert (there > 0) == (module == "app.wiring.desk_worker")
    assert beside.pid is None
