"""The whole way of one item with evidence: feed, tools over the sources, agents, card, prices."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from tests.app.program import run, start
from tests.app.test_headless import _overdue, configure, end, read_lines, rows, rss, until
from tests.fakes.evidence import chart, serve
from tests.fakes.feed_server import FeedServer

TITLE = "Nvidia shares plunge as US bans chip exports to China"


def configured(home: Path, server: FeedServer) -> None:
    """One feed, and every source behind the same server."""
    serve(server, now=datetime.now(UTC))
    configure(home, server, "/rss")
    file = home / "config" / "tapewatch" / "config.toml"
    file.write_text(file.read_text().replace("http://127.0.0.1:9", server.url("")))


async def test_news_is_scored_with_evidence_and_gets_its_prices(tmp_path: Path) -> None:
    async with FeedServer() as server:
        configured(tmp_path, server)
        server.serve("/rss", rss(["Company 0 names a chairman"]))
        first = await start(tmp_path, "run", "--headless")
        await read_lines(first, 1)
        await end(first)
        assert {one.path.split("/")[1] for one in server.requests()} == {"rss"}, "history was asked of the network"
        _overdue(tmp_path)
        now = datetime.now(UTC)
        published = format_datetime(now - timedelta(minutes=2), usegmt=True)
        bars = chart("NVDA", [101.0, 200.0])
        begun = int(now.timestamp()) // 60 * 60
        bars["chart"]["result"][0]["timestamp"] = [begun - 300, begun - 60]
        server.serve("/yahoo/v8/finance/chart/NVDA", json.dumps(bars), content_type="application/json")
        server.serve("/rss", rss(["Company 0 names a chairman", TITLE], date=published))
        second = await start(tmp_path, "run", "--headless")
        (line,) = await read_lines(second, 1)
        await until(lambda: bool(rows(tmp_path, "SELECT 1 FROM price_mark WHERE state = 'known' AND after_s = 0")))
        code, err = await end(second)
        assert code == 0, err
        said = {one.tool: one.status for agent in line.agents for one in agent.evidence}
        assert len(said) == 16
        assert said["stocktwits_ratio"] == said["rss_search"] == "ok"
        assert said["policy_rates"] == "stale", "the series ended long before"
        assert rows(tmp_path, "SELECT price FROM price_mark WHERE symbol = 'NVDA' AND after_s = 0") == [(101.0,)]
        kept = set(rows(tmp_path, "SELECT name, standing FROM evidence_source"))
        assert {("stocktwits", "answering"), ("brave", "no key")} <= kept


@pytest.mark.parametrize("off", ["--no-tools", "enabled"])
async def test_switched_off_nothing_touches_the_network(tmp_path: Path, off: str) -> None:
    async with FeedServer() as server:
        configured(tmp_path, server)
        if off == "enabled":
            file = tmp_path / "config" / "tapewatch" / "config.toml"
            file.write_text(file.read_text().replace("[tools]", "[tools]\nenabled = false"))
        flags = ["--no-tools"] if off == "--no-tools" else []
        done = await run(tmp_path, "score", TITLE, "--json", *flags)
        assert (done.code, done.err) == (0, "")
        assert server.requests() == []


async def test_score_asks_the_sources_and_names_what_it_found(tmp_path: Path) -> None:
    async with FeedServer() as server:
        configured(tmp_path, server)
        done = await run(tmp_path, "score", TITLE, "--json")
        assert done.code == 0, done.err
        agents = {agent["agent"]: agent for agent in json.loads(done.out)["agents"]}
        crowd = agents["SentimentPulse"]["evidence"]
        assert [one["tool"] for one in crowd if one["status"] == "ok"] == ["stocktwits_ratio"]
        assert "15 bullish to 4 bearish" in json.dumps(crowd)
        assert "crowd bullish" in agents["SentimentPulse"]["rationale"]
