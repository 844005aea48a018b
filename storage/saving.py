"""Signals saved in one transaction, however many there are: a few statements for all of them.

Python gives other threads a turn around each step of a statement and waits for its own, so that the number of steps and
not of rows is what a burst of signals costs.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from agents.models import Signal, Synthesis
from storage import search
from storage.alert_raising import raise_alert
from storage.alerts import AlertDraft
from storage.card_rules import refresh
from storage.connection import insert_rows, rows_among, update_rows
from storage.encoding import RANK, Row, dump, dump_linked, stamp
from storage.errors import UnknownItem
from storage.models import ItemState, SavedSignal
from storage.reports import write_outcomes

LONGEST_BACK_OFF: Final = timedelta(hours=1)

SIGNAL_COLUMNS: Final = (
    "scored_at, urgency, degraded, reading, novelty, engine, model, cost_usd, notes, impact, confidence, signal_type,"
    " event_type, linked, agreement, tone, agents_ok, provisional"
)
Saved: TypeAlias = SavedSignal | UnknownItem
Wanted: TypeAlias = tuple[Signal, AlertDraft | None]


@dataclass(frozen=True, slots=True)
class Retries:
    """An item that could not be scored is due again after `back_off`, twice as long after each attempt, up to an hour;
    after `max_attempts` it ends as unscored."""

    max_attempts: int
    back_off: timedelta

    def postpone(self, connection: sqlite3.Connection, item: int, attempts: int, now: datetime) -> ItemState:
        """Counts an attempt without a score: the item is due again later, or given up."""
        done = attempts + 1
        state: ItemState = "pending" if done < self.max_attempts else "unscored"
        wait = min(self.back_off * 2 ** min(done - 1, 20), LONGEST_BACK_OFF)
        connection.execute(
            "UPDATE scoring SET state = ?, attempts = ?, retry_at = ? WHERE item = ?",
            (state, done, stamp(now + wait), item),
        )
        return state


@dataclass(frozen=True, slots=True)
class Standing:
    """An item as it stands before a signal of it is saved."""

    item: int
    card: int
    revision: int
    state: ItemState
    attempts: int
    source: int
    first_seen_at: int
    attached: str
    linked: str


def save_all(
    connection: sqlite3.Connection, wanted: Sequence[Wanted], retries: Retries, *, full_text: bool
) -> list[Saved]:
    """Saves signals with all that hangs on them, in their order. What is wrong with one is its own answer."""
    found: list[Saved] = []
    for some in _once_each(wanted):
        found += _Saving(connection, some, retries, full_text).save()
    return found


def _once_each(wanted: Sequence[Wanted]) -> Iterator[list[Wanted]]:
    """Parts in which no item has two signals: the second must find what the first left."""
    part: dict[str, Wanted] = {}
    for one in wanted:
        if one[0].item_id in part:
            yield list(part.values())
            part = {}
        part[one[0].item_id] = one
    yield list(part.values())


class _Saving:
    """The work of one part; made for one transaction and thrown away with it."""

    def __init__(
        self, connection: sqlite3.Connection, wanted: Sequence[Wanted], retries: Retries, full_text: bool
    ) -> None:
        self._connection = connection
        self._wanted = wanted
        self._retries = retries
        self._full_text = full_text
        ids = [signal.item_id for signal, _ in wanted]
        self._items = {row[0]: Standing(*row[1:]) for row in rows_among(connection, _ITEMS, ids)}
        numbers = [one.item for one in self._items.values()]
        self._before = {(row[0], row[1]): row[2:] for row in rows_among(connection, _BEFORE, numbers)}
        self._kept: list[tuple[int, Signal]] = []
        self._scored: list[tuple[Standing, Signal, Synthesis]] = []
        self._alerts: list[tuple[int, Standing, Signal, AlertDraft]] = []

    def save(self) -> list[Saved]:
        """The answers in the order of the signals."""
        answers = [self._judge(place, signal, alert) for place, (signal, alert) in enumerate(self._wanted)]
        self._write_signals()
        self._write_links()
        self._write_scoring()
        refresh(self._connection, list(dict.fromkeys(one.card for one, _, _ in self._scored)))
        for place, one, signal, draft in self._alerts:
            assert signal.urgency is not None
            key = raise_alert(self._connection, one.item, signal.revision, one.card, signal.urgency, draft)
            answer = answers[place]
            assert isinstance(answer, SavedSignal)
            answers[place] = SavedSignal(answer.card_key, answer.state, key)
        return answers

    def _judge(self, place: int, signal: Signal, alert: AlertDraft | None) -> Saved:
        """What becomes of one signal; what has to be written for it is noted."""
        one = self._items.get(signal.item_id)
        if one is None:
            return UnknownItem(f"there is no item {signal.item_id}")
        if signal.revision > one.revision:
            return UnknownItem(f"item {signal.item_id} has no revision {signal.revision}")
        before = self._before.get((one.item, signal.revision), (None, False, False))
        if _stands(before, signal):
            failed = signal.synthesis is None and before[2] and signal.revision == one.revision
            return SavedSignal(one.card, self._postpone(one, signal) if failed else one.state)
        if before[1] and not before[2]:
            self._connection.execute(_KEEP_SCORE, (one.item, signal.revision))
        self._kept.append((one.item, signal))
        if signal.revision < one.revision:
            return SavedSignal(one.card, one.state)
        if signal.synthesis is None or signal.urgency is None:
            return SavedSignal(one.card, self._postpone(one, signal))
        self._scored.append((one, signal, signal.synthesis))
        if alert:
            self._alerts.append((place, one, signal, alert))
        return SavedSignal(one.card, one.state if signal.provisional else "scored")

    def _postpone(self, one: Standing, signal: Signal) -> ItemState:
        return self._retries.postpone(self._connection, one.item, one.attempts, signal.scored_at)

    def _write_signals(self) -> None:
        if not self._kept:
            return
        rows = [(item, signal.revision, *_values(signal)) for item, signal in self._kept]
        insert_rows(self._connection, f"INSERT OR REPLACE INTO signal (item, revision, {SIGNAL_COLUMNS})", rows)
        write_outcomes(self._connection, [(item, signal.revision, signal.outcomes) for item, signal in self._kept])

    def _write_links(self) -> None:
        """Makes items known under the symbols the agents linked and those their publisher attached."""
        differ: dict[int, str] = {}
        rows: list[Row] = []
        for one, _, synthesis in self._scored:
            symbols = list(dict.fromkeys([*(link.symbol for link in synthesis.tickers_linked), *one.attached.split()]))
            linked = " ".join(symbols)
            if linked == one.linked:
                continue
            differ[one.item] = linked
            rows += [(symbol, one.first_seen_at, one.item, one.card, one.source) for symbol in symbols]
            if one.linked:
                self._unlink(one)
        if not differ:
            return
        if self._full_text:
            search.outdated(self._connection, list(differ))
        if rows:
            insert_rows(
                self._connection, "INSERT OR IGNORE INTO ticker (symbol, first_seen_at, item, card, source)", rows
            )
        update_rows(self._connection, "scoring", "item", ("linked",), list(differ.items()))

    def _unlink(self, one: Standing) -> None:
        self._connection.executemany(
            "DELETE FROM ticker WHERE symbol = ? AND first_seen_at = ? AND item = ?",
            [(symbol, one.first_seen_at, one.item) for symbol in one.linked.split()],
        )

    def _write_scoring(self) -> None:
        update_rows(
            self._connection,
            "scoring",
            "item",
            ("state", "attempts", "revision", "urgency", "impact"),
            [
                (
                    one.item,
                    one.state if signal.provisional else "scored",
                    one.attempts + (not signal.provisional),
                    signal.revision,
                    RANK[signal.urgency],
                    synthesis.impact_score,
                )
                for one, signal, synthesis in self._scored
            ],
        )


def _values(signal: Signal) -> tuple[Any, ...]:
    summed = signal.synthesis
    return (
        stamp(signal.scored_at),
        RANK[signal.urgency],
        signal.degraded,
        signal.reading,
        signal.novelty,
        signal.engine,
        signal.model,
        signal.cost_usd,
        dump(signal.notes) if signal.notes else "[]",
        *(
            (
                summed.impact_score,
                summed.confidence_score,
                summed.signal_type,
                summed.event_type,
                dump_linked(summed.tickers_linked),
                summed.agreement,
                summed.tone,
                summed.agents_ok,
            )
            if summed
            else (None, None, None, None, None, None, None, 0)
        ),
        signal.provisional,
    )


def _stands(before: Row, signal: Signal) -> bool:
    """Whether what is kept of this revision stays: it is the same, or final or scored where `signal` is not."""
    scored_at, scored, provisional = before
    says = signal.synthesis is not None
    same = scored_at == stamp(signal.scored_at) and bool(scored) == says and bool(provisional) == signal.provisional
    return same or (bool(scored) and (not says or (signal.provisional and not provisional)))


_ITEMS: Final = (
    "SELECT item.item_id, item.id, item.card, item.revision, scoring.state, scoring.attempts, item.source,"
    " item.first_seen_at, item.tickers, scoring.linked FROM item JOIN scoring ON scoring.item = item.id"
    " WHERE item.item_id IN ({})"
)
_BEFORE: Final = "SELECT item, revision, scored_at, impact IS NOT NULL, provisional FROM signal WHERE item IN ({})"
_KEEP_SCORE: Final = (
    "INSERT OR IGNORE INTO earlier_score SELECT item, revision, scored_at, urgency, impact FROM signal"
    " WHERE item = ? AND revision = ?"
)
