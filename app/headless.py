"""The monitor without a screen: one JSON line per signal on stdout, the log on stderr, a clean end on a signal.

A line is written after its signal was saved. A kill between the two costs the line and not the signal.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from agents.models import Signal
from app.errors import AppError
from app.lines.contract import signal_line
from app.lines.writer import LineWriter
from app.monitor import Monitor
from app.pipeline.scorer import Saved
from feeds.models import Item

if TYPE_CHECKING:
    from app.investigation.asking import Investigator
    from storage.investigations import PastInvestigation

log = logging.getLogger(__name__)

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
LAST_LINES_S = 0.3
WATCH_S = 0.1

OpenMonitor = Callable[[Saved], AbstractAsyncContextManager[Monitor]]


async def run_headless(open_monitor: OpenMonitor, *, until_finished: bool = False) -> None:
    """Runs the monitor until SIGTERM, SIGINT, SIGHUP or a reader of stdout that went away.

    `until_finished` also ends it once a recording is over and scored. Raises AppError where stdout cannot be written.
    """
    stop = asyncio.Event()
    _on_signals(stop.set)
    writer = LineWriter(sys.stdout.fileno(), stop.set)

    async def saved(item: Item, scored: Signal) -> None:
        await writer.write(signal_line(item, scored).model_dump_json())

    try:
        async with open_monitor(saved) as monitor:
            await monitor.start()
            log.info("monitor runs with %d feeds", monitor.status().feeds_total)
            async with _watching_dates(None if until_finished else monitor.investigator):
                await _until(stop, lambda: until_finished and monitor.finished)
    finally:
        await writer.close(within_s=LAST_LINES_S)
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN)  # it is ending: another signal changes neither that nor the exit code
    log.info("monitor ended")
    if writer.failure is not None:
        raise AppError(f"stdout cannot be written ({writer.failure.strerror}); make room, or name another file")


@asynccontextmanager
async def _watching_dates(investigator: Investigator | None) -> AsyncIterator[None]:
    """Re-checks past investigations as what they await comes out, a log line each; a recording has none."""
    if investigator is None:
        yield
        return
    watching = asyncio.create_task(investigator.watch_dates(_tell))
    try:
        yield
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


def _tell(past: PastInvestigation) -> None:
    log.info("investigation of %s of %s: %s", past.case.symbol, f"{past.case.asked_at:%Y-%m-%d}", past.changed)


def _on_signals(end: Callable[[], None]) -> None:
    """Calls `end` in the event loop on each ending signal.

    The loop's own handlers would be taken away with the loop, and a second signal would then kill a clean end.
    """
    loop = asyncio.get_running_loop()

    def handle(number: int, frame: object) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(end)

    for number in ENDING:
        signal.signal(number, handle)


async def _until(stop: asyncio.Event, over: Callable[[], bool]) -> None:
    while not stop.is_set() and not over():
        try:
            async with asyncio.timeout(WATCH_S):
                await stop.wait()
        except TimeoutError:
            continue
