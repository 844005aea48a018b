"""A recording run through the monitor on a simulated clock, into a database that is thrown away."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from pathlib import Path
from typing import Final

from app.clock import Clock, SimulatedClock, SteppedClock
from app.commands.options import Options
from app.log import logging_to
from app.monitor import Monitor
from app.paths import log_file
from app.pipeline.beside_recording import Beside
from app.pipeline.recording import Recorded
from app.pipeline.scorer import Saved
from app.wiring.monitor import open_monitor

AFTER: Final = timedelta(seconds=30)
"""So long the clock of a recording still runs fast after its last item."""


def replay(
    recorded: Sequence[Recorded], options: Options, *, speed: float, headless: bool, told: Beside | None = None
) -> None:
    """Plays `recorded` at `speed` times its own pace; 0 is as fast as it can be scored. Nothing of it is kept.

    After the last item the clock goes on at the machine's pace. `told` is what stands beside the recording.
    """
    config = options.load()
    with (
        tempfile.TemporaryDirectory(prefix="tapewatch-") as folder,
        logging_to(None if headless else log_file(), debug=options.debug, secrets=config.alerts.secrets),
    ):
        start, end = recorded[0].at, recorded[-1].at + AFTER
        clock: Clock = SimulatedClock(start, speed, until=end) if speed else SteppedClock(start)

        def opened(saved: Saved | None = None) -> AbstractAsyncContextManager[Monitor]:
            return open_monitor(
                config,
                database_file=Path(folder) / "replay.db",
                usage_file=options.usage_file,
                clock=clock,
                saved=saved,
                recording=recorded,
                told=told,
                settings=lambda: options.in_force(config),
            )

        if headless:
            from app.headless import run_headless

            asyncio.run(run_headless(opened, until_finished=True))
        else:
            from app.screen import show

            asyncio.run(show(opened(), bell=config.alerts.bell))
