"""What the screen costs on a pseudo-terminal over a stored history: `python -m tests.benchmarks.bench_screen`.

For each history size (arguments, else 10,000 and 100,000 signals): process start to the first painted card of the whole
program, then key to paint and the peak of memory while 1,000 cards a minute change. The floor printed beside it is a
bare Textual application on the same pty. Before that: the bytes written in an idle second and for a card.
"""

from __future__ import annotations

import asyncio
import resource
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.app.ui.terminal import Terminal

ME = "tests.benchmarks.bench_screen"
SIZES = ("10000", "100000")
SIZE = (160, 48)
PRESSES = 300
SELECTED = b"48;2;27;37;52"
"""The ground of the selected card: written whenever another card is selected."""
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
    from app.pipeline.status import Status
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


def written() -> None:
    """Prints what the terminal is sent while nothing happens, and for a card that arrives."""
    for size in (SIZE, (80, 24)):
        for keys, way in (("", "live"), ("jj", "held")):
            with Terminal("tests.app.ui.play_few", "ticking", size=size) as terminal:
                terminal.wait_for("? help")
                terminal.send(keys)
                _wait(terminal, 3.0)
                idle = _wait(terminal, 5.0) / 5
                arrivals = 8
                began = len(terminal.seen)
                for _ in range(arrivals):
                    terminal.process.send_signal(signal.SIGUSR1)
                    _wait(terminal, 1.0)
                card = (len(terminal.seen) - began - idle * arrivals) / arrivals
                print(f"{size[0]}x{size[1]} {way}: {idle:.0f} bytes an idle second, {card:,.0f} for a card")
                terminal.send("q")
                terminal.ends_within(5.0)


def _wait(terminal: Terminal, seconds: float) -> int:
    """Reads for so long; returns how many bytes came."""
    before, until = len(terminal.seen), time.monotonic() + seconds
    while time.monotonic() < until:
        terminal.read(0.05)
    return len(terminal.seen) - before


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
            while SELECTED not in terminal.since and time.perf_counter() - began < 1:
                terminal.read(0.002)
            spent.append((time.perf_counter() - began) * 1000)
        terminal.send("\x11")
        terminal.ends_within(5.0)
        return spent, terminal.seen.decode(errors="replace").rsplit("peak", 1)[-1].strip()


async def history(path: Path, signals: int) -> None:
    """A database of so many invented signals, as they would have come in six weeks or less."""
    from storage.database import Database
    from storage.items import Items
    from storage.signals import Signals
    from storage.sources import Sources
    from tests.benchmarks.bench_storage import SOURCES, Press, fill
    from tests.storage.samples import NOW

    async with Database.open(path, now=NOW) as database:
        await Sources(database).sync(SOURCES, NOW)
        await fill(Items(database), Signals(database), Press(7), 0, signals)


def measure(folder: Path, signals: int) -> None:
    """Prints the figures over one history."""
    database, config = folder / f"{signals}.db", folder / "config.toml"
    config.write_text("[feeds]\nbuiltin = false\n", encoding="utf-8")
    asyncio.run(history(database, signals))
    options = ("--config", str(config), "--db", str(database))
    first = statistics.median(started("app.cli", *options, sign="▌") for _ in range(5))
    spent, memory = pressed(str(database))
    cuts = statistics.quantiles(spent, n=100)
    print(
        f"{signals:,} signals: first card {first:.2f} s, key to paint p50 {cuts[49]:.1f} ms p99 {cuts[98]:.1f} ms,"
        f" peak {memory}"
    )


def main() -> None:
    if sys.argv[1:2] == ["--show"]:
        asyncio.run(show(Path(sys.argv[2])))
        return
    if sys.argv[1:2] == ["--bare"]:
        exec(BARE, {})
        return
    written()
    floor = statistics.median(started(ME, "--bare", sign="first paint") for _ in range(5))
    print(f"first paint, bare Textual: {floor:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        for signals in map(int, sys.argv[1:] or SIZES):
            measure(Path(folder), signals)


if __name__ == "__main__":
    main()
