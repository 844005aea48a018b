"""Web searches a user may have: an own SearXNG, Brave, Tavily or Exa with a key, or that of a model's service."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from agents.models import EvidenceItem
from agents.tools.asking.request import Reply, Request, address, rows
from agents.tools.findings import finding, marked
from agents.tools.hosted import Found, Hit
from agents.tools.protocol import Question
from feeds.documents.dates import read_date
from feeds.documents.text import clean, html_to_text, safe_url
from feeds.models import Precision, Published

PAGES: Final = 10
PASSAGES: Final = 2
TITLE: Final = 140
PASSAGE: Final = 150
TOLD: Final = 400
"""Of a page that a model's service found: how many, how many passages of each, and their lengths in characters."""
_AGO: Final = re.compile(r"(?:\d{1,3}|an?) (?:second|minute|hour|day|week|month|year)s? ago|yesterday|today", re.I)


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


def claude(words: str, day: date) -> Request:
    """What is asked of the model's service: the same words on the same day are one search."""
    content = json.dumps({"search_for": words, "day": day.isoformat()}).encode()
    return Request("claude_search", "https://api.anthropic.com/v1/messages", content)


def pages(found: Found, question: Question) -> list[EvidenceItem]:
    """The pages of a hosted search, those of the item's own story first; one without an address is no evidence.

    The text is the page's title, then its age and its passages in the service's words. Where that age is a date it is
    the day on which the page was seen to have changed last, which need not be the day it was published.
    """
    hits: dict[tuple[str, str], Hit] = {}
    titled: list[EvidenceItem] = []
    for hit in found.hits:
        url = safe_url(hit.url)
        seen = read_date(hit.age, now=question.now) if hit.age else Published()
        dated = seen.at is not None and seen.doubt is None
        item = finding(
            clean(hit.title, limit=TITLE) or url,
            url=url,
            source=(urlsplit(url).hostname or "").removeprefix("www."),
            at=seen.at if dated else None,
            precision=seen.precision if dated else "unknown",
            time_kind="observation",
            values=(("tier", 3.0),),
            markup=True,
        )
        if url:
            titled.append(item)
            hits.setdefault((item.url, item.text), hit)
    return [replace(item, text=_told(item, hits[item.url, item.text])) for item in marked(titled, question)[:PAGES]]


def _told(item: EvidenceItem, hit: Hit) -> str:
    """The title of a page with its age in words, where that is no time, and its passages in plain quotation marks,
    behind which an order is known as the beginning of a sentence (`agents.orders`)."""
    age = [hit.age] if item.at is None and _AGO.fullmatch(hit.age) else []
    cited = [f'"{html_to_text(passage, limit=PASSAGE)}"' for passage in hit.cited[:PASSAGES]]
    return clean(" · ".join((item.text, *age, *cited)), limit=TOLD)


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
