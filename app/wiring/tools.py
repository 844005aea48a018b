"""The evidence tools on the public sources, with the user's keys and addresses."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from agents.tools.access import Access
from agents.tools.catalogue import KEYS
from agents.tools.keys import Keys
from app.config.config import Config

if TYPE_CHECKING:
    from feeds.documents.parse import FeedParser
    from feeds.network.http import HttpClient


def keys_of(environment: Mapping[str, str]) -> dict[str, str]:
    """The keys for public sources that the environment holds."""
    return {name: environment[name] for name in KEYS if environment.get(name)}


def allowed_hosts(config: Config, environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The hosts the user allows by name, and those the user gave as the address of a source."""
    own = [*config.tools.base_urls.values(), (environment or os.environ).get("SEARXNG_URL", "")]
    given = [urlsplit(url).netloc.rpartition("@")[2] for url in own if config.tools.enabled and url]
    return (*config.network.allow_hosts, *dict.fromkeys(host for host in given if host))


def build_access(
    config: Config, client: HttpClient, parser: FeedParser, environment: Mapping[str, str] | None = None
) -> Access:
    """The one way to the sources, shared by the whole process."""
    keys = Keys(keys_of(environment or os.environ), config.tools.disabled)
    return Access(client, parser, keys=keys, base_urls=config.tools.base_urls)


@asynccontextmanager
async def open_access(config: Config) -> AsyncIterator[Access]:
    """The sources with a client and a parser of their own, for a run that has no feeds."""
    from feeds.documents.parse import FeedParser
    from feeds.network.http import (
        HttpClient,  # the HTTP library takes long to load, and a run without tools does without it
    )

    async with AsyncExitStack() as stack:
        client = HttpClient(contact=config.network.contact, allow_hosts=allowed_hosts(config))
        client = await stack.enter_async_context(client)
        access = build_access(config, client, await stack.enter_async_context(FeedParser()))
        stack.push_async_callback(access.aclose)
        yield access
