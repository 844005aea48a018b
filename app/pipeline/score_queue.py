"""The bounded queue of item ids between accepting and scoring. The database holds the truth; this is its front.

Newest first, then what a feed held already, oldest wait last. An id that does not fit stays pending in the database
and comes back when the queue has room.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass
from datetime import datetime

CAPACITY = 2_000
CROWD = 96
"""From so many waiting ids on the queue is crowded, until it is empty."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """An id to score. `accepted_at` and `since` (monotonic seconds) are None where an earlier run accepted it."""

    item_id: str
    accepted_at: datetime | None = None
    since: float | None = None


class Crowd:
    """Whether more waits, or waited since the queue was last empty, than one process gets through at once."""

    def __init__(self) -> None:
        self._here = asyncio.Event()
        self.over = False

    @property
    def is_here(self) -> bool:
        """Whether there is a crowd."""
        return self._here.is_set() and not self.over

    async def here(self) -> None:
        """Returns once there is a crowd, or there can be none any more (`over`)."""
        await self._here.wait()

    def came(self) -> None:
        """There is a crowd now."""
        if not self.over:
            self._here.set()

    def went(self) -> None:
        """There is none any more."""
        if not self.over:
            self._here.clear()

    def end(self) -> None:
        """There will be none any more."""
        self.over = True
        self._here.set()


class ScoreQueue:
    """Gives out each id to one worker at a time; an id offered again while it is worked on is given out once more."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._fresh: deque[Waiting] = deque()
        self._backlog: deque[Waiting] = deque()
        self._held: set[str] = set()
        self._busy: set[str] = set()
        self._again: dict[str, Waiting] = {}
        self._arrived = asyncio.Event()
        self._settled = asyncio.Event()
        self._settled.set()
        self.crowd = Crowd()
        self._closed = False
        self.overflowed = False

    def __len__(self) -> int:
        return len(self._fresh) + len(self._backlog) + len(self._busy)

    @property
    def idle(self) -> bool:
        """Whether nothing waits and nothing is worked on."""
        return len(self) == 0

    async def settled(self) -> None:
        """Returns once nothing waits and nothing is worked on."""
        await self._settled.wait()

    def accept(self, item_id: str, *, at: datetime, backlog: bool) -> None:
        """Takes in an item that was committed just now."""
        self._put(Waiting(item_id, at, time.monotonic()), self._backlog if backlog else self._fresh)

    def recover(self, item_ids: list[str]) -> None:
        """Takes in ids the database holds as pending, unless they wait here or are worked on already."""
        for item_id in item_ids:
            if item_id not in self._held and item_id not in self._busy:
                self._put(Waiting(item_id), self._backlog)

    def close(self) -> None:
        """Ends every `take`, now and later, with nothing; what waits stays pending in the database."""
        self._closed = True
        self.crowd.end()
        self._arrived.set()

    async def take(self, limit: int) -> list[Waiting]:
        """The next ids, at least one and at most `limit`, each busy until `done`; empty once the queue is closed."""
        while not self._closed and not (self._fresh or self._backlog):
            self._arrived.clear()
            await self._arrived.wait()
        return self.take_now(limit)

    def take_now(self, limit: int) -> list[Waiting]:
        """As `take`, without waiting: empty where nothing is there."""
        taken: list[Waiting] = []
        while not self._closed and len(taken) < limit and (self._fresh or self._backlog):
            waiting = self._fresh.pop() if self._fresh else self._backlog.popleft()
            self._held.discard(waiting.item_id)
            self._busy.add(waiting.item_id)
            taken.append(waiting)
        if not (self._fresh or self._backlog):
            self.crowd.went()
        return taken

    def done(self, item_id: str) -> None:
        """Says that the worker is finished with `item_id`."""
        self._busy.discard(item_id)
        if again := self._again.pop(item_id, None):
            self._put(again, self._fresh)
        if self.idle:
            self._settled.set()

    def _put(self, waiting: Waiting, queue: deque[Waiting]) -> None:
        if waiting.item_id in self._busy:
            self._again[waiting.item_id] = waiting
            return
        if waiting.item_id in self._held:
            return
        if len(self._held) >= self._capacity:
            self.overflowed = True
            if queue is self._backlog or not self._make_room():
                return
        self._held.add(waiting.item_id)
        queue.append(waiting)
        self._settled.clear()
        self._arrived.set()
        if len(self._held) >= CROWD and not self._closed:
            self.crowd.came()

    def _make_room(self) -> bool:
        """Drops what would be scored last; it stays pending in the database."""
        dropped = self._backlog.pop() if self._backlog else self._fresh.popleft() if self._fresh else None
        if dropped is not None:
            self._held.discard(dropped.item_id)
        return dropped is not None
