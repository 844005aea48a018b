"""The claude analyst as a user runs it: the monitor, scripts and commands, against a service on the loopback."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from agents.models import Signal
from app.config.config import load
from app.monitor import Monitor
from app.wiring.monitor import open_monitor
from feeds.models import Item
from tests.app.program import NO_NETWORK, Ended, call, move_home, start
from tests.app.test_headless import read_lines, rows, rss, until
from tests.fakes.feed_server import FeedServer
from tests.fakes.messages_api import Asked, MessagesApi, assessment, error, fails, good, slow

GOOD = assessment(0.45, tickers=["AAPL"])
NEWS = "Apple opens a store in Leeds"


@pytest.fixture
async def server() -> AsyncIterator[FeedServer]:
    async with FeedServer() as running:
        yield running


@pytest.fixture
async def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MessagesApi]:
    """A good service, to which the environment of this process points; all files are below `tmp_path`."""
    async with MessagesApi(good(GOOD)) as running:
        move_home(tmp_path, monkeypatch)
        for name, value in keys(running).items():
            monkeypatch.setenv(name, value)
        yield running


def configure(home: Path, server: FeedServer | None = None, claude: str = "") -> Path:
    """One feed, no evidence from the network, and the [claude] section given."""
    folder = home / "config" / "tapewatch"
    folder.mkdir(parents=True, exist_ok=True)
    feed = f'[[feeds.source]]\nurl = "{server.url("/rss")}"\ninterval_s = 30\n' if server else ""
    hosts = f'allow_hosts = ["{server.host}"]' if server else ""
    text = f"[network]\n{hosts}\n[feeds]\nbuiltin = false\n{feed}{NO_NETWORK}[claude]\n{claude}\n"
    (folder / "config.toml").write_text(text)
    return folder / "config.toml"


def keys(api: MessagesApi) -> dict[str, str]:
    return {"ANTHROPIC_API_KEY": api.key, "ANTHROPIC_BASE_URL": api.url}


def database(home: Path) -> Path:
    return home / "data" / "tapewatch" / "tapewatch.db"


def spent(home: Path) -> int:
    """What the ledger says, in nano-USD."""
    with closing(sqlite3.connect(database(home).with_name("tapewatch-usage.db"))) as connection:
        return int(connection.execute("SELECT coalesce(sum(nano), 0) FROM spend").fetchone()[0])


@asynccontextmanager
async def monitored(home: Path, file: Path, count: int) -> AsyncIterator[tuple[Monitor, list[tuple[Item, Signal]]]]:
    """The monitor once it has given `count` final signals, and these."""
    found: list[tuple[Item, Signal]] = []

    async def saved(item: Item, scored: Signal) -> None:
        found.append((item, scored))

    async with open_monitor(load(file), database_file=database(home), saved=saved) as monitor:
        await monitor.start()
        await until(lambda: len(found) >= count)
        yield monitor, found


async def eventually(condition: Callable[[], bool], within_s: float = 25) -> None:
    """Waits for what another process does; starting one takes long on a busy machine."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 -- another process does what is waited for
            await asyncio.sleep(0.02)


async def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    """The command line, in a thread of its own because it runs a loop of its own."""
    return await asyncio.to_thread(call, capsys, *arguments)


async def test_the_monitor_scores_with_the_model_and_keeps_every_call(
    tmp_path: Path, server: FeedServer, api: MessagesApi
) -> None:
    server.serve("/rss", rss([NEWS]), etag='"1"')
    async with monitored(tmp_path, configure(tmp_path, server), 1) as (monitor, found):
        ((item, scored),) = found
        total = int(str(rows(tmp_path, "SELECT sum(cost_nano) FROM call")[0][0]))
        assert (scored.engine, scored.model) == ("claude", "claude-haiku-5-5")
        assert scored.synthesis is not None
        assert (scored.synthesis.impact_score, scored.synthesis.agents_ok) == (0.45, 5)
        assert scored.cost_usd == pytest.approx(total / 1e9)
        assert spent(tmp_path) == total
        status = monitor.status()
        assert (status.engine, status.budget_usd, status.trouble) == ("claude", 5.0, "")
        assert status.spent_usd == pytest.approx(total / 1e9)
        kept = monitor.cards.calls(item.id, 0, "MacroMind")
        assert [(one.stage, one.cause, one.cached) for one in kept] == [("draft", None, False), ("revise", None, False)]
        assert NEWS in kept[0].messages
    assert rows(tmp_path, "SELECT count(*), count(DISTINCT agent), count(cause) FROM call") == [(10, 5, 0)]
    assert rows(tmp_path, "SELECT count(*) FROM prompt") == [(10,)]
    assert rows(tmp_path, "SELECT provisional FROM signal") == [(0,)]


