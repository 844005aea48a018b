"""Politeness towards hosts: one request at a time, a shortest distance between two, and the pauses a host asks for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from feeds.errors import HttpStatus


@dataclass(slots=True)
class _Host:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    began_at: float = float("-inf")
    paused_until: float = 0.0


class HostTurns:
    """Hands out turns per host ("name:port"). `clock` counts seconds and never runs backwards."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def turn(self, host: str, interval_s: float = 0.0) -> AsyncIterator[None]:
        """Waits until `host` is free and `interval_s` has passed since the last turn began.

        Raises HttpStatus without a request while the host has asked to be left alone: a pause is for the whole host,
        not only for the feed that was told.
        """
        state = self._hosts.setdefault(host, _Host())
        self._check_pause(host, state)
        async with state.lock:
            self._check_pause(host, state)
            wait = state.began_at + interval_s - self._clock()
            if wait > 0:
                await asyncio.sleep(wait)
            state.began_at = self._clock()
            yield

    def pause(self, host: str, seconds: float) -> None:
        """No turn on `host` for so many seconds."""
        state = self._hosts.setdefault(host, _Host())
        state.paused_until = max(state.paused_until, self._clock() + seconds)

    def _check_pause(self, host: str, state: _Host) -> None:
        left = state.paused_until - self._clock()
        if left > 0:
            raise HttpStatus(f"{host}: asked to be left alone, {left:.0f} s still to wait", 429, left)
