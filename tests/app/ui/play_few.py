"""A monitor on the real terminal whose cards come only when asked: `python -m tests.app.ui.play_few`.

Each SIGUSR1 lets one card arrive, a second after the one before. The clock stands still otherwise, unless it is asked
to go (`ticking`).
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, timedelta
from itertools import count

from app.clock import Clock, SteppedClock, SystemClock
from app.events import Bus
from app.ui.app import MonitorApp
from tests.app.ui.cards_in_memory import MemoryCards, MemoryControl, Tape
from tests.app.ui.samples import DAY, card_detail, day, many, sources


class Unread(MemoryControl):
    """Marks nothing as read, which would happen at a time of its own."""

    async def mark_read(self, keys: Sequence[int]) -> None:
        return


async def main() -> None:
    now = SystemClock().now()
    clock: Clock = SystemClock() if "ticking" in sys.argv else SteppedClock(now)
    cards, bus = MemoryCards([*day(now), *many(60, now - timedelta(hours=1))], sources(now)), Bus()
    tape, keys = Tape(cards, bus), count(10_000)

    def arrive() -> None:
        if isinstance(clock, SteppedClock):
            clock.step(clock.now() + timedelta(seconds=1))
        key = next(keys)
        tape.arrive(card_detail(replace(DAY[key % 8], ago_s=0), key, clock.now()))

    app = MonitorApp(cards, bus, Unread(cards, now), clock, UTC, bell=False)
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, arrive)
    await app.run_async()


if __name__ == "__main__":
    asyncio.run(main())
