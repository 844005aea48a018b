"""Searches for news without a key: Google News and Bing News as feeds, GDELT as JSON.

Google's terms allow personal, non-commercial use of its feed; each of the three can be switched off.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from agents.models import EvidenceItem
from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request, address, rows
from agents.tools.findings import finding

_GDELT_SHORTEST: Final = 5


def google_news(query: str) -> Request:
    """`query` in Google's own words: quotes, OR, site:, when:1d."""
    params = {"q": query, "hl": "en-US", "gl": "US", "ceid": "US:en"}
    return Request("google_news", address("https://news.google.com/rss/search", params))


def bing_news(query: str) -> Request:
    """`query` as plain words and quoted phrases."""
    return Request("bing_news", address("https://www.bing.com/news/search", {"q": query, "format": "rss"}))


def gdelt(phrase: str) -> Request | None:
    """Articles of the last day that hold `phrase`; None for one GDELT refuses as too short."""
    if len(phrase) < _GDELT_SHORTEST:
        return None
    params = {
        "query": f'"{phrase}" sourcelang:eng',
        "mode": "artlist",
        "format": "json",
        "sort": "datedesc",
        "maxrecords": 25,
        "timespan": "24h",
    }
    return Request("gdelt", address("https://api.gdeltproject.org/api/v2/doc/doc", params))


def read_gdelt(reply: Reply) -> tuple[EvidenceItem, ...]:
    """Articles with the time GDELT first saw them, in steps of 15 minutes. A bad query is plain text in a 200."""
    if not reply.body.lstrip().startswith(b"{"):
        raise NotAnAnswer(f"says: {reply.text.strip()[:80]}", "status")
    body = reply.json(dict)
    if not body:
        return ()
    found = []
    for row in rows(body, "articles"):
        found.append(
            finding(
                str(row.get("title") or row.get("url") or ""),
                url=str(row.get("url") or ""),
                source=str(row.get("domain") or "GDELT"),
                at=_seen(str(row.get("seendate"))),
                precision="minute",
                time_kind="first_seen",
                values=(("tier", 3.0),),
                markup=True,
            )
        )
    return tuple(found)


def _seen(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None
