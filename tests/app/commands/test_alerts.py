"""`tapewatch alerts`: the channels tried, the log, the reasons, mutes; beside a running monitor too."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agents.models import Urgency
from storage.alerts import AlertDraft, Step
from storage.database import Database
from storage.items import Items
from storage.mutes import Mutes
from storage.outbox import Outbox
from storage.signals import Signals
from tests.app.program import Ended, call, move_home
from tests.fakes.receivers import Receiver, first
from tests.storage.samples import NOW, WIRE, entry, signal

TOKEN = "123456:CANARYCANARYCANARY"


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    move_home(tmp_path, monkeypatch)


async def filled(path: Path) -> str:
    """A database with one alert that arrived and one that did not; returns its item's id."""
    async with Database.open(path, now=NOW) as database:
        items, signals, outbox = Items(database), Signals(database), Outbox(database)
        (item,) = (await items.ingest(WIRE, [entry("Nordia Steel halts its mill in Orlow")], now=NOW)).new
        trace = (Step("score", "passed", "FLASH by score: impact 0.91"), Step("mine", "changed", "goes to phone"))
        draft = AlertDraft("FLASH: fraud, impact 0.91", NOW, channels=("terminal", "phone"), trace=trace)
        key = (await signals.save(signal(item, Urgency.FLASH), alert=draft)).alert_key or ""
        await outbox.delivered([key], now=NOW)
        await outbox.attempted([key], channel="phone")
        await outbox.give_up([key], "answered 403: bot was blocked", channel="phone")
        (quiet,) = (await items.ingest(WIRE, [entry("Velkor names a new head")], now=NOW)).new
        await signals.save(signal(quiet, Urgency.NOTE), alert=None)
        return item


def alerts(capsys: pytest.CaptureFixture[str], path: Path, *arguments: str) -> Ended:
    return call(capsys, "alerts", *arguments, "--db", str(path))


async def test_list_and_why_say_what_became_of_an_alert(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "db"
    item = await filled(path)
    listed = await asyncio.to_thread(alerts, capsys, path, "list")
    assert "FLASH  Nordia Steel halts its mill" in listed.out
    assert "phone: DEAD LETTER, 1 attempt, 1 without an answer, answered 403: bot was blocked" in listed.out
    (one,) = [json.loads(line) for line in alerts(capsys, path, "list", "--json", "--dead").out.splitlines()]
    assert [delivery["state"] for delivery in one["deliveries"]] == ["sent", "dead"]
    why = alerts(capsys, path, "why", item[:8])
    assert "mine   changed  goes to phone" in why.out
    assert "story  passed   first alert of this story" in why.out
    assert f"=> alert {item}:FLASH" in why.out
    told = json.loads(alerts(capsys, path, "why", f"{item}:FLASH", "--json").out)
    assert (told["outcome"], told["trace"][1]["gate"]) == ("alert", "mine")


async def test_why_of_what_is_only_in_the_feed_and_of_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "db"
    await filled(path)
    async with Database.open(path, now=NOW) as database, database.read() as connection:
        ((quiet,),) = await connection.execute_fetchall("SELECT item_id FROM item WHERE title LIKE 'Velkor%'")
    done = await asyncio.to_thread(alerts, capsys, path, "why", quiet)
    assert "NOTE by score goes to the feed only, and no rule speaks of it" in done.out
    assert alerts(capsys, path, "why", "nothing").code == 1


async def test_mute_unmute_and_mutes_while_a_monitor_has_the_database_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "db"
    item = await filled(path)
    async with Database.open(path, now=datetime.now(UTC)) as database:
        for what in (
            ["nvda", "--for", "2h"],
            ["source", "harbour wire"],
            ["event", "tariffs"],
            ["story", item],
            ["all", "--for", "30m"],
        ):
            done = await asyncio.to_thread(alerts, capsys, path, "mute", *what)
            assert done.code == 0, done.err
        now = datetime.now(UTC)
        active = await Mutes(database).active(now)
        assert [(one.kind, one.value) for one in active] == [
            ("ticker", "NVDA"), ("source", "Harbour Wire"), ("event", "tariffs"), ("story", item), ("all", ""),
        ]  # fmt: skip
        assert timedelta(minutes=118) < active[0].until - now < timedelta(minutes=121)
        shown = await asyncio.to_thread(alerts, capsys, path, "mutes")
        assert "ticker NVDA  until" in shown.out
        assert "everything  until" in shown.out
        assert (await asyncio.to_thread(alerts, capsys, path, "unmute", "nvda", "2")).code == 0
        assert [one.kind for one in await Mutes(database).active(now)] == ["event", "story", "all"]
        assert (await asyncio.to_thread(alerts, capsys, path, "unmute", "everything")).code == 0
        assert await Mutes(database).active(now) == []


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["mute", "event", "tarifs"], 2, "did you mean tariffs?"),
        (["mute", "source", "Harbor Wire"], 2, "did you mean Harbour Wire?"),
        (["mute", "story", "nothing"], 2, "no story is called 'nothing'"),
        (["mute", "NVDA", "--for", "soon"], 2, "write 30m, 2h or 3d"),
        (["unmute", "NVDA"], 1, "nothing called 'NVDA' is muted"),
    ],
)
async def test_mistakes_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, told: str
) -> None:
    path = tmp_path / "db"
    await filled(path)
    done = await asyncio.to_thread(alerts, capsys, path, *arguments)
    assert done.code == code
    assert told in done.err


def test_without_a_database_it_says_how_to_make_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = alerts(capsys, tmp_path / "none", "list")
    assert done.code == 1
    assert "open the monitor once" in done.err


async def test_retry_lets_dead_letters_wait_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "db"
    await filled(path)
    assert "1 dead letter waits again" in (await asyncio.to_thread(alerts, capsys, path, "retry")).out
    assert "there are no dead letters" in alerts(capsys, path, "retry", "phone").out


async def test_every_configured_channel_is_tried_with_a_line_each_and_no_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "c.toml"
    async with Receiver() as good, Receiver(plan=first("forbidden")) as bad:
        good.url("/")
        bad.url(f"/bot{TOKEN}/sendMessage")
        monkeypatch.setenv("PHONE", f"tgram://{TOKEN}/42")
        file.write_text(
            "[alerts]\ndesktop = false\n"
            f"flash = ['ntfy://{good.host}/CANARYTOPIC']\n"
            f"[[alerts.channel]]\nname = 'phone'\nurl = 'env:PHONE'\nserver = 'http://{bad.host}'\n"
            f"[[alerts.channel]]\nname = 'hook'\nurl = '{good.url('/hook')}?token=CANARY'\nsecret = 'CANARYCANARY'\n"
        )
        done = await asyncio.to_thread(
            call, capsys, "alerts", "test", "--config", str(file), "--db", str(tmp_path / "db")
        )
    lines = done.out.splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["terminal", "ok"], [lines[1].split()[0], "ok"], ["phone", "failed"], ["hook", "ok"],
    ]  # fmt: skip
    assert "answered 403: Bad Request: told so" in lines[2]
    assert done.code == 1
    assert len(good.taken) == 2
    assert "CANARY" not in done.out + done.err
