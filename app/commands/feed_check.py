"""Asks feeds whether they answer and what they hold, without keeping anything."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from app.config.config import Network
from feeds.documents.parse import FeedParser
from feeds.errors import FeedError
from feeds.models import ParsedFeed, Source, Validators
from feeds.network.fetch import fetch
from feeds.network.http import HttpClient
from feeds.network.outcomes import Fetched

AT_ONCE = 12


@dataclass(frozen=True, slots=True)
class Checked:
    """What one feed answered: a document, or why not (one line)."""

    source: Source
    feed: ParsedFeed | None
    error: str
    elapsed_ms: float = 0.0

    @property
    def found(self) -> str:
        """What was found, in words."""
        if self.feed is None:
            return self.error
        newest = max((e.published.at for e in self.feed.entries if e.published.at is not None), default=None)
        since = f", newest {newest:%Y-%m-%d %H:%M} UTC" if newest else ", no dates"
        notices = "".join(f"; {notice}" for notice in self.feed.notices)
        return f"{self.feed.format}, {len(self.feed.entries)} entries{since}, {self.elapsed_ms:.0f} ms{notices}"


async def check(sources: Sequence[Source], network: Network, told: Callable[[Checked], None]) -> None:
    """Asks each source once, several at a time; `told` hears the answers in the order of `sources`."""
    slots = asyncio.Semaphore(AT_ONCE)
    async with (
        HttpClient(contact=network.contact, allow_hosts=network.allow_hosts) as client,
        FeedParser() as parser,
        asyncio.TaskGroup() as group,
    ):
        for task in [group.create_task(_one(source, client, parser, slots)) for source in sources]:
            told(await task)


async def _one(source: Source, client: HttpClient, parser: FeedParser, slots: asyncio.Semaphore) -> Checked:
    now = datetime.now(UTC)
    async with slots:
        try:
            answer = await fetch(client, source, Validators(), now=now)
            assert isinstance(answer, Fetched), "an unconditional request is never answered with 304"
            feed = await parser.parse(answer.body, answer.content_type, base_url=answer.final_url, now=now)
        except FeedError as error:
            return Checked(source, None, str(error))
    return Checked(source, feed, "", answer.elapsed_ms)
