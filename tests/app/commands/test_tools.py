"""`tapewatch tools`: every tool with its sources, and one tool tried by hand, against sources on the loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread

import pytest

from agents.tools.asking.health import SourceState
from storage.database import Database
from storage.evidence_sources import EvidenceSources
from tests.agents.builders import NOW
from tests.app.program import Ended, call, move_home
from tests.fakes.evidence import serve
from tests.fakes.feed_server import FeedServer


@pytest.fixture
def base() -> Iterator[str]:
    """The address of a server that answers as all the sources, in a loop of its own beside the command's."""
    ready, stop, found = Event(), Event(), []

    async def run() -> None:
        async with FeedServer() as server:
            serve(server, now=datetime.now(UTC))
            found.append(server.url(""))
            ready.set()
            await asyncio.to_thread(stop.wait)

    thread = Thread(target=lambda: asyncio.run(run()))
    thread.start()
    ready.wait(5)
    yield found[0]
    stop.set()
    thread.join(5)


@pytest.fixture(autouse=True)
def _configured(tmp_path: Path, base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    move_home(tmp_path, monkeypatch)
    folder = tmp_path / "config" / "tapewatch"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(f'[tools]\ndisabled = ["gdelt"]\nbase_urls = {{ default = "{base}" }}\n')
    monkeypatch.setenv("EIA_API_KEY", "eia-CANARY")


def tools(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    return call(capsys, "tools", *arguments)


def test_every_tool_is_listed_with_its_sources_in_order_and_their_keys(capsys: pytest.CaptureFixture[str]) -> None:
    done = tools(capsys, "--json")
    rows = json.loads(done.out)
    assert len({row["tool"] for row in rows}) == 17, "sixteen tools of the agents, and the prices"
    of = {
        tool: [row["source"] for row in rows if row["tool"] == tool] for tool in ("reddit_sentiment", "cpi", "prices")
    }
    assert of == {
        "reddit_sentiment": ["reddit_api", "reddit", "apewisdom"],
        "cpi": ["bls", "fred_api", "fred"],
        "prices": ["yahoo", "frankfurter", "fred"],
    }
    found = {row["source"]: (row["key"], row["state"]) for row in rows}
    assert found["eia"] == ("present", "not asked yet")
    assert found["brave"] == ("missing", "no key")
    assert found["bls"] == ("optional", "not asked yet")
    assert found["gdelt"] == ("none needed", "switched off")
    assert "CANARY" not in done.out


def test_the_state_is_what_the_monitor_last_saw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tape.db"

    async def seen() -> None:
        async with Database.open(file, now=NOW) as database:
            state = SourceState("bis", "BIS", "resting", "none needed", "has trouble (500)", 60.0, 7, 81.5, NOW)
            await EvidenceSources(database).keep([state], NOW)

    asyncio.run(seen())
    done = tools(capsys, "--db", str(file))
    (line,) = [line for line in done.out.splitlines() if " bis " in line]
    assert line.split() == [
        "policy_rates",
        "bis",
        "none",
        "needed",
        "resting",
        "82",
        "ms",
        "7",
        "has",
        "trouble",
        "(500)",
    ]


def test_a_tool_is_tried_and_prints_its_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    done = tools(capsys, "try", "oil_gold", "oil jumps")
    assert done.code == 0
    assert done.out.startswith("oil_gold: ok  EIA")
    assert "CANARY" not in done.out + done.err
    whole = json.loads(tools(capsys, "try", "oil_gold", "oil jumps", "--json").out)
    assert whole["status"] == "ok"
    assert whole["items"]
    assert whole["raw"]


def test_a_tool_that_cannot_be_asked_ends_with_1_and_an_unknown_one_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    done = tools(capsys, "try", "stocktwits_ratio", "AAPL")
    assert done.code == 1
    assert "Stocktwits: answered with something that is not JSON" in done.out
    assert tools(capsys, "try", "tarot", "AAPL").code == 2


def test_prices_are_tried_too(capsys: pytest.CaptureFixture[str]) -> None:
    done = tools(capsys, "try", "prices", "ZZZZ")
    assert (done.code, done.out) == (1, "")
    assert "prices: ZZZZ" in done.err


def test_a_limit_and_a_slow_answer_hold_over_programs(
    tmp_path: Path, base: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "config" / "tapewatch" / "config.toml"
    file.write_text(file.read_text() + "limits = { stocktwits = 1, frankfurter = 0 }\n")
    first = tools(capsys, "try", "stocktwits_ratio", "NVDA")
    assert first.out.startswith("stocktwits_ratio: ok")
    second = tools(capsys, "try", "stocktwits_ratio", "Nvidia")
    assert second.code == 1
    assert "Stocktwits: hourly limit of 1 reached, again at" in second.out
    fx = tools(capsys, "try", "fx_rates", "dollar")
    assert "Frankfurter: daily limit of 0 reached, again at 00:00 UTC" in fx.out
    assert fx.out.startswith("fx_rates: stale  ECB")
    one, other = (json.loads(tools(capsys, "try", "policy_rates", "Fed", "--json").out)["raw"] for _ in range(2))
    assert one == other, "the time of fetching stands in it: it was fetched anew"
