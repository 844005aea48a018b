"""Synchronous reading connections for the screen: one for quick questions, one for long lists."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from storage.connection import open_reading
from storage.errors import DatabaseClosed, translated

T = TypeVar("T")


class PointReads:
    """Any thread may ask. A long list has a connection of its own, so that a quick question never waits for it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._closed = False
        with translated(path):
            self._points = open_reading(path)
            try:
                self._scans = open_reading(path)
            except BaseException:
                self._points.close()
                raise
        self._pointing = threading.RLock()
        self._scanning = threading.Lock()

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """The answer to a question that needs the connection itself."""
        with self._pointing, self._asking():
            return question(self._points)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows of a quick question."""
        with self._pointing, self._asking():
            return self._points.execute(sql, values).fetchall()

    def scan(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows of a long list."""
        with self._scanning, self._asking():
            return self._scans.execute(sql, values).fetchall()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All quick questions inside are answered as of the same moment."""
        with self._pointing, self._asking():
            self._points.execute("BEGIN")
            try:
                yield
            finally:
                self._points.execute("COMMIT")

    def close(self) -> None:
        """Closes both connections, after what is under way."""
        self._closed = True
        with self._pointing:
            self._points.close()
        with self._scanning:
            self._scans.close()

    @contextmanager
    def _asking(self) -> Iterator[None]:
        if self._closed:
            raise DatabaseClosed(f"{self.path} is closed")
        with translated(self.path):
            yield
