"""What storage costs with a short and with a long history: `python -m tests.benchmarks.bench_storage [SIGNALS ...]`.

Prints one line per operation with its figure at each size; the ratio says whether cost grows with the history.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from agents.models import Evidence, FlashEvent, Report, Signal, ToolName, Urgency
from feeds.models import Entry
from storage.archive import Archive
from storage.cards import CardReader
from storage.database import Database
from storage.items import Items
from storage.models import CardFilter
from storage.signals import Signals
from storage.sources import Sources
from tests.storage.samples import NOW, WIRE, published, signal

SIZES = (10_000, 100_000)
POLL = 30
ROUND = timedelta(hours=12)
"""Between two polls of all sources: 100,000 signals are six weeks, and two days of stories are in memory."""
SOURCES = tuple(replace(WIRE, id=f"wire-{n}", name=f"Wire {n}", url=f"https://wire.example/{n}") for n in range(40))
TOOLS: tuple[tuple[ToolName, ...], ...] = (
    ("geo_events", "rss_search", "web_search"),
    ("reddit_sentiment", "stocktwits_ratio", "youtube_sentiment"),
    ("policy_rates", "cpi", "fx_rates", "oil_gold"),
    ("sector_peers", "supply_chain"),
    ("regulatory_documents", "central_bank_statements", "sec_enforcement", "asic_enforcement"),
)
VERBS = ("cuts", "raises", "halts", "opens", "sues", "buys", "names", "recalls", "delays", "backs", "sells", "plans")
Figures = dict[str, float]


class Press:
    """Invented headlines: companies nobody has heard of, words as unevenly used as in a language."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._words = [self._word() for _ in range(30_000)]
        self._symbols = [self._word().upper()[:4] for _ in range(2_000)]
        self._numbers = itertools.count()
        self.now = NOW

    def _word(self) -> str:
        return "".join(self._random.choice("bcdfglmnprstv") + self._random.choice("aeiou") for _ in range(3))

    def words(self, count: int) -> str:
        return " ".join(self._words[int(self._random.paretovariate(0.9)) % 30_000] for _ in range(count))

    def symbols(self) -> list[str]:
        return [self._symbols[int(self._random.paretovariate(0.9)) % 2_000] for _ in range(self._random.randint(0, 3))]

    def entry(self) -> Entry:
        number = next(self._numbers)
        company = f"{self._word()} {self._word()}".title()
        title = f"{company} {self._random.choice(VERBS)} {self.words(6)} {number % 97} percent"
        at = self.now - timedelta(seconds=number % 3600)
        return Entry(f"guid-{number}", f"https://wire.example/a/{number}", title, self.words(30), published(at))

    def signal(self, item_id: str) -> Signal:
        urgency = self._random.choices(list(Urgency), (1, 6, 33, 60))[0]
        event: FlashEvent | None = "bankruptcy" if urgency is Urgency.FLASH else None
        one = signal(item_id, urgency, impact=self._random.random(), tickers=tuple(set(self.symbols())), event=event)
        outcomes = tuple(
            replace(outcome, evidence=tuple(_unasked(tool) for tool in tools))
            for outcome, tools in zip(one.outcomes, TOOLS, strict=True)
            if isinstance(outcome, Report)
        )
        return replace(one, outcomes=outcomes)


def _unasked(tool: ToolName) -> Evidence:
    return Evidence(f"{tool}#1", tool, "not_configured", tool, NOW, detail="no source is configured for this tool")


@contextmanager
def timed(figures: Figures, name: str, count: float = 1) -> Iterator[None]:
    """Microseconds per unit of the block."""
    began = time.perf_counter()
    yield
    figures[name] = (time.perf_counter() - began) / count * 1e6


def sampled(figures: Figures, name: str, calls: list[Callable[[], object]], *, tail: bool = False) -> None:
    """The median, and on request the 99th percentile, of single calls in microseconds."""
    spent = []
    for call in calls:
        began = time.perf_counter()
        call()
        spent.append((time.perf_counter() - began) * 1e6)
    figures[f"{name} p50"] = statistics.median(spent)
    if tail:
        figures[f"{name} p99"] = statistics.quantiles(spent, n=100)[98]


async def fill(items: Items, signals: Signals, press: Press, have: int, size: int) -> None:
    """Brings the history to `size` signals through the public API."""
    while have < size:
        press.now += ROUND
        jobs = [items.ingest(source, [press.entry() for _ in range(POLL)], now=press.now) for source in SOURCES]
        new = [item_id for taken in await asyncio.gather(*jobs) for item_id in taken.new]
        await asyncio.gather(*(signals.save(press.signal(item_id), alert=None) for item_id in new))
        have += len(new)


