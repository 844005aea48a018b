"""Reading beside the writer: a few connections with a thread each, and one for questions that are answered at once."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Protocol, TypeVar

import aiosqlite

from storage.connection import BUSY_TIMEOUT_MS, open_reading, read_only_uri, reading_pragmas
from storage.errors import DatabaseClosed, translated

T = TypeVar("T")


class Readable(Protocol):
    """Whatever lends a reading connection: the open database or a read-only view of it."""

    @property
    def path(self) -> Path: ...

    def read(self) -> AbstractAsyncContextManager[aiosqlite.Connection]: ...


class Answering(Protocol):
    """Whatever answers a quick question at once: the open database or a read-only view of it."""

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T: ...


class Readers:
    """At most `size` reading connections, opened when first needed. A connection is lent to one reader at a time."""

    def __init__(self, path: Path, *, size: int = 2, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> None:
        self._path = path
        self._busy_timeout_ms = busy_timeout_ms
        self._free: list[aiosqlite.Connection] = []
        self._slots = asyncio.Semaphore(size)
        self._size = size
        self._closed = False
        self._ended = False
        self._at_hand: sqlite3.Connection | None = None
        self._asking = threading.Lock()

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """The answer to a question of microseconds, in the thread that asks.

        A hop to another thread and back costs more than such a question, many times more while both threads want the
        interpreter.
        """
        with self._asking, translated(self._path):
            if self._closed:
                raise DatabaseClosed(f"{self._path} is closed")
            if self._at_hand is None:
                self._at_hand = open_reading(self._path)
            return question(self._at_hand)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[aiosqlite.Connection]:
        """Lends a connection; read whole results (`execute_fetchall`), so that no cursor holds the log back."""
        async with self._slots:
            if self._closed:
                raise DatabaseClosed(f"{self._path} is closed")
            with translated(self._path):
                connection = self._free.pop() if self._free else await self._open()
                try:
                    yield connection
                finally:
                    if self._ended:
                        connection.stop()
                    else:
                        self._free.append(connection)

    async def close(self) -> None:
        """Waits for those who read and closes every connection.

        A cancellation of the wait still ends them all: their threads would otherwise keep the process from ending.
        """
        self._closed = True
        with self._asking:
            if self._at_hand is not None:
                self._at_hand.close()
        try:
            for _ in range(self._size):
                await self._slots.acquire()
        finally:
            self._ended = True
            ends = [connection.stop() for connection in self._free]
            self._free.clear()
            for _ in range(self._size):
                self._slots.release()
            await asyncio.gather(*(end for end in ends if end))

    async def _open(self) -> aiosqlite.Connection:
        connection = aiosqlite.connect(read_only_uri(self._path), uri=True, isolation_level=None)
        opening = asyncio.ensure_future(_opened(connection))
        try:
            await asyncio.shield(opening)
        except asyncio.CancelledError:
            # The library lets go of a connection whose opening is cancelled, and nobody would close it.
            await asyncio.wait([opening])
            if opening.exception() is None:
                await connection.close()
            raise
        try:
            for pragma in reading_pragmas(busy_timeout_ms=self._busy_timeout_ms, cache_kib=4_096):
                await connection.execute_fetchall(pragma)
        except BaseException:
            await connection.close()
            raise
        return connection


async def _opened(connection: aiosqlite.Connection) -> None:
    await connection
