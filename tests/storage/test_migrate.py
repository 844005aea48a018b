"""Numbered steps, each done whole or not begun; older data is copied before it is touched."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from storage.connection import open_writing
from storage.migrate import APPLICATION_ID, Migration, builtin_migrations, migrate, statements, version

FIRST = Migration(1, ("CREATE TABLE a (n INTEGER)", "INSERT INTO a VALUES (1)"))
SECOND = Migration(2, ("ALTER TABLE a ADD COLUMN m INTEGER", "UPDATE a SET m = n + 1", "CREATE TABLE b (n INTEGER)"))


@pytest.fixture
def connection(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_writing(path)) as opened:
        yield opened


def refuse_from(connection: sqlite3.Connection, action: int) -> None:
    """Makes SQLite refuse the n-th thing it is asked to do, and all after it."""
    left = [action]

    def authorize(*_: object) -> int:
        left[0] -= 1
        return sqlite3.SQLITE_OK if left[0] > 0 else sqlite3.SQLITE_DENY

    connection.set_authorizer(authorize)


def test_builtin_steps_are_numbered_from_one_without_a_gap() -> None:
    assert [step.number for step in builtin_migrations()] == list(range(1, len(builtin_migrations()) + 1))


def test_steps_are_done_in_order_once_and_signed(connection: sqlite3.Connection, path: Path) -> None:
    migrate(connection, path, (FIRST, SECOND))
    migrate(connection, path, (FIRST, SECOND))
    assert connection.execute("SELECT n, m FROM a").fetchall() == [(1, 2)]
    assert version(connection) == 2
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


def test_an_interrupted_step_leaves_no_trace_and_resumes(connection: sqlite3.Connection, path: Path) -> None:
    migrate(connection, path, (FIRST,))
    before = list(connection.iterdump())
    failures = 0
    for action in range(1, 200):
        refuse_from(connection, action)
        try:
            migrate(connection, path, (FIRST, SECOND))
        except sqlite3.DatabaseError:
            failures += 1
            connection.set_authorizer(None)
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            assert list(connection.iterdump()) == before
            assert version(connection) == 1
        else:
            break
    connection.set_authorizer(None)
    assert failures >= len(SECOND.statements)
    assert connection.execute("SELECT n, m FROM a").fetchall() == [(1, 2)]


def test_old_data_is_copied_whole_before_an_upgrade(connection: sqlite3.Connection, path: Path) -> None:
    migrate(connection, path, (FIRST,))
    assert list(path.parent.glob("*.bak")) == []
    migrate(connection, path, (FIRST, SECOND))
    copy = path.with_name("tape.db.v1.bak")
    assert copy.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(copy)) as kept:
        assert kept.execute("SELECT * FROM a").fetchall() == [(1,)]
    assert list(path.parent.glob("*.part")) == []


def test_a_copy_cut_off_by_a_kill_is_made_again(connection: sqlite3.Connection, path: Path) -> None:
    migrate(connection, path, (FIRST,))
    path.with_name("tape.db.v1.bak.part").write_bytes(b"half")
    migrate(connection, path, (FIRST, SECOND))
    with closing(sqlite3.connect(path.with_name("tape.db.v1.bak"))) as kept:
        assert kept.execute("SELECT * FROM a").fetchall() == [(1,)]


def test_a_script_is_cut_into_statements_and_triggers_stay_whole() -> None:
    script = """-- a comment; with a semicolon
CREATE TABLE a (n); -- and one behind
CREATE TRIGGER t AFTER INSERT ON a BEGIN
    UPDATE a SET n = 1;
    UPDATE a SET n = 2;
END;
"""
    found = list(statements(script))
    assert [one.split()[1] for one in found] == ["TABLE", "TRIGGER"]
    assert found[1].endswith("END;")


def test_a_script_without_an_end_is_refused() -> None:
    with pytest.raises(ValueError, match="has no end"):
        list(statements("CREATE TABLE a (n)"))
