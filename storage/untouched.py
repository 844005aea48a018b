"""Looks at a database without leaving a trace: no file is made, no lock waited for, nothing brought up to date."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from storage import location
from storage.connection import read_only_uri, refuse_old_sqlite
from storage.database import refuse_foreign
from storage.errors import StorageError, translated
from storage.lock import holder_in
from storage.migrate import builtin_migrations, version

PATIENCE_MS: Final = 100
"""So long another program's lock is waited for."""
_STEPS: Final = 2_000

Soundness = Literal["sound", "damaged", "not all checked"]


@dataclass(frozen=True, slots=True)
class Examined:
    """What a database is like. `problem` says why it cannot be used, and is None where it can.

    `schema` is the number of its last migration, `wanted` that of this program. `held_by` names the running instance.
    """

    exists: bool
    wanted: int
    schema: int | None = None
    bytes: int = 0
    log_bytes: int = 0
    readable_by_others: bool = False
    held_by: str = ""
    soundness: Soundness | None = None
    fault: str = ""
    problem: StorageError | None = None


@contextmanager
def open_untouched(path: Path) -> Iterator[sqlite3.Connection]:
    """A reading connection that makes no file beside the database. Raises StorageError.

    Where nobody has it open there is no log, and SQLite would make one to read: it is told that nothing changes.
    """
    log = path.with_name(f"{path.name}-wal")
    still = "" if log.exists() and log.stat().st_size else "&immutable=1"
    with translated(path):
        connection = sqlite3.connect(f"{read_only_uri(path)}{still}", uri=True, isolation_level=None)
        try:
            connection.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
            connection.execute("PRAGMA query_only = ON")
            yield connection
        finally:
            connection.close()


def examine(path: Path, *, check_s: float) -> Examined:
    """Looks at the file, and for at most `check_s` seconds through its pages; what is wrong is told, not raised."""
    wanted = builtin_migrations()[-1].number
    try:
        refuse_old_sqlite()
        location.refuse_network(path)
        if not path.exists():
            return Examined(False, wanted)
        location.check(path)
    except (StorageError, OSError) as error:
        return Examined(path.exists(), wanted, problem=_told(path, error))
    found = path.stat()
    log = path.with_name(f"{path.name}-wal")
    seen = Examined(
        True,
        wanted,
        bytes=found.st_size,
        log_bytes=log.stat().st_size if log.exists() else 0,
        readable_by_others=bool(found.st_mode & 0o077),
        held_by=holder(path),
    )
    return _inside(path, seen, check_s) if found.st_size else seen


def _inside(path: Path, seen: Examined, check_s: float) -> Examined:
    try:
        with open_untouched(path) as connection:
            schema = version(connection)
            application = int(connection.execute("PRAGMA application_id").fetchone()[0])
            seen = replace(seen, schema=schema)
            refuse_foreign(path, application, schema, empty=False)
            soundness, fault = _checked(connection, check_s)
            return replace(seen, soundness=soundness, fault=fault)
    except StorageError as error:
        return replace(seen, problem=error)


def _checked(connection: sqlite3.Connection, check_s: float) -> tuple[Soundness, str]:
    end = time.monotonic() + check_s
    connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    try:
        said = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            return "not all checked", ""
        raise
    finally:
        connection.set_progress_handler(None, 0)
    return ("sound", "") if said == "ok" else ("damaged", " ".join(said.split())[:200])


def holder(path: Path) -> str:
    """Who has the database open ("process 17 on host desk"); "" where nobody does. The lock is free again at once."""
    try:
        descriptor = os.open(path.with_name(f"{path.name}.lock"), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        return ""
    except OSError:
        pid, host = holder_in(os.pread(descriptor, 4096, 0))
        return f"process {pid} on host {host}" if pid is not None and host else "another process"
    finally:
        with suppress(OSError):
            os.close(descriptor)


def _told(path: Path, error: StorageError | OSError) -> StorageError:
    if isinstance(error, StorageError):
        return error
    return StorageError(f"{path} cannot be read ({error.strerror}): check its permissions")
