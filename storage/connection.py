"""How connections are opened: the same pragmas everywhere, and which SQLite is good enough."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from storage.encoding import Row
from storage.errors import NetworkDrive, SqliteTooOld

BUSY_TIMEOUT_MS: Final = 5_000
JOURNAL_LIMIT: Final = 64 * 2**20
"""Bytes the write-ahead log may keep once everybody has read it."""
NEEDED: Final = (3, 37, 0)
"""STRICT tables."""


def refuse_old_sqlite(found: tuple[int, int, int] = sqlite3.sqlite_version_info) -> None:
    """Raises SqliteTooOld where Python was built with a SQLite before `NEEDED`."""
    if found < NEEDED:
        have, need = (".".join(map(str, version)) for version in (found, NEEDED))
        raise SqliteTooOld(f"this Python has SQLite {have}, {need} is needed: use a newer Python")


def open_writing(path: Path, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> sqlite3.Connection:
    """The writing connection: no implicit transactions, not yet in WAL mode (see `enter_wal`)."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
    return _set_up(
        connection,
        (
            f"PRAGMA busy_timeout = {busy_timeout_ms}",
            "PRAGMA foreign_keys = ON",
            "PRAGMA temp_store = MEMORY",
            "PRAGMA cache_size = -16384",
            f"PRAGMA journal_size_limit = {JOURNAL_LIMIT}",
        ),
    )


def _set_up(connection: sqlite3.Connection, pragmas: Sequence[str]) -> sqlite3.Connection:
    """The connection with its pragmas; closed where the file refuses them."""
    try:
        for pragma in pragmas:
            connection.execute(pragma)
    except BaseException:
        connection.close()
        raise
    return connection


def enter_wal(connection: sqlite3.Connection, path: Path) -> None:
    """Switches the file to a write-ahead log with one sync per checkpoint, or says why it cannot have one."""
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise NetworkDrive(f"{path} cannot keep a write-ahead log there ({mode}): choose a local folder")
    connection.execute("PRAGMA synchronous = NORMAL")


def read_only_uri(path: Path) -> str:
    """The address under which SQLite opens `path` without the right to write."""
    return f"file:{quote(str(path.absolute()))}?mode=ro"


def reading_pragmas(*, busy_timeout_ms: int, cache_kib: int) -> tuple[str, ...]:
    """What a reading connection sets after it was opened."""
    return (
        "PRAGMA query_only = ON",
        f"PRAGMA busy_timeout = {busy_timeout_ms}",
        "PRAGMA temp_store = MEMORY",
        f"PRAGMA cache_size = -{cache_kib}",
    )


def open_reading(path: Path, *, busy_timeout_ms: int = 250, cache_kib: int = 8_192) -> sqlite3.Connection:
    """A reading connection for the thread that asks, with a short patience: it may be the screen's."""
    connection = sqlite3.connect(
        read_only_uri(path), uri=True, isolation_level=None, check_same_thread=False, cached_statements=128
    )
    return _set_up(connection, reading_pragmas(busy_timeout_ms=busy_timeout_ms, cache_kib=cache_kib))


ROWS_AT_ONCE: Final = 64
"""Rows per statement of `insert_rows`; far below SQLite's limit of values."""


def insert_rows(connection: sqlite3.Connection, into: str, rows: Sequence[Row]) -> None:
    """Inserts rows of equal width with as few statements as can be ("INSERT INTO t (a, b)" and the rows).

    Python gives other threads a turn around each step of a statement and waits for its own: one step for many rows
    keeps a busy event loop from stretching a transaction.
    """
    for start in range(0, len(rows), ROWS_AT_ONCE):
        some = rows[start : start + ROWS_AT_ONCE]
        connection.execute(_insertion(into, len(some[0]), len(some)), tuple(chain.from_iterable(some)))


def update_rows(
    connection: sqlite3.Connection, table: str, key: str, columns: tuple[str, ...], rows: Sequence[Row]
) -> None:
    """Sets `columns` in the rows of a table, each row given as its key and its values; see `insert_rows`."""
    for start in range(0, len(rows), ROWS_AT_ONCE):
        some = rows[start : start + ROWS_AT_ONCE]
        connection.execute(_updating(table, key, columns, len(some)), tuple(chain.from_iterable(some)))


def rows_among(connection: sqlite3.Connection, sql: str, values: Sequence[str | int], *fixed: Any) -> Iterator[Row]:
    """The rows of `sql` for all `values`, which stand in the place of its "{}", after the parameters `fixed`.

    NULL fills a statement up, so that few different ones are prepared.
    """
    for start in range(0, len(values), ROWS_AT_ONCE):
        some = values[start : start + ROWS_AT_ONCE]
        size = next(size for size in (1, 8, ROWS_AT_ONCE) if size >= len(some))
        yield from connection.execute(_among(sql, size), (*fixed, *some, *(None,) * (size - len(some)))).fetchall()


@lru_cache(maxsize=512)
def _updating(table: str, key: str, columns: tuple[str, ...], rows: int) -> str:
    row = f"({', '.join('?' * (len(columns) + 1))})"
    sets = ", ".join(f"{column} = given.column{place}" for place, column in enumerate(columns, 2))
    values = ", ".join([row] * rows)
    return f"UPDATE {table} SET {sets} FROM (VALUES {values}) AS given WHERE {table}.{key} = given.column1"


@lru_cache(maxsize=64)
def _among(sql: str, size: int) -> str:
    return sql.format(", ".join(("(?)" if "VALUES {}" in sql else "?",) * size))


@lru_cache(maxsize=512)
def _insertion(into: str, width: int, rows: int) -> str:
    row = f"({', '.join('?' * width)})"
    return f"{into} VALUES {', '.join([row] * rows)}"
