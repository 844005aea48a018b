"""The feeds that come with the program, as data in `registry.toml`, and sources made from an address a user gives."""

from __future__ import annotations

import hashlib
import re
import tomllib
import unicodedata
from functools import cache
from importlib.resources import files

from feeds.errors import Refused
from feeds.models import Source, Tier

_SLUG_CHARS = 48
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.ASCII | re.IGNORECASE)
_PORTED = re.compile(r"[^/]+:[0-9]+(?:/|$)", re.ASCII)
_ENDINGS = re.compile(r"(?:\.(?:xml|rss|atom|rdf|json|html?|php|aspx))+$", re.ASCII)


@cache
def builtin_sources() -> tuple[Source, ...]:
    """The built-in feeds in the order of the file: official ones first."""
    text = files("feeds").joinpath("registry.toml").read_text(encoding="utf-8")
    return tuple(
        Source(row["id"], row["name"], row["url"], Tier(row["tier"]), row["interval_s"])
        for row in tomllib.loads(text)["source"]
    )


def source_from_url(url: str, *, name: str = "", tier: Tier = Tier.NEWSROOM, interval_s: int = 300) -> Source:
    """A user's source. An address without a scheme is taken as https; the same address always gives the same id.

    Raises Refused for what is no http or https address.
    """
    from feeds.network.transport import (
        parse_url,  # the HTTP library takes 0.1 s to load, and the list of feeds needs none
    )

    text = url.strip()
    if not text:
        raise Refused("an empty address; give the address of a feed")
    at = parse_url(text if _SCHEME.match(text) and not _PORTED.match(text) else f"https://{text}")
    address = str(at.copy_with(fragment=None))
    host = at.host.removeprefix("www.")
    slug = _slug(_ENDINGS.sub("", f"{host}{f'-{at.port}' if at.port else ''}{at.path}".lower()), at.query)
    return Source(slug, name.strip() or host, address, tier, interval_s, builtin=False)


def _slug(text: str, query: bytes) -> str:
    """Words of `text` joined by dashes; a short digest stands for what does not fit or is a query."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    slug = "-".join(re.findall(r"[a-z0-9]+", plain))
    if query or len(slug) > _SLUG_CHARS or plain != text:
        digest = hashlib.sha256(text.encode() + b"?" + query).hexdigest()[:6]
        slug = f"{slug[:_SLUG_CHARS].rstrip('-')}-{digest}".lstrip("-")
    return slug
