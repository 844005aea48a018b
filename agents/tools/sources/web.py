"""Web searches a user may have: an own SearXNG, or Brave, Tavily or Exa with a key."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote, urlsplit

from agents.models import EvidenceItem
from agents.tools.findings import finding
from agents.tools.request import Reply, Request, address, rows
from feeds.documents.text import safe_url
from feeds.models import Precision


def searxng(query: str, base: str) -> Request:
    """The user's own server; it must have JSON among its formats, else it answers 403."""
    params = {"q": query, "format": "json", "categories": "news", "time_range": "day"}
    scheme, _, rest = base.rstrip("/").rpartition("://")
    login, at, place = rest.rpartition("@")
    headers = {"authorization": f"Basic {base64.b64encode(unquote(login).encode()).decode()}"} if at else {}
    return Request("searxng", address(f"{scheme or 'https'}://{place}/search", params), secret_headers=headers)


def read_searxng(reply: Reply) -> tuple[EvidenceItem, ...]:
    return tuple(_hit(row, "publishedDate") for row in rows(reply.json(dict), "results")[:10])


def brave(query: str, key: str) -> Request:
    """News of the last day."""
    url = address("https://api.search.brave.com/res/v1/news/search", {"q": query, "count": 10, "freshness": "pd"})
    return Request("brave", url, secret_headers={"x-subscription-token": key})


def read_brave(reply: Reply) -> tuple[EvidenceItem, ...]:
    return tuple(_hit(row, "page_age") for row in rows(reply.json(dict), "results")[:10])


def tavily(query: str, key: str) -> Request:
    """News, newest first as far as Tavily says."""
    content = json.dumps({"query": query, "topic": "news", "max_results": 10}).encode()
    headers = {"content-type": "application/json"}
    url = "https://api.tavily.com/search"
    return Request("tavily", url, content, headers, secret_headers={"authorization": f"Bearer {key}"})


def read_tavily(reply: Reply) -> tuple[EvidenceItem, ...]:
    return tuple(_hit(row, "published_date") for row in rows(reply.json(dict), "results")[:10])


def exa(query: str, key: str) -> Request:
    """News by Exa's own ranking."""
    content = json.dumps({"query": query, "numResults": 10, "category": "news"}).encode()
    headers = {"content-type": "application/json"}
    return Request("exa", "https://api.exa.ai/search", content, headers, secret_headers={"x-api-key": key})


def read_exa(reply: Reply) -> tuple[EvidenceItem, ...]:
    return tuple(_hit(row, "publishedDate") for row in rows(reply.json(dict), "results")[:10])


def _hit(row: dict[str, Any], dated: str) -> EvidenceItem:
    """A hit with its time where that is one; prose such as "6 days ago" is no time, a time without zone only a day."""
    url = safe_url(str(row.get("url") or ""))
    at, precision = _time(str(row.get(dated) or ""))
    return finding(
        str(row.get("title") or url),
        url=url,
        source=(urlsplit(url).hostname or "").removeprefix("www."),
        at=at,
        precision=precision,
        values=(("tier", 3.0),),
        markup=True,
    )


def _time(text: str) -> tuple[datetime | None, Precision]:
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        return None, "unknown"
    if read.tzinfo is None:
        return datetime(read.year, read.month, read.day, tzinfo=UTC), "day"
    return read.astimezone(UTC), "second"
