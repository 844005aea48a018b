"""A monitor on the real terminal whose list breaks when the cursor moves: `python -m tests.app.ui.play_broken`."""

from __future__ import annotations

import asyncio
from datetime import UTC

from app.clock import SystemClock
from app.events import Bus
from app.ui.app import MonitorApp
from app.ui.widgets.feed import Feed
from tests.app.ui.cards_in_memory import MemoryCards, MemoryControl
from tests.app.ui.samples import Story, card_detail


def broken(feed: Feed, by: int) -> None:
    token = "canary-in-a-local"
    raise RuntimeError("it broke" if token else "")


async def main() -> None:
    clock = SystemClock()
    cards = MemoryCards([card_detail(Story("canary-in-a-cell"), 1, clock.now())])
    setattr(Feed, "action_move", broken)  # noqa: B010 -- a method of another shape
    await MonitorApp(cards, Bus(), MemoryControl(cards, clock.now()), clock, UTC).run_async()


if __name__ == "__main__":
    asyncio.run(main())
