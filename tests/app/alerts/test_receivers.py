"""Delivery to real services on the loopback that fail as services do: nothing lost, repeats only for a lost answer."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import repeat
from pathlib import Path
from random import Random

import pytest

from app.alerts.channels.ntfy import Ntfy, read_ntfy
from app.alerts.channels.protocol import Channel, Pace
from app.alerts.channels.telegram import Telegram, TelegramAddress
from app.alerts.channels.webhook import Webhook
from feeds.network.http import HttpClient
from tests.app.alerts.outboxes import HASTE, post
from tests.fakes.clock import LeapingClock
from tests.fakes.receivers import Fault, Received, Receiver, faulty, first

TOKEN = "123456:CANARYCANARYCANARY"
DEADLINE_S = 0.3


def client(receiver: Receiver, clock: LeapingClock) -> HttpClient:
    return HttpClient(allow_hosts=[receiver.host], trust_env=False, clock=lambda: clock.now().timestamp())


ENDLESS = replace(HASTE, limit_unanswered=1_000)


def paced(channel: Channel, pace: Pace = ENDLESS) -> Channel:
    channel.pace = pace  # type: ignore[misc]
    return channel


def webhook(receiver: Receiver, http: HttpClient) -> Channel:
    return Webhook("kept", receiver.url("/hook"), http, secret="s3cret", deadline_s=DEADLINE_S)


def telegram(receiver: Receiver, http: HttpClient) -> Channel:
    receiver.url(f"/bot{TOKEN}/sendMessage")
    return Telegram("kept", TelegramAddress(TOKEN, "42"), http, server=f"http://{receiver.host}", deadline_s=DEADLINE_S)


def ntfy(receiver: Receiver, http: HttpClient) -> Channel:
    receiver.url("/")
    address = read_ntfy(f"ntfy://{receiver.host}/news")
    assert address is not None
    return Ntfy("kept", address, http, deadline_s=DEADLINE_S)


def key_of(received: Received) -> str:
    """What tells two messages of a service apart."""
    if "key" in received.body:
        return str(received.body["key"])
    text = received.body.get("text") or received.body["message"]
    return str(text).rpartition("key ")[2][:8]


@pytest.mark.parametrize(
    ("service", "count"), [(webhook, 600), (telegram, 200), (ntfy, 200)], ids=["webhook", "telegram", "ntfy"]
)
async def test_with_30_percent_faults_none_is_lost_and_repeats_come_only_from_lost_answers(
    tmp_path: Path, now: datetime, service: Callable[[Receiver, HttpClient], Channel], count: int
) -> None:
    clock = LeapingClock(now)
    async with Receiver() as receiver, client(receiver, clock) as http, post(tmp_path, clock) as box:
        receiver.plan = faulty(
            Random(count), 0.3, ("error", "limit", "drop", "error", "limit", "drop", "drop", "error")
        )
        keys = await box.put(count)
        await box.empty(box.worker(paced(service(receiver, http))))
        assert box.states() == {"sent": count}
        times = Counter(key_of(one) for one in receiver.taken)
        assert len(times) == len(set(keys)) == count
        assert sum(times.values()) == count + receiver.lost
        lost = Counter(key_of(one) for one in receiver.taken if one.lost)
        assert all(times[key] == 1 + lost[key] for key in times)
        assert len(receiver.faults) > count // 4
        order = list(dict.fromkeys(key_of(one) for one in receiver.taken))
        if service is webhook:
            assert order == keys


async def test_a_service_that_stalls_is_given_up_on_in_time_and_the_repeat_says_so(
    tmp_path: Path, now: datetime
) -> None:
    clock = LeapingClock(now)
    async with (
        Receiver(plan=first("stall", "drop")) as receiver,
        client(receiver, clock) as http,
        post(tmp_path, clock) as box,
    ):
        (key,) = await box.put()
        await box.empty(box.worker(paced(webhook(receiver, http))))
        assert [(one.body["key"], one.body["repeat"]) for one in receiver.taken] == [
            (key, False),
            (key, True),
            (key, True),
        ]
        assert len({one.request.headers["idempotency-key"] for one in receiver.taken}) == 1
        (row,) = box.log()
        assert (row.deliveries[0].attempts, row.deliveries[0].unanswered) == (3, 2)


async def test_when_every_answer_is_lost_it_is_not_repeated_for_ever(tmp_path: Path, now: datetime) -> None:
    clock = LeapingClock(now)
    async with (
        Receiver(plan=repeat("drop")) as receiver,
        client(receiver, clock) as http,
        post(tmp_path, clock) as box,
    ):
        await box.put()
        await box.empty(box.worker(paced(webhook(receiver, http), HASTE)))
        assert len(receiver.taken) == HASTE.limit_unanswered
        (row,) = box.log()
        assert row.deliveries[0].state == "dead"
        assert "it may have arrived" in row.deliveries[0].error


async def test_telegrams_429_is_waited_for_as_long_as_it_says(tmp_path: Path, now: datetime) -> None:
    clock = LeapingClock(now)
    async with Receiver(plan=first("limit")) as receiver, client(receiver, clock) as http, post(tmp_path, clock) as box:
        await box.put()
        await box.empty(box.worker(paced(telegram(receiver, http))))
        assert receiver.asked == 2
        (row,) = box.log()
        delivered = row.deliveries[0].delivered_at
        assert delivered is not None
        assert timedelta(seconds=35) <= delivered - now < timedelta(seconds=60)


async def test_telegrams_400_gets_one_plainer_try_and_is_a_dead_letter_then(tmp_path: Path, now: datetime) -> None:
    clock = LeapingClock(now)
    async with (
        Receiver(plan=first("refuse", "refuse")) as receiver,
        client(receiver, clock) as http,
        post(tmp_path, clock) as box,
    ):
        await box.put(2)
        await box.empty(box.worker(paced(telegram(receiver, http))))
        assert receiver.asked == 3
        assert box.states() == {"dead": 1, "sent": 1}
        (dead,) = [row.deliveries[0] for row in box.log() if row.deliveries[0].state == "dead"]
        assert dead.error == "answered 400: Bad Request: told so; refused for good"


@pytest.mark.parametrize("fault", ["forbidden", "gone"])
async def test_a_channel_that_is_forbidden_is_asked_three_times_and_the_user_is_told(
    tmp_path: Path, now: datetime, fault: Fault
) -> None:
    clock = LeapingClock(now)
    async with (
        Receiver(plan=repeat(fault)) as receiver,
        client(receiver, clock) as http,
        post(tmp_path, clock) as box,
    ):
        await box.put(1)
        await box.empty(box.worker(paced(telegram(receiver, http))))
        assert receiver.asked == 3
        assert box.states() == {"dead": 1}
        assert "alerts to kept: answered 40" in box.troubles.text or "answered 410" in box.troubles.text


async def test_after_six_hours_of_nothing_all_comes_as_one_digest_in_order(tmp_path: Path, now: datetime) -> None:
    clock = LeapingClock(now)
    http = HttpClient(allow_hosts=["127.0.0.1"], trust_env=False)
    async with Receiver() as receiver, http, post(tmp_path, clock) as box:
        closed = Webhook("kept", "http://127.0.0.1:9/hook", http)
        worker = box.worker(paced(closed, Pace()))
        keys: list[str] = []
        while clock.now() < now + timedelta(hours=6):
            keys += await box.put(2)
            await clock.sleep((await worker.turn()).total_seconds() + 300)
        assert box.states() == {"waiting": len(keys)}
        assert "alerts to kept wait" in box.troubles.text
        closed._url = receiver.url("/hook")
        await box.empty(worker)
        (digest,) = receiver.taken
        assert [one["key"] for one in digest.body["alerts"]] == keys
        assert box.troubles.text == ""
        assert len(keys) > 50


async def test_a_burst_of_500_is_one_digest(tmp_path: Path, now: datetime) -> None:
    clock = LeapingClock(now)
    async with Receiver() as receiver, client(receiver, clock) as http, post(tmp_path, clock) as box:
        keys = await box.put(500)
        await box.empty(box.worker(telegram(receiver, http)))
        (digest,) = receiver.taken
        assert digest.body["text"].startswith("500 alerts: 500 FLASH\n")
        assert "and 480 more in tapewatch" in digest.body["text"]
        assert box.states() == {"sent": len(keys)}


async def test_the_webhook_is_signed(tmp_path: Path, now: datetime) -> None:
    clock = LeapingClock(now)
    async with Receiver() as receiver, client(receiver, clock) as http, post(tmp_path, clock) as box:
        await box.put()
        await box.empty(box.worker(paced(webhook(receiver, http))))
        (got,) = receiver.taken
        at = got.request.headers["x-tapewatch-timestamp"]
        expected = hmac.new(b"s3cret", f"{at}.".encode() + got.request.body, hashlib.sha256).hexdigest()
        assert got.request.headers["x-tapewatch-signature"] == f"sha256={expected}"
        assert b"s3cret" not in got.request.body


async def test_no_secret_of_a_channel_reaches_log_error_or_database(
    tmp_path: Path, now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    clock = LeapingClock(now)
    caplog.set_level("DEBUG")
    faults: tuple[Fault, ...] = ("error", "drop", "limit", "refuse", "refuse", "forbidden")
    async with Receiver(plan=first(*faults)) as receiver, client(receiver, clock) as http, post(tmp_path, clock) as box:
        await box.put(5)
        await box.empty(box.worker(paced(telegram(receiver, http))))
        assert box.troubles.text.count("CANARY") == 0
        assert box.log() != []
    assert "CANARY" not in caplog.text
    assert b"CANARY" not in b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
