"""Feeds that are not well-formed, read by feedparser, the most tolerant parser there is.

It is slow and quadratic in places, so it runs only in the worker and only when expat refused the document.
"""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

from feeds.documents.entries import RawEntry
from feeds.documents.xml_feed import CUT_OFF, DECLARES, Format, Raw
from feeds.errors import Malformed, NotAFeed

_DECLARES = re.compile(r"<!ENTITY|<!DOCTYPE[^>\[]*\[", re.IGNORECASE)
_OPENING = re.compile(r"<(?:[a-z]+:)?(?:item|entry)[\s>]", re.IGNORECASE)
_CLOSING = re.compile(r"</(?:[a-z]+:)?(?:item|entry)\s*>", re.IGNORECASE)


def read_loose(text: str, *, max_entries: int) -> Raw:
    """The entries feedparser finds. Raises NotAFeed if it recognises no format, Malformed if there is nothing in it."""
    import feedparser  # here, because it costs 0.1 s and most polls never need it

    if _DECLARES.search(text):
        raise Malformed(DECLARES)
    result = feedparser.parse(
        BytesIO(text.encode("utf-8", "replace")),  # a string could be taken for a path or an address
        sanitize_html=False,
        resolve_relative_uris=False,
        response_headers={"content-type": "application/xml; charset=utf-8"},
    )
    version = str(result.get("version") or "")
    if not version and not result.entries:
        raise NotAFeed("not a feed: no known format")
    if not result.entries:
        raise Malformed("a broken feed: nothing in it could be read")
    entries = [_entry(one) for one in result.entries[:max_entries]]
    raw = Raw(_format(version), str(result.feed.get("title") or ""), entries)
    raw.notices.append("not well-formed; read as far as possible")
    if _is_cut(text) and len(result.entries) <= max_entries:
        raw.entries.pop()
        raw.notices.append(CUT_OFF)
    if len(result.entries) > max_entries:
        raw.notices.append(f"only the first {max_entries} entries were read")
    return raw


def _is_cut(text: str) -> bool:
    """Whether the last entry was opened and never closed."""
    openings = [match.start() for match in _OPENING.finditer(text)]
    closings = [match.start() for match in _CLOSING.finditer(text)]
    return bool(openings) and (not closings or openings[-1] > closings[-1])


def _format(version: str) -> Format:
    if version.startswith("atom"):
        return "atom"
    return "rdf" if version in ("rss090", "rss10") else "rss"


def _entry(one: Any) -> RawEntry:
    content = one.get("content") or [{}]
    source = one.get("source") or {}
    guid = _text(one.get("id"))
    links = [link.get("href") for link in one.get("links") or () if link.get("rel") == "alternate"]
    found = (text for link in (one.get("link"), *links) if (text := _text(link)))
    return RawEntry(
        guid=guid,
        links=[link for link in found if link != guid or link[:4].casefold() == "http"],
        title=_text(one.get("title")),
        summary=_text(one.get("summary")) or _text(content[0].get("value")),
        published=_text(dict.get(one, "published")),  # feedparser's own get() takes one for the other
        updated=_text(dict.get(one, "updated")),
        outlet=_text(source.get("title")),
    )


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
