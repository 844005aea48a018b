"""Alerts: what a decision costs, how quickly an alert leaves, and what apprise does to the event loop.

python -m tests.benchmarks.bench_alerts
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from agents.models import LinkedTicker, Signal, Synthesis, Urgency
from app.alerts.channels.protocol import Pace
from app.alerts.channels.screen import Screen
from app.alerts.channels.through_apprise import ThroughApprise
from app.alerts.channels.webhook import Webhook
from app.alerts.decision import Policy, decide
from app.alerts.text import compose
from app.alerts.user_rules import read_rules
from app.clock import SystemClock
from app.config import config
from app.events import Bus
from feeds.models import Item, Published, Tier
from feeds.network.http import HttpClient
from tests.app.alerts.outboxes import HASTE, due, post
from tests.fakes.receivers import Receiver

NOW = datetime(2026, 3, 10, 18, 30, tzinfo=UTC)
RULES = "".join(
    f"[[alerts.rule]]\nwhen = {{ ticker = ['T{number}'], text = 'word{number}' }}\nthen = {{ mute = true }}\n"
    for number in range(20)
)


def decision_us() -> float:
    """A decision with 20 rules of the user, in microseconds."""
    item = Item("i", "s", "S", Tier.NEWSROOM, "Title " * 15, "", "", Published(NOW, "second", None), NOW, "i")
    linked = (LinkedTicker("NVDA", 0.9, "direct", "down", "named"),)
    total = Synthesis(0.9, 0.8, "policy_change", "export_ban", linked, 1.0, None, 5)
    signal = Signal("i", 0, (), total, Urgency.FLASH, False, None, 1.0, "rules", NOW)
    policy = Policy(timedelta(minutes=30), rules=read_rules(config.parse(RULES, "c").alerts.rule, {}))
    began = time.perf_counter()
    for _ in range(2_000):
        decide(item, signal, policy=policy, mutes=(), accepted_at=NOW, now=NOW)
    return (time.perf_counter() - began) / 2_000 * 1e6


async def webhook(folder: Path, count: int, pace: Pace) -> tuple[float, int]:
    """Seconds from the outbox to the service for `count` alerts, and in how many messages."""
    async with (
        Receiver() as receiver,
        HttpClient(allow_hosts=[receiver.host], trust_env=False) as http,
        post(folder, SystemClock()) as box,
    ):
        channel = Webhook("kept", receiver.url("/hook"), http, secret="secret")
        channel.pace = pace
        await box.put(count)
        began = time.perf_counter()
        await box.empty(box.worker(channel), within_s=120)
        return time.perf_counter() - began, len(receiver.taken)


async def screen(folder: Path, count: int) -> float:
    """Seconds until the screen is told of a burst."""
    bus, told = Bus(), 0

    def hear(_: object) -> None:
        nonlocal told
        told += 1

    bus.subscribe(hear)
    async with post(folder, SystemClock()) as box:
        await box.put(count, channels=("terminal",))
        began = time.perf_counter()
        await box.worker(Screen(bus, max_age=timedelta(minutes=30))).turn()
        assert told == count
        return time.perf_counter() - began


async def apprise_delay_ms() -> tuple[float, float, float]:
    """Seconds of the first send, apprise's loading included, and of a later one; the loop's longest stop in ms."""
    longest, running = 0.0, True

    async def tick() -> None:
        nonlocal longest
        while running:
            began = time.perf_counter()
            await asyncio.sleep(0.001)
            longest = max(longest, (time.perf_counter() - began - 0.001) * 1e3)

    one = due()
    message = compose([one], one.key, now=NOW)
    async with Receiver() as receiver:
        channel = ThroughApprise("json", receiver.url("/").replace("http://", "json://"))
        ticking = asyncio.create_task(tick())
        times = []
        for _ in range(2):
            began = time.perf_counter()
            await channel.send(message)
            times.append(time.perf_counter() - began)
        running = False
        await ticking
        await channel.aclose()
    return times[0], times[1], longest


async def main() -> None:
    print(f"decision, 20 rules             {statistics.median(decision_us() for _ in range(5)):8.1f} µs")
    with tempfile.TemporaryDirectory() as name:
        folders = iter([Path(name) / str(number) for number in range(9)])
        for folder in [Path(name) / str(number) for number in range(9)]:
            folder.mkdir()
        took, _ = await webhook(next(folders), 1, HASTE)
        print(f"one alert, outbox to webhook   {took * 1e3:8.1f} ms (and 1 s to gather a burst)")
        took, messages = await webhook(next(folders), 300, HASTE)
        print(
            f"300 alerts one by one          {300 / took:8.0f} alerts/s in {messages} messages, each written down twice"
        )
        took, messages = await webhook(next(folders), 500, Pace())
        print(f"a burst of 500                 {took:8.2f} s in {messages} message")
        print(f"the screen told of 500         {await screen(next(folders), 500) * 1e3:8.1f} ms")
    first, later, longest = await apprise_delay_ms()
    print(f"apprise, first and later send  {first * 1e3:8.0f} ms, {later * 1e3:.0f} ms; loop stopped {longest:.1f} ms")


if __name__ == "__main__":
    asyncio.run(main())
