"""Claude's web search as a user meets it: in scores, in the monitor, in the lists of tools and of money."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from agents.budget import SEARCH_NANO
from agents.calls import ModelCall
from agents.models import Signal
from app.config.config import load
from app.wiring.desk import open_desk
from app.wiring.monitor import open_monitor
from feeds.models import Item, Published
from tests.agents.builders import an_item
from tests.app.program import Ended, call, move_home, run
from tests.app.test_headless import _overdue, rss, until
from tests.fakes.evidence import serve
from tests.fakes.feed_server import FeedServer
from tests.fakes.messages_api import MessagesApi, assessment, good, never
from tests.fakes.web_searching import USED, for_search, page, quotes, searching

NEWS = "US sanctions Nvidia supplier over chip exports to Russia"
STORY = "https://outlet.example/nvidia"
MOOD = searching(
    page(NEWS, STORY, "2 hours ago"),
    cited=[quotes(STORY, "The Treasury named two suppliers.")],
    then=good(assessment(0.45, tickers=["NVDA"])),
)
COST = USED["input_tokens"] * 100 + USED["output_tokens"] * 500 + SEARCH_NANO


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[MessagesApi, FeedServer]]:
    """A service that searches and a server that is all the public sources; the environment points to both."""
    async with MessagesApi(MOOD, searches=True) as api, FeedServer() as server:
        serve(server)
        move_home(tmp_path, monkeypatch)
        monkeypatch.setenv("ANTHROPIC_API_KEY", api.key)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        configure(tmp_path, server)
        yield api, server


def configure(home: Path, server: FeedServer, more: str = "", feed: str = "") -> Path:
    folder = home / "config" / "tapewatch"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(
        f'[network]\nallow_hosts = ["{server.host}"]\n[feeds]\nbuiltin = false\n{feed}'
        f'[tools]\nbase_urls = {{ default = "{server.url("")}" }}\n[claude]\n{more}\n'
    )
    return folder / "config.toml"


async def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    return await asyncio.to_thread(call, capsys, *arguments)


def ledger(home: Path) -> int:
    with closing(sqlite3.connect(home / "data" / "tapewatch" / "tapewatch-usage.db")) as connection:
        return int(connection.execute("SELECT coalesce(sum(nano), 0) FROM spend").fetchone()[0])


def web_search_of(signal: dict[str, Any]) -> dict[str, Any]:
    """The evidence of the tool in a printed signal."""
    (agent,) = [one for one in signal["agents"] if one["agent"] == "SignalScope"]
    (found,) = [one for one in agent["evidence"] if one["tool"] == "web_search"]
    assert isinstance(found, dict)
    return found


async def test_a_scored_item_brings_the_pages_as_evidence_and_their_price_in_its_cost(
    tmp_path: Path, world: tuple[MessagesApi, FeedServer], capsys: pytest.CaptureFixture[str]
) -> None:
    api, _ = world
    keys = {"ANTHROPIC_API_KEY": api.key, "ANTHROPIC_BASE_URL": api.url}
    done = await run(tmp_path, "score", "--json", NEWS, more=keys)
    assert (done.code, done.err) == (0, "")
    signal = json.loads(done.out)
    found = web_search_of(signal)
    assert (found["status"], found["source"]) == ("ok", "Claude web search")
    assert "The Treasury named two suppliers." in json.dumps(found)
    assert [asked.searches for asked in api.asked].count(True) == 1
    told = next(asked.told for asked in api.asked if "You look for geopolitics" in asked.system)
    assert "The Treasury named two suppliers." in told, "the agent that drafts has the pages before it"
    assert signal["cost_usd"] == pytest.approx(ledger(tmp_path) / 1e9)
    assert signal["cost_usd"] > COST / 1e9
    again = json.loads((await command(capsys, "score", "--json", NEWS)).out)
    assert web_search_of(again)["source"] == "Claude web search"
    assert [asked.searches for asked in api.asked].count(True) == 1, "the same search on the same day costs nothing"


async def test_the_monitor_keeps_the_search_among_the_agents_calls(
    tmp_path: Path, world: tuple[MessagesApi, FeedServer]
) -> None:
    api, server = world
    file = configure(tmp_path, server, feed=f'[[feeds.source]]\nurl = "{server.url("/rss")}"\ninterval_s = 30\n')
    server.serve("/rss", rss(["Company 0 names a chairman"]))
    await first_of(file, tmp_path)
    assert not any(asked.searches for asked in api.asked), "history was searched for"
    _overdue(tmp_path)
    before = ledger(tmp_path)
    published = format_datetime(datetime.now(UTC) - timedelta(minutes=2), usegmt=True)
    server.serve("/rss", rss(["Company 0 names a chairman", NEWS], date=published))
    scored, calls = await first_of(file, tmp_path)
    assert [one.stage for one in calls] == ["search", "draft", "revise"]
    assert calls[0].cost_nano == COST
    assert scored.outcomes[0].cost_usd == pytest.approx(sum(one.cost_nano or 0 for one in calls) / 1e9)
    assert scored.cost_usd == pytest.approx((ledger(tmp_path) - before) / 1e9)


async def first_of(file: Path, home: Path) -> tuple[Signal, Sequence[ModelCall]]:
    """The first final score of a run of the monitor, and SignalScope's calls for it."""
    found: list[tuple[Item, Signal]] = []

    async def saved(item: Item, scored: Signal) -> None:
        found.append((item, scored))

    database = home / "data" / "tapewatch" / "tapewatch.db"
    async with open_monitor(load(file), database_file=database, saved=saved) as monitor:
        await monitor.start()
        await until(lambda: bool(found))
        item, scored = found[0]
        return scored, monitor.cards.calls(item.id, 0, "SignalScope")


