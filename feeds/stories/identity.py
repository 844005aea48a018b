"""Which entries of a poll are new, which are known, and which changed their meaning.

Publishers change guids, links, schemes, tracking parameters, slugs and whole archives; they reuse guids and leave them
out. So an entry has a ladder of keys, and a key that several things share decides nothing alone. Losing a news item is
worse than showing one twice: where the ladder leaves doubt, the entry is new.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from typing import Literal

from feeds.models import Change, Entry
from feeds.stories.keys import keys
from feeds.stories.meaning import change_of, digest, meaning_hash, numbers, same_title, words

__all__ = ["MAX_REPAIRS", "Decision", "Known", "Resolution", "keys", "resolve"]

Verdict = Literal["new", "same", "changed"]

MAX_REPAIRS = 3
"""Entries per poll that may be recognised by resemblance alone (a new slug, a new title)."""

_SAME_DAY = timedelta(hours=20)
_RESEMBLES = 0.75
_RESTRUCTURED = 5
"""So many entries known by content alone, and at least half of the poll: the source renamed its archive."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is remembered of an accepted item of the same source. `keys` are all it was ever seen under."""

    item_id: str
    keys: tuple[str, ...]
    title: str
    content_hash: str
    published_at: datetime | None
    first_seen_at: datetime


@dataclass(frozen=True, slots=True)
class Decision:
    """What one entry is. `keys` are to be added to those of the item; `change` says what kind of edit it is."""

    entry: Entry
    item_id: str
    verdict: Verdict
    keys: tuple[str, ...]
    content_hash: str
    change: Change = ""


@dataclass(frozen=True, slots=True)
class Resolution:
    """The decisions of one poll in the order of the entries.

    Of the decisions with one `item_id` only the first is "new" or "changed".
    """

    decisions: tuple[Decision, ...]
    restructured: bool


def resolve(entries: Sequence[Entry], known: Sequence[Known], *, source_id: str, now: datetime) -> Resolution:
    """Decide every entry of one poll of one source against what is known of it; the order of entries has no effect.

    `known` holds the items of the source that share any key with the poll (of each key the newest few are enough). The
    same input gives the same ids, so a poll repeated after a crash repeats nothing.
    """
    return _Poll(entries, known, source_id, now).resolve()


class _Seen:
    """One distinct entry of the poll with its keys by kind."""

    __slots__ = ("by_kind", "content_hash", "entry", "keys")

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.keys = keys(entry)
        self.by_kind = {key[0]: key for key in self.keys}
        self.content_hash = meaning_hash(entry.title, entry.summary)

    @property
    def order(self) -> tuple[str, ...]:
        return (self.by_kind.get("c", ""), *self.keys)


