"""The evidence tools on the public sources, with the user's keys and addresses."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from agents.tools.asking.access import Access
from agents.tools.asking.catalogue import KEYS
from agents.tools.asking.keys import Keys
from app.config.config import Config
from app.config.engine import check_engine
from app.errors import UsageError
from storage.errors import StorageError
from storage.source_answers import SourceAnswers
from storage.source_requests import SourceRequests
from storage.usage_file import UsageFile

if TYPE_CHECKING:
    from feeds.documents.parse import FeedParser
    from feeds.network.http import HttpClient

_log = logging.getLogger(__name__)


def keys_of(environment: Mapping[str, str]) -> dict[str, str]:
    """The keys for public sources that the environment holds."""
    return {name: environment[name] for name in KEYS if environment.get(name)}


def allowed_hosts(config: Config, environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The hosts the user allows by name, and those the user gave as the address of a source."""
    own = [*config.tools.base_urls.values(), (environment or os.environ).get("SEARXNG_URL", "")]
    given = [urlsplit(url).netloc.rpartition("@")[2] for url in own if config.tools.enabled and url]
    return (*config.network.allow_hosts, *dict.fromkeys(host for host in given if host))


@asynccontextmanager
async def open_sources(
    config: Config,
    client: HttpClient,
    parser: FeedParser,
    usage_file: Path | None,
    environment: Mapping[str, str] | None = None,
) -> AsyncIterator[Access]:
    """The one way to the sources, shared by the whole process.

    Their limits and slow answers are shared with other programs of the user through `usage_file`, where it can be used.
    """
    keys = Keys(
        keys_of(environment or os.environ),
        config.tools.disabled if config.claude.web_search else (*config.tools.disabled, "claude_search"),
        hosted=claude_thinks(config, environment),
    )
    async with AsyncExitStack() as stack:
        askings, shelf = None, None
        try:
            if usage_file is not None:
                file = await stack.enter_async_context(UsageFile.open(usage_file, now=datetime.now(UTC)))
                askings, shelf = SourceRequests(file), SourceAnswers(file)
        except StorageError as error:
            _log.warning("the limits of sources are counted for this program alone: %s", error)
        access = Access(
            client,
            parser,
            keys=keys,
            base_urls=config.tools.base_urls,
            limits=config.tools.limits,
            askings=askings,
            shelf=shelf,
        )
        stack.push_async_callback(access.aclose)
        yield access


def claude_thinks(config: Config, environment: Mapping[str, str] | None = None) -> bool:
    """Whether the service of a model is there to answer the hosted sources."""
    try:
        return check_engine(config.engine, environment) == "claude"
    except UsageError:
        return False


@asynccontextmanager
async def open_access(config: Config, usage_file: Path | None) -> AsyncIterator[Access]:
    """The sources with a client and a parser of their own, for a run that has no feeds; see `open_sources`."""
    from feeds.documents.parse import FeedParser
    from feeds.network.http import (
        HttpClient,  # the HTTP library takes long to load, and a run without tools does without it
    )

    async with AsyncExitStack() as stack:
        client = HttpClient(contact=config.network.contact, allow_hosts=allowed_hosts(config))
        client = await stack.enter_async_context(client)
        parser = await stack.enter_async_context(FeedParser())
        yield await stack.enter_async_context(open_sources(config, client, parser, usage_file))
