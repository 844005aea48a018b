"""`tapewatch scorecard`: in words and as JSON, and modest where little is known."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from pathlib import Path

import pytest

from agents.models import Urgency
from app.scorecard import FEW
from storage.database import Database
from storage.items import Items
from storage.prices import AFTER, Priced, PriceMarks
from storage.signals import Signals
from tests.app.program import call, move_home
from tests.storage.samples import NOW, WIRE, entry, signal


async def keep(path: Path, count: int) -> None:
    """Items of which a larger impact came before a larger fall."""
    async with Database.open(path, now=NOW) as database:
        for number in range(count):
            told = entry(f"Company {number} closes plant {number}")
            item = (await Items(database).ingest(WIRE, [told], now=NOW, backlog=False)).new[0]
            impact = 0.5 + number / 100
            await Signals(database).save(signal(item, Urgency.NOTE, impact=impact, tickers=(f"T{number}",)), alert=None)
        marks = PriceMarks(database)
        await marks.open_since(NOW - timedelta(hours=1))
        for due in await marks.due(NOW + timedelta(days=2), limit=1000):
            move = -float(due.symbol[1:]) / 10
            later = (Priced(after, 100 + move, move) for after in AFTER[1:])
            await marks.fill([(due, [Priced(AFTER[0], 100.0), *later])])


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    move_home(tmp_path, monkeypatch)


def test_groups_direction_and_ranks_are_told_for_each_horizon(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kept.db"
    asyncio.run(keep(path, FEW + 2))
    done = call(capsys, "scorecard", "--db", str(path))
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{FEW + 2} symbols followed, 0 without a price\n\nafter 5 min:")
    assert f"  NOTE{FEW + 2:>20}     1.55     1.55" in done.out
    assert "direction given   100%" in done.out, "all were given down, and went down"
    assert f"rank of impact with the move       +1.00 (+1.00 to +1.00, n {FEW + 2})" in done.out


def test_json_holds_every_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "kept.db"
    asyncio.run(keep(path, FEW + 2))
    card = json.loads(call(capsys, "scorecard", "--db", str(path), "--json", "--until", "2026-03-10").out)
    assert (card["since"], card["followed"]) == (None, FEW + 2)
    first = card["horizons"][0]
    assert (first["after_s"], first["large_pct"], first["horizon"]) == (300, 0.5, "5 min")
    assert first["impact"] == {"n": FEW + 2, "value": 1.0, "low": 1.0, "high": 1.0}
    assert {agent["agent"] for agent in first["agents"]} >= {"MacroMind", "PolicyRadar"}


def test_few_outcomes_are_said_to_be_few(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "kept.db"
    asyncio.run(keep(path, 2))
    done = call(capsys, "scorecard", "--db", str(path))
    assert done.code == 0
    assert f"too few to say anything: {FEW} outcomes are needed" in done.out
    assert "NOTE                   2     0.05     0.05   0 of 2, too few to say" in done.out
    assert "rank" not in done.out
    nothing = call(capsys, "scorecard", "--db", str(path), "--since", "1h")
    assert nothing.out.startswith("0 symbols followed, 0 without a price\ntoo few")
