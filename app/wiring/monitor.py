"""The monitor up to its first paint."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app.alerts.book import AlertBook
from app.clock import Clock, SystemClock
from app.config.config import Config
from app.config.zone import zone
from app.events import Bus
from app.monitor import Monitor
from app.records import Records
from app.wiring.lazy_inquiries import LazyInquiries
from app.wiring.sources import subscribed_sources
from storage.alert_log import AlertReader
from storage.cards import CardReader
from storage.database import Database
from storage.usage_file import beside

if TYPE_CHECKING:
    from app.config.in_force import InForce
    from app.pipeline.beside_recording import Beside
    from app.pipeline.pipeline import Pipeline
    from app.pipeline.recording import Recorded
    from app.pipeline.scorer import Saved


@asynccontextmanager
async def open_monitor(
    config: Config,
    *,
    database_file: Path,
    usage_file: Path | None = None,
    clock: Clock | None = None,
    saved: Saved | None = None,
    recording: Sequence[Recorded] | None = None,
    told: Beside | None = None,
    settings: Callable[[], InForce] | None = None,
) -> AsyncIterator[Monitor]:
    """Opens the database for this instance alone and gives a monitor to start; all is closed again at the end.

    `usage_file` holds what model calls cost (default: beside the database). `saved` is told each signal that reached
    its end. With a `recording` its items are played instead of polling; `told` is what stands beside it: evidence and
    prices. `settings` tells what is in force.
    """
    clock = clock or SystemClock()
    sources = subscribed_sources(config) if recording is None else ()
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(Database.open(database_file, now=clock.now()))
        bus, book = Bus(), AlertBook(database, stack.enter_context(AlertReader(database_file)), clock)
        investigator = LazyInquiries(database, clock, config)

        async def run() -> Pipeline:
            # Importing the pipeline takes longer than painting the screen; a thread does it meanwhile.
            await asyncio.to_thread(importlib.import_module, "app.wiring.pipeline")
            from app.wiring.pipeline import Parts

            parts = Parts(config, database, clock, bus, saved, usage_file or beside(database_file))
            investigator.reach(lambda: parts.access, lambda: parts.claude)
            pipeline = await stack.enter_async_context(parts.running(sources, recording, told))
            book.changed = pipeline.wake_alerts
            return pipeline

        yield Monitor(
            cards=stack.enter_context(CardReader(database_file)),
            bus=bus,
            clock=clock,
            timezone=zone(config.timezone),
            feeds_total=len(sources) if recording is None else len({one.source.id for one in recording}),
            run=run,
            book=book,
            investigator=investigator,
            records=_records(config, database, clock, settings),
        )


def _records(config: Config, database: Database, clock: Clock, settings: Callable[[], InForce] | None) -> Records:
    watched = {one.symbol: one.holding for one in config.watchlist}
    return Records(database, clock, watchlist=watched, settings=settings)
