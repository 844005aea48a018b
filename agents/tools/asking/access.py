"""The one way to a public source: cached, asked once however many want to know, within limits, behind a breaker.

A question that is in the air is shared by all who ask it. An answer is given again for the lifetime its source states,
one that found nothing for a shorter time, and when the source is down an old answer comes back marked as `stale`. Those
of slow sources outlive the program. Who stops waiting does not stop the request: the next one finds its answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar
from urllib.parse import urlencode, urlsplit

from agents.tools.asking.allowance import Askings, OwnAskings
from agents.tools.asking.catalogue import ANY, SOURCES, SourceInfo, limited
from agents.tools.asking.errors import NotAnAnswer, NotAsked, SourceError
from agents.tools.asking.health import Health, SourceState
from agents.tools.asking.keys import Keys
from agents.tools.asking.memory import Memory
from agents.tools.asking.request import Brought, Got, Identity, Reply, Request
from agents.tools.asking.shelf import Shelf
from agents.tools.asking.verdicts import refusal, told
from feeds.documents.text import clean
from feeds.errors import HttpStatus
from feeds.models import Entry, ParsedFeed
from feeds.network.header_times import clock_ahead_s

if TYPE_CHECKING:
    from feeds.network.http import HttpClient

T = TypeVar("T")

RAW: Final = 6_000
"""Characters of an answer that are kept to be shown."""
ENTRIES: Final = 100
SUMMARY: Final = 400
"""Entries of a feed, and characters of a summary, that are remembered."""
FAILED_S: Final = 30.0
"""A question that failed is not asked again for so long."""
_IN_THREAD: Final = 100_000
"""Bodies from this size on are read away from the event loop."""


class ParseFeed(Protocol):
    """Reads feed documents; see `feeds.documents.parse.FeedParser`."""

    async def parse(self, body: bytes, content_type: str, *, base_url: str, now: datetime) -> ParsedFeed: ...


class Access:
    """All sources of the process.

    `base_urls` give a source, by name, another scheme, host and port, and a path in front, `limits` another number of
    requests. `askings` and `shelf` are shared with other programs of the user; `clock` counts seconds.
    """

    def __init__(
        self,
        client: HttpClient,
        parser: ParseFeed,
        *,
        keys: Keys | None = None,
        base_urls: Mapping[str, str] | None = None,
        limits: Mapping[str, int] | None = None,
        askings: Askings | None = None,
        shelf: Shelf | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.keys = keys or Keys({})
        self._client = client
        self._parser = parser
        self._base_urls = dict(base_urls or {})
        self._askings = askings or OwnAskings()
        self._clock = clock
        self._health = {name: Health(limited(info, limits or {})) for name, info in SOURCES.items()}
        self._memory = Memory(shelf)
        self._flying: dict[Identity, asyncio.Task[Got[Any]]] = {}

    async def aclose(self) -> None:
        """Ends every request that is still in the air; what has come is kept."""
        flying = list(self._flying.values())
        for task in flying:
            task.cancel()
        await asyncio.gather(*flying, return_exceptions=True)
        await self._memory.kept()

    def rest(self, waits: Mapping[str, tuple[float, str]]) -> None:
        """Leaves sources alone for so many seconds, as an earlier run was told to, with the reason it was told."""
        for name, (wait_s, reason) in waits.items():
            if name in self._health and wait_s > 0:
                self._health[name].rest(self._clock(), wait_s, reason)

    def states(self) -> dict[str, SourceState]:
        """Every source as it stands now, by name."""
        now = self._clock()
        return {
            name: health.state(
                now,
                self.keys.state(name),
                off=self.keys.switched_off(name),
                modelless=self.keys.lacks_model(name),
            )
            for name, health in self._health.items()
        }

    async def ask(self, request: Request, read: Callable[[Reply], T], now: datetime) -> Got[T]:
        """The answer to `request`, read by the pure function `read`. Raises SourceError.

        `read` raises NotAnAnswer for a 200 that is no answer; whatever else it raises counts as the same.
        """

        async def reading(reply: Reply) -> T:
            return await asyncio.to_thread(read, reply) if len(reply.body) > _IN_THREAD else read(reply)

        return await self._shared(request, lambda: self._read(request, reading), now, reading)

    async def brought(self, request: Request, bring: Callable[[], Awaitable[Brought[T]]], now: datetime) -> Got[T]:
        """As `ask`, where `bring` speaks to the source: shared, remembered and watched like every other answer."""
        return await self._shared(request, bring, now)

    async def feed(self, request: Request, now: datetime) -> Got[ParsedFeed]:
        """The RSS or Atom document behind `request`. Raises SourceError."""

        async def reading(reply: Reply) -> ParsedFeed:
            parsed = await self._parser.parse(reply.body, reply.content_type, base_url=reply.url, now=now)
            return replace(parsed, entries=tuple(_kept(entry) for entry in parsed.entries[:ENTRIES]))

        return await self._shared(request, lambda: self._read(request, reading), now, reading)

    async def before(self, request: Request, read: Callable[[Reply], T], now: datetime) -> T | None:
        """The answer of an earlier run, however old; None where none was kept. Nobody is asked."""

        async def reading(reply: Reply) -> T:
            return await asyncio.to_thread(read, reply)

        kept = await self._memory.recall(request, reading, partial(_shown, self.keys), self._clock(), now)
        return kept.value if kept else None

    async def _read(self, request: Request, read: Callable[[Reply], Awaitable[T]]) -> Brought[T]:
        reply, latency_ms = await self._answer(SOURCES[request.source], request)
        return Brought(await read(reply), "" if request.private else _shown(self.keys, reply), latency_ms, reply)

    async def _shared(
        self,
        request: Request,
        bring: Callable[[], Awaitable[Brought[T]]],
        now: datetime,
        read: Callable[[Reply], Awaitable[T]] | None = None,
    ) -> Got[T]:
        try:
            held = self._memory.fresh(request.identity, self._clock())
            if held is not None and held.error is not None:
                raise held.error
            if held is not None and held.got is not None:
                return held.got
            return await asyncio.shield(self._flight(request, bring, now, read))
        except SourceError as error:
            old = self._memory.stale(request.identity, self._clock(), error)
            if old is None:
                raise
            return old

    def _flight(
        self,
        request: Request,
        bring: Callable[[], Awaitable[Brought[T]]],
        now: datetime,
        read: Callable[[Reply], Awaitable[T]] | None,
    ) -> asyncio.Task[Got[Any]]:
        """The request in the air, begun now where nobody has begun it yet. Raises NotAsked where none may be sent."""
        task = self._flying.get(request.identity)
        if task is not None:
            return task
        if why := self.keys.unusable(request.source):
            raise NotAsked("not_set_up", f"{SOURCES[request.source].title}: {why}")
        task = asyncio.create_task(self._found(request, bring, now, read))
        self._flying[request.identity] = task

        def landed(done: asyncio.Task[Got[Any]]) -> None:
            self._flying.pop(request.identity, None)
            if not done.cancelled():
                done.exception()  # nobody may be waiting any more; the memory holds it

        task.add_done_callback(landed)
        return task

    async def _found(
        self,
        request: Request,
        bring: Callable[[], Awaitable[Brought[T]]],
        now: datetime,
        read: Callable[[Reply], Awaitable[T]] | None,
    ) -> Got[T]:
        """The answer an earlier run has kept, where that is still fresh, else a new one."""
        if read is not None and not self._memory.knows(request.identity):
            kept = await self._memory.recall(request, read, partial(_shown, self.keys), self._clock(), now)
            if kept is not None and self._memory.fresh(request.identity, self._clock()) is not None:
                return kept
        health = self._health[request.source]
        health.admit(self._clock())
        try:
            return await self._fly(request, bring, now)
        finally:
            health.waiting -= 1

    async def _fly(self, request: Request, bring: Callable[[], Awaitable[Brought[T]]], now: datetime) -> Got[T]:
        """One request to its end; its answer or failure is kept, and the breaker told."""
        info, health = SOURCES[request.source], self._health[request.source]
        try:
            await health.allowed(self._askings, self._clock(), now, key=self.keys.state(info.name) == "present")
            brought = await bring()
        except asyncio.CancelledError:
            health.breaker.given_up()
            raise
        except Exception as error:  # noqa: BLE001 -- whatever an answer does to its reader, it is no answer
            failure = told(error).under(info.title)
            if not isinstance(failure, NotAsked):
                failure = SourceError(failure.fault, self.keys.hide(str(failure)), failure.retry_after_s)
            health.failed(self._clock(), failure, now)
            self._memory.failed(request.identity, failure, self._clock(), FAILED_S)
            raise failure from None
        health.answered(brought.latency_ms, now)
        got = Got(brought.value, info.title, request.url, now, brought.raw)
        self._memory.answered(request, got, self._clock(), brought.reply)
        return got

    async def _answer(self, info: SourceInfo, request: Request) -> tuple[Reply, float]:
        """The answer of the source's host, or of its mirror where that one refuses."""
        url, turn = _place(self._base_urls, info, request.url)
        try:
            return await self._send(info, request, url, turn)
        except (SourceError, HttpStatus):
            if not request.mirror or turn:
                raise
            return await self._send(info, request, request.mirror, turn)

    async def _send(self, info: SourceInfo, request: Request, url: str, turn: str) -> tuple[Reply, float]:
        """The answer in an accepted status, and its milliseconds. Raises SourceError, or FeedError where none came."""
        if request.secret_params:
            url += ("&" if "?" in url else "?") + urlencode(request.secret_params)
        answer = await self._client.request(
            "GET" if request.content is None else "POST",
            url,
            headers={**request.headers, **request.secret_headers},
            content=request.content,
            deadline_s=info.deadline_s,
            max_bytes=info.max_bytes,
            host_interval_s=info.interval_s,
            turn=turn,
        )
        self._health[info.name].skew_s = clock_ahead_s(answer.headers, datetime.now(UTC))
        if answer.status not in request.accepts:
            raise refusal(answer)
        reply = Reply(answer.status, answer.headers.get("content-type", ""), answer.body, request.url)
        if reply.is_html and not request.html:
            raise NotAnAnswer("answered with a page for people instead of data")
        return reply, answer.elapsed_ms


