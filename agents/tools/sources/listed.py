"""Lists of publications as offices print them: pages of dated links, read without a browser.

A link belongs to the date its row states for machines, else to the last one named before it, or to the one it names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urljoin

from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply
from feeds.documents.text import clean, safe_url

TITLE: Final = 200
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ROWS: Final = frozenset({"tr", "li", "dt"})
_HIDDEN: Final = frozenset({"script", "style"})
_DAY_FIRST: Final = re.compile(r"\b(\d{1,2})\s+([A-Z][a-z]{2,8})\.?,?\s+(\d{4})\b")
_MONTH_FIRST: Final = re.compile(r"\b([A-Z][a-z]{2,8})\.?\s+(\d{1,2}),?\s+(\d{4})\b")


@dataclass(frozen=True, slots=True)
class Listed:
    """One publication in a list. `day` is the date the list prints beside it, None where it prints none."""

    title: str
    url: str
    day: date | None


def read_list(reply: Reply) -> tuple[Listed, ...]:
    """The links of a page in their order. Raises NotAnAnswer for a page without a link."""
    reader = _Links(reply.url)
    reader.feed(reply.text)
    reader.close()
    if not reader.found:
        raise NotAnAnswer("answered with a page that lists nothing")
    return tuple(reader.found)


def written_day(text: str) -> date | None:
    """The first date in words ("31 July 2024", "Jul. 31, 2024"); None where there is none."""
    for pattern, order in ((_MONTH_FIRST, (2, 0, 1)), (_DAY_FIRST, (2, 1, 0))):
        for match in pattern.finditer(text):
            year, month, day = (match.groups()[place] for place in order)
            if month[:3].lower() in _MONTHS:
                try:
                    return date(int(year), _MONTHS.index(month[:3].lower()) + 1, int(day))
                except ValueError:
                    continue
    return None


class _Links(HTMLParser):
    """Collects the links of a page with the date of their row."""

    def __init__(self, base: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Listed] = []
        self._base = base
        self._day: date | None = None
        self._stated = False
        self._href = ""
        self._text: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag in _ROWS:
            self._day, self._text = _iso(named.get("isodate") or ""), []
            self._stated = self._day is not None
        elif tag == "a" and named.get("href"):
            if not self._stated:
                self._day = written_day(" ".join(self._text)) or self._day
            self._href, self._text = str(named["href"]), []

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag == "a" and self._href:
            text = clean(" ".join(self._text), limit=TITLE)
            url = safe_url(urljoin(self._base, self._href))
            if url:
                self.found.append(Listed(text, url, written_day(text) or self._day))
            self._href, self._text = "", []

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._text.append(data)


def _iso(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
