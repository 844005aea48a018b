"""What reading feeds costs: `python -m tests.benchmarks.bench_feeds`.

Parsing is printed beside feedparser alone on the same documents, grouping at a nearly empty and at a full window.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from dataclasses import replace
from datetime import timedelta
from io import BytesIO

import feedparser

from feeds.documents.parse import FeedParser
from feeds.stories.identity import Known, resolve
from feeds.stories.story import StoryIndex, sketch
from tests.feeds.documents.builders import BASE, NOW, parse, rss

VERBS = ("cuts", "raises", "halts", "opens", "sues", "buys", "recalls", "delays", "sells", "plans")
THINGS = ("guidance", "output", "a plant in Ohio", "its dividend", "a mine in Chile", "1,200 jobs", "deliveries")


def headline(rng: random.Random) -> str:
    """An invented headline; names as unevenly used as in a day of news."""
    name = "".join(rng.choice("bdfglmnrst") + rng.choice("aeiou") for _ in range(1 + min(3, int(rng.expovariate(0.5)))))
    return f"{name.title()} {rng.choice(VERBS)} {rng.choice(THINGS)} after {rng.randint(2, 40)}% fall in orders"


def document(rng: random.Random, entries: int) -> bytes:
    """An RSS document like those of a newsroom."""
    return rss(
        *(
            f"<title>{headline(rng)}</title><link>https://x.example/{rng.random()}?utm_source=rss</link>"
            f"<guid isPermaLink='false'>{rng.random()}</guid><pubDate>Tue, 10 Mar 2026 12:{n % 60:02d}:00 GMT</pubDate>"
            f"<description>&lt;p&gt;{headline(rng)}. {headline(rng)}.&lt;/p&gt;"
            "&lt;p&gt;&lt;b&gt;More&lt;/b&gt;&lt;/p&gt;</description>"
            for n in range(entries)
        )
    ).encode()


async def parsing(feeds: int, entries: int) -> None:
    """All documents at once through the worker."""
    rng = random.Random(1)
    documents = [document(rng, entries) for _ in range(feeds)]
    async with FeedParser() as parser:
        started = time.perf_counter()
        await parser.parse(documents[0], "text/xml", base_url=BASE, now=NOW)
        first = time.perf_counter() - started
        started, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(parser.parse(one, "text/xml", base_url=BASE, now=NOW) for one in documents))
        ours, ours_cpu = time.perf_counter() - started, time.process_time() - cpu
    started = time.perf_counter()
    for one in documents:
        feedparser.parse(BytesIO(one), sanitize_html=False, resolve_relative_uris=False)
    theirs = time.perf_counter() - started
    print(
        f"parse {feeds} feeds x {entries}: {ours * 1e3:.0f} ms ({ours_cpu * 1e3:.0f} ms of it in the program), "
        f"feedparser alone {theirs * 1e3:.0f} ms; first document, start of the worker included: {first * 1e3:.0f} ms"
    )


def identity() -> None:
    """A poll of 30 entries, all new and then all known."""
    entries = parse(document(random.Random(2), 30)).entries
    for name in ("new", "known"):
        known: list[Known] = []
        if name == "known":
            decisions = resolve(entries, (), source_id="s", now=NOW).decisions
            known = [
                Known(d.item_id, d.keys, d.entry.title, d.content_hash, d.entry.published.at, NOW) for d in decisions
            ]
        started = time.perf_counter()
        for _ in range(20):
            resolve(entries, known, source_id="s", now=NOW)
        print(f"identity, {name}: {(time.perf_counter() - started) / 600 * 1e6:.0f} µs an entry")


def stories(size: int) -> None:
    """Matching against a window that holds `size` sketches."""
    rng = random.Random(3)
    index, times, made = StoryIndex(), [], []
    for n in range(size + 1000):
        title, at = headline(rng), NOW + timedelta(hours=40) * n / (size + 1000)
        started = time.perf_counter()
        new = sketch(f"i{n}", f"i{n}", title, f"{headline(rng)}. {headline(rng)}.", f"outlet {n % 40}", at)
        made.append(time.perf_counter() - started)
        started = time.perf_counter()
        found = index.match(new, at)
        times.append(time.perf_counter() - started)
        index.add(replace(new, story_id=found.story_id) if found else new)
    last = sorted(times[-1000:])
    print(
        f"stories, {size} in the window: match median {statistics.median(last) * 1e6:.0f} µs, "
        f"p99 {last[990] * 1e6:.0f} µs; sketch {statistics.median(made) * 1e6:.0f} µs"
    )


def main() -> None:
    asyncio.run(parsing(40, 30))
    asyncio.run(parsing(300, 50))
    identity()
    for size in (1_000, 10_000):
        stories(size)


if __name__ == "__main__":
    main()