def _shown(keys: Keys, reply: Reply) -> str:
    """The answer as text for a person: cleaned, without keys, cut with the length said."""
    text = clean(keys.hide(reply.text[: 2 * RAW]), limit=RAW, one_line=False)
    return f"{text}\n(cut: the whole answer has {len(reply.body)} bytes)" if len(reply.body) > RAW else text


def _kept(entry: Entry) -> Entry:
    """An entry as it is remembered: many feeds are, and a whole article under each title would fill the memory."""
    return replace(entry, summary=entry.summary[:SUMMARY]) if len(entry.summary) > SUMMARY else entry


def _place(base_urls: Mapping[str, str], info: SourceInfo, url: str) -> tuple[str, str]:
    """Where `url` is really asked, and under which name turns are counted there ("": the host's).

    Behind another address the hosts keep their own turns, or a proxy for all of them would let one wait for the other.
    """
    base = base_urls.get(info.name) or base_urls.get(info.family) or ""
    if not base and ANY in base_urls:
        base = f"{base_urls[ANY].rstrip('/')}/{info.name}"
    if not base:
        return url, ""
    parts = urlsplit(url)
    return f"{base.rstrip('/')}{parts.path}{'?' + parts.query if parts.query else ''}", f"{info.name} {parts.hostname}"
