"""Work on several things at once, with the answers in the order of the things."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Final, TypeVar

G = TypeVar("G")
A = TypeVar("A")

AHEAD: Final = 4
"""So many times what is under way may be taken in: a slow one in front keeps none of the others from starting."""


async def in_order(given: Iterable[G], work: Callable[[G], Awaitable[A]], at_once: int) -> AsyncIterator[A]:
    """The answer of `work` to each of `given`, in that order; at most `at_once` are under way.

    What `work` raises comes out in its place and ends the rest.
    """
    slots = asyncio.Semaphore(at_once)

    async def one(thing: G) -> A:
        async with slots:
            return await work(thing)

    waiting: deque[asyncio.Future[A]] = deque()
    ahead = at_once if at_once == 1 else at_once * AHEAD
    try:
        for thing in given:
            waiting.append(asyncio.ensure_future(one(thing)))
            if len(waiting) >= ahead:
                yield await waiting.popleft()
        while waiting:
            yield await waiting.popleft()
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
