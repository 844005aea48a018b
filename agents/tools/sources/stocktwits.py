"""Stocktwits: the last thirty messages on a symbol, some of them tagged as bullish or bearish by their writers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from typing import Any, Final
from urllib.parse import quote

from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request, rows
from feeds.documents.text import clean

HOST: Final = "https://api.stocktwits.com"
COINS: Final = ("BTCUSD", "ETHUSD")
"""The markets it follows; the symbols of others are there those of companies ("GOLD")."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `tag` is its writer's own word: 1 bullish, -1 bearish, 0 none. `writer` is "" where unknown."""

    text: str
    url: str
    at: datetime | None
    tag: int
    writer: str = ""


def spelled(symbol: str) -> str | None:
    """The symbol as Stocktwits spells it; None for what it does not follow (currencies, other exchanges)."""
    if symbol in COINS:
        return f"{symbol[:3]}.X"
    return (
        symbol if symbol.replace(".", "").isalpha() and len(symbol) <= 6 and not symbol.endswith((".T", ".L")) else None
    )


def stream(symbol: str) -> Request:
    """The symbol's newest messages; a 404 is a symbol nobody follows."""
    url = f"{HOST}/api/2/streams/symbol/{quote(symbol, safe='.')}.json"
    return Request("stocktwits", url, headers={"accept": "application/json"}, accepts=frozenset({200, 404}))


def read(reply: Reply) -> tuple[Message, ...]:
    """Messages, newest first; none for an unknown symbol."""
    body = reply.json(dict)
    envelope = body.get("response")
    status = envelope.get("status") if isinstance(envelope, dict) else None
    if status == 404:
        return ()
    if status != 200:
        raise NotAnAnswer(f"answered with status {str(status)[:10]} inside")
    return tuple(_message(row) for row in rows(body, "messages"))


def _message(row: dict[str, Any]) -> Message:
    entities = row.get("entities")
    sentiment = entities.get("sentiment") if isinstance(entities, dict) else None
    basic = sentiment.get("basic") if isinstance(sentiment, dict) else None
    writer = row.get("user")
    return Message(
        clean(unescape(str(row.get("body") or "")), limit=300),
        f"https://stocktwits.com/message/{row['id']}" if isinstance(row.get("id"), int) else "",
        _time(str(row.get("created_at"))),
        {"Bullish": 1, "Bearish": -1}.get(str(basic), 0),
        str(writer["id"]) if isinstance(writer, dict) and isinstance(writer.get("id"), int) else "",
    )


def _time(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None
