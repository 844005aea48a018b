"""Opening and closing: what is made, what is refused and left alone, and what is bounded."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from storage.connection import open_reading, refuse_old_sqlite
from storage.database import Database, View
from storage.errors import (
    AlreadyInUse,
    CorruptDatabase,
    DatabaseClosed,
    ForeignFile,
    NewerSchema,
    NotWritable,
    OlderSchema,
    SqliteTooOld,
    StorageError,
    Unusable,
)
from storage.migrate import APPLICATION_ID
from storage.readers import Readers
from storage.writer import WAL_LIMIT
from tests.storage.samples import NOW


async def make(path: Path) -> None:
    async with Database.open(path, now=NOW):
        pass


async def test_what_is_made_is_the_users_alone_and_nothing_is_left_beside_it(path: Path) -> None:
    async with Database.open(path, now=NOW) as database:
        await database.write(lambda connection: connection.execute("INSERT INTO fact VALUES ('a', 'b')"))
        modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
        assert modes == dict.fromkeys(("tape.db", "tape.db-wal", "tape.db-shm", "tape.db.lock"), 0o600)
    assert sorted(file.name for file in path.parent.iterdir()) == ["tape.db", "tape.db.lock"]


async def test_a_file_others_could_read_is_closed_to_them(path: Path) -> None:
    await make(path)
    path.chmod(0o644)
    await make(path)
    assert path.stat().st_mode & 0o777 == 0o600


async def test_pragmas_are_those_of_a_durable_bounded_database(database: Database) -> None:
    names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "temp_store", "journal_size_limit")

    def ask(connection: sqlite3.Connection) -> list[object]:
        return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    assert await database.write(ask) == ["wal", 1, 1, 5_000, 2, 64 * 2**20]


async def test_readers_cannot_write(database: Database) -> None:
    with pytest.raises(StorageError):
        async with database.read() as connection:
            await connection.execute_fetchall("DELETE FROM item")


async def test_readers_see_what_is_committed_and_take_turns(database: Database) -> None:
    await database.write(lambda connection: connection.execute("INSERT INTO fact VALUES ('a', 'b')"))

    async def ask() -> str:
        async with database.read() as connection:
            rows = await connection.execute_fetchall("SELECT value FROM fact WHERE name = 'a'")
            return str(next(iter(rows))[0])

    assert await asyncio.gather(*(ask() for _ in range(20))) == ["b"] * 20


async def test_a_cancelled_reader_gives_its_connection_back(database: Database) -> None:
    slow = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT max(i) FROM n"

    async def ask() -> None:
        async with database.read() as connection:
            await connection.execute_fetchall(slow)

    for _ in range(5):
        task = asyncio.ensure_future(ask())
        await asyncio.sleep(0.001)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    async with database.read() as connection:
        assert [tuple(row) for row in await connection.execute_fetchall("SELECT 1")] == [(1,)]


async def test_a_close_that_is_cancelled_leaves_no_thread_behind(database: Database) -> None:
    before = threading.active_count()
    readers = Readers(database.path)
    async with readers.read() as connection:
        await connection.execute_fetchall("SELECT 1")
        closing_now = asyncio.ensure_future(readers.close())
        await asyncio.sleep(0)
        closing_now.cancel()
        await asyncio.gather(closing_now, return_exceptions=True)
        assert threading.active_count() == before + 1
    for _ in range(100):
        if threading.active_count() == before:
            break
        await asyncio.sleep(0.01)
    assert threading.active_count() == before


async def test_a_second_instance_is_refused_by_name_and_changes_nothing(database: Database) -> None:
    for _ in range(3):
        with pytest.raises(AlreadyInUse, match="is already in use by process"):
            await make(database.path)
    await database.write(lambda connection: connection.execute("INSERT INTO fact VALUES ('a', 'b')"))


async def test_a_newer_database_is_refused_and_left_as_it_is(path: Path) -> None:
    await make(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 999")
    before = path.read_bytes()
    with pytest.raises(NewerSchema, match=r"newer version \(schema 999\): upgrade"):
        await make(path)
    with pytest.raises(NewerSchema):
        async with View.open(path):
            pass
    assert path.read_bytes() == before


@pytest.mark.parametrize("application", [0, 0x0F055112])
async def test_another_programs_database_is_refused_and_left_as_it_is(path: Path, application: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA application_id = {application}")
        connection.execute("CREATE TABLE recipes (name TEXT)")
    path.chmod(0o644)
    before = path.read_bytes()
    with pytest.raises(ForeignFile, match="belongs to another program"):
        await make(path)
    assert path.read_bytes() == before
    assert path.stat().st_mode & 0o777 == 0o644
    assert [file.name for file in path.parent.iterdir()] == ["tape.db"]


@pytest.mark.parametrize("size", [20, 100, 5_000])
async def test_a_damaged_file_is_refused_in_one_line(path: Path, size: int) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * size)
    with pytest.raises(CorruptDatabase) as refused:
        await make(path)
    assert "\n" not in str(refused.value)


async def test_damage_found_later_is_named(path: Path) -> None:
    await make(path)
    content = bytearray(path.read_bytes())
    content[4096 * 2 :] = b"\xa5" * (len(content) - 4096 * 2)
    path.write_bytes(content)
    with pytest.raises(CorruptDatabase, match="is damaged: move it away"):
        async with Database.open(path, now=NOW) as database:
            await database.write(lambda connection: connection.execute("INSERT INTO fact VALUES ('a', 'b')"))


async def test_an_empty_file_is_a_database_that_was_never_begun(path: Path) -> None:
    path.touch()
    await make(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


async def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotWritable):
        await make(tmp_path / "file" / "tape.db")


def test_an_old_sqlite_is_refused_with_what_is_needed() -> None:
    refuse_old_sqlite((3, 37, 0))
    with pytest.raises(SqliteTooOld, match=r"has SQLite 3\.36\.0, 3\.37\.0 is needed"):
        refuse_old_sqlite((3, 36, 0))


async def test_opening_that_is_cancelled_leaves_nothing_locked(path: Path) -> None:
    task = asyncio.ensure_future(make(path))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await make(path)


async def test_a_closed_database_refuses_in_words(path: Path) -> None:
    async with Database.open(path, now=NOW) as database:
        pass
    with pytest.raises(DatabaseClosed):
        await database.write(lambda connection: None)
    with pytest.raises(DatabaseClosed):
        async with database.read():
            pass


async def test_a_view_reads_beside_the_instance_that_writes(database: Database) -> None:
    await database.write(lambda connection: connection.execute("INSERT INTO fact VALUES ('a', 'b')"))
    async with View.open(database.path) as view, view.read() as connection:
        rows = await connection.execute_fetchall("SELECT value FROM fact WHERE name = 'a'")
        assert [row[0] for row in rows] == ["b"]


@pytest.mark.parametrize(
    ("content", "kind"), [(None, NotWritable), (b"", ForeignFile), (b"junk", CorruptDatabase)], ids=str
)
async def test_a_view_of_nothing_usable_is_refused(path: Path, content: bytes | None, kind: type[Unusable]) -> None:
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(kind):
        async with View.open(path):
            pass


async def test_a_view_does_not_upgrade(path: Path) -> None:
    await make(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 0")
    with pytest.raises(OlderSchema, match="open the monitor once to upgrade it"):
        async with View.open(path):
            pass


async def test_the_log_stays_bounded_under_a_reader_that_lets_go(database: Database) -> None:
    def fill(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO fact VALUES (hex(randomblob(8)), hex(randomblob(1000000)))")

    with closing(open_reading(database.path)) as pinned:
        pinned.execute("BEGIN")
        pinned.execute("SELECT count(*) FROM fact").fetchall()
        for _ in range(20):
            await database.write(fill)
        assert database.wal_bytes > WAL_LIMIT
        pinned.execute("COMMIT")
        await database.write(fill)
        for _ in range(8):
            await database.write(fill)
        assert database.wal_bytes < WAL_LIMIT
