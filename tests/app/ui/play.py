"""A monitor on the real terminal this process has, over cards in memory. Run as `python -m tests.app.ui.play [FILE]`.

With a file, a JSON list of texts, every place that shows outside text shows one of them, card by card. Cards keep
arriving, so that the screen is never idle.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path

from app.clock import SystemClock
from app.events import Bus
from app.ui.app import MonitorApp
from storage.models import CardDetail
from tests.app.ui.cards_in_memory import MemoryCards, MemoryControl, Tape
from tests.app.ui.samples import DAY, card_detail, day, many, sources


def saying(text: str, detail: CardDetail) -> CardDetail:
    """`detail` with `text` wherever a feed, a tool or an agent may speak."""
    item = replace(detail.item, title=text, summary=text, source_name=text, outlet=text, url=text)
    tickers = tuple(replace(ticker, symbol=text) for ticker in detail.card.tickers)
    card = replace(detail.card, title=text, source_name=text, url=text, tickers=tickers)
    members = tuple(replace(one, title=text, source_name=text, outlet=text, url=text) for one in detail.members)
    signal = detail.signal
    if signal is not None and signal.synthesis is not None:
        linked = tuple(replace(one, symbol=text, reason=text) for one in signal.synthesis.tickers_linked)
        signal = replace(signal, synthesis=replace(signal.synthesis, tickers_linked=linked), notes=(text,))
    return replace(detail, item=item, card=card, members=members, signal=signal)


async def main(texts: Sequence[str]) -> None:
    clock = SystemClock()
    now = clock.now()

    def spoken(detail: CardDetail) -> CardDetail:
        return saying(texts[detail.card.key % len(texts)], detail) if texts else detail

    details = [spoken(detail) for detail in [*day(now), *many(max(len(texts), 50), now - timedelta(hours=1))]]
    rows = sources(now)
    if texts:
        rows = [replace(row, source=replace(row.source, name=text)) for row, text in zip(rows, texts, strict=False)]
    cards, bus = MemoryCards(details, rows), Bus()
    tape = Tape(cards, bus)
    tasks: set[asyncio.Task[None]] = set()

    async def arriving() -> None:
        tape.alert(spoken(card_detail(DAY[0], 900, clock.now())), clock.now())
        tape.alert(spoken(card_detail(DAY[1], 901, clock.now())), clock.now())
        for key in range(10_000, 100_000):
            await clock.sleep(0.05)
            tape.arrive(spoken(card_detail(DAY[key % 8], key, clock.now())))

    async def ready() -> None:
        tasks.add(asyncio.create_task(arriving()))

    await MonitorApp(cards, bus, MemoryControl(cards, now), clock, UTC, on_ready=ready).run_async()
    for task in tasks:
        task.cancel()


if __name__ == "__main__":
    asyncio.run(main(json.loads(Path(sys.argv[1]).read_text()) if len(sys.argv) > 1 else ()))
