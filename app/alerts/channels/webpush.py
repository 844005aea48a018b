"""Web Push to the user's own browsers, which `tapewatch alerts browser` subscribes. Needs the extra "webpush".

Subscriptions and the sending key stay in one file that only the user may read. A browser that has unsubscribed is taken
out of it and the user is told; a repeat replaces the first copy at the push service while that still keeps it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from app.alerts.channels.posting import clipped, judge, post, retry_header
from app.alerts.channels.protocol import Pace
from app.alerts.errors import ChannelGone, Rejected
from app.alerts.text import Message, cut, fitted, octets
from app.errors import AppError
from app.paths import write_private
from feeds.network.http import HttpClient

log = logging.getLogger(__name__)

TITLE_BYTES: Final = 250
PLAIN_BYTES: Final = 3_900
"""A push service takes 4,096 encrypted bytes, 103 of them for the envelope."""
BODIES: Final = (3_200, 2_400, 1_600, 800)
"""Bytes of the text, smaller where JSON's escapes make too much of it."""
KEEP_S: Final = 4 * 3_600
"""So long a push service keeps a message for a browser that is closed."""
GONE: Final = frozenset({403, 404, 410})
MISSING: Final = "Web Push needs the package cryptography: pip install 'tapewatch[webpush]'"


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser: where its push service is reached, and the keys only it can read with."""

    endpoint: str
    p256dh: str
    auth: str


class Subscriptions:
    """The file of subscriptions and the sending key."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def load(self) -> tuple[str, list[Subscription]]:
        """The private key, made if there is none yet, and the subscriptions. Raises AppError for a damaged file."""
        try:
            kept = json.loads(self.file.read_text(encoding="utf-8"))
            found = [
                Subscription(str(one["endpoint"]), str(one["p256dh"]), str(one["auth"])) for one in kept["browsers"]
            ]
            return str(kept["key"]), found
        except FileNotFoundError:
            from app.alerts.channels.webpush_crypto import new_key

            key = new_key()
            self._write(key, [])
            return key, []
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise AppError(f"{self.file}: cannot be used ({type(error).__name__}); move it away") from None

    def add(self, subscription: Subscription) -> None:
        """Keeps a subscription; the same browser again replaces its old one."""
        key, found = self.load()
        self._write(key, [*(one for one in found if one.endpoint != subscription.endpoint), subscription])

    def remove(self, endpoint: str) -> None:
        """Takes a browser out."""
        key, found = self.load()
        self._write(key, [one for one in found if one.endpoint != endpoint])

    def _write(self, key: str, found: list[Subscription]) -> None:
        browsers = [{"endpoint": one.endpoint, "p256dh": one.p256dh, "auth": one.auth} for one in found]
        write_private(self.file, json.dumps({"key": key, "browsers": browsers}, indent=1))


class WebPush:
    """All subscribed browsers as one channel."""

    def __init__(
        self,
        label: str,
        subscriptions: Subscriptions,
        http: HttpClient,
        *,
        contact: str = "",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.label = label
        self.pace = Pace(burst=10, refill=timedelta(seconds=2))
        self._subscriptions = subscriptions
        self._http = http
        self._contact = f"mailto:{contact}" if "@" in contact else "mailto:alerts@example.com"
        self._clock = clock
        self._reached: tuple[str, set[str]] = ("", set())

    async def send(self, message: Message) -> None:
        """Pushes to every browser; after a failure only those are tried again that have not taken it yet."""
        try:
            from app.alerts.channels import webpush_crypto  # noqa: F401 - only to know whether it is there
        except ImportError:
            raise ChannelGone(MISSING) from None
        try:
            key, browsers = await asyncio.to_thread(self._subscriptions.load)
        except AppError as error:
            raise ChannelGone(str(error)) from None
        if not browsers:
            raise ChannelGone("no browser is subscribed; `tapewatch alerts browser` subscribes one")
        if self._reached[0] != message.key:
            self._reached = (message.key, set())
        for browser in browsers:
            if browser.endpoint not in self._reached[1] and await self._push(browser, key, message):
                self._reached[1].add(browser.endpoint)
        if not self._reached[1]:
            raise ChannelGone("no browser takes pushes any more; `tapewatch alerts browser` subscribes one")

    async def aclose(self) -> None:
        """Holds nothing of its own."""

    async def _push(self, browser: Subscription, key: str, message: Message) -> bool:
        """Whether a browser's push service took the message; one that is gone is taken out."""
        from app.alerts.channels.webpush_crypto import authorization, encrypt

        try:
            body = encrypt(payload(message), p256dh=browser.p256dh, auth=browser.auth)
        except ValueError:
            raise Rejected("a subscription has a damaged key; subscribe the browser again") from None
        headers = {
            "authorization": authorization(key, browser.endpoint, now=self._clock(), contact=self._contact),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(KEEP_S),
            "urgency": "high",
            "topic": hashlib.sha256(message.key.encode()).hexdigest()[:32],
        }
        answer = await post(self._http, browser.endpoint, body, label=self.label, headers=headers)
        if answer.status in GONE:
            await asyncio.to_thread(self._subscriptions.remove, browser.endpoint)
            log.warning(
                "alerts to %s: a browser does not take pushes any more (%d), removed", self.label, answer.status
            )
            return False
        judge(answer, said=clipped(answer.body.decode("utf-8", "replace")), retry_in=retry_header(answer))
        return True


def payload(message: Message) -> bytes:
    """What the page's service worker shows: title, body, link, and a tag by which a repeat replaces the first."""
    shown: dict[str, Any] = {
        "title": cut(message.title, TITLE_BYTES, octets),
        "url": message.url if octets(message.url) <= 500 else "",
        "tag": message.short_key,
    }
    sized = (
        json.dumps({**shown, "body": fitted(message, room, octets)}, ensure_ascii=False).encode("utf-8", "replace")
        for room in BODIES
    )
    return next((made for made in sized if len(made) <= PLAIN_BYTES), json.dumps({**shown, "body": ""}).encode())
