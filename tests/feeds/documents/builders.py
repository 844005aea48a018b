"""Feed documents for the tests, all invented, and the parser in this process."""

from __future__ import annotations

from datetime import UTC, datetime

from feeds.documents.parse_worker import parse_document
from feeds.models import ParsedFeed

NOW = datetime(2026, 3, 10, 18, 30, tzinfo=UTC)
BASE = "https://feed.example/rss"


def parse(body: bytes | str, *, content_type: str = "text/xml", max_entries: int = 500) -> ParsedFeed:
    """The document as the worker reads it, without the worker."""
    raw = body.encode() if isinstance(body, str) else body
    return parse_document(raw, content_type, base_url=BASE, now=NOW, max_entries=max_entries)


def rss(*items: str, title: str = "Wire") -> str:
    """An RSS document around `items`, the inside of each <item>."""
    inside = "".join(f"<item>{item}</item>" for item in items)
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>{title}</title>{inside}</channel></rss>'


def atom(*entries: str) -> str:
    """An Atom document around `entries`, the inside of each <entry>."""
    inside = "".join(f"<entry>{entry}</entry>" for entry in entries)
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>Wire</title>{inside}</feed>'


GOOD = "<title>Acme cuts guidance</title><link>https://x.example/1</link><guid>1</guid>"
_MANY = " ".join(f'a{n}="1"' for n in range(40_000))
SLOW = f"<rss><channel><item {_MANY}><title>x & y</title></item></channel></rss>"
"""Not well-formed, so it goes to feedparser, which needs many seconds for the attributes."""
