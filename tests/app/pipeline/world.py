"""A pipeline over a real database, with feeds and an analyst that answer as a test tells them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from agents.analysts.protocol import Analyst
from agents.desk import Desk
from agents.models import Assessment, Signal
from app.alerts.channels.screen import Screen
from app.alerts.decision import Policy
from app.alerts.dispatcher import Dispatcher
from app.alerts.worker import Desk as AlertDesk
from app.alerts.worker import Worker
from app.events import Bus, Event
from app.pipeline.desk_process import DeskProcess
from app.pipeline.pipeline import Pipeline
from app.pipeline.poller import Poller
from app.pipeline.score_queue import ScoreQueue
from app.pipeline.scorer import Scorer
from app.pipeline.supervisor import Supervisor
from app.pipeline.trouble import Troubles
from app.pipeline.write_pause import WritePause
from feeds.errors import FeedError
from feeds.models import Entry, Item, ParsedFeed, Published, Source, Tier, Validators
from feeds.network.outcomes import Fetched, NotModified
from storage.cards import CardReader
from storage.database import Database
from storage.items import Items
from storage.marks import Marks
from storage.mutes import Mutes
from storage.outbox import Outbox
from storage.signals import Signals
from storage.sources import Sources
from tests.fakes.analysts import PLAIN, GoodAnalyst
from tests.fakes.clock import ManualClock
from tests.fakes.companies import Companies

LOUD = Assessment(0.9, 0.8, "policy_change", "export_ban", (), "as told")
QUIET = PLAIN


def source(name: str) -> Source:
    return Source(name, name.title(), f"https://{name}.example/rss", Tier.NEWSROOM, 60)


def entry(guid: str, title: str, at: datetime | None) -> Entry:
    dated = Published(at, "second", None) if at else Published()
    return Entry(guid, f"https://x.example/{guid}", title, "", dated)


@dataclass
class Feeds:
    """What each source answers next: entries, an error, or None for "not modified"."""

    answers: dict[str, list[Entry] | FeedError | None] = field(default_factory=dict)
    asked: list[tuple[str, Validators]] = field(default_factory=list)
    parsed: int = 0

    async def fetch(self, source: Source, validators: Validators) -> Fetched | NotModified:
        self.asked.append((source.id, validators))
        answer = self.answers.get(source.id, [])
        if isinstance(answer, FeedError):
            raise answer
        if answer is None:
            return NotModified(validators, source.url, None, None, 1.0)
        return Fetched(source.id.encode(), "application/rss+xml", Validators('"1"'), source.url, None, None, 1.0)

    async def parse(self, body: bytes, content_type: str, *, base_url: str, now: datetime) -> ParsedFeed:
        self.parsed += 1
        answer = self.answers.get(body.decode(), [])
        assert isinstance(answer, list)
        return ParsedFeed("feed", "rss", tuple(answer))


@dataclass
class World:
    """The parts a test looks at."""

    pipeline: Pipeline
    database: Database
    cards: CardReader
    clock: ManualClock
    feeds: Feeds
    events: list[Event]
    saved: list[tuple[Item, Signal]]
    troubles: Troubles
    outbox: Outbox
    queue: ScoreQueue

    async def until(self, condition: Callable[[], bool], *, within_s: float = 3.0) -> None:
        """Waits for `condition`, without moving the clock."""
        async with asyncio.timeout(within_s):
            while not condition():  # noqa: ASYNC110 -- what is waited for has no event of its own
                await asyncio.sleep(0.002)

    async def later(self, condition: Callable[[], bool], *, step_s: float = 10.0) -> None:
        """Lets time pass, a step after the other, until `condition` holds."""
        async with asyncio.timeout(5):
            while not condition():
                await self.clock.advance(step_s)
                await asyncio.sleep(0.005)

    def checked(self, count: int) -> bool:
        """Whether `count` checks have ended."""
        return sum(type(event).__name__ == "SourceChecked" for event in self.events) >= count


@asynccontextmanager
async def world(
    path: Path,
    clock: ManualClock,
    feeds: Feeds,
    sources: Sequence[Source] = (source("wire"),),
    *,
    analyst: Analyst | None = None,
    max_age: timedelta = timedelta(minutes=30),
    start: bool = True,
    beside: DeskProcess | None = None,
) -> AsyncIterator[World]:
    """A running pipeline; leaving the block stops it and closes the database."""
    async with Database.open(path, now=clock.now()) as database:
        with CardReader(path) as cards:
            bus, troubles, queue = Bus(), Troubles(), ScoreQueue()
            events: list[Event] = []
            saved: list[tuple[Item, Signal]] = []
            bus.subscribe(events.append)
            pause = WritePause(clock, bus, troubles)
            items, outbox = Items(database), Outbox(database)
            mutes = Mutes(database)
            alert_desk = AlertDesk(outbox, mutes, clock, pause, troubles, Random(1))
            alerts = Dispatcher(Policy(max_age), alert_desk, [Worker(Screen(bus, max_age=max_age), alert_desk)])

            async def keep(item: Item, signal: Signal) -> None:
                saved.append((item, signal))

            poller = Poller(
                sources,
                sources=Sources(database),
                items=items,
                fetch=feeds.fetch,
                parser=feeds,
                pause=pause,
                troubles=troubles,
                clock=clock,
                bus=bus,
                dice=Random(1),
            )
            scorer = Scorer(
                items=items,
                signals=Signals(database),
                desk=Desk(analyst or GoodAnalyst(LOUD), {}, Companies(), {}),
                queue=queue,
                alerts=alerts,
                pause=pause,
                clock=clock,
                bus=bus,
                saved=keep,
                beside=beside,
            )
            pipeline = Pipeline(
                intake=poller,
                scorer=scorer,
                queue=queue,
                alerts=alerts,
                outbox=outbox,
                marks=Marks(database),
                supervisor=Supervisor(clock, troubles),
                troubles=troubles,
                clock=clock,
            )
            if start:
                await pipeline.start()
            try:
                yield World(pipeline, database, cards, clock, feeds, events, saved, troubles, outbox, queue)
            finally:
                await pipeline.stop()
