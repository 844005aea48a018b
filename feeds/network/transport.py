"""The wire: the only module that knows the HTTP library. One pool of connections, addresses judged by the guard,
proxies of the environment, and the library's errors told in our words.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
import urllib.request
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TypeAlias

import httpcore2 as httpcore
import httpx2 as httpx

from feeds.errors import Garbled, HungUp, Refused, Unreachable
from feeds.network.guard import AddressGuard, first_connection

Url: TypeAlias = httpx.URL

_PORTS = {"http": 80, "https": 443}
_CONNECTIONS = 200
_KEEPALIVE_S = 5.0
_SocketOption: TypeAlias = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]

# Below WARNING these write whole URLs and headers, secrets included.
for _name in ("httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)


def parse_url(url: str) -> Url:
    """Reads an http or https address. Raises Refused for anything else."""
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, UnicodeError, ValueError):
        raise Refused("not a web address: it cannot be read; check it") from None
    if parsed.scheme in _PORTS and not parsed.host:
        raise Refused("not a web address: it names no host; check it")
    if parsed.scheme not in _PORTS:
        raise Refused(f"not a web address: {parsed.scheme[:20] or 'no scheme'!r}; only http and https are read")
    if not 0 < port_of(parsed) < 65536:
        raise Refused(f"{parsed.host}: no such port; check the address")
    return parsed


def join_url(at: Url, location: str) -> Url:
    """Where `location` leads from `at`, without credentials or fragment. Raises Refused where it cannot be read."""
    try:
        joined = str(at.join(location))
    except (httpx.InvalidURL, UnicodeError, ValueError):
        joined = ""
    return parse_url(joined).copy_with(userinfo=b"", fragment=None)


def url_host(url: Url) -> str:
    """The host of `url` for messages and turns, with the port where it is not the scheme's own."""
    name = f"[{url.host}]" if ":" in url.host else url.host
    return name if url.port is None else f"{name}:{url.port}"


def host_of(url: str) -> str:
    """The same for text that may be anything; empty where it names no host."""
    try:
        return url_host(httpx.URL(url))
    except (httpx.InvalidURL, UnicodeError, ValueError):
        return ""


def port_of(url: Url) -> int:
    """The port, also where it is the scheme's own."""
    return _PORTS[url.scheme] if url.port is None else url.port


def origin_of(url: Url) -> tuple[str, str, int]:
    """What has to be equal for credentials to go along."""
    return url.scheme, url.host, port_of(url)


@dataclass(frozen=True, slots=True)
class Answer:
    """The head of an answer with lower-case header names, of repeated ones the last, and its body as raw chunks."""

    status: int
    headers: Mapping[str, str]
    chunks: AsyncIterator[bytes]


class Wire:
    """Sends one request and gives its raw answer: no redirects, no cookies, no decoding, no time limit of its own.

    `headers` go with every request. `proxies` map a scheme, or "all", to the address of a proxy.
    """

    def __init__(self, guard: AddressGuard, headers: Mapping[str, str], proxies: Mapping[str, str]) -> None:
        self._client = httpx.AsyncClient(
            transport=_Transport(guard, proxies),
            headers=dict(headers),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            timeout=None,
            trust_env=False,
        )

    @asynccontextmanager
    async def send(
        self, method: str, url: Url, headers: Mapping[str, str], content: bytes | None
    ) -> AsyncIterator[Answer]:
        """The answer, open for as long as the block runs. Raises Refused, Unreachable or Garbled."""
        async with self._client.stream(method, url, headers=dict(headers), content=content) as answer:
            got = {name.lower(): value for name, value in answer.headers.multi_items()}
            yield Answer(answer.status_code, got, answer.aiter_raw())

    async def aclose(self) -> None:
        """Closes every connection."""
        await self._client.aclose()


