"""A full or blocked disk pauses the pipeline, which then goes on by itself; nothing that waits is dropped."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from app.clock import Clock
from app.events import Bus, StorageTrouble
from app.pipeline.trouble import Troubles
from storage.errors import Interrupted

log = logging.getLogger(__name__)
T = TypeVar("T")

RETRY_S = 5.0
TOPIC = "storage"


class WritePause:
    """Repeats a write that changed nothing until it succeeds, and says on the screen that and why it waits."""

    def __init__(self, clock: Clock, bus: Bus, troubles: Troubles) -> None:
        self._clock = clock
        self._bus = bus
        self._troubles = troubles
        self._open = asyncio.Event()
        self._open.set()

    async def over(self) -> None:
        """Returns once no write is waiting for the disk."""
        await self._open.wait()

    async def through(self, write: Callable[[], Awaitable[T]]) -> T:
        """The result of `write`, however long the disk refuses it. Other failures come out as themselves."""
        while True:
            try:
                result = await write()
            except Interrupted as error:
                self._open.clear()
                if self._troubles.raise_(TOPIC, str(error)):
                    log.warning("storage pauses: %s", error)
                    self._bus.publish(StorageTrouble(str(error)))
                await self._clock.sleep(RETRY_S)
                continue
            if self._troubles.clear(TOPIC):
                log.info("storage takes writes again")
                self._bus.publish(StorageTrouble(""))
            self._open.set()
            return result
