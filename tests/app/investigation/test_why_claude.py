"""`tapewatch why` read by a model: what it says, what it costs, and what is left after a kill."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app.investigation.contract import InvestigationLine
from tests.agents.investigation.claude.readers import answers, by_role, by_words, role_of
from tests.app.investigation.test_why import REPORT, STATEMENT, SUSPICION, news
from tests.app.program import Ended, call, move_home, run, start
from tests.fakes.messages_api import MessagesApi, never, says

BOJ = "policy_change/boj"
GOOD = answers(by_words({"monetary policy": BOJ, "bank of japan": BOJ, "tokyo": "fx_intervention/jpy"}))


@pytest.fixture
async def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MessagesApi]:
    """A service that reads well, to which the environment points; all files are below `tmp_path`."""
    async with MessagesApi(GOOD) as running:
        move_home(tmp_path, monkeypatch)
        for name, value in keys(running).items():
            monkeypatch.setenv(name, value)
        yield running


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, ...]:
    """A fall of the pair and three records around it, as options."""
    from tests.agents.investigation.builders import bars

    rows = [f"{bar.at:%Y-%m-%dT%H:%M:%SZ},{bar.open},{bar.high},{bar.low},{bar.close}" for bar in bars()]
    (tmp_path / "prices.csv").write_text("time,open,high,low,close\n" + "\n".join(rows) + "\n")
    return ("--prices", str(tmp_path / "prices.csv"), "--news", news(tmp_path, STATEMENT, REPORT, SUSPICION))


def keys(api: MessagesApi) -> dict[str, str]:
    return {"ANTHROPIC_API_KEY": api.key, "ANTHROPIC_BASE_URL": api.url}


async def why(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    """The command line, in a thread of its own because it runs a loop of its own."""
    return await asyncio.to_thread(call, capsys, "why", *arguments)


def answer(ended: Ended) -> dict[str, Any]:
    assert ended.code == 0, ended.err
    InvestigationLine.model_validate_json(ended.out)
    found: dict[str, Any] = json.loads(ended.out)
    return found


def database(home: Path) -> Path:
    return home / "data" / "tapewatch" / "tapewatch.db"


def rows(home: Path, question: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(database(home))) as connection:
        return connection.execute(question).fetchall()


def spent(home: Path) -> int:
    with closing(sqlite3.connect(database(home).with_name("tapewatch-usage.db"))) as connection:
        return int(connection.execute("SELECT coalesce(sum(nano), 0) FROM spend").fetchone()[0])


async def test_the_model_reads_and_code_judges(
    tmp_path: Path, files: tuple[str, ...], api: MessagesApi, capsys: pytest.CaptureFixture[str]
) -> None:
    found = answer(await why(capsys, "USDJPY", *files, "--json"))
    best = found["hypotheses"][0]
    assert (found["verdict"], best["cause_type"], best["status"]) == ("cause_found", "policy_change", "supported")
    assert best["evidence"][0]["rank"] == "A"
    assert {role_of(one) for one in api.asked} == {"PrimarySource", "Narrative", "Adjudicator"}
    assert [line["state"] for line in found["coverage"] if line["source"].endswith("by claude")] == [
        "found",
        "nothing",
        "found",
    ]
    used, bound = found["used"], found["bound"]
    assert round(used["usd"] * 1e9) == spent(tmp_path) > 0
    assert (used["calls"] <= bound["calls"], used["usd"] <= bound["usd"]) == (True, True)
    assert rows(tmp_path, "SELECT node, stage, cause FROM investigation_call ORDER BY node") == [
        ("Adjudicator", "adjudicate", None),
        ("Narrative", "read", None),
        ("PrimarySource", "read", None),
    ]


async def test_the_text_states_the_worst_case_first_and_names_engine_and_cost(
    files: tuple[str, ...], api: MessagesApi, capsys: pytest.CaptureFixture[str]
) -> None:
    done = await why(capsys, "USDJPY", *files, "--engine", "claude")
    assert done.code == 0
    assert done.err.startswith("worst case with claude (claude-haiku-5-5): 138 calls, 1,664,000 tokens, $0.2665\n")
    assert "rules" not in done.err
    assert "read by claude (claude-haiku-5-5)" in done.out
    assert "found    reading of PrimarySource by claude: of 1 records 1 readings" in done.out
    assert "$0.0000 of" not in done.out


async def test_the_same_question_again_costs_nothing(
    tmp_path: Path, files: tuple[str, ...], api: MessagesApi, capsys: pytest.CaptureFixture[str]
) -> None:
    first = answer(await why(capsys, "USDJPY", *files, "--json"))
    calls, cost = len(api.asked), spent(tmp_path)
    again = answer(await why(capsys, "USDJPY", *files, "--json"))
    assert (len(api.asked), spent(tmp_path), again["used"]["usd"]) == (calls, cost, 0.0)
    assert again["hypotheses"] == first["hypotheses"]
    assert rows(tmp_path, "SELECT sum(cached) FROM investigation_call") == [(calls,)]


async def test_the_rules_are_not_asked_in_its_place(
    files: tuple[str, ...], api: MessagesApi, capsys: pytest.CaptureFixture[str]
) -> None:
    api.mood = by_role(GOOD, Narrative=says("no", stop="refusal"), PrimarySource=says("no", stop="refusal"))
    found = answer(await why(capsys, "USDJPY", *files, "--json"))
    assert (found["verdict"], found["hypotheses"]) == ("unknown", [])
    assert found["unknown_because"] == ["reading of PrimarySource by claude", "reading of Narrative by claude"]


async def test_a_spent_budget_is_said_and_nothing_is_sent(
    tmp_path: Path, files: tuple[str, ...], api: MessagesApi, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[claude]\ndaily_budget_usd = 0.000001\n")
    done = await why(capsys, "USDJPY", *files, "--config", str(config))
    assert api.asked == []
    assert "verdict: unknown: reading of PrimarySource by claude" in done.out
    assert "budget: today's model budget of $0.000001 is spent or reserved" in done.out


async def test_the_worst_case_is_that_of_the_configured_model(
    tmp_path: Path, api: MessagesApi, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[claude]\nmodel = "claude-sonnet-5-5"\nmax_extra_calls = 0\n')
    done = await why(capsys, "--dry-run", "--json", "--config", str(config))
    calls = 3 * 2 * 2 + 2
    most = calls * (40_000 * 2.5 + 6_000 * 10) / 1e6
    assert json.loads(done.out)["bound"] == {"calls": 16 + 3 * 18 * 2 + 2, "tokens": calls * 46_000, "usd": most}
    config.write_text('[claude]\nmodel = "my-own-model"\n')
    done = await why(capsys, "--dry-run", "--config", str(config))
    assert "cost not known: the model has no price ([claude.prices])" in done.out
    assert api.asked == []


def test_without_a_key_it_says_so_in_one_line(
    tmp_path: Path, files: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    move_home(tmp_path, monkeypatch)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    done = call(capsys, "why", "USDJPY", *files, "--engine", "claude")
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert "engine claude needs a key: set ANTHROPIC_API_KEY" in done.err


async def eventually(condition: Callable[[], bool], within_s: float = 25) -> None:
    """Waits for what another process does; starting one takes long on a busy machine."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 -- another process does what is waited for
            await asyncio.sleep(0.02)


