"""The worker process: it can be killed, replaced and cancelled, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from feeds.documents.parse import FeedParser
from feeds.documents.parse_worker import to_json
from feeds.errors import Malformed, NotAFeed, ParserKilled
from tests.feeds.documents.builders import BASE, GOOD, NOW, SLOW, parse, rss


async def test_the_worker_gives_what_the_parser_gives() -> None:
    document = rss(GOOD + "<pubDate>Tue, 10 Mar 2026 12:00:00 EDT</pubDate>", "<title>undated \u00e9</title>").encode()
    async with FeedParser() as parser:
        feeds = await asyncio.gather(
            *(parser.parse(document, "text/xml", base_url=BASE, now=NOW) for _ in range(3)),
        )
        with pytest.raises(NotAFeed, match="web page"):
            await parser.parse(b"<html/>", "text/html", base_url=BASE, now=NOW)
    assert feeds == [parse(document)] * 3
    assert json.loads(json.dumps(to_json(feeds[0])))["title"] == "Wire"


async def test_a_document_that_takes_too_long_is_killed_and_the_next_is_read() -> None:
    async with FeedParser(timeout_s=0.4) as parser:
        with pytest.raises(ParserKilled, match=r"longer than 0\.4 s"):
            await parser.parse(SLOW.encode(), "", base_url=BASE, now=NOW)
        parser._timeout_s = 5.0
        assert len((await parser.parse(rss(GOOD).encode(), "", base_url=BASE, now=NOW)).entries) == 1


async def test_a_document_that_needs_too_much_memory_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feeds.documents.parse._MEMORY", 90 * 2**20)
    async with FeedParser() as parser:
        with pytest.raises(ParserKilled, match="too much memory"):
            await parser.parse(rss(f"<title>{'x & y' * 1_500_000}</title>").encode(), "", base_url=BASE, now=NOW)


async def test_a_body_over_the_cap_is_refused_before_any_work() -> None:
    async with FeedParser(max_bytes=2**20) as parser:
        with pytest.raises(Malformed, match="larger than 1 MB"):
            await parser.parse(b"x" * (2**20 + 1), "", base_url=BASE, now=NOW)
        assert parser._worker is None


async def test_a_cancelled_parse_does_not_give_its_answer_to_the_next() -> None:
    async with FeedParser() as parser:
        await parser.parse(rss(GOOD).encode(), "", base_url=BASE, now=NOW)
        task = asyncio.create_task(parser.parse(SLOW.encode(), "", base_url=BASE, now=NOW))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        feed = await parser.parse(rss("<title>next</title>").encode(), "", base_url=BASE, now=NOW)
        assert [entry.title for entry in feed.entries] == ["next"]


async def test_a_worker_that_died_is_replaced() -> None:
    async with FeedParser() as parser:
        await parser.parse(rss(GOOD).encode(), "", base_url=BASE, now=NOW)
        assert parser._worker is not None
        os.kill(parser._worker.pid, signal.SIGKILL)
        await parser._worker.wait()
        assert (await parser.parse(rss(GOOD).encode(), "", base_url=BASE, now=NOW)).entries


async def test_no_worker_is_left_at_the_end_and_none_knows_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "canary")
    async with FeedParser() as parser:
        await parser.parse(rss(GOOD).encode(), "", base_url=BASE, now=NOW)
        assert parser._worker is not None
        pid = parser._worker.pid
        if Path("/proc").is_dir():
            assert b"canary" not in Path(f"/proc/{pid}/environ").read_bytes()
    assert not alive(pid)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc to see the worker")
def test_the_worker_ends_when_its_parent_is_killed() -> None:
    program = (
        "import asyncio\n"
        "from feeds.documents.parse import FeedParser\n"
        "from tests.feeds.documents.builders import *\n"
        "async def main():\n"
        "    async with FeedParser() as parser:\n"
        "        await parser.parse(rss(GOOD).encode(), '', base_url=BASE, now=NOW)\n"
        "        print(parser._worker.pid, flush=True)\n"
        "        await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.kill()
    until = time.monotonic() + 5
    while alive(worker) and time.monotonic() < until:
        time.sleep(0.01)
    assert not alive(worker)


def test_a_worker_without_parent_ends_in_the_middle_of_a_document() -> None:
    header = json.dumps(
        {"content_type": "", "base_url": BASE, "now": NOW.isoformat(), "max_entries": 9, "timeout_s": 0.05}
    ).encode()
    request = len(header).to_bytes(4, "big") + len(SLOW).to_bytes(4, "big") + header + SLOW.encode()
    run = subprocess.run(
        [sys.executable, "-m", "feeds.documents.parse_worker", str(2**29)],
        input=request,
        capture_output=True,
        timeout=20,
    )
    assert run.returncode == -signal.SIGALRM


def test_the_worker_loads_neither_screen_nor_models() -> None:
    program = "import sys, feeds.documents.parse_worker; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert not {"textual", "rich", "pydantic", "httpx2", "feedparser"} & set(run.stdout.split())
