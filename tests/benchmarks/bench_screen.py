"""What the screen costs on a pseudo-terminal over a stored history: `python -m tests.benchmarks.bench_screen DB ...`.

For each database: process start to the first painted card, then key to paint while 1,000 cards a minute change. The
floor printed beside it is a bare Textual application on the same pty.
"""

from __future__ import annotations

import asyncio
import resource
import statistics
import sys
import time
from pathlib import Path

from tests.app.ui.terminal import Terminal

ME = "tests.benchmarks.bench_screen"
SIZE = (160, 48)
PRESSES = 300
BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("first paint", markup=False)
Bare().run()
"""


async def show(path: Path) -> None:
    """The monitor over a database, one card changing every 60 ms; the peak memory goes to stderr at the end."""
    from datetime import UTC

    from app.clock import SystemClock
    from app.events import Bus, CardChanged
    from app.status import Status
    from app.ui.app import MonitorApp
    from storage.cards import CardReader
    from storage.models import CardFilter
    from tests.app.ui.cards_in_memory import MemoryCards, MemoryControl

    bus, clock = Bus(), SystemClock()
    tasks: set[asyncio.Task[None]] = set()
    with CardReader(path) as cards:

        async def changing() -> None:
            keys = cards.order(CardFilter(), 400)
            for turn in range(100_000):
                await clock.sleep(0.06)
                bus.publish(CardChanged(keys[turn * 7 % len(keys)]))

        async def ready() -> None:
            tasks.add(asyncio.create_task(changing()))

        control = MemoryControl(MemoryCards(), clock.now(), Status(feeds_ok=1, feeds_total=1))
        await MonitorApp(cards, bus, control, clock, UTC, on_ready=ready).run_async()
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


def started(module: str, *args: str, sign: str) -> float:
    """Seconds from process start until `sign` has reached the terminal."""
    began = time.perf_counter()
    with Terminal(module, *args, size=SIZE) as terminal:
        while sign.encode() not in terminal.since and time.perf_counter() - began < 20:
            terminal.read(0.005)
            assert terminal.process.poll() is None, terminal.seen.decode(errors="replace")
        taken = time.perf_counter() - began
        terminal.send("\x11")
        terminal.ends_within(5.0)
    return taken


def pressed(path: str) -> tuple[list[float], str]:
    """Milliseconds from each key to the paint of the cursor in its new place, and the peak memory of the process."""
    spent: list[float] = []
    with Terminal(ME, "--show", path, size=SIZE) as terminal:
        terminal.wait_for("live")
        terminal.read(1.5)
        for number in range(PRESSES):
            time.sleep(0.03 + number % 7 * 0.005)
            terminal.read(0.001)
            began = time.perf_counter()
            terminal.send("j")
            while "█".encode() not in terminal.since and time.perf_counter() - began < 1:
                terminal.read(0.002)
            spent.append((time.perf_counter() - began) * 1000)
        terminal.send("\x11")
        terminal.ends_within(5.0)
        return spent, terminal.seen.decode(errors="replace").rsplit("peak", 1)[-1].strip()


def main() -> None:
    if sys.argv[1] == "--show":
        asyncio.run(show(Path(sys.argv[2])))
        return
    if sys.argv[1] == "--bare":
        exec(BARE, {})
        return
    floor = statistics.median(started(ME, "--bare", sign="first paint") for _ in range(5))
    print(f"first paint, bare Textual: {floor:.2f} s")
    for path in sys.argv[1:]:
        first = statistics.median(started(ME, "--show", path, sign="▌") for _ in range(5))
        spent, memory = pressed(path)
        cuts = statistics.quantiles(spent, n=100)
        print(
            f"{path}: first card {first:.2f} s, key to paint p50 {cuts[49]:.1f} ms p99 {cuts[98]:.1f} ms, peak {memory}"
        )


if __name__ == "__main__":
    main()
