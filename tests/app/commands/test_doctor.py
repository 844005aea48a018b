"""`tapewatch doctor`: usable or not, in words with what to do, whatever state things are in, and nothing touched."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from agents.tools.asking.catalogue import KEY_GIVES, KEYS
from agents.tools.asking.health import SourceState
from app.config.config import Config
from app.doctor import setup, stored
from feeds.models import PollState
from feeds.registry import builtin_sources
from storage.checkup import Glance
from storage.database import Database
from storage.evidence_sources import EvidenceSources
from storage.models import SourceRow
from storage.source_requests import SourceRequests
from storage.sources import Sources
from storage.usage import SpendLedger
from storage.usage_file import UsageFile, beside
from tests.app.program import call, environment, move_home
from tests.fakes.evidence import answers
from tests.fakes.feed_server import FeedServer, reply


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    move_home(tmp_path, monkeypatch)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "EIA_API_KEY", "BRAVE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


NO_ROUTE = "no route to https://user:CANARY@feeds.example/rss"


def write(home: Path, text: str) -> Path:
    file = home / "config" / "tapewatch" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o600)
    return file


def doctor(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """The exit code, and the findings by "section name"."""
    done = call(capsys, "doctor", "--json", *arguments)
    assert done.err == ""
    whole = json.loads(done.out)
    assert whole["usable"] is (done.code == 0)
    return done.code, {f"{one['section']} {one['name']}": one for one in whole["findings"]}


def files(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


def made(path: Path) -> Path:
    """A database with a monitor's traces: two failing feeds, sources in every state, money spent, requests counted."""

    async def make() -> None:
        now = datetime.now(UTC)
        async with Database.open(path, now=now) as database:
            subscribed = builtin_sources()
            await Sources(database).sync(subscribed, now)
            for number, source in enumerate(subscribed):
                state = PollState(status="ok", last_checked_at=now, last_ok_at=now)
                if number < 2:
                    state = replace(state, status="failing", failures=3, last_error=NO_ROUTE, last_ok_at=None)
                await Sources(database).record(source.id, state)
            bis = SourceState("bis", "BIS", "answering", "none needed", "", None, 7, 81.5, now, skew_s=0.4)
            gdelt = SourceState("gdelt", "GDELT", "resting", "none needed", "asks for fewer requests (429)", 300.0, 2)
            spent, trouble = "daily limit of 20 reached, again at 00:00 in New York", "has trouble (500)"
            bls = SourceState("bls", "BLS", "used up", "optional", spent, 9e3, 20, 40.0, now, 20, 20, trouble, now, 0.2)
            await EvidenceSources(database).keep([bis, gdelt, bls], now)
        async with UsageFile.open(beside(path), now=now) as usage:
            await SpendLedger(usage).reserve(1_250_000_000, day=now.date(), cap_nano=10**10)
            for _ in range(20):
                await SourceRequests(usage).take("bls", 20, now - timedelta(hours=9), now)

    asyncio.run(make())
    return path


