"""Puts a monitor on the terminal: the screen is painted first, the pipeline starts behind it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from app.monitor import Monitor
from app.ui.app import MonitorApp


async def show(opened: AbstractAsyncContextManager[Monitor], *, bell: bool) -> None:
    """Runs the screen until the user leaves it; the monitor is closed with it."""
    async with opened as monitor:
        screen = MonitorApp(
            monitor.cards,
            monitor.bus,
            monitor,
            monitor.clock,
            monitor.timezone,
            on_ready=monitor.start,
            bell=bell,
        )
        await screen.run_async()
