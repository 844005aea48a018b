"""Answers of public sources for as long as they may be given again."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sized
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from agents.tools.asking.catalogue import SOURCES
from agents.tools.asking.errors import SourceError
from agents.tools.asking.request import Got, Identity, Reply, Request
from agents.tools.asking.shelf import KEPT_FROM_S, KeptReply, Shelf, digest

T = TypeVar("T")

KEPT: Final = 500
"""Answers kept; the one asked for longest ago goes first."""
STALE_S: Final = 86_400.0
"""An answer older than this is not given even when its source is down."""


@dataclass(frozen=True, slots=True)
class Held:
    """An answer, a failure, or a failure after an answer; given again until `until`. `came` is when the answer came."""

    until: float
    came: float
    got: Got[Any] | None = None
    error: SourceError | None = None


class Memory:
    """`now` and `now_s` are seconds of one clock that never runs backwards. What is on `shelf` outlives the program."""

    def __init__(self, shelf: Shelf | None = None) -> None:
        self._shelf = shelf
        self._writing: set[asyncio.Task[None]] = set()
        self._held: OrderedDict[Identity, Held] = OrderedDict()

    def fresh(self, identity: Identity, now: float) -> Held | None:
        """What is held and may be given again."""
        held = self._held.get(identity)
        if held is None or now >= held.until:
            return None
        self._held.move_to_end(identity)
        return held

    def stale(self, identity: Identity, now: float, why: SourceError) -> Got[Any] | None:
        """An old answer, marked with its age and the reason; None where there is none that may still be given."""
        held = self._held.get(identity)
        if held is None or held.got is None or now - held.came > STALE_S:
            return None
        return replace(held.got, stale=f"from {held.got.fetched_at:%Y-%m-%d %H:%M} UTC, because {why}")

    def knows(self, identity: Identity) -> bool:
        """Whether anything is held, fresh or not."""
        return identity in self._held

    async def recall(
        self,
        request: Request,
        read: Callable[[Reply], Awaitable[T]],
        shown: Callable[[Reply], str],
        now_s: float,
        now: datetime,
    ) -> Got[T] | None:
        """The answer an earlier run has kept, taken into the memory as old as it is; None where there is none."""
        info = SOURCES[request.source]
        lifetime = request.lifetime_s or info.lifetime_s
        if self._shelf is None or request.private or lifetime < KEPT_FROM_S:
            return None
        kept = await self._shelf.find(digest(request.identity))
        if kept is None or not kept.credible(now):
            return None
        try:
            value = await read(kept.reply)
        except Exception:  # noqa: BLE001 -- whatever an old answer does to its reader, a new one is asked for
            return None
        got = Got(value, info.title, request.url, kept.fetched_at, shown(kept.reply))
        left, age = (kept.until - now).total_seconds(), (now - kept.fetched_at).total_seconds()
        self._keep(request.identity, Held(now_s + min(left, lifetime), now_s - max(age, 0.0), got))
        return got

    def answered(self, request: Request, got: Got[Any], now_s: float, reply: Reply | None) -> None:
        """Keeps an answer, for less time where it found nothing; `reply` lets it outlive the program."""
        info = SOURCES[request.source]
        nothing = isinstance(got.value, Sized) and len(got.value) == 0
        lifetime = info.empty_s if nothing else request.lifetime_s or info.lifetime_s
        self._keep(request.identity, Held(now_s + lifetime, now_s, got))
        if self._shelf is not None and reply is not None and lifetime >= KEPT_FROM_S and not request.private:
            kept = KeptReply(reply, got.fetched_at, got.fetched_at + timedelta(seconds=lifetime))
            writing = asyncio.create_task(self._shelf.keep(digest(request.identity), info.name, kept))
            self._writing.add(writing)
            writing.add_done_callback(self._writing.discard)

    async def kept(self) -> None:
        """Waits until all that is to outlive the program is kept."""
        await asyncio.gather(*self._writing, return_exceptions=True)

    def failed(self, identity: Identity, error: SourceError, now: float, lifetime_s: float) -> None:
        """Keeps a failure, beside the answer that came before it."""
        held = self._held.get(identity)
        self._keep(identity, Held(now + lifetime_s, held.came if held else now, held.got if held else None, error))

    def _keep(self, identity: Identity, held: Held) -> None:
        self._held[identity] = held
        self._held.move_to_end(identity)
        if len(self._held) > KEPT:
            self._held.popitem(last=False)
