"""Which sources are polled."""

from __future__ import annotations

from app.config.config import Config
from app.config.parts import nearest
from app.errors import ConfigError
from app.log import redact
from feeds.errors import Refused
from feeds.models import Source, Tier
from feeds.registry import builtin_sources, source_from_url


def subscribed_sources(config: Config) -> tuple[Source, ...]:
    """The sources to poll: the built-in ones that are not left out, then the user's own. One address, one source.

    A user's source at the address of a built-in one stands in its place.

    Raises ConfigError where an address is refused, two of them would be one id, or a feed that does not exist is left
    out: nothing is dropped in silence.
    """
    builtin = builtin_sources() if config.feeds.builtin else ()
    ids = [source.id for source in builtin_sources()]
    if unknown := [name for name in config.feeds.disabled if name not in ids]:
        raise ConfigError(f"feeds.disabled: no built-in feed is called {unknown[0]!r}; {nearest(unknown[0], ids)}")
    found = {source.id: source for source in builtin if source.id not in config.feeds.disabled}
    at = {source.url: source.id for source in found.values()}
    mine: set[str] = set()
    for entry in config.feeds.source:
        try:
            own = source_from_url(entry.url, name=entry.name, tier=Tier(entry.tier), interval_s=entry.interval_s)
        except Refused as error:
            raise ConfigError(f"feeds.source {entry.url}: {error}") from error
        if own.url in mine:
            raise ConfigError(f"feeds.source {redact(own.url)}: stands twice; leave one out")
        mine.add(own.url)
        found.pop(at.get(own.url, ""), None)
        if own.id in found:
            other = redact(found[own.id].url)
            raise ConfigError(f"feeds.source {redact(own.url)}: has the id of {other} ({own.id}); leave one out")
        found[own.id] = own
    return tuple(found.values())
