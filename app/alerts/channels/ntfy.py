"""ntfy, which pushes to phones and, from its web app, to browsers. JSON bodies carry any script; headers could not."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

from agents.models import Urgency
from app.alerts.channels.posting import DEADLINE_S, answer_json, judge, post, retry_header
from app.alerts.channels.protocol import Pace
from app.alerts.text import Message, cut, fitted, octets
from feeds.network.http import HttpClient

CLOUD: Final = "https://ntfy.sh"
BODY_BYTES: Final = 3_800
"""A longer message would become an attachment (4,096 bytes)."""
TITLE_BYTES: Final = 250
PRIORITY: Final = {Urgency.FLASH: 5, Urgency.ALERT: 4, Urgency.NOTE: 3, Urgency.FYI: 2}
TAGS: Final = {Urgency.FLASH: "rotating_light", Urgency.ALERT: "warning"}


@dataclass(frozen=True, slots=True)
class NtfyAddress:
    """A topic on a server, and how to sign in; `authorization` is the header's value or empty."""

    server: str
    topic: str
    authorization: str = ""


def read_ntfy(url: str) -> NtfyAddress | None:
    """`ntfy://TOPIC` on ntfy.sh or `ntfy(s)://[USER:PASS@|TOKEN@]HOST[:PORT]/TOPIC`; None for what apprise reads."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    options = parse_qs(parts.query)
    topics = [unquote(one) for one in parts.path.split("/") if one]
    if parts.scheme not in ("ntfy", "ntfys") or len(topics) > 1 or not host or set(options) - {"auth", "mode"}:
        return None
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    authorization = ""
    if user and password:
        authorization = f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"
    elif user:
        authorization = f"Bearer {user}"
    if not topics:
        if port is not None:
            return None
        return NtfyAddress(CLOUD, unquote(parts.netloc.rpartition("@")[2]), authorization)
    shown = f"[{host}]" if ":" in host else host
    scheme = "https" if parts.scheme == "ntfys" or host == "ntfy.sh" else "http"
    return NtfyAddress(f"{scheme}://{shown}{'' if port is None else f':{port}'}", topics[0], authorization)


class Ntfy:
    """One topic."""

    def __init__(self, label: str, address: NtfyAddress, http: HttpClient, *, deadline_s: float = DEADLINE_S) -> None:
        self.label = label
        self.pace = Pace(burst=10, refill=timedelta(seconds=5))
        self._address = address
        self._http = http
        self._deadline_s = deadline_s

    async def send(self, message: Message) -> None:
        """Publishes the message."""
        wanted: dict[str, Any] = {
            "topic": self._address.topic,
            "title": cut(message.title, TITLE_BYTES, octets),
            "message": fitted(message, BODY_BYTES, octets),
            "priority": PRIORITY[message.urgency],
        }
        if message.urgency in TAGS:
            wanted["tags"] = [TAGS[message.urgency]]
        if message.url:
            wanted["click"] = message.url
        body = json.dumps(wanted, ensure_ascii=False).encode("utf-8", "replace")
        headers = {"authorization": self._address.authorization} if self._address.authorization else {}
        answer = await post(
            self._http, self._address.server, body, label=self.label, headers=headers, deadline_s=self._deadline_s
        )
        said = answer_json(answer)
        told = said.get("error") if isinstance(said, dict) else None
        judge(answer, said=told if isinstance(told, str) else "", retry_in=retry_header(answer))

    async def aclose(self) -> None:
        """Holds nothing of its own."""
