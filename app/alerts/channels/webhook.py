"""A webhook: the alerts as JSON, signed. A receiver that keeps the keys it has seen takes each message once.

`X-Tapewatch-Signature` is `sha256=` and the hex HMAC-SHA256, with the secret, over the timestamp, a dot and the body.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from app.alerts.channels.posting import DEADLINE_S, judge, post, retry_header
from app.alerts.channels.protocol import Pace
from app.alerts.text import Message, link_of, plain
from feeds.network.http import HttpClient
from storage.alerts import AlertContent


class Webhook:
    """One address that takes JSON."""

    def __init__(
        self,
        label: str,
        url: str,
        http: HttpClient,
        *,
        secret: str = "",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        deadline_s: float = DEADLINE_S,
    ) -> None:
        self.label = label
        self.pace = Pace(burst=20, refill=timedelta(seconds=1))
        self._url = url
        self._http = http
        self._deadline_s = deadline_s
        self._secret = secret.encode()
        self._clock = clock

    async def send(self, message: Message) -> None:
        """Posts the message."""
        body = json.dumps(payload(message), ensure_ascii=False).encode("utf-8", "replace")
        at = str(int(self._clock().timestamp()))
        headers = {
            "x-tapewatch-key": message.short_key,
            "idempotency-key": message.short_key,
            "x-tapewatch-timestamp": at,
        }
        if self._secret:
            headers["x-tapewatch-signature"] = signature(self._secret, at, body)
        answer = await post(self._http, self._url, body, label=self.label, headers=headers, deadline_s=self._deadline_s)
        judge(answer, retry_in=retry_header(answer))

    async def aclose(self) -> None:
        """Holds nothing of its own."""


def signature(secret: bytes, timestamp: str, body: bytes) -> str:
    """The value of the signature header."""
    return "sha256=" + hmac.new(secret, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def payload(message: Message) -> dict[str, Any]:
    """A message as JSON. A digest holds several alerts; `repeat` says that an earlier answer was lost."""
    return {
        "key": message.key,
        "repeat": message.repeat,
        "urgency": str(message.urgency),
        "title": message.title,
        "alerts": [_alert(one) for one in message.alerts],
    }


def _alert(one: AlertContent) -> dict[str, Any]:
    return {
        "key": one.key,
        "urgency": str(one.urgency),
        "reason": one.reason,
        "title": plain(one.title, 500),
        "source": plain(one.source_name, 200),
        "url": link_of(one) or None,
        "published_at": one.published.at.isoformat() if one.published.at and not one.published.doubt else None,
        "first_seen_at": one.first_seen_at.isoformat(),
        "raised_at": one.created_at.isoformat(),
        "impact_score": one.impact_score,
        "confidence_score": one.confidence_score,
        "signal_type": one.signal_type,
        "event_type": one.event_type,
        "tickers": [
            {"symbol": t.symbol, "direction": t.direction, "impact_score": t.impact_score} for t in one.tickers
        ],
    }