async def test_after_a_kill_the_model_is_asked_only_for_what_is_missing(tmp_path: Path, files: tuple[str, ...]) -> None:
    async with MessagesApi(by_role(GOOD, Narrative=never())) as api:
        process = await start(tmp_path, "why", "USDJPY", *files, more=keys(api))
        held = "SELECT node FROM investigation_node WHERE node IN ('PrimarySource', 'MarketStructure')"
        narrative = "Narrative"
        await eventually(lambda: narrative in {role_of(one) for one in api.asked} and len(kept(tmp_path, held)) == 2)
        process.kill()
        await process.wait()
        before, reserved = len(api.asked), spent(tmp_path)
        api.mood = GOOD
        done = await run(tmp_path, "why", "USDJPY", *files, "--json", more=keys(api))
    found = answer(done)
    assert {role_of(one) for one in api.asked[before:]} == {"Narrative", "Adjudicator"}
    assert (found["verdict"], found["hypotheses"][0]["cause_type"]) == ("cause_found", "policy_change")
    assert rows(tmp_path, "SELECT count(*) FROM investigation") == [(1,)]
    assert spent(tmp_path) > reserved, "what was reserved when it died may have been charged"


def kept(home: Path, question: str) -> list[tuple[Any, ...]]:
    """Rows of a database that may not be there yet."""
    try:
        return rows(home, question)
    except sqlite3.OperationalError:
        return []
