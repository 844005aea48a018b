"""Draws the README's picture from the bundled day: `python -m tests.picture`."""

from __future__ import annotations

import asyncio
import io
import re
import tempfile
from datetime import UTC
from pathlib import Path

from app.clock import SteppedClock
from app.config.config import Config
from app.demo import beside, day
from app.pipeline.recording import read_recording
from app.ui.app import MonitorApp
from app.wiring.monitor import open_monitor

PICTURE = Path(__file__).resolve().parents[1] / "app" / "demo" / "monitor.svg"
SIZE = (150, 44)
CARDS = 30
"""So far into the day the picture is taken."""


def self_contained(svg: str) -> str:
    """The picture without fonts from the network, and with its blanks kept."""
    svg = re.sub(r"@font-face\s*\{[^}]*\}", "", svg)
    svg = svg.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas")
    return svg.replace("<text ", '<text xml:space="preserve" ')


async def draw() -> None:
    recorded = read_recording(io.BytesIO(day()), lambda broken: None)[:CARDS]
    watchlist = ({"symbol": "NVDA", "holding": True}, {"symbol": "MSFT"})
    config = Config.model_validate({"engine": "rules", "tools": {"enabled": False}, "watchlist": watchlist})
    with tempfile.TemporaryDirectory() as folder:
        clock = SteppedClock(recorded[0].at)
        file = Path(folder) / "day.db"
        async with open_monitor(config, database_file=file, clock=clock, recording=recorded, told=beside()) as monitor:
            await monitor.start()
            while not monitor.finished:  # noqa: ASYNC110 -- a recording ends by itself, within seconds
                await asyncio.sleep(0.02)
            screen = MonitorApp(monitor.cards, monitor.bus, monitor, clock, UTC, bell=False, records=monitor.records)
            async with screen.run_test(size=SIZE) as pilot:
                await pilot.pause()
                await pilot.press("j")
                await pilot.pause(0.3)
                svg = screen.export_screenshot(title="tapewatch")
    PICTURE.write_text(self_contained(svg), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(draw())
