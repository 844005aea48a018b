"""`tapewatch export`: kept signals as JSON lines of the contract or as a table, and clear words for bad requests."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from datetime import timedelta
from pathlib import Path

import pytest

from agents.models import Urgency
from app.lines.contract import SignalLine
from storage.database import Database
from storage.items import Items
from storage.signals import Signals
from tests.app.program import Ended, call, move_home
from tests.storage.samples import NOW, WIRE, entry, signal

TITLES = ("=HYPERLINK(1) and a, comma", "Mill stops work", "Plant opens")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database of three scored items, an hour apart."""
    move_home(tmp_path, monkeypatch)
    path = tmp_path / "kept.db"
    asyncio.run(_keep(path))
    return path


async def _keep(path: Path) -> None:
    async with Database.open(path, now=NOW) as database:
        for number, title in enumerate(TITLES):
            now = NOW + timedelta(hours=number)
            item = (await Items(database).ingest(WIRE, [entry(title)], now=now, backlog=False)).new[0]
            urgency = (Urgency.FLASH, Urgency.NOTE, Urgency.FYI)[number]
            await Signals(database).save(signal(item, urgency, tickers=("NVDA",) if number else ()), alert=None)


def run(capsys: pytest.CaptureFixture[str], path: Path, *arguments: str) -> Ended:
    return call(capsys, "export", "--db", str(path), *arguments)


def test_lines_are_those_of_the_contract_oldest_first(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, kept)
    lines = [SignalLine.model_validate_json(line) for line in done.out.splitlines()]
    assert (done.code, done.err) == (0, "")
    assert [line.item.title for line in lines] == list(TITLES)
    assert len(lines[0].agents) == 5


def test_a_period_urgencies_and_tickers_narrow_it(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def titles(*arguments: str) -> list[str]:
        return [json.loads(line)["item"]["title"] for line in run(capsys, kept, *arguments).out.splitlines()]

    assert titles("--since", "2026-03-10T19:00+00:00") == list(TITLES[1:])
    assert titles("--until", "2026-03-10T19:30+00:00") == [TITLES[0]]
    assert titles("--urgency", "flash", "--urgency", "FYI") == [TITLES[0], TITLES[2]]
    assert titles("--ticker", "$nvda") == list(TITLES[1:])
    assert titles("--since", "30m") == []


def test_a_table_has_fixed_columns_and_no_cell_is_a_formula(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, kept, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [row["title"] for row in rows] == ["'" + TITLES[0], *TITLES[1:]]
    assert (rows[1]["urgency"], rows[1]["impact_score"], rows[1]["tone"]) == ("NOTE", "0.5", "-0.25")
    assert rows[1]["tickers"] == "NVDA down 0.50 direct"
    assert rows[1]["first_seen_at"] == "2026-03-10T19:30:00Z"
    assert (rows[1]["event_type"], rows[1]["degraded"]) == ("", "false")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--since", "soon"), "--since 'soon': not a time; give a date (2026-11-30)"),
        (("--until", "2026-13-40"), "--until '2026-13-40': not a time"),
        (("--since", "99999d"), "--since '99999d': not a"),
        (("--since", "today", "--until", "2020-01-01"), "nothing can be between"),
        (("--urgency", "LOUD"), "'LOUD' is not one of"),
    ],
)
def test_a_bad_request_is_one_line_that_says_what_to_give(
    kept: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    done = run(capsys, kept, *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert words in done.err


def test_a_database_that_does_not_exist_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.db"
    done = run(capsys, path)
    assert (done.code, path.exists()) == (2, False)
    assert "no such database; the monitor makes it" in done.err
