"""Serves the subscription page on the loopback until a browser has subscribed.

Only who knows the page's address, with its token, may subscribe; a request under another host's name is refused, so
that no website can reach it through a name that leads here.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from contextlib import suppress
from importlib import resources
from types import TracebackType
from typing import Final
from urllib.parse import parse_qs, urlsplit

from app.alerts.channels.webpush import Subscription, Subscriptions
from app.alerts.channels.webpush_crypto import from_base64, public_key

PORT: Final = 8723
"""Always the same: a browser keeps its subscription under this origin."""
HEAD_BYTES: Final = 16 * 1024
BODY_BYTES: Final = 8 * 1024
READ_S: Final = 5.0
POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; worker-src 'self'"
)


class SubscriptionPage:
    """Used as `async with SubscriptionPage(...) as page`; `page.url` is for the user's browser."""

    def __init__(self, subscriptions: Subscriptions, *, port: int = PORT) -> None:
        self._subscriptions = subscriptions
        self._port = port
        self._token = secrets.token_urlsafe(16)
        self.subscribed = asyncio.Event()

    async def __aenter__(self) -> SubscriptionPage:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port, limit=HEAD_BYTES)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._server.close()
        await self._server.wait_closed()

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://localhost:{self._port}/?t={self._token}"

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(READ_S):
                status, kind, body = await self._answer(reader)
                writer.write(_answer(status, kind, body))
                await writer.drain()
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader) -> tuple[int, str, bytes]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        line, *fields = head.split("\r\n")
        method, target, _ = line.split(" ")
        headers = {name.strip().lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
        if headers.get("host") not in (f"localhost:{self._port}", f"127.0.0.1:{self._port}"):
            return 403, "text/plain", b"another host"
        parts = urlsplit(target)
        if (method, parts.path) == ("GET", "/worker.js"):
            return 200, "text/javascript", _file("worker.js")
        given = parse_qs(parts.query).get("t", [""])[0]
        if not hmac.compare_digest(given.encode(), self._token.encode()):
            return 403, "text/plain", b"open the address that tapewatch printed"
        match method, parts.path:
            case "GET", "/":
                return 200, "text/html", _file("page.html")
            case "GET", "/key":
                key, _ = await asyncio.to_thread(self._subscriptions.load)
                return 200, "text/plain", public_key(key).encode()
            case "POST", "/subscribe":
                size = int(headers.get("content-length", "0"))
                if not 0 < size <= BODY_BYTES:
                    return 413, "text/plain", b"too large"
                return await self._subscribe(await reader.readexactly(size))
        return 404, "text/plain", b"nothing here"

    async def _subscribe(self, body: bytes) -> tuple[int, str, bytes]:
        subscription = read_subscription(body)
        if subscription is None:
            return 400, "text/plain", b"not a subscription"
        await asyncio.to_thread(self._subscriptions.add, subscription)
        self.subscribed.set()
        return 200, "text/plain", b"kept"


def read_subscription(body: bytes) -> Subscription | None:
    """The subscription a browser sent; None for what cannot be one."""
    try:
        told = json.loads(body)
        endpoint, keys = str(told["endpoint"]), told["keys"]
        point, auth = from_base64(str(keys["p256dh"])), from_base64(str(keys["auth"]))
    except (ValueError, KeyError, TypeError):
        return None
    parts = urlsplit(endpoint)
    fits = parts.scheme == "https" and parts.hostname and len(endpoint) <= 2_048 and endpoint.isascii()
    if not fits or len(point) != 65 or point[0] != 4 or len(auth) != 16:
        return None
    return Subscription(endpoint, str(keys["p256dh"]), str(keys["auth"]))


def _file(name: str) -> bytes:
    return (resources.files("app.alerts.browser") / name).read_bytes()


def _answer(status: int, kind: str, body: bytes) -> bytes:
    head = (
        f"HTTP/1.1 {status} {'OK' if status == 200 else 'No'}\r\nContent-Type: {kind}; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nContent-Security-Policy: {POLICY}\r\nReferrer-Policy: no-referrer\r\n"
        "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