class _Poll:
    """Matches the entries of one poll with known items, strongest evidence first, one to one."""

    def __init__(self, entries: Sequence[Entry], known: Sequence[Known], source_id: str, now: datetime) -> None:
        self.source_id, self.now = source_id, now
        self.seen = [_Seen(entry) for entry in entries]
        self.leader = _collapse(self.seen)
        self.distinct = sorted(self.leader.values(), key=lambda seen: seen.order)
        self.known = {item.item_id: item for item in known}
        self.held: dict[str, list[str]] = defaultdict(list)
        for item in sorted(known, key=lambda item: (item.first_seen_at, item.item_id)):
            for key in set(item.keys):
                self.held[key].append(item.item_id)
        self.open = {id(seen): seen for seen in self.distinct}
        self.free = set(self.known)
        self.match: dict[int, Known] = {}
        self.shared = Counter(key for seen in self.distinct for key in seen.keys)

    def resolve(self) -> Resolution:
        self._claim("g", self._unchanged)
        self._claim("g", self._edited)
        self._claim("a", self._moved)
        self._claim("l", self._relinked)
        renamed = [seen for seen in self._claim("c", self._renamed) if seen.entry.guid or seen.entry.url]
        self._claim("b", self._resembles, limit=MAX_REPAIRS)
        self._claim("d", self._resembles, limit=MAX_REPAIRS)
        made = self._new_ids()
        decided: set[str] = set()
        decisions: list[Decision] = []
        for seen in self.seen:
            decision = self._decide(seen, made, decided)
            decided.add(decision.item_id)
            decisions.append(decision)
        restructured = len(renamed) >= max(_RESTRUCTURED, len(self.distinct) / 2)
        return Resolution(tuple(decisions), restructured)

    def _claim(self, kind: str, accept: Callable[[_Seen, Known], bool], limit: int | None = None) -> list[_Seen]:
        """Pair open entries with free items that share a key of this kind, the closest titles first."""
        pairs = [
            (-_likeness(seen.entry.title, self.known[item_id].title), rank, seen, item_id)
            for seen in self.open.values()
            for rank, item_id in enumerate(self.held.get(seen.by_kind.get(kind, ""), ()))
            if item_id in self.free and accept(seen, self.known[item_id])
        ]
        claimed: list[_Seen] = []
        for _, _, seen, item_id in sorted(pairs, key=lambda pair: (pair[0], pair[1], pair[2].order)):
            if id(seen) in self.open and item_id in self.free and len(claimed) != limit:
                self.match[id(seen)] = self.known[item_id]
                del self.open[id(seen)]
                self.free.discard(item_id)
                claimed.append(seen)
        return claimed

    def _unchanged(self, seen: _Seen, item: Known) -> bool:
        return seen.by_kind.get("c", "-") in item.keys

    def _edited(self, seen: _Seen, item: Known) -> bool:
        """The same guid is the same item, unless title and time or link all say that the guid was used again."""
        if _likeness(seen.entry.title, item.title) >= 0.5:
            return _apart(seen, item) < _SAME_DAY or not self._other(seen, item, "b")
        link_differs = self._other(seen, item, "l")
        return not link_differs and _apart(seen, item) < timedelta(hours=1)

    def _moved(self, seen: _Seen, item: Known) -> bool:
        return _likeness(seen.entry.title, item.title) >= _RESEMBLES

    def _relinked(self, seen: _Seen, item: Known) -> bool:
        """The same link under another guid or none. A link that several items share (a start page) proves nothing."""
        if _apart(seen, item) >= timedelta(hours=1):
            return False
        if same_title(item.title, seen.entry.title):
            return True
        no_guid = "g" not in seen.by_kind and not any(key.startswith("g:") for key in item.keys)
        link = seen.by_kind["l"]
        alone = len(self.held[link]) == 1 and self.shared[link] == 1
        return no_guid and alone and _likeness(seen.entry.title, item.title) >= 0.5

    def _renamed(self, seen: _Seen, item: Known) -> bool:
        """Equal title, time and text. Without a time a short title ("Correction") could be another item."""
        entry = seen.entry
        unnamed = not (entry.guid or entry.url)
        return unnamed or entry.published.at is not None or len(words(entry.title)) >= 4 or len(entry.summary) >= 40

    def _resembles(self, seen: _Seen, item: Known) -> bool:
        """A new slug with a mended title: same numbers, alike, and published at the same time."""
        entry = seen.entry
        if numbers(entry.title) != numbers(item.title) or not self._recent(seen, item):
            return False
        same_text = bool(seen.by_kind.get("b")) and seen.by_kind["b"] in item.keys
        likeness = _likeness(entry.title, item.title)
        same_moment = entry.published.at is not None and entry.published.at == item.published_at
        exact = seen.by_kind.get("d", "-") in item.keys
        return (same_text and len(entry.summary) >= 40 and likeness >= 0.6) or (
            same_moment and exact and likeness >= (_RESEMBLES if "b" in seen.by_kind else 0.85)
        )

    def _recent(self, seen: _Seen, item: Known) -> bool:
        if seen.entry.published.at and item.published_at:
            return _apart(seen, item) < _SAME_DAY
        return self.now - item.first_seen_at < timedelta(days=2)

    def _other(self, seen: _Seen, item: Known, kind: str) -> bool:
        """Whether both have a key of this kind and they differ."""
        return kind in seen.by_kind and seen.by_kind[kind] not in item.keys

    def _new_ids(self) -> dict[int, str]:
        """Ids for the entries left over, from the strongest key that is theirs alone, else with the content added."""
        taken = set(self.known)
        made: dict[int, str] = {}
        for seen in sorted(self.open.values(), key=lambda seen: seen.order):
            strongest = seen.keys[0] if seen.keys else ""
            identity = [self.source_id, strongest]
            if self.shared[strongest] > 1:
                identity.append(seen.by_kind["c"])
            while (item_id := digest(*identity)) in taken:
                identity.append(seen.by_kind["c"])
            taken.add(item_id)
            made[id(seen)] = item_id
        return made

    def _decide(self, seen: _Seen, made: dict[int, str], decided: set[str]) -> Decision:
        """The verdict on an entry; what the document prints again is the same as its first printing."""
        entry, leader = seen.entry, id(self.leader[_sameness(seen)])
        item = self.match.get(leader)
        item_id = item.item_id if item else made[leader]
        change = change_of(entry.title, entry.summary)
        verdict: Verdict = "new"
        if item_id in decided or (item and _means_the_same(seen, item)):
            verdict, change = "same", ""
        elif item:
            verdict, change = "changed", change or "corrected"
        return Decision(entry, item_id, verdict, seen.keys, seen.content_hash, change)


def _means_the_same(seen: _Seen, item: Known) -> bool:
    return item.content_hash == seen.content_hash and same_title(item.title, seen.entry.title)


def _collapse(seen: Iterable[_Seen]) -> dict[tuple[str, ...], _Seen]:
    """Of each group of entries that are one thing printed twice in a document, the one with the strongest keys."""
    first: dict[tuple[str, ...], _Seen] = {}
    for one in sorted(seen, key=lambda one: ("g" not in one.by_kind, "l" not in one.by_kind, one.order)):
        first.setdefault(_sameness(one), one)
    return first


def _sameness(seen: _Seen) -> tuple[str, ...]:
    content = seen.by_kind.get("c", "")
    if content and seen.entry.published.at is not None and seen.entry.published.precision in ("second", "minute"):
        return (content,)
    return (seen.by_kind.get("g", seen.by_kind.get("l", "")), content)


def _likeness(one: str, other: str) -> float:
    """How alike two titles are, 0..1, by their words."""
    before, after = words(one), words(other)
    if before == after:
        return 1.0
    return SequenceMatcher(None, " ".join(before), " ".join(after), autojunk=False).ratio()


def _apart(seen: _Seen, item: Known) -> timedelta:
    """How much later or earlier the entry was published than the item; nothing where either time is unknown."""
    at = seen.entry.published.at
    return abs(at - item.published_at) if at and item.published_at else timedelta()
