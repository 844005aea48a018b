"""Reddit: posts on a symbol, signed in through its API or as a feed, and how often ApeWisdom counts it.

The feed has no scores and no comment counts; they are then unknown, not zero. Names of authors are never kept.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request, address, number, rows
from feeds.documents.text import clean, safe_url
from feeds.models import ParsedFeed

SUBREDDITS: Final = "stocks+wallstreetbets+investing+StockMarket+options"


@dataclass(frozen=True, slots=True)
class Post:
    """What the crowd wrote. `score` and `comments` are None where the source does not tell them."""

    text: str
    url: str
    at: datetime | None
    place: str = ""
    score: float | None = None
    comments: float | None = None


def token(client_id: str, client_secret: str) -> Request:
    """An hour's pass for the user's own application."""
    pair = base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()
    return Request(
        "reddit_api",
        "https://www.reddit.com/api/v1/access_token",
        b"grant_type=client_credentials",
        {"content-type": "application/x-www-form-urlencoded"},
        secret_headers={"authorization": f"Basic {pair}"},
        private=True,
        lifetime_s=3_000.0,
    )


def read_token(reply: Reply) -> str:
    """The pass itself; it is a secret."""
    given = reply.json(dict).get("access_token")
    if not isinstance(given, str) or not given:
        raise NotAnAnswer("did not sign the user in", "refused")
    return given


def search(query: str, pass_: str) -> Request:
    """The last day's posts that hold `query`, signed in."""
    params = {"q": query, "restrict_sr": 1, "sort": "new", "t": "day", "limit": 100, "raw_json": 1}
    url = address(f"https://oauth.reddit.com/r/{SUBREDDITS}/search", params)
    return Request("reddit_api", url, secret_headers={"authorization": f"Bearer {pass_}"})


def read_search(reply: Reply) -> tuple[Post, ...]:
    """Posts of a listing; what is pinned is no reaction."""
    found = []
    for child in rows(reply.json(dict), "data", "children"):
        data = child.get("data")
        if not isinstance(data, dict) or data.get("stickied"):
            continue
        created = number(data.get("created_utc"))
        text = f"{data.get('title') or ''}. {data.get('selftext') or ''}"
        found.append(
            Post(
                clean(text, limit=600),
                safe_url(f"https://www.reddit.com{data.get('permalink') or '/'}"),
                datetime.fromtimestamp(created, UTC) if created else None,
                f"r/{clean(str(data.get('subreddit') or ''), limit=40)}",
                number(data.get("score")),
                number(data.get("num_comments")),
            )
        )
    return tuple(found)


def feed(query: str) -> Request:
    """The last week's posts that hold `query`, without an account: one call for all the subreddits."""
    params = {"q": query, "restrict_sr": "on", "sort": "new", "t": "week", "limit": 25}
    return Request("reddit", address(f"https://www.reddit.com/r/{SUBREDDITS}/search.rss", params))


def posts_of(document: ParsedFeed) -> tuple[Post, ...]:
    """The posts of a feed; their scores are unknown."""
    return tuple(
        Post(
            clean(f"{one.title}. {one.summary}", limit=600), one.url, None if one.published.doubt else one.published.at
        )
        for one in document.entries
    )


def ape_wisdom() -> Request:
    """The most mentioned symbols of the last 24 hours, one page for all companies."""
    return Request("apewisdom", "https://apewisdom.io/api/v1.0/filter/all-stocks/page/1")


@dataclass(frozen=True, slots=True)
class Mentions:
    """How often a symbol was mentioned in 24 hours and in the 24 before. Counts are attention and no opinion."""

    symbol: str
    rank: float
    mentions: float
    before: float | None
    upvotes: float | None


def read_ape_wisdom(reply: Reply) -> dict[str, Mentions]:
    """By symbol; numbers come as numbers or as text."""
    found = {}
    for row in rows(reply.json(dict), "results"):
        symbol, rank, count = str(row.get("ticker") or ""), number(row.get("rank")), number(row.get("mentions"))
        if symbol and rank is not None and count is not None:
            found[symbol] = Mentions(
                symbol, rank, count, number(row.get("mentions_24h_ago")), number(row.get("upvotes"))
            )
    return found


def newest(posts: Sequence[Post]) -> list[Post]:
    """The posts, newest first, undated ones last."""
    return sorted(posts, key=lambda post: post.at.timestamp() if post.at else 0.0, reverse=True)
