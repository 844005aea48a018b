"""A recording run through the monitor on a simulated clock, into a database that is thrown away."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from app.clock import Clock, SimulatedClock, SteppedClock
from app.commands.options import Options
from app.log import logging_to
from app.monitor import Monitor
from app.paths import log_file
from app.pipeline.recording import Recorded
from app.pipeline.scorer import Saved
from app.wiring.monitor import open_monitor


def replay(recorded: Sequence[Recorded], options: Options, *, speed: float, headless: bool) -> None:
    """Plays `recorded` at `speed` times its own pace; 0 is as fast as it can be scored. Nothing of it is kept."""
    config = options.load()
    with (
        tempfile.TemporaryDirectory(prefix="tapewatch-") as folder,
        logging_to(None if headless else log_file(), debug=options.debug, secrets=config.alerts.secrets),
    ):
        start = recorded[0].at
        clock: Clock = SimulatedClock(start, speed) if speed else SteppedClock(start)

        def opened(saved: Saved | None = None) -> AbstractAsyncContextManager[Monitor]:
            return open_monitor(
                config,
                database_file=Path(folder) / "replay.db",
                usage_file=options.usage_file,
                clock=clock,
                saved=saved,
                recording=recorded,
            )

        if headless:
            from app.headless import run_headless

            asyncio.run(run_headless(opened, until_finished=True))
        else:
            from app.screen import show

            asyncio.run(show(opened(), bell=config.alerts.bell))
