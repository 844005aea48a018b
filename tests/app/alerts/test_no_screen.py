"""A monitor without a screen tells nobody at a terminal, says so, and leaves the alert to a screen that opens later."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from app.alerts.channels.screen import Screen
from app.alerts.no_screen import NO_SCREEN, TOO_OLD, NoScreen
from app.events import AlertRaised, Bus, Event
from storage.alerts import TERMINAL, Delivery
from storage.cards import CardReader
from tests.app.alerts.outboxes import Post, post
from tests.fakes.clock import LeapingClock

MAX_AGE = timedelta(minutes=30)


def terminal(box: Post) -> list[Delivery]:
    return [one for row in box.log() for one in row.deliveries if one.channel == TERMINAL]


async def test_without_a_screen_an_alert_waits_and_says_why(tmp_path: Path, now: datetime) -> None:
    async with post(tmp_path, LeapingClock(now)) as box:
        await box.put(2, channels=(TERMINAL,))
        absent = NoScreen(box.desk, max_age=MAX_AGE)
        await absent.turn()
        await absent.turn()
        assert [(one.state, one.error, one.attempts) for one in terminal(box)] == [("waiting", NO_SCREEN, 0)] * 2


async def test_a_screen_that_opens_in_time_tells_it_once(tmp_path: Path, now: datetime) -> None:
    async with post(tmp_path, LeapingClock(now)) as box:
        keys = await box.put(2, channels=(TERMINAL,))
        await NoScreen(box.desk, max_age=MAX_AGE).turn()
        bus, heard = Bus(), list[Event]()
        bus.subscribe(heard.append)
        await box.empty(box.worker(Screen(bus, max_age=MAX_AGE)))
        assert heard == [AlertRaised(key) for key in keys]
        assert [(one.state, one.error) for one in terminal(box)] == [("sent", "")] * 2


async def test_what_is_too_old_rings_no_bell_and_stays_in_the_banner(tmp_path: Path, now: datetime) -> None:
    clock = LeapingClock(now)
    async with post(tmp_path, clock) as box:
        keys = await box.put(1, channels=(TERMINAL,))
        absent = NoScreen(box.desk, max_age=MAX_AGE)
        await absent.turn()
        await clock.sleep(MAX_AGE.total_seconds() + 1)
        await absent.turn()
        assert [(one.state, one.error) for one in terminal(box)] == [("skipped", TOO_OLD)]
        with CardReader(box.database.path) as cards:
            assert [row.key for row in cards.alerts_unacknowledged()] == keys
