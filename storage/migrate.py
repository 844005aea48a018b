"""Brings a database up to the schema of this program, one numbered step at a time.

Each step is one transaction that also counts itself in `user_version`, so a step is done or not begun: after a kill the
next start goes on where the last one stopped.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from storage.public_url import public_url, url_key

APPLICATION_ID = 0x74617065
"""The letters "tape": says in the file's header whose database it is."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step: its number, counted from 1, and its statements."""

    number: int
    statements: tuple[str, ...]


def builtin_migrations() -> tuple[Migration, ...]:
    """The steps in `storage/schema`, in order."""
    folder = resources.files("storage") / "schema"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return tuple(
        Migration(int(name.split("_", 1)[0]), tuple(statements((folder / name).read_text(encoding="utf-8"))))
        for name in names
    )


def statements(script: str) -> Iterator[str]:
    """The single statements of a script; a trigger is one of them."""
    waiting = ""
    for line in script.splitlines(keepends=True):
        if not waiting and (not line.strip() or line.lstrip().startswith("--")):
            continue
        waiting += line
        if sqlite3.complete_statement(waiting):
            yield waiting.strip()
            waiting = ""
    if waiting.strip():
        raise ValueError(f"a statement has no end: {waiting.strip()[:60]!r}")


def version(connection: sqlite3.Connection) -> int:
    """The number of the last step done."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection, path: Path, steps: Sequence[Migration]) -> None:
    """Does every step that is not done yet. A database that holds data already is first copied beside itself."""
    done = version(connection)
    todo = [step for step in steps if step.number > done]
    if todo and done:
        back_up(connection, path.with_name(f"{path.name}.v{done}.bak"))
    if todo:
        _offer(connection)
    for step in todo:
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in step.statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {step.number}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _offer(connection: sqlite3.Connection) -> None:
    """What steps may call, and that nothing they overwrite stays readable in the file."""
    connection.execute("PRAGMA secure_delete = ON")
    connection.create_function("public_url", 1, public_url, deterministic=True)
    connection.create_function("url_key", 1, url_key, deterministic=True)


def back_up(connection: sqlite3.Connection, copy: Path) -> None:
    """Copies the database to `copy`, which is there whole or not at all. An older copy of the same name is kept.

    Addresses of feeds are copied without the credentials they may hold.
    """
    if copy.exists():
        return
    half = copy.with_name(f"{copy.name}.part")
    half.unlink(missing_ok=True)
    os.close(os.open(half, os.O_CREAT | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(half)) as target:
        connection.backup(target)
        _offer(target)
        if target.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'source'").fetchone()[0]:
            with target:
                target.execute("UPDATE source SET url = public_url(url), redirect_url = public_url(redirect_url)")
    half.replace(copy)
