"""An outbox with alerts in it, and workers on it, for the tests of delivery."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from sqlite3 import Connection

from agents.models import Urgency
from app.alerts.channels.protocol import Channel, Pace
from app.alerts.quiet import QuietHours
from app.alerts.text import Message
from app.alerts.worker import Desk, Worker
from app.clock import Clock
from app.events import Bus
from app.pipeline.trouble import Troubles
from app.pipeline.write_pause import WritePause
from feeds.models import Published, Tier
from storage.alert_log import AlertReader
from storage.alerts import AlertContent, AlertDue, LoggedAlert
from storage.database import Database
from storage.encoding import RANK, stamp
from storage.items import Items
from storage.models import CardTicker
from storage.mutes import Mutes
from storage.outbox import Outbox
from storage.signals import Signals
from tests.storage.samples import WIRE, entry, signal

HASTE = Pace(gather=timedelta(0), singles=None, burst=1_000_000, refill=timedelta(0))
"""One message for each alert, as fast as can be."""


def content(
    key: str = "story:FLASH",
    *,
    urgency: Urgency = Urgency.FLASH,
    title: str = "US adds 14 chipmakers to export list",
    at: datetime = datetime(2026, 3, 10, 18, 30, tzinfo=UTC),
    url: str = "https://wire.example/1",
    reason: str = "FLASH: export_ban, impact 0.91",
) -> AlertContent:
    """An alert with everything a message may tell."""
    return AlertContent(
        key,
        urgency,
        reason,
        at,
        1,
        "story",
        title,
        "Harbour Wire",
        Tier.NEWSROOM,
        7,
        url,
        Published(at - timedelta(seconds=48), "second", None),
        at,
        0.91,
        0.78,
        "policy_change",
        "export_ban",
        (CardTicker("NVDA", 0.88, "direct", "down"), CardTicker("AMD", 0.8, "direct", "down")),
    )


def due(key: str = "story:FLASH", **others: object) -> AlertDue:
    """An alert that waits."""
    fields = {name: others.pop(name) for name in ("attempts", "unanswered", "message", "held") if name in others}
    return AlertDue(content(key, **others), **fields)  # type: ignore[arg-type]


@dataclass
class Kept:
    """A channel that keeps what it is sent, or raises what it is told to."""

    label: str = "kept"
    pace: Pace = HASTE
    raises: list[Exception] = field(default_factory=list)
    sent: list[Message] = field(default_factory=list)

    async def send(self, message: Message) -> None:
        if self.raises:
            raise self.raises.pop(0)
        self.sent.append(message)

    async def aclose(self) -> None:
        pass

    @property
    def keys(self) -> list[str]:
        """The keys of every alert that was sent, in order."""
        return [one.key for message in self.sent for one in message.alerts]


class Post:
    """A database with an outbox, and what works on it."""

    def __init__(self, database: Database, clock: Clock, quiet: QuietHours | None) -> None:
        self.database = database
        self.clock = clock
        self.outbox = Outbox(database)
        self.mutes = Mutes(database)
        self.troubles = Troubles()
        pause = WritePause(clock, Bus(), self.troubles)
        self.desk = Desk(self.outbox, self.mutes, clock, pause, self.troubles, Random(7), quiet)
        self.item = ""
        self._number = 0

    async def begin(self) -> None:
        """Puts in the one item that all the alerts are about."""
        items, signals = Items(self.database), Signals(self.database)
        (self.item,) = (
            await items.ingest(WIRE, [entry("US adds 14 chipmakers to export list")], now=self.clock.now())
        ).new
        await signals.save(signal(self.item, Urgency.FLASH), alert=None)

    async def put(
        self, count: int = 1, *, channels: Sequence[str] = ("kept",), urgency: Urgency = Urgency.FLASH
    ) -> list[str]:
        """Puts alerts into the outbox; returns their keys, oldest first."""
        now = self.clock.now()
        keys = [f"{self.item}:{urgency}:{self._number + place:05d}" for place in range(count)]
        self._number += count

        def job(connection: Connection) -> None:
            for place, key in enumerate(keys):
                connection.execute(
                    "INSERT INTO alert (key, card, item, urgency, reason, created_at) VALUES (?, 1, 1, ?, 'why', ?)",
                    (key, RANK[urgency], stamp(now) + place),
                )
                rows = [(key, channel) for channel in channels]
                connection.executemany("INSERT INTO delivery (alert, channel) VALUES (?, ?)", rows)

        await self.database.write(job)
        return keys

    def worker(self, channel: Channel) -> Worker:
        """A worker that is not running yet."""
        return Worker(channel, self.desk)

    async def waits(self, channel: str) -> bool:
        """Whether anything waits on a channel."""
        sql = "SELECT 1 FROM delivery WHERE channel = ? AND state = 'waiting' LIMIT 1"
        async with self.database.read() as connection:
            return bool(list(await connection.execute_fetchall(sql, (channel,))))

    async def empty(self, *workers: Worker, within_s: float = 60.0) -> None:
        """Lets the workers run until nothing waits on their channels."""
        tasks = [asyncio.create_task(worker.run()) for worker in workers]
        try:
            async with asyncio.timeout(within_s):
                for worker in workers:
                    while await self.waits(worker.label):  # noqa: ASYNC110 -- no event tells of it
                        await asyncio.sleep(0.005)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def log(self) -> list[LoggedAlert]:
        """The log of alerts, as the screen reads it."""
        with AlertReader(self.database.path) as reader:
            return reader.log(limit=10_000)

    def states(self, channel: str = "kept") -> Counter[str]:
        """How the alerts stand on a channel."""
        return Counter(one.state for row in self.log() for one in row.deliveries if one.channel == channel)


@asynccontextmanager
async def post(path: Path, clock: Clock, *, quiet: QuietHours | None = None) -> AsyncIterator[Post]:
    """An empty outbox over a real database."""
    async with Database.open(path / "db", now=clock.now()) as database:
        made = Post(database, clock, quiet)
        await made.begin()
        yield made
