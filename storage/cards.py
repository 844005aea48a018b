"""The read side for the screen: synchronous, on a connection of its own, quick enough for the event loop."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

from agents.calls import ModelCall
from agents.models import AgentName
from storage import search
from storage.calls import CALLS_OF, CALLS_OF_ALL, call_of
from storage.card_query import NEWEST_HITS, matching_query, order_query
from storage.card_rows import CARD_COLUMNS, CARD_JOINS, MEMBERS, PAST_SCORES, card_of, member_of, past_score_of
from storage.encoding import urgency_of
from storage.models import AlertRow, Card, CardCounts, CardDetail, CardFilter, SourceRow
from storage.notes import NOTE_OF
from storage.point_reads import PointReads
from storage.prices import PRICES_OF, price_mark_of
from storage.reports import EVIDENCE_OF, REPORTS_OF, outcomes_of
from storage.rows import (
    ALERT_COLUMNS,
    ALERT_JOINS,
    ITEM_COLUMNS,
    ITEM_JOINS,
    SOURCE_COLUMNS,
    alert_row,
    item_of,
    source_row,
)
from storage.saving import SIGNAL_COLUMNS
from storage.signals import signal_of

STICKY_LIMIT: Final = 500
"""At most so many unacknowledged alerts are told at once, the newest."""


class CardReader:
    """Cards of an existing database. Every answer is of this moment; nothing is held between two calls.

    Any thread may ask. Raises StorageError where the database cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._reads = PointReads(path)
        self._full_text = self._reads.ask(search.ready)

    def __enter__(self) -> CardReader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the reader, after what is under way."""
        self._reads.close()

    def order(self, filter: CardFilter, limit: int | None = None) -> list[int]:
        """Keys in screen order: newest `at` first, then the larger key; FYI and unscored last where the filter says so.

        With a `limit` the first of them, at once even in a long history: a search then looks at the newest hits alone,
        and at all only where these do not fill it. Fewer keys than the limit are therefore all there are, but for a
        filter that looks inside: with a limit it is asked of the newest cards alone.
        """
        if limit is None:
            query = order_query(filter, full_text=self._full_text)
            return [key for (key,) in self._reads.scan(query.sql, query.values)]
        keys: list[int] = []
        for newest in (max(2 * limit, NEWEST_HITS), None):
            query = order_query(filter, limit, newest=newest, full_text=self._full_text)
            keys = [key for (key,) in self._reads.rows(query.sql, query.values)]
            if len(keys) >= limit or not query.bounded or filter.looks_inside:
                break
        return keys

    def matching(self, filter: CardFilter, keys: Sequence[int]) -> set[int]:
        """Those of `keys` that the filter wants; at once, in any history."""
        found: set[int] = set()
        for start in range(0, len(keys), 500):
            query = matching_query(filter, keys[start : start + 500], full_text=self._full_text)
            found.update(key for (key,) in self._reads.rows(query.sql, query.values))
        return found

    def cards(self, keys: Sequence[int]) -> list[Card]:
        """The cards that exist among `keys`, in that order."""
        found: dict[int, Card] = {}
        for start in range(0, len(keys), 500):
            some = keys[start : start + 500]
            marks = ", ".join("?" * len(some))
            rows = self._reads.rows(
                f"SELECT {CARD_COLUMNS} FROM card {CARD_JOINS} WHERE card.key IN ({marks})",
                some,
            )
            found.update((row[0], card_of(row)) for row in rows)
        return [found[key] for key in keys if key in found]

    def card(self, key: int) -> Card | None:
        """One card; None where there is none of this key."""
        return next(iter(self.cards([key])), None)

    def detail(self, key: int) -> CardDetail | None:
        """A card opened: the shown item, its newest signal with all outcomes, the story and earlier scores."""
        with self._reads.snapshot():
            card = self.card(key)
            if card is None:
                return None
            row = self._reads.rows(_SHOWN, (card.item_id,))[0]
            number, item = row[0], item_of(row[1:])
            newest = self._reads.rows(_NEWEST, (number,))
            signal = None
            if newest:
                revision = newest[0][0]
                outcomes = outcomes_of(
                    self._reads.rows(REPORTS_OF, (number, revision)), self._reads.rows(EVIDENCE_OF, (number, revision))
                )
                signal = signal_of(item.id, revision, newest[0][1:], outcomes)
            members = tuple(member_of(row) for row in self._reads.rows(MEMBERS, (key,)))
            shown = newest[0][0] if newest else -1
            history = tuple(past_score_of(row) for row in self._reads.rows(PAST_SCORES, (number, shown, number)))
            prices = tuple(price_mark_of(row) for row in self._reads.rows(PRICES_OF, (number,)))
            note = self._reads.rows(NOTE_OF, (key,))
            calls = tuple(call_of(row) for row in self._reads.rows(CALLS_OF_ALL, (item.id, shown)))
        told = str(note[0][0]) if note else ""
        return CardDetail(card, item, signal, members, history, prices=prices, note=told, calls=calls)

    def calls(self, item_id: str, revision: int, agent: AgentName) -> tuple[ModelCall, ...]:
        """The model calls of one agent for a revision of an item, oldest first; empty where rules thought."""
        return tuple(call_of(row) for row in self._reads.rows(CALLS_OF, (item_id, revision, agent)))

    def counts(self) -> CardCounts:
        """How many cards there are, and how many unread, by urgency; costs the same in any history."""
        rows = self._reads.rows("SELECT urgency, cards, unread FROM card_count")
        named = [(urgency_of(None if rank < 0 else rank), cards, unread) for rank, cards, unread in rows]
        return CardCounts(
            total=sum(cards for _, cards, _ in named),
            unread=sum(unread for _, _, unread in named),
            by_urgency={urgency: cards for urgency, cards, _ in named},
            unread_by_urgency={urgency: unread for urgency, _, unread in named},
        )

    def alerts_unacknowledged(self) -> list[AlertRow]:
        """The FLASH alerts nobody has acknowledged, newest first; only these wait for a person."""
        rows = self._reads.rows(
            f"{_ALERTS} WHERE alert.acknowledged_at IS NULL AND alert.urgency = 3"
            " ORDER BY alert.created_at DESC, alert.key LIMIT ?",
            ("terminal", STICKY_LIMIT),
        )
        return [alert_row(row) for row in rows]

    def alert(self, key: str) -> AlertRow | None:
        """One alert of the outbox."""
        rows = self._reads.rows(f"{_ALERTS} WHERE alert.key = ?", ("terminal", key))
        return alert_row(rows[0]) if rows else None

    def sources(self) -> list[SourceRow]:
        """The subscribed sources with their states, by name."""
        rows = self._reads.rows(_SOURCES)
        return [source_row(row) for row in rows]


_SHOWN: Final = f"SELECT item.id, {ITEM_COLUMNS} FROM item {ITEM_JOINS} WHERE item.item_id = ?"
_NEWEST: Final = f"SELECT revision, {SIGNAL_COLUMNS} FROM signal WHERE item = ? ORDER BY revision DESC LIMIT 1"
_ALERTS: Final = f"SELECT {ALERT_COLUMNS} FROM alert {ALERT_JOINS}"
_SOURCES: Final = f"SELECT {SOURCE_COLUMNS} FROM source WHERE subscribed = 1 ORDER BY name COLLATE NOCASE, key"
