"""What the program costs as a whole: `python -m tests.benchmarks.bench_app [FEEDS ITEMS [LATENCY_S]]`.

With arguments only the ingest of so many feeds with so many items each is measured.

Prints each figure beside its aim, and beside a floor of the same run where there is one: an interpreter that does
nothing, and the same interpreter reading the same lines as JSON.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.config import config
from app.monitor import Monitor
from app.wiring.monitor import open_monitor
from tests.fakes.feed_server import FeedServer

RUNS = 5
HEADLINES = 1_000
FEEDS, ITEMS = 40, 30
NAMES = ("Nvidia", "Apple", "Halvard Offshore", "Orrin Foods", "Toyota", "Sable Ridge", "Lumen Grid", "Delta", "Intel")
VERBS = (
    "raises outlook for",
    "cuts guidance at",
    "opens plant in",
    "names chairman of",
    "sues",
    "buys",
    "delays",
    "wins",
)
MORE = "More of the same follows. " * 8
THINGS = ("its northern unit", "a rival", "the copper mine", "two patents", "a rail contract", "the cloud business")


def headlines(count: int, seed: int = 1) -> list[str]:
    """Invented headlines, no two alike."""
    dice = random.Random(seed)
    return [
        f"{dice.choice(NAMES)} {dice.choice(VERBS)} {dice.choice(THINGS)}, {number + seed * 1_000} jobs affected"
        for number in range(count)
    ]


def wall_s(command: Sequence[str]) -> float:
    """Median wall time of a command in seconds."""
    taken = []
    for _ in range(RUNS):
        began = time.perf_counter()
        subprocess.run([sys.executable, *command], check=True, capture_output=True)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def say(what: str, figure: float, unit: str, aim: str) -> None:
    print(f"{what:<44} {figure:>9.3f} {unit:<8} aim {aim}")


def bench_start() -> None:
    nothing = wall_s(["-c", "pass"])
    say("interpreter that does nothing (floor)", nothing, "s", "-")
    say("tapewatch --help", wall_s(["-m", "app.cli", "--help"]), "s", "0.100")


def bench_score(folder: Path) -> None:
    file = folder / "items.jsonl"
    file.write_text("".join(json.dumps({"title": title}) + "\n" for title in headlines(HEADLINES)))
    one = folder / "one.jsonl"
    one.write_text(json.dumps({"title": headlines(1)[0]}) + "\n")
    reading = wall_s(["-c", f"import json\nfor line in open({str(file)!r}): json.loads(line)"])
    start, whole = (wall_s(["-m", "app.cli", "score", str(name), "--json", "--no-tools"]) for name in (one, file))
    say(f"score {HEADLINES} headlines, without tools", HEADLINES / (whole - start), "items/s", "500 (start-up apart)")
    say("reading the same lines as JSON (floor)", HEADLINES / reading, "items/s", "-")


def serve(ports: Any, feeds: int, count: int, latency_s: float) -> None:
    """A server of feeds in a process of its own, so that its work is not counted."""

    async def run() -> None:
        async with FeedServer(latency_s=latency_s) as server:
            for feed in range(feeds):
                items = "".join(
                    f"<item><guid>{title}</guid><title>{title}</title><description>{title}. {MORE}</description></item>"
                    for title in headlines(count, feed + 1)
                )
                server.serve(
                    f"/{feed}", f'<rss version="2.0"><channel><title>{feed}</title>{items}</channel></rss>', etag='"1"'
                )
            ports.put(server.port)
            await asyncio.Event().wait()

    asyncio.run(run())


async def bench_ingest(folder: Path, port: int, feeds: int, count: int) -> None:
    sources = "".join(f'[[feeds.source]]\nurl = "http://127.0.0.1:{port}/{feed}"\n' for feed in range(feeds))
    settings = config.parse(
        f'[feeds]\nbuiltin = false\n{sources}[network]\nallow_hosts = ["127.0.0.1:{port}"]\n[tools]\nenabled = false\n',
        "bench",
    )
    scored = 0
    done = asyncio.Event()

    async def saved(*_: object) -> None:
        nonlocal scored
        scored += 1
        if scored == feeds * count:
            done.set()

    async with open_monitor(settings, database_file=folder / "bench.db", saved=saved) as monitor:
        began = time.perf_counter()
        await monitor.start()
        say("start of the pipeline", time.perf_counter() - began, "s", "-")
        began = time.perf_counter()
        delays = asyncio.create_task(loop_delays())
        worked = time.process_time()
        await asyncio.wait_for(done.wait(), 300)
        delays.cancel()
        aim = "0.5" if feeds == FEEDS else "4.7"
        say(f"{feeds} feeds x {count} items, scored and stored", time.perf_counter() - began, "s", aim)
        say("the work of this process for it", time.process_time() - worked, "s", "-")
        found = sorted(await delays)
        say("event loop delay meanwhile, p99", found[int(len(found) * 0.99)] * 1000, "ms", "20 (key to paint)")
        await bench_unchanged(monitor, feeds)
    say("peak memory of this process", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB", "150")


async def loop_delays() -> list[float]:
    """How late the event loop comes back to somebody who asked for 5 ms, until cancelled."""
    found: list[float] = []
    try:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0.005)
            found.append(time.perf_counter() - began - 0.005)
    except asyncio.CancelledError:
        return found


async def bench_unchanged(monitor: Monitor, feeds: int) -> None:
    """All feeds asked again, none has anything new."""
    checked = 0
    every = asyncio.Event()

    def hear(event: object) -> None:
        nonlocal checked
        checked += type(event).__name__ == "SourceChecked"
        if checked == feeds:
            every.set()

    await asyncio.sleep(0.3)
    monitor.bus.subscribe(hear)
    began = time.perf_counter()
    await monitor.check_now()
    await asyncio.wait_for(every.wait(), 30)
    say(f"the same {feeds} feeds, unchanged", time.perf_counter() - began, "s", "-")


def ingest(folder: Path, feeds: int = FEEDS, count: int = ITEMS, latency_s: float = 0.0) -> None:
    """Feeds from a server of another process to scored and stored items."""
    context = multiprocessing.get_context("spawn")
    ports = context.Queue()
    server = context.Process(target=serve, args=(ports, feeds, count, latency_s), daemon=True)
    server.start()
    try:
        asyncio.run(bench_ingest(folder, ports.get(timeout=60), feeds, count))
    finally:
        server.kill()


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        if len(sys.argv) > 2:
            ingest(Path(name), int(sys.argv[1]), int(sys.argv[2]), *map(float, sys.argv[3:4]))
            return
        bench_start()
        bench_score(Path(name))
        ingest(Path(name))


if __name__ == "__main__":
    main()
