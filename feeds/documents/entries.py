"""From the raw strings of a document to clean entries: the one door through which feed text comes in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from feeds.documents.dates import read_date
from feeds.documents.text import clean, first_words, headline, html_to_text, safe_url
from feeds.models import Entry, Published, TimeDoubt
from feeds.stories.meaning import digest

TITLE_LIMIT = 500
SUMMARY_LIMIT = 4000
_GUID_LIMIT = 500
_OUTLET_LIMIT = 80


@dataclass(slots=True)
class RawEntry:
    """An entry as its document wrote it, the markup of the document undone and nothing else.

    `links` are tried in order; `plain_text` says that title and summary hold no HTML.
    """

    guid: str = ""
    links: list[str] = field(default_factory=list)
    title: str = ""
    summary: str = ""
    published: str = ""
    updated: str = ""
    outlet: str = ""
    plain_text: bool = False


def build(raw: Iterable[RawEntry], *, base_url: str, now: datetime) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """(entries, notices). An entry that says nothing at all is left out and counted in a notice."""
    built = [entry(one, base_url=base_url, now=now) for one in raw]
    entries = tuple(one for one in built if one is not None)
    left_out = len(built) - len(entries)
    return entries, (f"{left_out} empty entries left out",) if left_out else ()


def entry(raw: RawEntry, *, base_url: str, now: datetime) -> Entry | None:
    """The clean entry, or None if it has no title, text, link or guid."""
    outlet = headline(raw.outlet, limit=_OUTLET_LIMIT)
    title = clean(raw.title, limit=TITLE_LIMIT) if raw.plain_text else headline(raw.title, limit=TITLE_LIMIT)
    title = _without_outlet(title, outlet)
    read = clean if raw.plain_text else html_to_text
    summary = read(raw.summary, limit=SUMMARY_LIMIT)
    url = next((url for link in raw.links if (url := safe_url(link, base_url))), "")
    guid = _guid(raw.guid)
    if not (title or summary or url or guid):
        return None
    title = title or first_words(summary) or url or guid
    summary = _without_outlet(summary, outlet, separators=(" ",)) if raw.outlet else summary
    if summary == title:
        summary = ""
    published, updated = read_date(raw.published, now=now), read_date(raw.updated, now=now)
    if published.doubt is TimeDoubt.UNDATED and updated.at:
        published = updated
    return Entry(guid, url, title, summary, published, outlet, updated if raw.updated else Published())


def _guid(written: str) -> str:
    guid = clean(written, limit=2 * _GUID_LIMIT)
    return guid if len(guid) <= _GUID_LIMIT else guid[: _GUID_LIMIT - 17] + "~" + digest(written)


def _without_outlet(text: str, outlet: str, separators: tuple[str, ...] = (" - ", " – ", " — ", " | ")) -> str:
    """`text` without the newsroom's name at its end, as search feeds add it; only where it is exactly that name."""
    for separator in separators:
        if outlet and text.casefold().endswith(separator + outlet.casefold()):
            return text[: -len(separator + outlet)].rstrip()
    return text
