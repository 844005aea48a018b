"""YouTube: videos on a company, by the search of its API with a key, else among the newest of some market channels."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from agents.tools.asking.request import Reply, Request, address, rows
from agents.tools.sources.reddit import Post
from feeds.documents.text import clean, html_to_text, safe_url
from feeds.models import ParsedFeed

CHANNELS: Final = (
    ("Bloomberg Television", "UCIALMKvObZNtJ6AmdCLP7Lg"),
    ("CNBC Television", "UCrp_UI8XtuYfpiqluWLD7Lw"),
    ("CNBC", "UCvJJ_dzjViJCoLf5uKUTwoA"),
    ("Yahoo Finance", "UCEAZeUIeJs0IjQiqTCdVSIg"),
    ("Reuters", "UChqUTb7kYRX8-EiaN3XFrSQ"),
    ("The Wall Street Journal", "UCK7tptUDHh-RYDsdxO1-5QQ"),
    ("Bloomberg Originals", "UCUMZ7gohGI9HcU9VNsr2FJQ"),
    ("Kitco News", "UC9ijza42jVR3T6b8bColgvg"),
)
"""Channels whose newest fifteen videos are looked through, with their ids."""


def search(query: str, key: str) -> Request:
    """The newest fifty videos on `query`; the address does not change with the minute, so that a burst asks once."""
    params = {"part": "snippet", "type": "video", "order": "date", "q": query, "maxResults": 50}
    url = address("https://www.googleapis.com/youtube/v3/search", params)
    return Request("youtube_api", url, secret_params={"key": key})


def read_search(reply: Reply) -> tuple[Post, ...]:
    """Videos with title and description."""
    found = []
    for row in rows(reply.json(dict), "items"):
        identity, snippet = row.get("id"), row.get("snippet")
        video = identity.get("videoId") if isinstance(identity, dict) else None
        if not isinstance(snippet, dict) or not isinstance(video, str):
            continue
        text = html_to_text(f"{snippet.get('title') or ''}. {snippet.get('description') or ''}", limit=400)
        url = safe_url(f"https://www.youtube.com/watch?v={video}")
        found.append(
            Post(
                text,
                url,
                _time(str(snippet.get("publishedAt"))),
                clean(str(snippet.get("channelTitle") or ""), limit=60),
            )
        )
    return tuple(found)


def channel(channel_id: str) -> Request:
    """A channel's newest videos. Its 404s come and go and are no statement on the channel."""
    return Request("youtube", address("https://www.youtube.com/feeds/videos.xml", {"channel_id": channel_id}))


def videos_of(document: ParsedFeed, channel_name: str) -> tuple[Post, ...]:
    """The videos of a channel's feed."""
    return tuple(
        Post(clean(f"{one.title}. {one.summary}", limit=400), one.url, one.published.at, channel_name)
        for one in document.entries
    )


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except ValueError:
        return None