async def test_switched_off_nothing_is_searched_and_the_bound_is_smaller(
    tmp_path: Path, world: tuple[MessagesApi, FeedServer], capsys: pytest.CaptureFixture[str]
) -> None:
    api, server = world
    with_search = json.loads((await command(capsys, "budget", "--json")).out)["item"]
    configure(tmp_path, server, "web_search = false")
    without = json.loads((await command(capsys, "budget", "--json")).out)["item"]
    assert (with_search["max_searches"], without["max_searches"]) == (3, 0)
    assert with_search["max_usd"] - without["max_usd"] > 3 * SEARCH_NANO / 1e9
    done = await command(capsys, "score", "--json", NEWS)
    assert web_search_of(json.loads(done.out))["source"] == "Bing News"
    assert not any(asked.searches for asked in api.asked)
    listed = await command(capsys, "tools")
    (line,) = [line for line in listed.out.splitlines() if " claude_search " in line]
    assert "switched off" in line


async def test_the_bound_is_stated_in_words(
    world: tuple[MessagesApi, FeedServer], capsys: pytest.CaptureFixture[str]
) -> None:
    told = (await command(capsys, "budget")).out
    assert "web search: 3 more calls of SignalScope, each at most 93,000 input tokens and $0.0100 on top" in told


async def test_the_tools_say_who_searches(
    tmp_path: Path,
    world: tuple[MessagesApi, FeedServer],
    capsys: pytest.CaptureFixture[str],
) -> None:
    api, _ = world
    rows = json.loads((await command(capsys, "tools", "--json", "--engine", "rules")).out)
    assert [row["source"] for row in rows if row["tool"] == "web_search"] == [
        "searxng", "brave", "tavily", "exa", "claude_search", "bing_news", "google_news",
    ]  # fmt: skip
    assert {row["state"] for row in rows if row["source"] == "claude_search"} == {"with Claude only"}
    rows = json.loads((await command(capsys, "tools", "--json")).out)
    assert {row["state"] for row in rows if row["source"] == "claude_search"} == {"not asked yet"}
    assert api.asked == [], "a list costs nothing"
    tried = await command(capsys, "tools", "try", "web_search", NEWS)
    assert tried.out.startswith("web_search: ok  Claude web search")
    assert ledger(tmp_path) == COST
    free = await command(capsys, "tools", "try", "web_search", NEWS, "--engine", "rules")
    assert free.out.startswith("web_search: ok  Bing News")


async def test_a_run_that_ends_during_a_search_ends_at_once_and_the_money_stays_reserved(
    tmp_path: Path, world: tuple[MessagesApi, FeedServer], caplog: pytest.LogCaptureFixture
) -> None:
    api, server = world
    api.mood = for_search(never())
    file = configure(tmp_path, server)
    usage = tmp_path / "data" / "tapewatch" / "tapewatch-usage.db"
    item = replace(an_item(NEWS), published=Published(datetime.now(UTC), "second", None))
    async with open_desk(load(file), archive=None, tools=True, usage_file=usage) as desk:
        judging = asyncio.create_task(desk.judge(item, now=datetime.now(UTC)))
        await until(lambda: any(asked.searches for asked in api.asked))
        judging.cancel()
        await asyncio.gather(judging, return_exceptions=True)
        closing_began = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - closing_began < 2.0
    assert ledger(tmp_path) > SEARCH_NANO
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []
