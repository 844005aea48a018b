"""The one HTTP client: every byte from the network comes through here, for feeds and for tools.

What it keeps: a total deadline per request, a cap on decoded bytes, at most five redirects, addresses judged at
connect time (`feeds.network.guard`), one request per host at a time (`feeds.network.turns`), no cookies, an honest
User-Agent. Errors are the types of `feeds.errors`, one line each, naming the host and never the rest of a URL, which
may hold a key.
"""

from __future__ import annotations

import asyncio
import base64
import time
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from types import TracebackType

from feeds.errors import Garbled, HttpStatus, Refused, TimedOut, TooLarge
from feeds.network.guard import AddressGuard, Resolve, system_resolve
from feeds.network.header_times import retry_after_s
from feeds.network.inflate import Inflater
from feeds.network.transport import Answer, Url, Wire, join_url, origin_of, parse_url, port_of, url_host
from feeds.network.turns import HostTurns

MAX_BYTES = 10 * 2**20
MAX_REDIRECTS = 5
DEADLINE_S = 30.0

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_CROSS_HOST_HEADERS = frozenset({"accept", "accept-language", "if-none-match", "if-modified-since"})
_ERROR_BODY_BYTES = 64 * 1024
_PAUSE_S, _PAUSE_CEILING_S = 60.0, 900.0


@dataclass(frozen=True, slots=True)
class Response:
    """An answer. `headers` have lower-case names, of repeated ones the last; `body` is decoded and whole.

    The body of an error status is kept only where it is readable and under 64 KiB, else it is empty. `url` is where
    the answer came from, without credentials; `redirects` are the hops to it as (status, target).
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str
    redirects: tuple[tuple[int, str], ...]
    elapsed_ms: float


@dataclass(slots=True)
class _Exchange:
    """What stays the same over the hops of one request, and the seconds it may still take."""

    method: str
    content: bytes | None
    max_bytes: int
    interval_s: float
    left_s: float
    turn: str = ""


class HttpClient:
    """GET and POST over one pool of connections; used as `async with HttpClient(...) as client`.

    `allow_hosts` are the user's exceptions from the address guard, `contact` a mail address for the User-Agent (some
    publishers ask for one). With `trust_env` the proxies of the environment are used, except for allowed hosts; behind
    a proxy only the spelling of a host can be judged. `clock` counts seconds for pauses and intervals.
    """

    def __init__(
        self,
        *,
        contact: str = "",
        allow_hosts: Iterable[str] = (),
        trust_env: bool = True,
        resolve: Resolve = system_resolve,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._guard = AddressGuard(allow_hosts, resolve)
        self._turns = HostTurns(clock)
        self._uncoded: set[str] = set()
        self._wire = Wire(
            self._guard,
            {"User-Agent": user_agent(contact), "Accept": "*/*", "Accept-Encoding": "gzip"},
            urllib.request.getproxies() if trust_env else {},
        )

    async def __aenter__(self) -> HttpClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._wire.aclose()

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        deadline_s: float = DEADLINE_S,
        max_bytes: int = MAX_BYTES,
        host_interval_s: float = 0.0,
    ) -> Response:
        """Like `request`, with GET."""
        return await self.request(
            "GET", url, headers=headers, deadline_s=deadline_s, max_bytes=max_bytes, host_interval_s=host_interval_s
        )

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
        deadline_s: float = DEADLINE_S,
        max_bytes: int = MAX_BYTES,
        host_interval_s: float = 0.0,
        turn: str = "",
    ) -> Response:
        """One answer, whatever its status. Raises a FetchError where there is none.

        `deadline_s` is the total over all hops, without the wait for the host's other requests. `max_bytes` caps the
        decoded body. Redirects are followed for GET only; credentials and own headers stay with the first host. `turn`
        is under which name turns and pauses are counted where that is not the host: a proxy stands for many.
        """
        at, sent = _first_hop(url, headers or {})
        exchange = _Exchange(method, content, max_bytes, host_interval_s, deadline_s, turn)
        trail: list[tuple[int, str]] = []
        while True:
            status, got, body = await self._hop(exchange, at, sent)
            target = _target(at, status, got) if method == "GET" and status in _REDIRECTS else None
            if target is None:
                elapsed_ms = (deadline_s - exchange.left_s) * 1000
                return Response(status, got, body, str(at), tuple(trail), elapsed_ms)
            if len(trail) == MAX_REDIRECTS or str(target) == str(at) or str(target) in {hop for _, hop in trail}:
                raise Refused(f"{url_host(at)}: redirects without end; check the address")
            trail.append((status, str(target)))
            if origin_of(target) != origin_of(at):
                sent = {name: value for name, value in sent.items() if name in _CROSS_HOST_HEADERS}
            at = target

    async def _hop(self, exchange: _Exchange, at: Url, sent: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
        host = url_host(at)
        turn = exchange.turn or host
        self._guard.check_host(at.host, port_of(at))
        async with self._turns.turn(turn, exchange.interval_s):
            started = time.monotonic()
            try:
                async with asyncio.timeout(exchange.left_s):
                    status, got, body = await self._exchange(exchange, at, sent, host)
            except TimeoutError:
                raise TimedOut(f"{host}: no whole answer in time, cut off; it is tried again") from None
            except Garbled:
                self._uncoded.add(host)
                raise
            finally:
                exchange.left_s = max(exchange.left_s - (time.monotonic() - started), 0.0)
            wait = retry_after_s(got)
            if status == 429 or (status == 503 and wait is not None):
                self._turns.pause(turn, min(_PAUSE_S if wait is None else wait, _PAUSE_CEILING_S))
        return status, got, body

    async def _exchange(
        self, exchange: _Exchange, at: Url, sent: dict[str, str], host: str
    ) -> tuple[int, dict[str, str], bytes]:
        headers = {**sent, "accept-encoding": "identity"} if host in self._uncoded else sent
        async with self._wire.send(exchange.method, at, headers, exchange.content) as answer:
            return answer.status, dict(answer.headers), await _body(answer, host, exchange.max_bytes)


def user_agent(contact: str = "") -> str:
    """The product with its version, and the user's contact where one is configured."""
    shown = "".join(sign for sign in contact if " " <= sign <= "~" and sign not in "()\\").strip()
    return f"tapewatch/{version('tapewatch')} (news monitor{'; ' + shown if shown else ''})"


def _first_hop(url: str, headers: Mapping[str, str]) -> tuple[Url, dict[str, str]]:
    at = parse_url(url)
    sent = {name.lower(): value for name, value in headers.items()}
    if at.userinfo:
        pair = f"{at.username}:{at.password}".encode()
        sent.setdefault("authorization", f"Basic {base64.b64encode(pair).decode()}")
    return at.copy_with(userinfo=b"", fragment=None), sent


def _target(at: Url, status: int, headers: Mapping[str, str]) -> Url:
    """Where a redirect leads. Raises HttpStatus without a Location, Refused for what may not be followed."""
    location = headers.get("location", "").strip()
    if not location:
        raise HttpStatus(f"{url_host(at)}: redirects ({status}) without saying where; check the address", status)
    target = join_url(at, location)
    if at.scheme == "https" and target.scheme == "http":
        raise Refused(f"{url_host(at)}: redirects from https to plain http, where news can be forged on the way")
    return target


async def _body(answer: Answer, host: str, max_bytes: int) -> bytes:
    wanted = 200 <= answer.status < 300
    cap = max_bytes if wanted else min(max_bytes, _ERROR_BODY_BYTES)
    try:
        inflater = Inflater(host, answer.headers.get("content-encoding", ""), cap)
        inflater.expect(int(answer.headers.get("content-length", "0")))
        async for chunk in answer.chunks:
            inflater.feed(chunk)
        return inflater.finish()
    except (TooLarge, Garbled):
        if wanted:
            raise
        return b""