class _GuardedBackend(httpcore.AsyncNetworkBackend):
    """Connects to addresses the guard has judged. TLS and Host keep the name."""

    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is the library's
        local_address: str | None = None,
        socket_options: Iterable[_SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        async def connect(address: str) -> httpcore.AsyncNetworkStream:
            return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)

        return await first_connection(connect, await self._guard.addresses(host, port))


class _Transport(httpx.AsyncBaseTransport):
    """Directly through the guard, or through a proxy of the environment, with errors in our own words."""

    def __init__(self, guard: AddressGuard, proxies: Mapping[str, str]) -> None:
        self._guard = guard
        self._proxies = proxies
        self._pools: dict[tuple[str, bool], httpcore.AsyncConnectionPool] = {}
        self._tls: asyncio.Task[ssl.SSLContext] | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url, host = request.url, url_host(request.url)
        pool = await self._pool(url)
        assert isinstance(request.stream, httpx.AsyncByteStream)
        passed_on = httpcore.Request(
            request.method,
            httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _in_our_words(host, HungUp):
            answer = await pool.handle_async_request(passed_on)
        return httpx.Response(answer.status, headers=answer.headers, stream=_Stream(answer, host))

    async def aclose(self) -> None:
        for pool in self._pools.values():
            await pool.aclose()

    async def _pool(self, url: httpx.URL) -> httpcore.AsyncConnectionPool:
        proxy = self._proxy(url)
        key = (proxy, url.scheme == "https")
        if key not in self._pools:
            tls = await self._certificates() if key[1] else None
            via = httpx.Proxy(proxy) if proxy else None
            self._pools.setdefault(
                key,
                httpcore.AsyncConnectionPool(
                    ssl_context=tls,
                    max_connections=_CONNECTIONS,
                    keepalive_expiry=5.0,
                    proxy=httpcore.Proxy(str(via.url), auth=via.raw_auth) if via else None,
                    network_backend=None if via else _GuardedBackend(self._guard),
                ),
            )
        return self._pools[key]

    async def _certificates(self) -> ssl.SSLContext:
        """Whom to trust. Reading it takes 50 ms, so it is done once, in a thread, when a secure host is first met."""
        if self._tls is None:
            self._tls = asyncio.create_task(asyncio.to_thread(httpx.create_ssl_context))
        try:
            return await asyncio.shield(self._tls)
        except OSError as error:
            raise Unreachable("the certificates of this machine cannot be read; check SSL_CERT_FILE") from error

    def _proxy(self, url: httpx.URL) -> str:
        if self._guard.allows(url.host, port_of(url)) or not self._proxies:
            return ""
        proxy = self._proxies.get(url.scheme) or self._proxies.get("all", "")
        return "" if not proxy or urllib.request.proxy_bypass(url.host) else proxy


class _Stream(httpx.AsyncByteStream):
    def __init__(self, answer: httpcore.Response, host: str) -> None:
        self._answer = answer
        self._host = host

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _in_our_words(self._host, Garbled):
            async for part in self._answer.aiter_stream():
                yield part

    async def aclose(self) -> None:
        await self._answer.aclose()


@contextmanager
def _in_our_words(host: str, broken: type[HungUp] | type[Garbled]) -> Iterator[None]:
    """Turns the library's errors into ours; `broken` is for a peer that breaks the protocol or hangs up."""
    try:
        yield
    except (httpcore.RemoteProtocolError, httpcore.ReadError, httpcore.WriteError) as error:
        raise broken(f"{host}: broke off the answer; it is tried again") from error
    except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProxyError, httpcore.ProtocolError) as error:
        raise Unreachable(f"{host}: {_reason(error)}") from error


def _reason(error: BaseException) -> str:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted ({cause.verify_message}); the connection was refused"
        if isinstance(cause, ssl.SSLError):
            return f"no secure connection ({cause.reason}); it is tried again"
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpcore.ProxyError):
        return "the proxy refuses the connection; check HTTPS_PROXY"
    return "no connection; it is tried again"
