"""Stories while they can still grow: which story an item belongs to, and when its card is sorted."""

from __future__ import annotations

import heapq
import logging
import sqlite3
import time
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Protocol

from feeds.models import Precision, Published
from feeds.stories.story import Sketch, StoryIndex, sketch
from storage.encoding import moment, moment_or_none, stamp

log = logging.getLogger(__name__)

WINDOW: Final = timedelta(hours=48)
"""How long after its last report a story can still be joined."""

HELD: Final = 6_000
"""So many of the newest items can be joined: what bounds memory and the time after a start, whatever comes in."""

HISTORY_BEHIND: Final = timedelta(hours=24)
"""How far behind its arrival an old item is sorted that does not say when it was published."""

_COVERS: Final[dict[Precision, timedelta]] = {"day": timedelta(hours=36), "month": timedelta(days=32)}
"""How long after its start a date without a time may still mean "now", the zones of the world included."""


def card_time(published: Published, first_seen_at: datetime, *, backlog: bool) -> datetime:
    """The time a card is sorted by.

    The published one where there is no doubt about it and it is not later than the arrival, else the arrival. A date
    that covers the arrival says nothing finer, so a live item counts as of its arrival. Of what a source held already
    when it was first read, an item without a credible time stands a day back: history never floods the top.
    """
    at = published.at
    if at is not None and published.doubt is None and at <= first_seen_at:
        covers = _COVERS.get(published.precision, timedelta())
        return at if backlog or first_seen_at - at >= covers else first_seen_at
    return first_seen_at - HISTORY_BEHIND if backlog else first_seen_at


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item belongs. `story_id` is its own id where it opens a story."""

    story_id: str
    syndicated: bool = False
    new_fact: bool = False


class Places(Protocol):
    """Whatever says which story a new item belongs to."""

    def place(
        self,
        connection: sqlite3.Connection,
        item_id: str,
        title: str,
        summary: str,
        outlet: str,
        published: Published,
        now: datetime,
    ) -> Place: ...

    def expire(self, now: datetime) -> None: ...

    def forget(self) -> None: ...


class NoStories:
    """Every item for itself: for a trial that leaves no trace."""

    def place(
        self,
        connection: sqlite3.Connection,
        item_id: str,
        title: str,
        summary: str,
        outlet: str,
        published: Published,
        now: datetime,
    ) -> Place:
        return Place(item_id)

    def expire(self, now: datetime) -> None:
        """Holds nothing."""

    def forget(self) -> None:
        """Holds nothing."""


class Stories:
    """The stories of the last two days in memory, at most HELD items of them. Only the writer's thread calls it.

    It is read from the database in pieces or when first needed, and again after a transaction that it took part in was
    rolled back.
    """

    def __init__(self) -> None:
        self._index = StoryIndex(WINDOW)
        self._told: list[datetime] = []
        self._read_to = 0
        self._whole = False

    @property
    def whole(self) -> bool:
        """Whether everything that can still be joined is in memory."""
        return self._whole

    def forget(self) -> None:
        """Drops what is in memory, because some of it was never committed."""
        self._index = StoryIndex(WINDOW)
        self._told.clear()
        self._read_to, self._whole = 0, False

    def read(self, connection: sqlite3.Connection, now: datetime, limit: int = -1) -> bool:
        """Reads on in the database, at most `limit` items; returns whether everything is in memory then."""
        if self._whole:
            return True
        rows = connection.execute(_RECENT, (self._read_to, HELD, stamp(now - WINDOW), limit)).fetchall()
        for item, item_id, story_id, title, summary, outlet, source, at, precision, doubt, seen in rows:
            published = Published(moment_or_none(at), precision, doubt)
            told_at = _told_at(published, moment(seen))
            if known := _sketched(item_id, story_id, title, summary, outlet or source, told_at):
                self._hold(known)
            self._read_to = item
            time.sleep(0)  # gives the screen's thread its turn
        self._whole = len(rows) != limit
        return self._whole

    def place(
        self,
        connection: sqlite3.Connection,
        item_id: str,
        title: str,
        summary: str,
        outlet: str,
        published: Published,
        now: datetime,
    ) -> Place:
        """Finds the story of a new item and adds the item to it. One that cannot be compared has its own."""
        self.read(connection, now)
        mine = _sketched(item_id, item_id, title, summary, outlet, _told_at(published, now))
        if mine is None:
            return Place(item_id)
        match = self._index.match(mine, now)
        if match is None:
            self._hold(mine)
            return Place(item_id)
        self._hold(replace(mine, story_id=match.story_id))
        return Place(match.story_id, match.syndicated, match.new_fact)

    def expire(self, now: datetime) -> None:
        """Drops what is too old to be joined."""
        self._index.expire(now)

    def _hold(self, one: Sketch) -> None:
        """Keeps an item in memory, and for it drops the oldest if there are too many."""
        self._index.add(one)
        heapq.heappush(self._told, one.at)
        while len(self._index) > HELD:
            self._index.expire(heapq.heappop(self._told) + WINDOW + _MOMENT)


_MOMENT: Final = timedelta(microseconds=1)
_RECENT: Final = (
    "SELECT item.id, item.item_id, opener.item_id, item.title, item.summary, item.outlet, item.source_name,"
    " item.published_at, item.precision, item.doubt, item.first_seen_at"
    " FROM item JOIN item AS opener ON opener.id = item.card"
    " WHERE item.id > max(?, (SELECT coalesce(max(id), 0) FROM item) - ?) AND item.first_seen_at >= ?"
    " ORDER BY item.id LIMIT ?"
)


def _sketched(item_id: str, story_id: str, title: str, summary: str, outlet: str, at: datetime) -> Sketch | None:
    """The sketch of an item; None where its words break the reading of them, which must not cost the item."""
    try:
        return sketch(item_id, story_id, title, summary, outlet, at)
    except Exception:
        log.exception("item %s cannot be compared with others and is a story of its own", item_id)
        return None


def _told_at(published: Published, seen: datetime) -> datetime:
    """When an item told its story: as published where that is credible, else as seen."""
    at = published.at
    return at if at is not None and published.doubt is None and at <= seen else seen
