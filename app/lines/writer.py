"""Writes lines to a descriptor without ever holding up the event loop, however slowly the reader reads."""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from collections.abc import Callable

WAITING_LINES = 1_000
_END = None


class LineWriter:
    """One thread writes whole lines, each at once. A reader that went away is told to `gone`, once.

    The thread is a daemon on a bare descriptor: a reader that never reads cannot keep the process from ending.
    """

    def __init__(self, descriptor: int, gone: Callable[[], None], *, waiting: int = WAITING_LINES) -> None:
        self._descriptor = descriptor
        self._gone = gone
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._room = asyncio.Semaphore(waiting)
        self._loop = asyncio.get_running_loop()
        self._broken = False
        self.failure: OSError | None = None
        """Why the lines could not be written; None while they can, and where the reader simply left."""
        self._done = asyncio.Event()
        threading.Thread(target=self._run, name="stdout", daemon=True).start()

    async def write(self, line: str) -> None:
        """Takes one line without its end; waits while too many are unread."""
        await self._room.acquire()
        if self._broken:
            self._room.release()
            return
        self._lines.put(line.encode("utf-8", "backslashreplace") + b"\n")

    async def close(self, *, within_s: float) -> None:
        """Waits for the lines taken so far to be written, at most `within_s` seconds."""
        self._lines.put(_END)
        try:
            async with asyncio.timeout(within_s):
                await self._done.wait()
        except TimeoutError:
            pass

    def _run(self) -> None:
        while (line := self._lines.get()) is not _END:
            try:
                self._write_all(line)
            except OSError as error:
                self.failure = None if isinstance(error, BrokenPipeError) else error
                self._tell(self._give_up)
                break
            self._tell(self._room.release)
        self._tell(self._done.set)

    def _give_up(self) -> None:
        """Lets go of everybody who waits for room: nobody reads any more."""
        self._broken = True
        self._room.release()
        self._gone()

    def _write_all(self, line: bytes) -> None:
        while line:
            line = line[os.write(self._descriptor, line) :]

    def _tell(self, call: Callable[[], object]) -> None:
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:
            return  # The loop has ended; nobody is left to tell.
