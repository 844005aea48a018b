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
from storage.connection import insert_rows, rows_among
from storage.encoding import moment, moment_or_none, stamp, stamp_or_none, storable
from storage.models import Ingested
from storage.new_rows import INTO_IDENTITY, NewItem, write_new
from storage.revisions import settled
from storage.sources import define
from storage.stories import Place, Places, card_time

NEWEST_HOLDERS: Final = 4
"""Of the items that share a key, so many of the newest are compared; a key like an empty title has thousands."""
MAX_KEYS: Final = 24
"""An item remembers so many keys; a feed that renames it at every poll adds no more."""


class Acceptance:
    """The work of one poll; made for one transaction and thrown away with it."""

    def __init__(
        self, connection: sqlite3.Connection, source: Source, now: datetime, stories: Places, *, full_text: bool
    ) -> None:
        self._connection = connection
        self._source = source
        self._now = now
        self._stories = stories
        self._full_text = full_text
        self._rows: dict[str, int] = {}
        self._held: dict[str, set[str]] = {}
        self._new: dict[str, NewItem] = {}
        self._cards: dict[int, None] = {}

    def take(self, entries: Sequence[Entry], backlog: bool | None) -> Ingested:
        """Decides and keeps every entry. `backlog` None: what the first document of a source holds is history."""
        source_key, seeded = self._source_row()
        history = not seeded if backlog is None else backlog
        known = self._known(source_key, entries)
        resolution = resolve(entries, known, source_id=self._source.id, now=self._now)
        self._there([decision.item_id for decision in resolution.decisions if decision.verdict == "new"])
        self._stories.expire(self._now)
        changed: list[str] = []
        for decision in resolution.decisions:
            if decision.verdict == "new" and decision.item_id not in self._rows:
                self._add(decision, history)
            elif decision.verdict == "changed" and self._change(decision):
                changed.append(decision.item_id)
            self._remember(source_key, decision)
        new = tuple(self._new)
        origin = (source_key, self._source.name)
        write_new(self._connection, origin, tuple(self._new.values()), stamp(self._now), full_text=self._full_text)
        if new or not seeded:
            self._count(source_key, len(new))
        return Ingested(
            new=new,
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
        asked = list(dict.fromkeys(key for entry in entries for key in keys(entry)))
        holders = {item for (item,) in rows_among(self._connection, _HOLDERS, asked, source_key)}
        return self._remembered(_BY_NUMBER, sorted(holders))

    def _there(self, item_ids: Sequence[str]) -> None:
        """Remembers those of these ids that are taken: such an item is there already, whatever led to its id."""
        self._remembered(_BY_ID, item_ids)

    def _remembered(self, sql: str, values: Sequence[str | int]) -> list[Known]:
        found: list[Known] = []
        for item, item_id, held, title, content_hash, at, seen in rows_among(self._connection, sql, values):
            known_by = tuple(held.split())
            self._rows[item_id] = item
            self._held[item_id] = set(known_by)
            found.append(Known(item_id, known_by, title, content_hash, moment_or_none(at), moment(seen)))
        return found

    def _add(self, decision: Decision, backlog: bool) -> None:
        """Prepares a new item with its story."""
        entry, item_id = decision.entry, decision.item_id
        outlet = entry.outlet or self._source.name
        told = (storable(entry.title), storable(entry.summary), outlet, entry.published)
        place = self._stories.place(self._connection, item_id, *told, self._now)
        number = self._next_number()
        opens = place.story_id == item_id
        card = number if opens else self._card_of(place.story_id)
        at = stamp(card_time(entry.published, self._now, backlog=backlog)) if opens else None
        adds = outlet.casefold() if opens or not place.syndicated else ""
        self._new[item_id] = NewItem(number, item_id, card, at, adds, self._columns(decision, backlog, place), [])
        self._rows[item_id] = number
        self._held[item_id] = set()
        self._cards[card] = None

    def _next_number(self) -> int:
        if self._new:
            return next(reversed(self._new.values())).number + 1
        return int(self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM item").fetchone()[0])

    def _columns(self, decision: Decision, backlog: bool, place: Place) -> tuple[Any, ...]:
        """The columns of the item from `published_at` on."""
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
            "",
            storable(entry.url),
            storable(entry.title),
            storable(entry.summary),
            decision.content_hash,
        )

    def _card_of(self, story_id: str) -> int:
        if story_id in self._new:
            return self._new[story_id].card
        return int(self._connection.execute("SELECT card FROM item WHERE item_id = ?", (story_id,)).fetchone()[0])

    def _change(self, decision: Decision) -> bool:
        """Keeps a new revision and what it replaces, and puts the item up for scoring again.

        False where the item is in unrest (`storage.revisions`): it keeps its present words for now.
        """
        item, entry = self._rows[decision.item_id], decision.entry
        if not settled(self._connection, item, decision.content_hash, self._now):
            return False
        card, revision, dated = self._connection.execute(
            "SELECT card, revision, doubt IS NULL FROM item WHERE id = ?", (item,)
        ).fetchone()
        now = stamp(self._now)
        if self._full_text:
            search.outdated(self._connection, [item])
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
        refresh(self._connection, [card])
        self._cards[card] = None
        return True

    def _remember(self, source_key: int, decision: Decision) -> None:
        """Adds the keys an item was seen under now to those it is known by."""
        held = self._held[decision.item_id]
        fresh = [key for key in decision.keys if key not in held][: max(MAX_KEYS - len(held), 0)]
        if not fresh:
            return
        held.update(fresh)
        if new := self._new.get(decision.item_id):
            new.keys += fresh
            return
        item = self._rows[decision.item_id]
        insert_rows(self._connection, INTO_IDENTITY, [(source_key, key, item) for key in fresh])
        self._connection.execute("UPDATE item SET keys = ltrim(keys || ' ' || ?) WHERE id = ?", (" ".join(fresh), item))

    def _count(self, source_key: int, new: int) -> None:
        now = stamp(self._now)
        self._connection.execute(
            "UPDATE source SET seeded_at = coalesce(seeded_at, ?), items = items + ?,"
            " last_item_at = iif(?, ?, last_item_at) WHERE key = ?",
            (now, new, new, now, source_key),
        )


_HOLDERS: Final = (
    "WITH source_of(key) AS (SELECT ?), asked(key) AS (VALUES {}) SELECT held.item FROM asked JOIN identity AS held"
    " ON held.source = (SELECT key FROM source_of) AND held.key = asked.key WHERE held.item >= coalesce("
    "(SELECT item FROM identity AS newer WHERE newer.source = (SELECT key FROM source_of) AND newer.key = asked.key"
    f" ORDER BY newer.item DESC LIMIT 1 OFFSET {NEWEST_HOLDERS - 1}), 0)"
)
_KNOWN: Final = "SELECT id, item_id, keys, title, content_hash, published_at, first_seen_at FROM item"
_BY_NUMBER: Final = f"{_KNOWN} WHERE id IN ({{}}) ORDER BY id"
_BY_ID: Final = f"{_KNOWN} WHERE item_id IN ({{}})"
