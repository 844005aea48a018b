"""What a message says, and how it is cut to a channel's limit without breaking a character.

News text is data on every channel: it makes no mention, command or markup, and a link with a key in it is left out.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Final

from agents.models import Direction, Urgency
from app.log import redact
from feeds.documents.text import clean, safe_url
from storage.alerts import AlertContent, AlertDue

Measure = Callable[[str], int]
HEADLINE: Final = 300
LISTED: Final = 20
"""Alerts a digest names; the rest is counted."""
ARROWS: Final[dict[Direction, str]] = {"up": "▲", "down": "▼", "unclear": "?"}
_MENTION = re.compile(r"(?<![\w.])@(?=\w)")
_COMMAND = re.compile(r"(?<!\S)/(?=[A-Za-z_])")
_TAGGED = re.compile(r"<(?=[@!#/:a-zA-Z])")
_MARKS = ("Mn", "Me", "Mc")


@dataclass(frozen=True, slots=True)
class Message:
    """One alert, or several as a digest. `key` is the same on every repeat; `tail` is what a cut leaves whole."""

    key: str
    urgency: Urgency
    title: str
    lines: tuple[str, ...]
    tail: tuple[str, ...]
    url: str
    alerts: tuple[AlertContent, ...]
    repeat: bool = False

    @property
    def short_key(self) -> str:
        """What a person compares two messages by."""
        return short(self.key)


def compose(due: Sequence[AlertDue], key: str, *, now: datetime, zone: tzinfo = UTC, repeat: bool = False) -> Message:
    """The message for one alert, or a digest of several, in the order given."""
    contents = tuple(one.content for one in due)
    held = next((one.held for one in due if one.held), "")
    tail = (f"held: {held}",) if held else ()
    again = " (sent again: an answer was lost)" if repeat else ""
    mark = f"key {short(key)}{again}"
    if len(contents) == 1:
        (one,) = contents
        url = link_of(one)
        ending = (*tail, *((url,) if url else ()), mark)
        title = f"{one.urgency} {headline(one.title)}"
        return Message(key, one.urgency, title, tuple(_facts(one, now, zone)), ending, url, contents, repeat)
    counts = Counter(one.urgency for one in contents)
    loudest = next(urgency for urgency in Urgency if counts[urgency])
    title = f"{len(contents)} alerts: " + ", ".join(f"{counts[one]} {one}" for one in Urgency if counts[one])
    more = len(contents) - LISTED
    listed = [_entry(one, zone) for one in contents[:LISTED]] + ([f"and {more} more in tapewatch"] if more > 0 else [])
    return Message(key, loudest, title, tuple(listed), (*tail, mark), "", contents, repeat)


def _facts(one: AlertContent, now: datetime, zone: tzinfo) -> list[str]:
    scored: list[str] = [one.event_type or one.signal_type or ""]
    if one.impact_score is not None and one.confidence_score is not None:
        scored += [f"impact {one.impact_score:.2f}", f"confidence {one.confidence_score:.2f}"]
    outlets = f", {one.outlets} outlets" if one.outlets > 1 else ""
    published = one.published.at if one.published.doubt is None else None
    when, word = (published, "published") if published else (one.first_seen_at, "first seen")
    clock = when.astimezone(zone)
    lines = [
        tickers(one),
        " · ".join(part for part in scored if part),
        f"{plain(one.source_name, 80)}{outlets} · {word} {clock:%H:%M} {clock.tzname() or ''}".rstrip()
        + f", {age(when, now)}",
    ]
    if "; " in one.reason:
        lines.append(one.reason.partition("; ")[2])
    return [line for line in lines if line]


def _entry(one: AlertContent, zone: tzinfo) -> str:
    told = f"{one.urgency} {one.created_at.astimezone(zone):%H:%M} {plain(one.title, 120)}"
    named = tickers(one, limit=2)
    return f"{told}  {named}" if named else told


def tickers(one: AlertContent, *, limit: int = 4) -> str:
    """`NVDA ▼ 0.88 · AMD ? 0.40`, the strongest first."""
    shown = [f"{plain(t.symbol, 15)} {ARROWS[t.direction]} {t.impact_score:.2f}" for t in one.tickers[:limit]]
    return " · ".join(shown)


def age(then: datetime, now: datetime) -> str:
    """How long ago something was, as a person says it."""
    seconds = int((now - then).total_seconds())
    if seconds < 0:
        return "just now"
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * size or (seconds >= size and unit == "min"):
            return f"{seconds // size} {unit} ago"
    return f"{seconds} s ago"


def headline(text: str) -> str:
    """A headline as it may stand in a message."""
    return plain(text, HEADLINE)


def plain(text: str, limit: int) -> str:
    """Text from outside on one line that no service takes for a mention, a command or markup, and without secrets."""
    kept = redact(clean(text, limit=8 * limit))
    kept = _COMMAND.sub("\u2215", _MENTION.sub("\uff20", kept))
    return cut(_TAGGED.sub("\u2039", kept), limit, len)


def link_of(one: AlertContent) -> str:
    """The address of the news; empty where there is none or it holds a key."""
    url = safe_url(one.url)
    return url if url and redact(url) == url else ""


def short(key: str) -> str:
    """Eight characters that stand for a key."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:8]


def utf16(text: str) -> int:
    """Length in UTF-16 units, which Telegram counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def octets(text: str) -> int:
    """Length in bytes of UTF-8."""
    return len(text.encode("utf-8", "replace"))


def fitted(message: Message, limit: int, measure: Measure) -> str:
    """The lines of a message under its title in at most `limit`; what is cut ends in "…" and the tail stays whole."""
    tail = "\n".join(message.tail)
    room = limit - measure(tail) - 1
    head = cut("\n".join(message.lines), room, measure) if room > 0 else ""
    return cut(f"{head}\n{tail}" if head else tail, limit, measure)


def cut(text: str, limit: int, measure: Measure) -> str:
    """`text` in at most `limit`, cut between what a person sees as characters, with "…" where something is missing."""
    if measure(text) <= limit:
        return text
    low, high = 0, len(text)
    while low < high:  # the longest head that still leaves room for the sign
        middle = (low + high + 1) // 2
        if measure(text[:middle]) + measure("…") <= limit:
            low = middle
        else:
            high = middle - 1
    while low > 0 and _joined(text, low):
        low -= 1
    return text[:low].rstrip() + "…" if measure("…") <= limit else ""


def _joined(text: str, at: int) -> bool:
    """Whether the characters before and after `at` are seen as one."""
    if at >= len(text):
        return False
    before, after = text[at - 1], text[at]
    if unicodedata.category(after) in _MARKS or after in "\u200d\ufe0e\ufe0f" or "\U0001f3fb" <= after <= "\U0001f3ff":
        return True
    if before == "\u200d":
        return True
    if "\U0001f1e6" <= after <= "\U0001f1ff":
        flags = 0
        while at - flags > 0 and "\U0001f1e6" <= text[at - flags - 1] <= "\U0001f1ff":
            flags += 1
        return flags % 2 == 1
    return "\u1160" <= after <= "\u11ff" or "\U000e0020" <= after <= "\U000e007f"
