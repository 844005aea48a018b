"""Signals: what the agents said of an item, added up, kept in one transaction with its card and its alert."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from agents.models import AgentName, Outcome, Report, Signal, Synthesis
from storage import search
from storage.alert_raising import raise_alert
from storage.alerts import AlertDraft
from storage.card_rules import refresh
from storage.connection import insert_rows
from storage.database import Database
from storage.encoding import (
    RANK,
    Row,
    dump,
    dump_linked,
    load,
    load_linked,
    moment,
    stamp,
    urgency_of,
)
from storage.errors import UnknownItem
from storage.models import ItemState, SavedSignal
from storage.reports import EVIDENCE_OF, REPORTS_OF, outcomes_of, write_outcomes

LONGEST_BACK_OFF: Final = timedelta(hours=1)

SIGNAL_COLUMNS: Final = (
    "scored_at, urgency, degraded, reading, novelty, engine, model, cost_usd, notes, impact, confidence, signal_type,"
    " event_type, linked, agreement, tone, agents_ok, provisional"
)
_SIGNAL: Final = f"SELECT {SIGNAL_COLUMNS} FROM signal WHERE item = ? AND revision = ?"
_INSERT: Final = (
    f"INSERT OR REPLACE INTO signal (item, revision, {SIGNAL_COLUMNS})"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


class Signals:
    """The tables of signals and reports.

    An item that could not be scored is due again after `back_off`, twice as long after each attempt, up to an hour;
    after `max_attempts` it ends as unscored.
    """

    def __init__(
        self, database: Database, *, max_attempts: int = 5, back_off: timedelta = timedelta(seconds=30)
    ) -> None:
        self._database = database
        self._max_attempts = max_attempts
        self._back_off = back_off

    async def save_outcome(self, item_id: str, revision: int, outcome: Outcome) -> None:
        """Keeps what one agent said as soon as it lands, so that it need not be paid for twice."""

        def job(connection: sqlite3.Connection) -> None:
            write_outcomes(connection, _item_row(connection, item_id)[0], revision, [outcome])

        await self._database.write(job)

    async def outcomes(self, item_id: str, revision: int) -> dict[AgentName, Report]:
        """The reports that landed for a revision, by agent. An abstention is not among them: it is tried again."""
        async with self._database.read() as connection:
            rows = list(await connection.execute_fetchall("SELECT id FROM item WHERE item_id = ?", (item_id,)))
            item = rows[0][0] if rows else -1
            reports = await connection.execute_fetchall(REPORTS_OF, (item, revision))
            evidence = await connection.execute_fetchall(EVIDENCE_OF, (item, revision))
        found = outcomes_of([tuple(row) for row in reports], [tuple(row) for row in evidence])
        return {outcome.agent: outcome for outcome in found if isinstance(outcome, Report)}

    async def save(self, signal: Signal, *, alert: AlertDraft | None) -> SavedSignal:
        """Keeps a signal with its reports, its card, its alert and the item's state, all or nothing.

        The same signal again changes nothing. A story alerts once, and again only when its urgency rises above what it
        alerted with or when the item tells a new fact; whether `alert` became one is in the answer. A signal of an
        earlier revision goes to the history alone, and one without a score never replaces a score. A provisional one
        shows on the card while its item stays pending; it leaves no trace once a final one replaces it, and never
        replaces a final one. Raises UnknownItem.
        """

        def job(connection: sqlite3.Connection) -> SavedSignal:
            return self._save(connection, signal, alert)

        return await self._database.write(job, durable=alert is not None and alert.outcome == "alert")

    async def failed(self, item_id: str, revision: int, *, now: datetime) -> ItemState:
        """Counts an attempt that gave no signal at all, and returns where the item stands then."""

        def job(connection: sqlite3.Connection) -> ItemState:
            item, _, current, state, attempts, *_ = _item_row(connection, item_id)
            if revision != current or state != "pending":
                return state  # type: ignore[no-any-return]
            return self._postpone(connection, item, attempts, now)

        return await self._database.write(job)

    async def load(self, item_id: str, revision: int) -> Signal | None:
        """A signal as it was saved; None where this revision has none."""
        async with self._database.read() as connection:
            rows = list(await connection.execute_fetchall("SELECT id FROM item WHERE item_id = ?", (item_id,)))
            item = rows[0][0] if rows else -1
            signal = list(await connection.execute_fetchall(_SIGNAL, (item, revision)))
            reports = await connection.execute_fetchall(REPORTS_OF, (item, revision))
            evidence = await connection.execute_fetchall(EVIDENCE_OF, (item, revision))
        outcomes = outcomes_of([tuple(row) for row in reports], [tuple(row) for row in evidence])
        return signal_of(item_id, revision, tuple(signal[0]), outcomes) if signal else None

    def _save(self, connection: sqlite3.Connection, signal: Signal, alert: AlertDraft | None) -> SavedSignal:
        item, card, current, state, attempts, *_ = _item_row(connection, signal.item_id)
        if signal.revision > current:
            raise UnknownItem(f"item {signal.item_id} has no revision {signal.revision}")
        before = connection.execute(
            "SELECT scored_at, impact IS NOT NULL, provisional FROM signal WHERE item = ? AND revision = ?",
            (item, signal.revision),
        ).fetchone() or (None, False, False)
        if _stands(before, signal):
            failed = signal.synthesis is None and before[2] and signal.revision == current
            return SavedSignal(card, self._postpone(connection, item, attempts, signal.scored_at) if failed else state)
        if before[1] and not before[2]:
            connection.execute(
                "INSERT OR IGNORE INTO earlier_score SELECT item, revision, scored_at, urgency, impact FROM signal"
                " WHERE item = ? AND revision = ?",
                (item, signal.revision),
            )
        connection.execute(_INSERT, (item, signal.revision, *_values(signal)))
        write_outcomes(connection, item, signal.revision, signal.outcomes)
        if signal.revision < current:
            return SavedSignal(card, state)
        if signal.synthesis is None or signal.urgency is None:
            return SavedSignal(card, self._postpone(connection, item, attempts, signal.scored_at))
        self._link(connection, item, signal.synthesis)
        reached: ItemState = state if signal.provisional else "scored"
        connection.execute(
            "UPDATE scoring SET state = ?, attempts = attempts + ?, revision = ?, urgency = ?, impact = ?"
            " WHERE item = ?",
            (
                reached,
                not signal.provisional,
                signal.revision,
                RANK[signal.urgency],
                signal.synthesis.impact_score,
                item,
            ),
        )
        refresh(connection, card)
        raised = raise_alert(connection, item, signal.revision, card, signal.urgency, alert) if alert else None
        return SavedSignal(card, reached, raised)

    def _postpone(self, connection: sqlite3.Connection, item: int, attempts: int, now: datetime) -> ItemState:
        """Counts an attempt without a score: the item is due again later, or given up."""
        done = attempts + 1
        state: ItemState = "pending" if done < self._max_attempts else "unscored"
        wait = min(self._back_off * 2 ** min(done - 1, 20), LONGEST_BACK_OFF)
        connection.execute(
            "UPDATE scoring SET state = ?, attempts = ?, retry_at = ? WHERE item = ?",
            (state, done, stamp(now + wait), item),
        )
        return state

    def _link(self, connection: sqlite3.Connection, item: int, synthesis: Synthesis) -> None:
        """Makes the item known under the symbols the agents linked and those its publisher attached."""
        card, source, seen, attached, before = connection.execute(
            "SELECT item.card, source, first_seen_at, tickers, linked"
            " FROM item JOIN scoring ON scoring.item = item.id WHERE id = ?",
            (item,),
        ).fetchone()
        symbols = list(dict.fromkeys([*(one.symbol for one in synthesis.tickers_linked), *attached.split()]))
        linked = " ".join(symbols)
        if linked == before:
            return
        if before:
            connection.executemany(
                "DELETE FROM ticker WHERE symbol = ? AND first_seen_at = ? AND item = ?",
                [(symbol, seen, item) for symbol in before.split()],
            )
        rows = [(symbol, seen, item, card, source) for symbol in symbols]
        insert_rows(connection, "INSERT OR IGNORE INTO ticker (symbol, first_seen_at, item, card, source)", rows)
        if self._database.full_text:
            search.outdated(connection, item, fresh=False)
        connection.execute("UPDATE scoring SET linked = ? WHERE item = ?", (linked, item))


def signal_of(item_id: str, revision: int, row: Row, outcomes: Iterable[Outcome]) -> Signal:
    """A signal from SIGNAL_COLUMNS and its outcomes."""
    scored_at, urgency, degraded, reading, novelty, engine, model, cost_usd, notes, *summed, provisional = row
    return Signal(
        item_id=item_id,
        revision=revision,
        outcomes=tuple(outcomes),
        synthesis=_synthesis_of(summed),
        urgency=urgency_of(urgency),
        degraded=bool(degraded),
        reading=reading,
        novelty=novelty,
        engine=engine,
        scored_at=moment(scored_at),
        model=model,
        cost_usd=cost_usd,
        notes=tuple(load(notes)),
        provisional=bool(provisional),
    )


def _synthesis_of(row: list[Any]) -> Synthesis | None:
    impact, confidence, signal_type, event_type, linked, agreement, tone, agents_ok = row
    if impact is None:
        return None
    return Synthesis(impact, confidence, signal_type, event_type, load_linked(linked), agreement, tone, agents_ok)


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


def _item_row(connection: sqlite3.Connection, item_id: str) -> Row:
    """Row number, card, revision, state and attempts of an item. Raises UnknownItem."""
    row = connection.execute(
        "SELECT item.id, item.card, item.revision, scoring.state, scoring.attempts"
        " FROM item JOIN scoring ON scoring.item = item.id WHERE item.item_id = ?",
        (item_id,),
    ).fetchone()
    if row is None:
        raise UnknownItem(f"there is no item {item_id}")
    return tuple(row)