async def measure(database: Database, items: Items, signals: Signals, press: Press) -> Figures:
    """All figures at the present size."""
    figures: Figures = {}
    press.now += ROUND
    polls = [(source, [press.entry() for _ in range(POLL)]) for source in SOURCES]
    for name in ("ingest, new item", "ingest, known item"):
        with timed(figures, name, len(SOURCES) * POLL):
            taken = await asyncio.gather(*(items.ingest(source, entries, now=press.now) for source, entries in polls))
        if name == "ingest, new item":
            new = [item_id for one in taken for item_id in one.new]
    with timed(figures, "work, item", len(new)):
        for start in range(0, len(new), 40):
            await items.work(new[start : start + 40])
    ready = [press.signal(item_id) for item_id in new]
    with timed(figures, "save, many at once", len(ready) - 100):
        await asyncio.gather(*(signals.save(one, alert=None) for one in ready[100:]))
    spent = []
    for one in ready[:100]:
        began = time.perf_counter()
        await signals.save(one, alert=None)
        spent.append((time.perf_counter() - began) * 1e6)
    figures["save, one at a time p50"] = statistics.median(spent)
    await ask_archive(figures, Archive(database), items, press, new)
    return figures


async def ask_archive(figures: Figures, archive: Archive, items: Items, press: Press, new: list[str]) -> None:
    item = await items.get(new[-1])
    calls: list[Awaitable[object]] = [
        archive.earlier(item, symbols=press.symbols(), event_type="bankruptcy", before=press.now + ROUND)
        for _ in range(100)
    ]
    with timed(figures, "archive.earlier", len(calls)):
        for call in calls:
            await call


def look(path: Path, press: Press) -> Figures:
    """The figures of the screen's reader."""
    figures: Figures = {}
    with timed(figures, "CardReader opened"):
        reader = CardReader(path)
    with reader:
        keys = reader.order(CardFilter())
        sampled(figures, "order, all", [lambda: reader.order(CardFilter())] * 7)
        sampled(figures, "order, first 500", [lambda: reader.order(CardFilter(), 500)] * 30)
        loud = CardFilter(urgencies=frozenset({Urgency.FLASH, Urgency.ALERT}), unread_only=True)
        sampled(figures, "order, FLASH and ALERT, first 500", [lambda: reader.order(loud, 500)] * 10)
        starts = [random.Random(n).randrange(len(keys) - 30) for n in range(300)]
        sampled(figures, "cards(30)", [lambda s=s: reader.cards(keys[s : s + 30]) for s in starts])  # type: ignore[misc]
        sampled(figures, "card", [lambda s=s: reader.card(keys[s]) for s in starts])  # type: ignore[misc]
        sampled(figures, "detail", [lambda s=s: reader.detail(keys[s]) for s in starts])  # type: ignore[misc]
        sampled(figures, "counts", [reader.counts] * 50)
        wanted = [CardFilter(text=press.words(1 + n % 2)[: 3 + n % 9]) for n in range(400)]
        sampled(figures, "search, first 500", [lambda w=w: reader.order(w, 500) for w in wanted], tail=True)  # type: ignore[misc]
        sampled(figures, "search, all", [lambda w=w: reader.order(w) for w in wanted[:100]], tail=True)  # type: ignore[misc]
        tickers = [CardFilter(tickers=frozenset(press.symbols())) for _ in range(100)]
        sampled(figures, "by ticker, first 500", [lambda w=w: reader.order(w, 500) for w in tickers], tail=True)  # type: ignore[misc]
    return figures


async def run(sizes: tuple[int, ...]) -> dict[int, Figures]:
    """Figures by size."""
    found: dict[int, Figures] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        press, have = Press(7), 0
        for size in sizes:
            async with Database.open(path, now=NOW) as database:
                await Sources(database).sync(SOURCES, NOW)
                items, signals = Items(database), Signals(database)
                await fill(items, signals, press, have, size)
                have = size
                found[size] = await measure(database, items, signals, press) | look(path, press)
            found[size]["file, bytes per signal"] = path.stat().st_size / size
            began = time.perf_counter()
            async with Database.open(path, now=NOW):
                found[size]["opened"] = (time.perf_counter() - began) * 1e6
    return found


def main() -> None:
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    found = asyncio.run(run(sizes))
    print(f"{'microseconds':40}" + "".join(f"{size:>14,}" for size in sizes) + f"{'ratio':>8}")
    for name in found[sizes[0]]:
        row = [found[size][name] for size in sizes]
        print(f"{name:40}" + "".join(f"{value:14,.0f}" for value in row) + f"{row[-1] / row[0]:8.2f}")


if __name__ == "__main__":
    main()
