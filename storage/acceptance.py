"""One poll of one source taken in, inside one transaction: what is new, what changed, what is known."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from feeds.models import Entry, Source
from feeds.stories.identity import Decision, Known, keys, resolve
from storage import search
from storage.card_rules import refresh
from storage.connection import insert_rows
from storage.encoding import moment, moment_or_none, stamp, stamp_or_none, storable
from storage.models import Ingested
from storage.sources import define
from storage.stories import Place, Stories, card_time

NEWEST_HOLDERS: Final = 4
"""Of the items that share a key, so many of the newest are compared; a key like an empty title has thousands."""
MAX_KEYS: Final = 24
"""An item remembers so many keys; a feed that renames it at every poll adds no more."""


class Acceptance:
    """The work of one poll; made for one transaction and thrown away with it."""

    def __init__(
        self, connection: sqlite3.Connection, source: Source, now: datetime, stories: Stories, *, full_text: bool
    ) -> None:
        self._connection = connection
        self._source = source
        self._now = now
        self._stories = stories
        self._full_text = full_text
        self._rows: dict[str, int] = {}
        self._held: dict[str, set[str]] = {}
        self._cards: dict[int, None] = {}

    def take(self, entries: Sequence[Entry], backlog: bool | None) -> Ingested:
        """Decides and keeps every entry. `backlog` None: what the first document of a source holds is history."""
        source_key, seeded = self._source_row()
        history = not seeded if backlog is None else backlog
        known = self._known(source_key, entries)
        resolution = resolve(entries, known, source_id=self._source.id, now=self._now)
        self._stories.expire(self._now)
        new: list[str] = []
        changed: list[str] = []
        for decision in resolution.decisions:
            if decision.verdict == "new" and self._insert(source_key, decision, history):
                new.append(decision.item_id)
            elif decision.verdict == "changed":
                self._change(decision)
                changed.append(decision.item_id)
            self._remember(source_key, decision)
        if new or not seeded:
            self._count(source_key, len(new))
        return Ingested(
            new=tuple(new),
            changed=tuple(changed),
            known=len(entries) - len(new) - len(changed),
            restructured=resolution.restructured,
            backlog=history,
            cards=tuple(self._cards),
        )

    def _source_row(self) -> tuple[int, bool]:
        query = "SELECT key, seeded_at IS NOT NULL FROM source WHERE source_id = ?"
        row = self._connection.execute(query, (self._source.id,)).fetchone()
        if row is None:
            define(self._connection, self._source, subscribed=False)
            row = self._connection.execute(query, (self._source.id,)).fetchone()
        return row[0], bool(row[1])

    def _known(self, source_key: int, entries: Sequence[Entry]) -> list[Known]:
        """The items of this source that share a key with the poll."""
        asked = {key for entry in entries for key in keys(entry)}
        holders: set[int] = set()
        for key in asked:
            holders.update(
                item
                for (item,) in self._connection.execute(
                    "SELECT item FROM identity WHERE source = ? AND key = ? ORDER BY item DESC LIMIT ?",
                    (source_key, key, NEWEST_HOLDERS),
                )
            )
        return [self._remembered(item) for item in sorted(holders)]

    def _remembered(self, item: int) -> Known:
        item_id, held, title, content_hash, at, seen = self._connection.execute(
            "SELECT item_id, keys, title, content_hash, published_at, first_seen_at FROM item WHERE id = ?", (item,)
        ).fetchone()
        self._rows[item_id] = item
        self._held[item_id] = set(held.split())
        return Known(item_id, tuple(held.split()), title, content_hash, moment_or_none(at), moment(seen))

    def _insert(self, source_key: int, decision: Decision, backlog: bool) -> bool:
        """Keeps a new item with its story; False where this very item is there already."""
        entry, item_id = decision.entry, decision.item_id
        there = self._connection.execute("SELECT id FROM item WHERE item_id = ?", (item_id,)).fetchone()
        if there:
            self._remembered(there[0])
            return False
        outlet = entry.outlet or self._source.name
        told = (storable(entry.title), storable(entry.summary), outlet, entry.published)
        place = self._stories.place(self._connection, item_id, *told, self._now)
        item = self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM item").fetchone()[0]
        opens = place.story_id == item_id
        card = item if opens else self._card_of(place.story_id)
        self._connection.execute(
            _INSERT_ITEM, (item, item_id, source_key, self._source.name, card, *self._columns(decision, backlog, place))
        )
        if opens:
            at = stamp(card_time(entry.published, self._now, backlog=backlog))
            self._connection.execute("INSERT INTO card (key, item, at) VALUES (?, ?, ?)", (item, item, at))
        self._connection.execute(
            "INSERT INTO scoring (item, card, state, retry_at) VALUES (?, ?, 'pending', ?)",
            (item, card, stamp(self._now)),
        )
        if opens or not place.syndicated:
            self._add_outlet(card, outlet)
        if self._full_text:
            search.outdated(self._connection, item, fresh=True)
        self._rows[item_id] = item
        self._held[item_id] = set()
        self._cards[card] = None
        return True

    def _columns(self, decision: Decision, backlog: bool, place: Place) -> tuple[Any, ...]:
        """What _INSERT_ITEM takes after the keys."""
        entry = decision.entry
        return (
            stamp_or_none(entry.published.at),
            entry.published.precision,
            entry.published.doubt,
            stamp(self._now),
            decision.change,
            backlog,
            place.syndicated,
            place.new_fact,
            storable(entry.outlet),
            storable(entry.url),
            storable(entry.title),
            storable(entry.summary),
            decision.content_hash,
        )

    def _card_of(self, story_id: str) -> int:
        return int(self._connection.execute("SELECT card FROM item WHERE item_id = ?", (story_id,)).fetchone()[0])

    def _add_outlet(self, card: int, outlet: str) -> None:
        added = self._connection.execute(
            "INSERT OR IGNORE INTO card_outlet (card, outlet) VALUES (?, ?)", (card, outlet.casefold())
        ).rowcount
        if added:
            self._connection.execute("UPDATE card SET outlets = outlets + 1 WHERE key = ?", (card,))

    def _change(self, decision: Decision) -> None:
        """Keeps a new revision and what it replaces, and puts the item up for scoring again."""
        item, entry = self._rows[decision.item_id], decision.entry
        card, revision, dated = self._connection.execute(
            "SELECT card, revision, doubt IS NULL FROM item WHERE id = ?", (item,)
        ).fetchone()
        now = stamp(self._now)
        if self._full_text:
            search.outdated(self._connection, item, fresh=False)
        self._connection.execute(
            "INSERT INTO earlier_text SELECT id, revision, title, summary, url, published_at, ? FROM item WHERE id = ?",
            (now, item),
        )
        self._connection.execute(
            "UPDATE item SET title = ?, summary = ?, url = ?, revision = ?, change = ?, content_hash = ? WHERE id = ?",
            (
                storable(entry.title),
                storable(entry.summary),
                storable(entry.url),
                revision + 1,
                decision.change,
                decision.content_hash,
                item,
            ),
        )
        if not dated:
            self._connection.execute(
                "UPDATE item SET published_at = ?, precision = ?, doubt = ? WHERE id = ?",
                (stamp_or_none(entry.published.at), entry.published.precision, entry.published.doubt, item),
            )
        self._connection.execute(
            "UPDATE scoring SET state = 'pending', attempts = 0, retry_at = ? WHERE item = ?", (now, item)
        )
        self._connection.execute("UPDATE card SET unread = 1 WHERE key = ? AND item = ? AND unread = 0", (card, item))
        refresh(self._connection, card)
        self._cards[card] = None

    def _remember(self, source_key: int, decision: Decision) -> None:
        """Adds the keys an item was seen under now to those it is known by."""
        held = self._held[decision.item_id]
        fresh = [key for key in decision.keys if key not in held][: max(MAX_KEYS - len(held), 0)]
        if not fresh:
            return
        held.update(fresh)
        item = self._rows[decision.item_id]
        rows = [(source_key, key, item) for key in fresh]
        insert_rows(self._connection, "INSERT OR IGNORE INTO identity (source, key, item)", rows)
        self._connection.execute("UPDATE item SET keys = ltrim(keys || ' ' || ?) WHERE id = ?", (" ".join(fresh), item))

    def _count(self, source_key: int, new: int) -> None:
        now = stamp(self._now)
        self._connection.execute(
            "UPDATE source SET seeded_at = coalesce(seeded_at, ?), items = items + ?,"
            " last_item_at = iif(?, ?, last_item_at) WHERE key = ?",
            (now, new, new, now, source_key),
        )


_INSERT_ITEM: Final = (
    "INSERT INTO item (id, item_id, source, source_name, card, published_at, precision, doubt, first_seen_at, change,"
    " backlog, syndicated, new_fact, outlet, tickers, url, title, summary, content_hash, keys)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?, '')"
)
