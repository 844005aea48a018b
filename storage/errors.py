"""What can go wrong with the database. Each message is one line: what, where, and what to do.

StorageError
  Unusable            the file cannot be used at all
    AlreadyInUse        another instance holds it
    NewerSchema         written by a newer version of the program
    OlderSchema         opened to read only, and written by an older version
    ForeignFile         not a database of this program
    CorruptDatabase     damaged, or no SQLite file
    NetworkDrive        on a file system on which SQLite's write-ahead log is unsafe
    NotWritable         the file or its folder may not be written
    SqliteTooOld        Python was built with a SQLite that lacks what is needed
  Interrupted         this operation failed and changed nothing; the next may work
    DiskFull            no space left, or the size limit is reached
    DatabaseBusy        another program held a lock for too long
    DiskFault           the system could not read or write
  DatabaseClosed      used after it was closed
  UnknownItem         no item has this id
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class StorageError(Exception):
    """Something is wrong with the database; `str(error)` is the one line to show."""


class Unusable(StorageError):
    """The file cannot be used at all."""


class AlreadyInUse(Unusable):
    """Another instance holds the database. `pid` and `host` are None where its note could not be read."""

    def __init__(self, message: str, pid: int | None = None, host: str | None = None) -> None:
        super().__init__(message)
        self.pid = pid
        self.host = host


class NewerSchema(Unusable):
    """Written by a newer version of the program; it is left untouched."""


class OlderSchema(Unusable):
    """Opened to read only, but its schema must be brought up to date first."""


class ForeignFile(Unusable):
    """A file of something else; it is left untouched."""


class CorruptDatabase(Unusable):
    """Damaged, or no SQLite file at all."""


class NetworkDrive(Unusable):
    """On a network file system, where a write-ahead log can lose data."""


class NotWritable(Unusable):
    """The file or its folder may not be written."""


class SqliteTooOld(Unusable):
    """Python was built with a SQLite that lacks what is needed."""


class Interrupted(StorageError):
    """This operation failed and changed nothing; the next may work."""


class DiskFull(Interrupted):
    """No space left on the disk, or the database's own size limit is reached."""


class DatabaseBusy(Interrupted):
    """Another program held a lock for longer than the busy timeout."""


class DiskFault(Interrupted):
    """The system could not read or write the file."""


class DatabaseClosed(StorageError):
    """Used after it was closed."""


class UnknownItem(StorageError):
    """No item has this id."""


_BY_CODE: dict[int, tuple[type[StorageError], str]] = {
    sqlite3.SQLITE_FULL: (DiskFull, "no space left for {path}: free some, nothing accepted is lost"),
    sqlite3.SQLITE_BUSY: (DatabaseBusy, "{path} is locked by another program: close it, the next try may work"),
    sqlite3.SQLITE_LOCKED: (DatabaseBusy, "{path} is locked by another program: close it, the next try may work"),
    sqlite3.SQLITE_READONLY: (NotWritable, "{path} may not be written: check its permissions"),
    sqlite3.SQLITE_PERM: (NotWritable, "{path} may not be written: check its permissions"),
    sqlite3.SQLITE_CANTOPEN: (NotWritable, "{path} cannot be opened: check that its folder exists and may be written"),
    sqlite3.SQLITE_IOERR: (DiskFault, "{path} could not be read or written ({error}): check the disk"),
    sqlite3.SQLITE_CORRUPT: (CorruptDatabase, "{path} is damaged: move it away, a new one is made at the next start"),
    sqlite3.SQLITE_NOTADB: (CorruptDatabase, "{path} is no SQLite database: choose another file"),
}


def storage_error(error: sqlite3.Error, path: Path) -> StorageError:
    """The typed form of what SQLite reports about `path`."""
    primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
    kind, message = _BY_CODE.get(primary, (StorageError, "{path}: {error}"))
    return kind(message.format(path=path, error=error))


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raises what SQLite reports inside the block as a StorageError about `path`."""
    try:
        yield
    except sqlite3.Error as error:
        raise storage_error(error, path) from error
