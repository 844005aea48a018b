"""A real HTTP/1.1 server on the loopback that can misbehave.

    async with FeedServer() as server:
        server.serve("/rss", body, etag='"a"')          # answers 304 to what it gave; serve again to change it
        server.script("/slow", drip(b"<rss/>", every_s=0.05))
        ... client.get(server.url("/rss")) ...
        assert len(server.requests("/rss")) == 1

Reach it with `allow_hosts={server.host}`.
"""

from __future__ import annotations

import asyncio
import gzip
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import TypeAlias

RSS = "application/rss+xml; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came. `headers` have lower-case names; `at` is the loop's time in seconds."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float


Handler: TypeAlias = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


@dataclass(slots=True)
class _Document:
    body: bytes
    content_type: str
    etag: str | None
    last_modified: str | None
    headers: Mapping[str, str]


def answer(status: int, body: bytes = b"", headers: Mapping[str, str] | Sequence[tuple[str, str]] = ()) -> bytes:
    """The bytes of a whole answer. Content-Length is added unless `headers` frame the body themselves."""
    pairs = list(headers.items()) if isinstance(headers, Mapping) else list(headers)
    framed = {name.lower() for name, _ in pairs} & {"content-length", "transfer-encoding"}
    if not framed and status != 304:
        pairs.append(("Content-Length", str(len(body))))
    lines = [f"HTTP/1.1 {status} Scripted", *(f"{name}: {value}" for name, value in pairs)]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def reply(status: int, body: bytes = b"", headers: Mapping[str, str] | Sequence[tuple[str, str]] = ()) -> Handler:
    """Always the same answer."""
    return raw(answer(status, body, headers))


def raw(data: bytes) -> Handler:
    """Sends `data` as it is and keeps the connection."""

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()

    return handle


def redirect(location: str, status: int = 302) -> Handler:
    """Sends the client to `location`."""
    return reply(status, headers={"Location": location})


def in_turn(*handlers: Handler) -> Handler:
    """One handler after the other; the last one stays."""
    left = list(handlers)

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        await (left.pop(0) if len(left) > 1 else left[0])(request, writer)

    return handle


def silent() -> Handler:
    """Accepts and never says a word."""

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    return handle


def drip(data: bytes, *, every_s: float, head: bytes | None = None) -> Handler:
    """Sends a head at once, then `data` byte by byte for ever round."""

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(200, b"", {"Content-Length": "1000000"}) if head is None else head)
        while True:
            for byte in data:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(every_s)

    return handle


def hang_up(after: bytes = b"") -> Handler:
    """Sends the start of an answer, then drops the connection."""

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(after)
        await writer.drain()
        writer.transport.abort() if not after else writer.close()

    return handle


def gzipped(body: bytes, *, cut: int = 0, declared: bool = True) -> Handler:
    """A gzip body, `cut` bytes short of its end, with or without saying so."""
    packed = gzip.compress(body)
    return reply(200, packed[: len(packed) - cut], {"Content-Encoding": "gzip"} if declared else {})


class FeedServer:
    """Serves documents and scripts by path, remembers every request. `latency_s` delays each answer."""

    def __init__(self, *, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1", latency_s: float = 0.0) -> None:
        self.latency_s = latency_s
        self.connections = 0
        self.busiest = 0
        self._busy = 0
        self._tls = tls
        self._address = host
        self._port = 0
        self._server: asyncio.Server | None = None
        self._routes: dict[str, _Document | Handler] = {}
        self._requests: list[Request] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> FeedServer:
        self._server = await asyncio.start_server(self._accept, self._address, 0, ssl=self._tls)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._port

    @property
    def host(self) -> str:
        """host:port, as `allow_hosts` takes it."""
        return f"{self._address}:{self._port}"

    def url(self, path: str = "/", *, host: str | None = None) -> str:
        """The address of `path`; `host` names the server otherwise than by its number."""
        return f"{'https' if self._tls else 'http'}://{host or self._address}:{self._port}{path}"

    def serve(
        self,
        path: str,
        body: bytes | str,
        *,
        content_type: str = RSS,
        etag: str | None = None,
        last_modified: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Serves a document from now on; conditional requests that match get a 304 without a body."""
        data = body.encode() if isinstance(body, str) else body
        self._routes[path] = _Document(data, content_type, etag, last_modified, headers or {})

    def script(self, path: str, handler: Handler) -> None:
        """Lets `handler` write the answers of `path`; "*" stands for every path that has none."""
        self._routes[path] = handler

    def requests(self, path: str | None = None) -> list[Request]:
        """The requests so far, for one path (without its query) or all, oldest first."""
        return [seen for seen in self._requests if path is None or seen.path.partition("?")[0] == path]

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            begun = b""
            while (request := await self._read(reader, begun)) is not None:
                begun = await self._answer(request, reader, writer)
                if writer.is_closing():
                    break
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        except asyncio.CancelledError:
            # asyncio logs a cancelled connection as an error before 3.12; the server is closing, and that is all.
            pass
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(ConnectionError, ssl.SSLError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _read(self, reader: asyncio.StreamReader, begun: bytes) -> Request | None:
        try:
            head = begun + await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return None
        first, *lines = head.decode("latin-1").split("\r\n")
        method, path, _ = first.split(" ", 2)
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        headers.pop("", None)
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        return Request(method, path, headers, body, asyncio.get_running_loop().time())

    async def _answer(self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        self._requests.append(request)
        self._busy += 1
        self.busiest = max(self.busiest, self._busy)
        try:
            if self.latency_s:
                await asyncio.sleep(self.latency_s)
            named = self._routes.get(request.path) or self._routes.get(request.path.partition("?")[0])
            route = named or self._routes.get("*")
            if isinstance(route, _Document):
                writer.write(_document(route, request))
                await writer.drain()
            elif route is None:
                writer.write(answer(404, b"nothing here"))
                await writer.drain()
            else:
                return await _until_gone(asyncio.ensure_future(_run(route, request, writer)), reader)
            return b""
        finally:
            self._busy -= 1


async def _run(handler: Handler, request: Request, writer: asyncio.StreamWriter) -> None:
    await handler(request, writer)


async def _until_gone(answering: asyncio.Task[None], reader: asyncio.StreamReader) -> bytes:
    """Stops a script whose client has hung up. Returns what had to be read of the next request to find out."""
    peeking = asyncio.ensure_future(reader.read(1))
    try:
        await asyncio.wait({answering, peeking}, return_when=asyncio.FIRST_COMPLETED)
        if peeking.done() and not answering.done() and peeking.result():
            await asyncio.wait({answering})
    finally:
        for task in (peeking, answering):
            task.cancel()
        ended, peeked = await asyncio.gather(answering, peeking, return_exceptions=True)
    if isinstance(ended, Exception):
        raise ended
    return peeked if isinstance(peeked, bytes) else b""


def _document(document: _Document, request: Request) -> bytes:
    headers = {"Content-Type": document.content_type, **document.headers}
    if document.etag is not None:
        headers["ETag"] = document.etag
    if document.last_modified is not None:
        headers["Last-Modified"] = document.last_modified
    asked = request.headers.get("if-none-match")
    since = request.headers.get("if-modified-since")
    # RFC 9110 13.2.2: If-Modified-Since counts only where there is no If-None-Match.
    same = asked == document.etag if asked is not None else since is not None and since == document.last_modified
    return answer(304, b"", headers) if same else answer(200, document.body, headers)
