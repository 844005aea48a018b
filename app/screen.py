"""Puts a monitor on the terminal: the screen is painted first, the pipeline starts behind it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from app.monitor import Monitor
from app.ui.app import MonitorApp


async def show(opened: AbstractAsyncContextManager[Monitor], *, bell: bool, notifies: bool = False) -> None:
    """Runs the screen until the user leaves it; the monitor is closed with it.

    `notifies` lets the terminal itself show alerts as notifications.
    """
    async with opened as monitor:
        screen = MonitorApp(
            monitor.cards,
            monitor.bus,
            monitor,
            monitor.clock,
            monitor.timezone,
            on_ready=monitor.start,
            bell=bell,
            investigator=monitor.investigator,
            book=monitor.book,
            records=monitor.records,
            notifies=notifies,
        )
        await screen.run_async()
