"""Answers that outlive the program: given back byte for byte, bounded, and never a reason to fail."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from agents.tools.asking.request import Reply
from agents.tools.asking.shelf import KeptReply
from storage import source_answers
from storage.source_answers import SourceAnswers
from storage.usage_file import UsageFile
from tests.storage.samples import NOW

HOUR = timedelta(hours=1)


def kept(body: bytes, hours: float = 0, lifetime: float = 6) -> KeptReply:
    at = NOW + hours * HOUR
    return KeptReply(Reply(200, "text/csv", body, "https://s.example/x?a=1"), at, at + lifetime * HOUR)


async def test_an_answer_comes_back_as_it_was_in_a_later_run_and_the_newer_stands(tmp_path: Path) -> None:
    path, body = tmp_path / "usage.db", bytes(range(256)) * 40
    async with UsageFile.open(path, now=NOW) as file:
        await SourceAnswers(file).keep("d1", "bis", kept(b"old"))
        await SourceAnswers(file).keep("d1", "bis", kept(body, 1))
    async with UsageFile.open(path, now=NOW) as file:
        shelf = SourceAnswers(file)
        assert await shelf.find("d1") == kept(body, 1)
        assert await shelf.find("d2") is None


async def test_what_is_a_day_over_its_time_goes_and_so_does_the_oldest_beyond_the_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with UsageFile.open(tmp_path / "usage.db", now=NOW) as file:
        shelf = SourceAnswers(file)
        await shelf.keep("d0", "bis", kept(b"zero"))
        await shelf.keep("d1", "bis", kept(b"one", 31))
        assert await shelf.find("d0") is None, "six hours and a day are over"
        monkeypatch.setattr(source_answers, "MOST_ANSWERS", 3)
        for number in range(2, 6):
            await shelf.keep(f"d{number}", "bis", kept(b"more", 31 + number / 10))
        held = [name for name in ("d1", "d2", "d3", "d4", "d5") if await shelf.find(name)]
        assert held == ["d3", "d4", "d5"]
        monkeypatch.setattr(source_answers, "MOST_BYTES", 30)
        await shelf.keep("d6", "bis", kept(b"last", 32))
        held = [name for name in ("d3", "d4", "d5", "d6") if await shelf.find(name)]
        assert held == ["d5", "d6"], "twelve bytes each"


async def test_what_is_too_large_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_answers, "LARGEST", 1_000)
    async with UsageFile.open(tmp_path / "usage.db", now=NOW) as file:
        shelf = SourceAnswers(file)
        await shelf.keep("large", "ofac", kept(bytes((n * n + n // 7) % 251 for n in range(50_000))))
        await shelf.keep("even", "ofac", kept(b"a" * 50_000))
        assert await shelf.find("large") is None
        assert (await shelf.find("even")) is not None


async def test_what_cannot_be_read_or_unfolds_without_end_is_as_if_it_were_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "usage.db"
    async with UsageFile.open(path, now=NOW) as file:
        shelf = SourceAnswers(file)
        await shelf.keep("d1", "bis", kept(b"body"))
        await shelf.keep("d2", "bis", kept(b"a" * 9_000))
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE source_answer SET body = x'00ff' WHERE digest = 'd1'")
        connection.close()
        monkeypatch.setattr(source_answers, "_LONGEST", 8_000)
        assert await shelf.find("d1") is None
        assert await shelf.find("d2") is None
    await shelf.keep("d3", "bis", kept(b"closed"))
