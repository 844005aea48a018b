"""Which findings can bear on an item: those dated to the time of its event, by outlets that report it themselves.

A story takes up reports for two days, so what is older tells of something else that reads alike: last year's decision,
last month's complaint. A finding that says no time proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from agents.analysts.rules.reading import Reading
from agents.models import EvidenceItem
from feeds.models import Item

AROUND: Final = timedelta(hours=48)
"""As long as a story takes up further reports."""
_WIDTHS: Final = {
    "second": timedelta(),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}
"""How far the event may lie behind the time a source gives; what is dated to the month bears on no single report."""
_WORD: Final = re.compile(r"[^\W_]+")
SEARCHES: Final = frozenset({"Google News", "Bing News", "GDELT", "SearXNG", "Brave", "Tavily", "Exa"})
"""Where a search does not say whose report it found, it is named itself; it reports nothing."""
_WHY: Final = " · "
"""Behind it our own archive says why it gives an earlier item."""
_ADDRESS: Final = re.compile(r"^(?:https?://)?(?:www\.|feeds?\.|rss\.)?([^./\s]+)\.\S+$")


def moment(item: Item) -> datetime:
    """When an item was published; where that is unknown or in doubt, when it was first seen."""
    published = item.published
    return item.first_seen_at if published.at is None or published.doubt is not None else published.at


def timely(item: Item, finding: EvidenceItem) -> bool:
    """Whether a finding is of the two days before or after the item, as far as its precision lets one say."""
    width = _WIDTHS.get(finding.precision)
    if finding.at is None or width is None:
        return False
    return finding.at - AROUND <= moment(item) <= finding.at + width + AROUND


def outlets(reading: Reading, findings: Iterable[EvidenceItem]) -> list[str]:
    """The outlets that report an event in words of their own, each once; neither the item's own nor one that copies.

    A text that stands in several places, the item's own among them, is one report.
    """
    told = {_words(reading.title)}
    known = [_outlet(reading.item.source_name)]
    found: list[str] = []
    for finding in findings:
        if finding.source in SEARCHES:
            continue
        name, text = _outlet(finding.source), _words(finding.text.rpartition(_WHY)[0] or finding.text)
        if not name or text in told or any(_same(name, one) for one in known):
            continue
        told.add(text)
        known.append(name)
        found.append(finding.source)
    return found


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two names are of one outlet: "Reuters" and "Reuters Business", "The Wire" and "thewire.example"."""
    short, long = sorted((one, other), key=len)
    return long[: len(short)] == short or "".join(one) == "".join(other)


def _outlet(name: str) -> tuple[str, ...]:
    """The words of an outlet's name; of an address the name in it."""
    address = _ADDRESS.match(name.strip())
    words = _words(address[1].removeprefix("the") if address else name)
    return words[1:] if words[:1] == ("the",) else words


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))