def test_a_first_start_is_usable_and_says_what_would_be_better(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = doctor(capsys)
    assert code == 0
    assert found["database file"]["words"].endswith("made at the first start")
    assert found["configuration file"]["words"].endswith("defaults")
    assert found["keys EIA_API_KEY"]["words"] == "not set; with it: oil prices from where they are made, days earlier"
    assert found["keys network.contact"]["level"] == "warn"
    assert found["model engine"]["words"] == "rules, built in (ANTHROPIC_API_KEY is not set)"
    assert found["feeds polled"]["words"] == f"{len(builtin_sources())}; not asked yet"
    assert not list(home.iterdir()), "it has written something"


def test_what_the_monitor_has_seen_is_told_with_the_fix(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = made(home / "tape.db")
    before = files(home)
    code, found = doctor(capsys, "--db", str(path))
    assert code == 0
    assert files(home) == before
    assert found["database content"]["words"] == "sound"
    first, second = (source.id for source in builtin_sources()[:2])
    assert found["feeds polled"]["words"].startswith(f"{len(builtin_sources())}, 2 failing")
    assert found[f"feeds {first}"]["words"] == "no route to https://***@feeds.example/rss; has never answered"
    assert f"tapewatch feeds remove {second}" in found[f"feeds {second}"]["fix"]
    assert found["evidence bis"]["words"] == "answering, 82 ms"
    assert found["evidence gdelt"]["level"] == "warn"
    assert "asks for fewer requests (429)" in found["evidence gdelt"]["words"]
    assert found["evidence bls"]["words"] == (
        "used up, 40 ms, 20 of 20 requests, daily limit of 20 reached, again at 00:00 in New York"
    )
    assert found["clock time"]["words"] == "agrees with 2 others within 1 s"


def test_beside_a_running_monitor_it_tells_who_holds_the_database(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(home / "tape.db")
    with another(path, "async with Database.open(path, now=datetime.now(UTC)):\n        await hold()") as pid:
        before = set(files(home))
        code, found = doctor(capsys, "--db", str(path))
        assert code == 0
        assert found["database instance"]["words"].startswith(f"in use by process {pid} on host ")
        assert set(files(home)) == before
    assert doctor(capsys, "--db", str(path))[1]["database instance"]["words"] == "not in use"


_OTHER = """
import asyncio, sqlite3, sys, time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from storage.database import Database
path = Path(sys.argv[1])
async def hold():
    print("held", flush=True)
    await asyncio.sleep(60)
async def main():
    {body}
asyncio.run(main())
"""


@contextmanager
def another(path: Path, body: str) -> Iterator[int]:
    """Another program that does `body` with the database; killed at the end."""
    run = [sys.executable, "-c", _OTHER.format(body=body), str(path)]
    process = subprocess.Popen(run, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process, process.stdout as said:
        assert said.readline() == "held\n"
        try:
            yield process.pid
        finally:
            os.kill(process.pid, signal.SIGKILL)


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096 * 3 : 4096 * 6] = b"\xa5" * 4096 * 3
    path.write_bytes(data)


def set_pragma(path: Path, pragma: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA {pragma}")
    connection.close()


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "no database at all": (lambda path: path.write_text("hello, this is a text and no database"), "database use"),
    "of a newer version": (lambda path: set_pragma(path, "user_version = 999"), "database use"),
    "of another program": (lambda path: set_pragma(path, "application_id = 7"), "database use"),
    "damaged": (damage, "database content"),
    "cut": (lambda path: path.write_bytes(path.read_bytes()[:5000]), "database"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_database_that_cannot_be_used_is_bad_and_everything_else_is_still_told(
    kind: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(home / "tape.db")
    spoil, name = BROKEN[kind]
    spoil(path)
    before = files(home)
    code, found = doctor(capsys, "--db", str(path))
    assert code == 1
    assert files(home) == before
    wrong = {key: one for key, one in found.items() if one["level"] == "bad"}
    assert wrong
    assert all(key.startswith(name) for key in wrong)
    assert all(one["fix"] for one in wrong.values())
    assert "model engine" in found


def test_a_database_of_an_older_version_is_usable_and_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = made(home / "tape.db")
    set_pragma(path, "user_version = 3")
    code, found = doctor(capsys, "--db", str(path))
    assert code == 0
    assert found["database version"]["words"].startswith("schema 3 of ")
    assert "known after the next start" in found["evidence sources"]["words"]


def test_a_database_locked_by_another_program_is_told_and_not_waited_for(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(home / "tape.db")
    body = (
        "connection = sqlite3.connect(path, isolation_level=None)\n"
        "    connection.execute('PRAGMA locking_mode = EXCLUSIVE')\n"
        "    connection.execute('BEGIN EXCLUSIVE')\n"
        "    connection.execute('CREATE TABLE x (y)')\n"
        "    connection.execute('COMMIT')\n"
        "    connection.execute('BEGIN EXCLUSIVE')\n"
        "    await hold()"
    )
    with another(path, body):
        began = time.monotonic()
        code, found = doctor(capsys, "--db", str(path))
        assert time.monotonic() - began < 3
        assert (code, found["database use"]["level"]) == (0, "warn")
        assert "locked by another program" in found["database use"]["words"]


def test_after_a_kill_the_log_that_is_left_is_read_and_left(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = made(home / "tape.db")
    with another(path, "async with Database.open(path, now=datetime.now(UTC)) as d:\n        await d.write(lambda c: c.execute('CREATE TABLE late (x)'))\n        await hold()"):  # fmt: skip # noqa: E501
        pass
    before = set(files(home))
    assert any(name.endswith("-wal") for name in before)
    code, found = doctor(capsys, "--db", str(path))
    assert (code, found["database content"]["words"]) == (0, "sound")
    assert set(files(home)) == before


def test_a_broken_configuration_names_file_and_line_and_the_rest_is_told_of_the_defaults(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(home, 'engine = "rules"\n\n[tools]\nenabeld = false\n')
    code, found = doctor(capsys)
    assert code == 1
    words = found["configuration file"]["words"]
    assert words == f"{file} line 4: unknown key tools.enabeld; did you mean enabled?"
    assert found["feeds polled"]["level"] == "ok"


@pytest.mark.parametrize("text", ["engine = ", "[alerts]\nflash = 7\n", '[[watchlist]]\nsymbol = "nv da"\n', "\x00"])
def test_whatever_the_configuration_holds_the_doctor_ends_in_words(
    text: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(home, text)
    code, found = doctor(capsys)
    assert (code, found["configuration file"]["level"]) == (1, "bad")


def test_keys_and_addresses_are_told_without_their_values(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        home,
        '[network]\ncontact = "me@example.com"\n[alerts]\nflash = ["ntfy://topic-CANARY"]\n'
        '[[alerts.channel]]\nname = "phone"\nurl = "tgram://123:CANARY/45"\n',
    )
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-CANARY-0123456789")
    monkeypatch.setenv("EIA_API_KEY", "eia-CANARY\n")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://user:CANARY@127.0.0.1:8080/v1")
    done = call(capsys, "doctor", "--json")
    assert "CANARY" not in done.out + done.err
    plain = call(capsys, "doctor")
    assert "CANARY" not in plain.out + plain.err
    found = {f"{one['section']} {one['name']}": one for one in json.loads(done.out)["findings"]}
    assert found["keys ANTHROPIC_API_KEY"]["words"].startswith("set: the five agents think with Claude")
    assert (found["keys EIA_API_KEY"]["level"], found["keys EIA_API_KEY"]["words"][:8]) == ("warn", "set, but")
    assert found["model address"]["words"] == "http://127.0.0.1:8080 (ANTHROPIC_BASE_URL)"
    assert found["alerts phone"]["words"] == "for FLASH, ALERT"
    assert found["keys network.contact"]["level"] == "ok"


def test_claude_without_a_key_and_an_alert_address_that_is_none_do_not_work(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(home, 'engine = "claude"\n[alerts]\nflash = ["env:NO_SUCH_THING"]\n')
    code, found = doctor(capsys)
    assert code == 1
    assert found["model engine"]["level"] == found["alerts channels"]["level"] == "bad"


def test_the_budget_of_the_day_is_told_from_what_was_spent(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-0123456789")
    write(home, 'timezone = "UTC"\n')
    path = made(home / "tape.db")
    found = doctor(capsys, "--db", str(path))[1]
    assert found["model budget"]["words"] == "$1.25 of $5.00 spent or reserved today, $3.75 left"
    write(home, 'timezone = "UTC"\n[claude]\ndaily_budget_usd = 1.0\nmodel = "strange-model"\n')
    found = doctor(capsys, "--db", str(path))[1]
    assert found["model budget"]["level"] == found["model prices"]["level"] == "warn"


def test_text_for_people_has_every_finding_and_a_last_word(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, "doctor")
    assert done.code == 0
    assert done.out.rstrip().splitlines()[-1].startswith("everything that is needed works")
    assert "  warn  network.contact          not set" in done.out
    assert '→ set contact = "you@example.com" under [network]' in done.out
    write(home, "nonsense")
    done = call(capsys, "doctor")
    assert (done.code, done.err) == (1, "")
    assert "checks failed" in done.out.rstrip().splitlines()[-1]


async def test_online_each_tool_is_asked_once_and_the_service_whether_it_knows_the_model(home: Path) -> None:
    async with FeedServer() as server:
        for address, (kind, body) in answers().items():
            server.serve(address, body if isinstance(body, str) else json.dumps(body), content_type=kind)
        dated = {"Content-Type": "application/json", "Date": format_datetime(datetime.now(UTC), usegmt=True)}
        server.script("/v1/models/claude-haiku-5-5", reply(200, b'{"type": "model", "id": "x"}', dated))
        write(home, f'[tools]\nbase_urls = {{ default = "{server.url("")}" }}\n')
        more = {"ANTHROPIC_API_KEY": "sk-ant-CANARY-123", "ANTHROPIC_BASE_URL": server.url("").rstrip("/")}
        code, found = await online(home, more)
        assert code == 0
        assert found["model service"]["words"].endswith("and knows claude-haiku-5-5")
        assert len([name for name in found if name.startswith("tools ")]) == 16
        assert found["tools policy_rates"]["level"] == "ok"
        assert found["clock time"]["words"].startswith("agrees with ")
        seen = server.requests("/v1/models/claude-haiku-5-5")
        assert seen[0].headers["x-api-key"] == "sk-ant-CANARY-123"
        assert not [one for one in server.requests() if one.path.startswith("/v1/messages")], "a call that costs money"
        assert not (home / "data").exists(), "it has written something"


async def test_online_a_refused_key_and_silent_sources_are_told(home: Path) -> None:
    async with FeedServer() as server:
        server.script("/v1/models/claude-haiku-5-5", reply(401, b"{}"))
        write(home, f'[tools]\nbase_urls = {{ default = "{server.url("")}" }}\n')
        more = {"ANTHROPIC_API_KEY": "sk-ant-CANARY-123", "ANTHROPIC_BASE_URL": server.url("").rstrip("/")}
        code, found = await online(home, more)
        assert code == 1
        assert found["model service"]["words"] == "refuses the key (401)"
        assert found["tools stocktwits_ratio"]["level"] == "warn"
        assert found["tools stocktwits_ratio"]["words"].startswith("unavailable")


async def online(home: Path, more: dict[str, str]) -> tuple[int, dict[str, dict[str, Any]]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "app.cli", "doctor", "--online", "--json",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env=environment(home, more),
    )  # fmt: skip
    async with asyncio.timeout(30):
        out, err = await process.communicate()
    assert err == b""
    assert b"CANARY" not in out
    assert process.returncode is not None
    return process.returncode, {f"{one['section']} {one['name']}": one for one in json.loads(out)["findings"]}


def test_when_most_feeds_fail_the_fault_is_here() -> None:
    now = datetime(2026, 3, 10, tzinfo=UTC)
    rows = tuple(
        SourceRow(source, PollState(status="failing", last_error="offline", last_checked_at=now), 0, None)
        for source in builtin_sources()
    )
    first = next(iter(stored.feeds(Config(), Glance(feeds=rows), now)))
    assert first.level == "bad"
    assert "reaches the network" in first.fix


def test_every_key_of_the_catalogue_says_what_it_gives() -> None:
    assert set(KEY_GIVES) == set(KEYS)
    assert {one.name for one in setup.keys({}, Config())} >= set(KEYS)