async def test_after_kill_minus_9_money_is_accounted_no_item_is_lost_and_nothing_answered_is_paid_twice(
    tmp_path: Path, server: FeedServer, api: MessagesApi
) -> None:
    server.serve("/rss", rss([NEWS]), etag='"1"')
    configure(tmp_path, server)
    calls = 0

    async def mood(asked: Asked) -> Any:
        nonlocal calls
        calls += 1
        return await (good(GOOD) if calls <= 6 else slow(30, good(GOOD)))(asked)

    api.mood = mood
    process = await start(tmp_path, "run", "--headless", more=keys(api))
    await eventually(lambda: calls >= 10)
    await eventually(lambda: len(rows(tmp_path, "SELECT 1 FROM call")) == 6)
    process.send_signal(signal.SIGKILL)
    await process.wait()
    answered = len(rows(tmp_path, "SELECT 1 FROM call WHERE cause IS NULL"))
    paid = int(str(rows(tmp_path, "SELECT sum(cost_nano) FROM call")[0][0]))
    assert answered == 6
    assert spent(tmp_path) > paid, "the calls under way count at what they may have cost"
    assert rows(tmp_path, "SELECT state FROM scoring") == [("pending",)]
    before = len(api.asked)
    api.mood = good(GOOD)
    again = await start(tmp_path, "run", "--headless", more=keys(api))
    (line,) = await read_lines(again, 1)
    again.send_signal(signal.SIGTERM)
    async with asyncio.timeout(20):
        await again.communicate()
    assert again.returncode == 0
    assert (line.engine, line.agents_ok, line.item.title) == ("claude", 5, NEWS)
    assert len(api.asked) - before == 10 - answered


async def test_a_spent_budget_is_said_and_rules_score_the_rest(
    tmp_path: Path, server: FeedServer, api: MessagesApi, caplog: pytest.LogCaptureFixture
) -> None:
    server.serve("/rss", rss([f"Apple opens store {number}" for number in range(8)]), etag='"1"')
    file = configure(tmp_path, server, "daily_budget_usd = 0.005")
    async with monitored(tmp_path, file, 8) as (monitor, found):
        by_rules = [scored for _, scored in found if scored.engine == "rules"]
        assert by_rules
        assert all(scored.notes[-1].startswith("scored by rules: ") for scored in by_rules)
        assert monitor.status().spent_usd is not None
    assert "items are scored by rules: today's model budget" in caplog.text
    assert spent(tmp_path) <= 5_000_000


async def test_a_refused_key_is_said_once_and_the_feed_goes_on(
    tmp_path: Path, server: FeedServer, api: MessagesApi, caplog: pytest.LogCaptureFixture
) -> None:
    api.mood = fails(error(401, "authentication_error", "invalid x-api-key"))
    server.serve("/rss", rss([f"Apple opens store {number}" for number in range(5)]), etag='"1"')
    with caplog.at_level(logging.WARNING):
        async with monitored(tmp_path, configure(tmp_path, server), 5) as (monitor, found):
            assert {scored.engine for _, scored in found} == {"rules"}
            assert "check ANTHROPIC_API_KEY" in monitor.status().trouble
    assert caplog.text.count("check ANTHROPIC_API_KEY") == 2, "what stopped, and who scores now"
    assert len(api.asked) <= 20


