"""Once a day what is too old to be kept is taken away, in small pieces between which everything else has its turn."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial

from app.clock import Clock
from app.events import Bus, CardChanged
from app.pipeline.write_pause import WritePause
from storage.retention import MOST, Keeping, Piece, Retention

log = logging.getLogger(__name__)

FIRST_S = 120.0
"""After a start other things come first."""
EVERY_S = 86_400.0
REST_S = 0.05
"""Between two pieces of work."""


class Housekeeper:
    """Runs `storage.retention` by the configuration."""

    def __init__(self, retention: Retention, keeping: Keeping, pause: WritePause, clock: Clock, bus: Bus) -> None:
        self._retention = retention
        self._keeping = keeping
        self._pause = pause
        self._clock = clock
        self._bus = bus

    async def run(self) -> None:
        """Works until it is cancelled."""
        await self._clock.sleep(FIRST_S)
        while True:
            await self.tidy(self._clock.now())
            await self._clock.sleep(EVERY_S)

    async def tidy(self, now: datetime) -> int:
        """Takes away what is too old at `now`; returns how many stories went."""
        if self._keeping.details is not None:
            await self._through_details(now - self._keeping.details)
        if self._keeping.stories is None:
            return 0
        gone = await self._through_stories(now - self._keeping.stories)
        if gone:
            log.info("%d stories were too old to be kept", gone)
        return gone

    async def _through_details(self, before: datetime) -> None:
        more = True
        while more:
            more = await self._pause.through(lambda: self._retention.details(before))
            await asyncio.sleep(REST_S)

    async def _through_stories(self, before: datetime) -> int:
        cited = await self._retention.cited()
        gone, after = 0, 0
        while gone < MOST:
            write: Callable[[], Awaitable[Piece]] = partial(self._retention.stories, before, cited, after)
            piece = await self._pause.through(write)
            for key in piece.gone:
                self._bus.publish(CardChanged(key))
            gone += len(piece.gone)
            if piece.next is None:
                break
            after = piece.next
            await asyncio.sleep(REST_S)
        return gone
