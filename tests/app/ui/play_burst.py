"""A monitor that a burst of FLASHes reaches, each with a text from outside. Run as `python -m ... FILE NUMBER`."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from datetime import UTC
from pathlib import Path

from app.clock import SystemClock
from app.events import Bus
from app.ui.app import MonitorApp
from tests.app.ui.cards_in_memory import MemoryCards, MemoryControl, Tape
from tests.app.ui.play import saying
from tests.app.ui.samples import DAY, card_detail


async def main(texts: Sequence[str], number: int) -> None:
    clock = SystemClock()
    cards, bus = MemoryCards(), Bus()
    tape = Tape(cards, bus)

    async def ready() -> None:
        now = clock.now()
        for key in range(number):
            tape.alert(saying(texts[key % len(texts)], card_detail(DAY[0], key + 1, now)), now)

    control = MemoryControl(cards, clock.now())
    await MonitorApp(cards, bus, control, clock, UTC, on_ready=ready, notifies=True).run_async()


if __name__ == "__main__":
    asyncio.run(main(json.loads(Path(sys.argv[1]).read_text()), int(sys.argv[2])))
