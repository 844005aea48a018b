"""One limiter for all calls to the service: so many at once, urgent ones first, and slower before it says 429.

Among calls of the same urgency those of the item that came first go first, so that no item is overtaken while it waits
for its second reading, and what was begun is finished before more is begun. Each item makes a bounded number of calls
(`agents.budget`), so none can keep the others waiting for ever. A turn that will be followed by another of the same
agent keeps its slot for a moment, so that what came later does not slip in between.

The service's rate-limit headers say what is left until when: below a fifth of a limit the starts are spread over the
rest of its window, and with nothing left they wait for the window's end.
"""

from __future__ import annotations

import asyncio
import heapq
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import Final, Literal

LOW: Final = 0.2
"""Below this share of a limit the starts are spread over the time that is left."""
LONGEST_WINDOW_S: Final = 120.0
"""A window that claims to last longer is believed for so long only."""
REMEMBERED: Final = 2_000
KEPT_S: Final = 0.1
"""So long a slot is kept for the next turn of the same agent."""

Kind = Literal["requests", "input-tokens", "output-tokens"]
KINDS: Final[tuple[Kind, ...]] = ("requests", "input-tokens", "output-tokens")


@dataclass(frozen=True, slots=True)
class Need:
    """What one call is expected to take of each limit."""

    input_tokens: int
    output_tokens: int

    def of(self, kind: Kind) -> int:
        return {"requests": 1, "input-tokens": self.input_tokens, "output-tokens": self.output_tokens}[kind]


@dataclass(slots=True)
class _Window:
    limit: int
    left: int
    ends: float


@dataclass(order=True, slots=True)
class _Waiting:
    rank: tuple[int, int, int]
    need: Need = field(compare=False)
    go: asyncio.Future[None] = field(compare=False)


class Limiter:
    """Gives out turns. Lives in one event loop. `now` is the wall clock that the service's times are compared with."""

    def __init__(self, slots: int, now: Callable[[], datetime]) -> None:
        self._free = slots
        self._now = now
        self._waiting: list[_Waiting] = []
        self._running: dict[int, Need] = {}
        self._windows: dict[Kind, _Window] = {}
        self._came: OrderedDict[str, int] = OrderedDict()
        self._kept: dict[str, asyncio.TimerHandle] = {}
        self._number = count()
        self._not_before = 0.0
        self._wake: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def turn(
        self, item: str, need: Need, *, urgent: bool = False, agent: str = "", more: bool = False
    ) -> AsyncIterator[None]:
        """Waits for a turn and holds it. `more` says that this agent will soon ask for another on the same item."""
        number = next(self._number)
        place = f"{item}/{agent}"
        if self._take_kept(place) and self._delay(need) <= 0:
            self._free -= 1
            self._spend(need)
        else:
            await self._wait(item, need, number, urgent=urgent)
        self._running[number] = need
        try:
            yield
        finally:
            del self._running[number]
            if more:
                self._kept[place] = asyncio.get_running_loop().call_later(KEPT_S, self._let_go, place)
            else:
                self._free += 1
                self._dispatch()

    def _take_kept(self, place: str) -> bool:
        """Whether a slot was kept for `place`; it is free again then."""
        timer = self._kept.pop(place, None)
        if timer is None:
            return False
        timer.cancel()
        self._free += 1
        return True

    def _let_go(self, place: str) -> None:
        if self._kept.pop(place, None):
            self._free += 1
            self._dispatch()

    async def _wait(self, item: str, need: Need, number: int, *, urgent: bool) -> None:
        rank = (0 if urgent else 1, self._place(item, number), number)
        waiting = _Waiting(rank, need, asyncio.get_running_loop().create_future())
        heapq.heappush(self._waiting, waiting)
        self._dispatch()
        try:
            await waiting.go
        except asyncio.CancelledError:
            if waiting.go.done() and not waiting.go.cancelled():
                self._free += 1
            waiting.go.cancel()
            self._dispatch()
            raise

    def hold(self, seconds: float) -> None:
        """Lets nobody start for `seconds`."""
        self._not_before = max(self._not_before, _time() + seconds)

    def learn(self, headers: Mapping[str, str], need: Need) -> None:
        """Takes in what the answer to a call of `need` says of the limits; what is missing or unreadable says nothing.

        The calls still under way are not in the service's figures yet, so they are taken off.
        """
        for kind in KINDS:
            limit, left = (_whole(headers.get(f"anthropic-ratelimit-{kind}-{part}")) for part in ("limit", "remaining"))
            seconds = _seconds_until(headers.get(f"anthropic-ratelimit-{kind}-reset"), self._now())
            if limit and left is not None and seconds is not None:
                left -= max(0, sum(other.of(kind) for other in self._running.values()) - need.of(kind))
                ends = _time() + min(max(seconds, 0.0), LONGEST_WINDOW_S)
                self._windows[kind] = _Window(limit, left, ends)

    def _place(self, item: str, number: int) -> int:
        """When `item` first asked for a turn; one that has not asked for long is forgotten."""
        place = self._came.pop(item, number)
        self._came[item] = place
        if len(self._came) > REMEMBERED:
            self._came.popitem(last=False)
        return place

    def _dispatch(self) -> None:
        """Starts whoever may start, and comes back when the next one may."""
        while self._free and self._waiting:
            first = self._waiting[0]
            if first.go.done():
                heapq.heappop(self._waiting)
                continue
            delay = self._delay(first.need)
            if delay > 0:
                self._later(delay)
                return
            heapq.heappop(self._waiting)
            self._free -= 1
            self._spend(first.need)
            first.go.set_result(None)

    def _later(self, delay: float) -> None:
        if self._wake:
            self._wake.cancel()
        self._wake = asyncio.get_running_loop().call_later(delay, self._dispatch)

    def _delay(self, need: Need) -> float:
        """Seconds until a call of `need` may start."""
        now = _time()
        wait = self._not_before - now
        for kind, window in list(self._windows.items()):
            if window.ends <= now:
                del self._windows[kind]
            elif window.left < need.of(kind):
                wait = max(wait, window.ends - now)
        return wait

    def _spend(self, need: Need) -> None:
        """Takes a start into account at once: its own answer will say so only later."""
        now = _time()
        for kind, window in self._windows.items():
            window.left -= need.of(kind)
            if window.left < LOW * window.limit:
                starts = max(1, window.left // max(1, need.of(kind)))
                self._not_before = max(self._not_before, now + (window.ends - now) / (starts + 1))


def _time() -> float:
    return asyncio.get_running_loop().time()


def _whole(text: str | None) -> int | None:
    return int(text) if text and re.fullmatch(r"\d{1,12}", text) else None


def _seconds_until(text: str | None, now: datetime) -> float | None:
    """Seconds from `now` to an RFC 3339 time; None where it is none."""
    try:
        at = datetime.fromisoformat((text or "").replace("Z", "+00:00"))
    except ValueError:
        return None
    return (at - now).total_seconds() if at.tzinfo else None
