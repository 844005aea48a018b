"""A poll is taken in even if one of its entries breaks the program: that one is found, refused and named."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from feeds.models import Entry, Source
from storage.acceptance import Acceptance
from storage.errors import StorageError
from storage.models import Ingested
from storage.stories import NoStories, Places


def take_in(
    connection: sqlite3.Connection,
    source: Source,
    entries: Sequence[Entry],
    now: datetime,
    stories: Places,
    backlog: bool | None,
    *,
    full_text: bool,
) -> Ingested:
    """Takes in the entries of one poll. Where that fails, each is tried alone, without a trace, and the culprits are
    left out of the second attempt; raises what failed where no single entry is to blame."""

    def take(some: Sequence[Entry], places: Places) -> Ingested:
        return Acceptance(connection, source, now, places, full_text=full_text).take(some, backlog)

    try:
        with _savepoint(connection):
            return take(entries, stories)
    except (sqlite3.Error, StorageError):
        raise
    except Exception:
        stories.forget()
        refused: dict[int, tuple[Entry, str]] = {}
        for place, entry in enumerate(entries):
            try:
                with _savepoint(connection, keep=False):
                    take([entry], NoStories())
            except (sqlite3.Error, StorageError):
                raise
            except Exception as error:  # noqa: BLE001 -- whatever it is, it is this entry's
                refused[place] = (entry, f"{type(error).__name__}: {error}")
        if not refused:
            raise
        rest = [entry for place, entry in enumerate(entries) if place not in refused]
        return replace(take(rest, stories), refused=tuple(refused.values()))


@contextmanager
def _savepoint(connection: sqlite3.Connection, *, keep: bool = True) -> Iterator[None]:
    """What is done inside is undone where it fails, and in any case unless it is to be kept."""
    connection.execute("SAVEPOINT entries")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK TO entries")
            connection.execute("RELEASE entries")
        raise
    if not keep:
        connection.execute("ROLLBACK TO entries")
    connection.execute("RELEASE entries")