async def test_scripts_score_with_the_model_and_the_same_again_costs_nothing(
    tmp_path: Path, api: MessagesApi, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(tmp_path)
    titles = (NEWS, "Apple opens a store in York")
    given = tmp_path / "items.jsonl"
    given.write_text("".join(json.dumps({"title": title}) + "\n" for title in titles))
    done = await command(capsys, "score", "--json", "--no-tools", str(given))
    assert done.code == 0, done.err
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert [(one["item"]["title"], one["engine"], one["impact_score"]) for one in lines] == [
        (title, "claude", 0.45) for title in titles
    ]
    before, money = len(api.asked), spent(tmp_path)
    (again,) = json.loads(f"[{(await command(capsys, 'score', '--json', '--no-tools', NEWS)).out}]")
    assert (again["cost_usd"], again["impact_score"]) == (0.0, 0.45)
    assert (len(api.asked), spent(tmp_path)) == (before, money)
    assert "claude-haiku-5-5, $0.0000" in (await command(capsys, "score", "--no-tools", NEWS)).out


async def test_a_script_that_gets_no_score_ends_with_3_and_says_why(
    tmp_path: Path, api: MessagesApi, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(tmp_path)
    api.mood = fails(error(400, "invalid_request_error", "no"))
    done = await command(capsys, "score", "--json", "--no-tools", NEWS)
    told = json.loads(done.out)
    assert (done.code, told["impact_score"]) == (3, None)
    assert {agent["cause"] for agent in told["agents"]} == {"error"}


async def test_budget_states_the_worst_case_and_todays_spending(
    tmp_path: Path, api: MessagesApi, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(tmp_path, None, 'max_extra_calls = 1\nagent_models = { PolicyRadar = "claude-new" }')
    await command(capsys, "score", "--no-tools", NEWS)
    told = json.loads((await command(capsys, "budget", "--json")).out)
    assert (told["engine"], told["item"]["max_calls"], told["item"]["max_usd"]) == ("claude", 27, None)
    assert told["item"]["max_searches"] == 2
    by_agent = {one["agent"]: one for one in told["agents"]}
    assert (by_agent["MacroMind"]["max_calls"], by_agent["PolicyRadar"]["max_usd"]) == (5, None)
    assert told["spent_today_usd"] == pytest.approx(spent(tmp_path) / 1e9)
    text = (await command(capsys, "budget")).out
    assert "unpriced: claude-new" in text
    assert "no day can cost more" in text


async def test_rescore_shows_the_spread_of_each_agent_and_leaves_the_kept_score(
    tmp_path: Path, server: FeedServer, api: MessagesApi, capsys: pytest.CaptureFixture[str]
) -> None:
    server.serve("/rss", rss([NEWS]), etag='"1"')
    async with monitored(tmp_path, configure(tmp_path, server), 1) as (_, found):
        item = found[0][0]
    impacts = iter([0.3] * 10 + [0.4] * 10 + [0.5] * 10)

    async def mood(asked: Asked) -> Any:
        return await good(assessment(next(impacts), tickers=["AAPL"]))(asked)

    api.mood = mood
    done = await command(capsys, "rescore", item.id[:12], "--repeat", "3", "--no-tools", "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert (told["id"], told["repeat"], told["engine"]) == (item.id, 3, "claude")
    spread = {"least": 0.3, "mean": 0.4, "most": 0.5, "deviation": 0.0816}
    assert told["impact_score"] == pytest.approx(spread, abs=1e-3)
    assert len(told["agents"]) == 5
    assert rows(tmp_path, "SELECT impact FROM signal") == [(0.45,)]
    text = await command(capsys, "rescore", item.id, "--repeat", "1", "--engine", "rules", "--no-tools")
    assert re.search(r"MacroMind +\d\.\d\d", text.out)
    missing = await command(capsys, "rescore", "nothing")
    assert (missing.code, "there is no item nothing" in missing.err) == (2, True)


async def test_the_demo_never_asks_the_model(tmp_path: Path, api: MessagesApi, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.commands import demo

    played: list[str | None] = []
    monkeypatch.setattr("app.replay.replay", lambda recorded, options, **how: played.append(options.engine))
    assert demo.command.callback is not None
    with demo.command.make_context("demo", ["--headless"]) as context:
        demo.command.invoke(context)
    assert (played, api.asked) == (["rules"], [])


async def test_a_local_server_needs_no_key_but_must_be_asked_for(
    tmp_path: Path, api: MessagesApi, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(tmp_path)
    api.key = "local"
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    done = await command(capsys, "score", "--json", "--no-tools", "--engine", "claude", NEWS)
    assert json.loads(done.out)["engine"] == "claude"
    assert json.loads((await command(capsys, "score", "--json", "--no-tools", NEWS)).out)["engine"] == "rules"
