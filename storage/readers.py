"""Reading without stopping the event loop: a few connections, each with a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Protocol

import aiosqlite

from storage.connection import BUSY_TIMEOUT_MS, read_only_uri, reading_pragmas
from storage.errors import DatabaseClosed, translated


class Readable(Protocol):
    """Whatever lends a reading connection: the open database or a read-only view of it."""

    @property
    def path(self) -> Path: ...

    def read(self) -> AbstractAsyncContextManager[aiosqlite.Connection]: ...


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
        try:
            await connection
        except BaseException:
            connection.stop()  # a cancelled opening still opens, in its own thread
            raise
        try:
            for pragma in reading_pragmas(busy_timeout_ms=self._busy_timeout_ms, cache_kib=4_096):
                await connection.execute_fetchall(pragma)
        except BaseException:
            await connection.close()
            raise
        return connection
