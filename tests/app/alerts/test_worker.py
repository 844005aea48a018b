"""One channel's worker: at least once, in order, held while the user wants quiet, never stuck on a fault."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from agents.models import Urgency
from app.alerts.channels.protocol import Pace
from app.alerts.channels.screen import Screen
from app.alerts.errors import ChannelGone, NotSent, Rejected, Unanswered
from app.alerts.quiet import QuietHours
from app.events import AlertRaised, Bus
from tests.app.alerts.outboxes import HASTE, Kept, post
from tests.fakes.clock import LeapingClock

QUIET = QuietHours(time(22), time(6, 30), ZoneInfo("America/New_York"))
NIGHT = datetime(2026, 3, 8, 4, 0, tzinfo=UTC)
"""Saturday 23:00 in New York; at 02:00 the clocks go forward."""


async def test_alerts_go_out_in_order_and_are_marked(tmp_path: Path, now: datetime) -> None:
    async with post(tmp_path, LeapingClock(now)) as box:
        keys = await box.put(3)
        channel = Kept()
        await box.empty(box.worker(channel))
        assert channel.keys == keys
        assert box.states() == {"sent": 3}


async def test_a_burst_is_one_digest_and_a_few_are_not(tmp_path: Path, now: datetime) -> None:
    async with post(tmp_path, LeapingClock(now)) as box:
        channel = Kept(pace=Pace())
        worker = box.worker(channel)
        await box.put(3)
        await box.empty(worker)
        assert len(channel.sent) == 3
        keys = await box.put(500)
        await box.empty(worker)
        assert len(channel.sent) == 4
        assert channel.keys[3:] == keys


async def test_a_burst_that_is_still_coming_is_gathered(tmp_path: Path, now: datetime) -> None:
    clock = LeapingClock(now)
    async with post(tmp_path, clock) as box:
        channel = Kept(pace=Pace())
        sleep, coming = clock.sleep, [4, 4, 0]

        async def sleep_and_raise(seconds: float) -> None:
            await sleep(seconds)
            await box.put(coming.pop(0) if coming else 0)

        clock.sleep = sleep_and_raise  # type: ignore[method-assign]
        await box.put(1)
        await box.worker(channel).turn()
        assert [len(message.alerts) for message in channel.sent] == [9]


async def test_a_rate_limited_channel_makes_a_digest_of_what_waits(tmp_path: Path, now: datetime) -> None:
    async with post(tmp_path, LeapingClock(now)) as box:
        channel = Kept(pace=replace(HASTE, singles=3, burst=1, refill=timedelta(seconds=60)))
        worker = box.worker(channel)
        await box.put(2)
        wait = await worker.turn()
        assert len(channel.sent) == 1
        assert wait == timedelta(seconds=60)
        await box.put(5)
        await box.empty(worker)
        assert [len(message.alerts) for message in channel.sent] == [1, 6]


@pytest.mark.parametrize(
    ("fault", "state", "attempts", "unanswered"),
    [
        (NotSent("answered 500"), "sent", 2, 0),
        (Unanswered("no answer"), "sent", 2, 1),
        (RuntimeError("a library's bug"), "sent", 2, 1),
        (ChannelGone("answered 403"), "sent", 2, 0),
        (Rejected("answered 400"), "dead", 1, 0),
    ],
)
async def test_what_becomes_of_a_failure(
    tmp_path: Path, now: datetime, fault: Exception, state: str, attempts: int, unanswered: int
) -> None:
    async with post(tmp_path, LeapingClock(now)) as box:
        channel = Kept(raises=[fault])
        await box.put()
        await box.empty(box.worker(channel))
        (row,) = box.log()
        (delivery,) = row.deliveries
        assert (delivery.state, delivery.attempts, delivery.unanswered) == (state, attempts, unanswered)
        assert [message.repeat for message in channel.sent] == ([unanswered > 0] if state == "sent" else [])


async def test_a_digest_without_an_answer_is_repeated_as_it_was_though_more_has_come(
    tmp_path: Path, now: datetime
) -> None:
    async with post(tmp_path, LeapingClock(now)) as box:
        channel = Kept(pace=replace(HASTE, singles=3), raises=[Unanswered("no answer")])
        worker = box.worker(channel)
        first = await box.put(5)
        await worker.turn()
        (message,) = {one.deliveries[0].message for one in box.log()}
        later = await box.put(5)
        await box.empty(worker)
        assert channel.sent[0].key == message
        assert channel.keys == first + later
        assert [one.repeat for one in channel.sent] == [True, False]


async def test_pauses_grow_to_a_quarter_of_an_hour_and_a_success_ends_them(tmp_path: Path, now: datetime) -> None:
    clock = LeapingClock(now)
    async with post(tmp_path, clock) as box:
        channel = Kept(raises=[NotSent("answered 500") for _ in range(16)])
        worker = box.worker(channel)
        await box.put()
        pauses = []
        while channel.raises:
            pauses.append((await worker.turn()).total_seconds())
            await clock.sleep(pauses[-1])
        assert 1 <= pauses[0] <= 2
        assert all(pause <= 900 for pause in pauses)
        assert max(pauses) > 450
        await worker.turn()
        assert channel.keys
        assert box.troubles.text == ""


async def test_a_clock_that_is_set_back_does_not_stretch_a_pause(tmp_path: Path, now: datetime) -> None:
    clock = LeapingClock(now)
    async with post(tmp_path, clock) as box:
        channel = Kept(raises=[NotSent("answered 500")])
        worker = box.worker(channel)
        await box.put()
        await worker.turn()
        clock.jump(-timedelta(hours=6))
        await worker.turn()
        assert len(channel.keys) == 1


async def test_what_no_answer_came_for_in_a_day_is_a_dead_letter(tmp_path: Path, now: datetime) -> None:
    clock = LeapingClock(now)
    async with post(tmp_path, clock) as box:
        channel = Kept()
        await box.put(2)
        clock.jump(timedelta(hours=25))
        await box.worker(channel).turn()
        assert box.states() == {"dead": 2}
        assert box.log()[0].deliveries[0].error == "could not be sent for 24 h"


async def test_the_night_holds_alerts_not_flashes_and_the_morning_brings_one_digest(tmp_path: Path) -> None:
    clock = LeapingClock(NIGHT)
    async with post(tmp_path, clock, quiet=QUIET) as box:
        channel = Kept(pace=replace(HASTE, singles=3))
        worker = box.worker(channel)
        held = await box.put(2, urgency=Urgency.ALERT)
        (flash,) = await box.put(1)
        await worker.turn()
        assert channel.keys == [flash]
        assert {one.deliveries[0].held for one in box.log()} == {"", "quiet hours"}
        clock.jump(timedelta(hours=6, minutes=29))  # 06:29, an hour of the night is missing
        await worker.turn()
        assert channel.keys == [flash]
        clock.jump(timedelta(minutes=1))
        await worker.turn()
        assert channel.keys == [flash, *held]
        assert channel.sent[-1].tail[0] == "held: quiet hours"


async def test_a_machine_that_slept_through_the_morning_tells_once_when_it_wakes(tmp_path: Path) -> None:
    clock = LeapingClock(NIGHT)
    async with post(tmp_path, clock, quiet=QUIET) as box:
        channel = Kept(pace=replace(HASTE, singles=3))
        worker = box.worker(channel)
        held = await box.put(3, urgency=Urgency.ALERT)
        await worker.turn()
        clock.jump(timedelta(hours=11))
        await worker.turn()
        clock.jump(-timedelta(hours=10))  # the clock is corrected into the night again
        await worker.turn()
        clock.jump(timedelta(hours=10))
        await worker.turn()
        assert len(channel.sent) == 1
        assert channel.keys == held


async def test_an_outage_that_ends_in_the_night_waits_for_the_morning(tmp_path: Path) -> None:
    clock = LeapingClock(NIGHT - timedelta(hours=2))
    async with post(tmp_path, clock, quiet=QUIET) as box:
        channel = Kept(raises=[NotSent("answered 500")])
        worker = box.worker(channel)
        await box.put(1, urgency=Urgency.ALERT)
        await worker.turn()
        clock.jump(timedelta(hours=3))
        await worker.turn()
        assert channel.sent == []


async def test_a_snooze_holds_everything_until_it_ends_or_is_lifted(tmp_path: Path, now: datetime) -> None:
    clock = LeapingClock(now)
    async with post(tmp_path, clock) as box:
        channel = Kept()
        worker = box.worker(channel)
        number = await box.mutes.add("all", "", "", until=now + timedelta(minutes=30), now=now, by="test")
        keys = await box.put(2)
        await worker.turn()
        assert channel.sent == []
        await box.mutes.lift([number], clock.now())
        await worker.turn()
        assert channel.keys == keys
        assert len(channel.sent) == 1


async def test_the_screen_is_told_of_a_burst_at_once_and_of_nothing_old(tmp_path: Path, now: datetime) -> None:
    clock, bus = LeapingClock(now), Bus()
    told: list[str] = []
    bus.subscribe(lambda event: told.append(event.alert_key) if isinstance(event, AlertRaised) else None)
    async with post(tmp_path, clock) as box:
        worker = box.worker(Screen(bus, max_age=timedelta(minutes=30)))
        old = await box.put(2, channels=("terminal",))
        clock.jump(timedelta(minutes=31))
        fresh = await box.put(500, channels=("terminal",))
        await worker.turn()
        assert told == fresh
        assert box.states("terminal") == {"sent": 500, "skipped": 2}
        assert len(old) == 2


async def test_what_waits_for_a_channel_that_is_gone_from_the_configuration_is_a_dead_letter(
    tmp_path: Path, now: datetime
) -> None:
    async with post(tmp_path, LeapingClock(now)) as box:
        await box.put(2, channels=("phone", "terminal"))
        assert await box.outbox.abandon(["terminal"]) == 2
        assert box.states("phone") == {"dead": 2}
        assert box.states("terminal") == {"waiting": 2}
