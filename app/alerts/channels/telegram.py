"""Telegram through the Bot API, as plain text: nothing in a headline can break it or be taken for markup."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from agents.models import Urgency
from app.alerts.channels.posting import DEADLINE_S, answer_json, judge, post, retry_header
from app.alerts.channels.protocol import Pace
from app.alerts.errors import Rejected
from app.alerts.text import Message, cut, fitted, utf16
from feeds.network.http import HttpClient, Response

LIMIT: Final = 4096
API: Final = "https://api.telegram.org"
_URL = re.compile(r"tgrams?://(?:bot)?(?P<token>\d{4,}:[A-Za-z0-9_-]{10,})/(?P<chat>@?-?\w+)(?::(?P<topic>\d+))?/?")


@dataclass(frozen=True, slots=True)
class TelegramAddress:
    """A bot's token, a chat, and a topic of it."""

    token: str
    chat: str
    topic: int | None = None


def read_telegram(url: str) -> TelegramAddress | None:
    """`tgram://TOKEN/CHAT` with one chat; None for another address, which is apprise's then."""
    found = _URL.fullmatch(url.partition("?")[0])
    if found is None:
        return None
    return TelegramAddress(found["token"], found["chat"], int(found["topic"]) if found["topic"] else None)


class Telegram:
    """One chat. A bot may write about once a second to a chat and 20 times a minute to a group."""

    def __init__(
        self,
        label: str,
        address: TelegramAddress,
        http: HttpClient,
        *,
        server: str = "",
        deadline_s: float = DEADLINE_S,
    ) -> None:
        self.label = label
        self.pace = Pace(burst=5, refill=timedelta(seconds=3))
        self._address = address
        self._http = http
        self._deadline_s = deadline_s
        self._url = f"{(server or API).rstrip('/')}/bot{address.token}/sendMessage"

    async def send(self, message: Message) -> None:
        """Sends the message; one that is refused as it is goes once more as its headline alone."""
        try:
            await self._post(message, link=True)
        except Rejected:
            await self._post(replace(message, lines=(), tail=message.tail[-1:]), link=False)

    async def aclose(self) -> None:
        """Holds nothing of its own."""

    async def _post(self, message: Message, *, link: bool) -> None:
        title = cut(message.title, LIMIT // 2, utf16)
        text = f"{title}\n{fitted(message, LIMIT - utf16(title) - 1, utf16)}"
        wanted: dict[str, Any] = {
            "chat_id": self._address.chat,
            "text": text,
            "disable_notification": message.urgency not in (Urgency.FLASH, Urgency.ALERT),
        }
        if self._address.topic is not None:
            wanted["message_thread_id"] = self._address.topic
        if link:
            wanted["link_preview_options"] = {"is_disabled": True}
        body = json.dumps(wanted, ensure_ascii=False).encode("utf-8", "replace")
        answer = await post(self._http, self._url, body, label=self.label, deadline_s=self._deadline_s)
        said = answer_json(answer)
        judge(answer, said=_description(said), retry_in=_retry_in(said, answer))


def _description(said: Any) -> str:
    told = said.get("description") if isinstance(said, dict) else None
    return told if isinstance(told, str) else ""


def _retry_in(said: Any, answer: Response) -> timedelta | None:
    parameters = said.get("parameters") if isinstance(said, dict) else None
    seconds = parameters.get("retry_after") if isinstance(parameters, dict) else None
    if isinstance(seconds, int) and not isinstance(seconds, bool) and 0 <= seconds <= 86_400:
        return timedelta(seconds=seconds)
    return retry_header(answer)
