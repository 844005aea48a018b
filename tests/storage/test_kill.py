"""Kill -9 at many points: nothing accepted is lost, nothing is done twice, every migration goes on where it stopped."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from agents.models import Urgency
from storage.alerts import AlertDraft
from storage.database import Database
from storage.items import Items
from storage.migrate import builtin_migrations
from storage.outbox import Outbox
from storage.signals import Signals
from tests.storage.samples import NOW, signal
from tests.storage.victim import ROUNDS

ROOT = Path(__file__).resolve().parents[2]
LATER = NOW + timedelta(hours=1)


class Victims:
    """Children that die on order."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.storage.victim"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, task: str, path: Path, statement: int) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"task": task, "path": str(path), "statement": statement}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        self._process.communicate(timeout=10)


@pytest.fixture(scope="module")
def victims() -> Iterator[Victims]:
    made = Victims()
    yield made
    made.close()


def one(connection: sqlite3.Connection, sql: str) -> Any:
    return connection.execute(sql).fetchone()[0]


def said(answer: dict[str, Any], word: str) -> set[str]:
    return {line.split(" ", 1)[1] for line in answer["said"] if line.startswith(word)}


def check(path: Path, answer: dict[str, Any]) -> None:
    """The invariants, seen by a reader of its own right after the kill."""
    with closing(sqlite3.connect(path)) as connection:
        assert one(connection, "PRAGMA integrity_check") == "ok"
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        rows = connection.execute("SELECT item_id, state FROM item JOIN scoring ON scoring.item = item.id")
        states = dict(rows.fetchall())
        assert said(answer, "accepted") <= set(states)
        assert said(answer, "scored") <= {item_id for item_id, state in states.items() if state == "scored"}
        assert one(connection, "SELECT count(*) FROM item") == one(connection, "SELECT count(*) FROM scoring")
        assert one(connection, "SELECT count(*) FROM unindexed") == 0
        scored = one(connection, "SELECT count(*) FROM signal")
        stories = "SELECT count(DISTINCT card) FROM signal JOIN item ON item.id = signal.item"
        assert one(connection, "SELECT count(*) FROM alert") == one(connection, stories)
        complete = "SELECT count(*) FROM (SELECT item FROM report GROUP BY item HAVING count(*) = 5)"
        assert one(connection, complete) == scored
        landed = connection.execute("SELECT DISTINCT item_id FROM item JOIN report ON report.item = item.id")
        assert said(answer, "landed") <= {item_id for (item_id,) in landed}
        delivered = {key for (key,) in connection.execute("SELECT alert FROM delivery WHERE delivered_at IS NOT NULL")}
        assert said(answer, "delivered") <= delivered
        counted = connection.execute("SELECT urgency, cards, unread FROM card_count WHERE cards > 0").fetchall()
        truth = "SELECT coalesce(urgency, -1) AS u, count(*), sum(unread) FROM card GROUP BY u ORDER BY u"
        assert counted == connection.execute(truth).fetchall()


async def finish(path: Path) -> None:
    """The next start: scores what is left and finds every item done once and one alert for each story."""
    async with Database.open(path, now=LATER) as database:
        items, signals, outbox = Items(database), Signals(database), Outbox(database)
        for item_id in await items.pending(100, now=LATER):
            await signals.save(signal(item_id, Urgency.FLASH, at=LATER), alert=AlertDraft("export ban", LATER))
        assert await items.pending(100, now=LATER) == []
        keys = [row.key for row in await outbox.pending()]
        await outbox.delivered(keys, now=LATER)
        assert await outbox.pending() == []
    with closing(sqlite3.connect(path)) as connection:
        assert one(connection, "SELECT count(*) FROM alert") == one(connection, "SELECT count(*) FROM card")
        assert one(connection, "SELECT count(*) FROM item") == one(connection, "SELECT count(*) FROM signal")


POINTS = [3, 8, 14, 21, 28, 36, 45, 55, 66, 78, 90, 102, 114, 126, 138, 150, 162, 174, 186, 198, 210, 222, 234, 246]


@pytest.mark.parametrize("statement", POINTS)
async def test_a_kill_loses_nothing_that_was_accepted_and_repeats_nothing(
    victims: Victims, path: Path, statement: int
) -> None:
    answer = victims.run("write", path, statement)
    assert answer["killed"]
    check(path, answer)
    await finish(path)


async def test_the_same_without_a_kill(victims: Victims, path: Path) -> None:
    answer = victims.run("write", path, 1_000_000)
    assert answer["clean"]
    assert len(said(answer, "accepted")) == len(said(answer, "scored")) == sum(len(titles) for _, titles in ROUNDS)
    assert len(said(answer, "delivered")) == 3
    check(path, answer)


def schema(path: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name").fetchall()


def test_a_migration_killed_at_any_statement_is_done_by_the_next_start(victims: Victims, path: Path) -> None:
    whole = path.with_name("whole.db")
    assert victims.run("migrate", whole, 1_000_000)["clean"]
    statements = sum(len(step.statements) + 4 for step in builtin_migrations())
    killed = 0
    for number in range(1, statements + 1):
        half = path.with_name(f"{number}.db")
        killed += victims.run("migrate", half, number)["killed"]
        assert victims.run("migrate", half, 1_000_000)["clean"]
        assert schema(half) == schema(whole)
    assert killed >= statements - 4
