"""The monitor without a screen: one JSON line per signal on stdout, the log on stderr, a clean end on a signal.

A line is written after its signal was saved. A kill between the two costs the line and not the signal.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from agents.models import Signal
from app.errors import AppError
from app.lines.contract import signal_line
from app.lines.writer import LineWriter
from app.monitor import Monitor
from app.pipeline.scorer import Saved
from feeds.models import Item

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
    loop = asyncio.get_running_loop()
    for number in ENDING:
        loop.add_signal_handler(number, stop.set)
    writer = LineWriter(sys.stdout.fileno(), stop.set)

    async def saved(item: Item, scored: Signal) -> None:
        await writer.write(signal_line(item, scored).model_dump_json())

    try:
        async with open_monitor(saved) as monitor:
            await monitor.start()
            log.info("monitor runs with %d feeds", monitor.status().feeds_total)
            await _until(stop, lambda: until_finished and monitor.finished)
    finally:
        await writer.close(within_s=LAST_LINES_S)
        for number in ENDING:
            loop.remove_signal_handler(number)
    log.info("monitor ended")
    if writer.failure is not None:
        raise AppError(f"stdout cannot be written ({writer.failure.strerror}); make room, or name another file")


async def _until(stop: asyncio.Event, over: Callable[[], bool]) -> None:
    while not stop.is_set() and not over():
        try:
            async with asyncio.timeout(WATCH_S):
                await stop.wait()
        except TimeoutError:
            continue
