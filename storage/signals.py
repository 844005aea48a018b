"""Signals: what the agents said of an item, added up, kept in one transaction with its card and its alert."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from agents.models import AgentName, Outcome, Report, Signal, Synthesis
from storage.alerts import AlertDraft
from storage.database import Database
from storage.encoding import Row, load, load_linked, moment, urgency_of
from storage.errors import StorageError, UnknownItem
from storage.models import ItemState, SavedSignal
from storage.reports import EVIDENCE_OF, REPORTS_OF, outcomes_of, write_outcomes
from storage.saving import SIGNAL_COLUMNS, Retries, Saved, save_all

SAVED_TOGETHER: Final = 64
"""At most so many signals are saved as one job."""
_SIGNAL: Final = f"SELECT {SIGNAL_COLUMNS} FROM signal WHERE item = ? AND revision = ?"


@dataclass(slots=True)
class _Waiting:
    """A signal to be saved, and who waits for it."""

    signal: Signal
    alert: AlertDraft | None
    saved: asyncio.Future[SavedSignal]

    @property
    def durable(self) -> bool:
        return self.alert is not None and self.alert.outcome == "alert"


class Signals:
    """The tables of signals and reports. Retries of an item without a score: see `storage.saving.Retries`.

    What is to be saved while a save is under way is saved together in the next one.
    """

    def __init__(
        self, database: Database, *, max_attempts: int = 5, back_off: timedelta = timedelta(seconds=30)
    ) -> None:
        self._database = database
        self._retries = Retries(max_attempts, back_off)
        self._waiting: list[_Waiting] = []
        self._saving: asyncio.Task[None] | None = None

    async def save_outcome(self, item_id: str, revision: int, outcome: Outcome) -> None:
        """Keeps what one agent said as soon as it lands, so that it need not be paid for twice."""

        def job(connection: sqlite3.Connection) -> None:
            write_outcomes(connection, [(_item_row(connection, item_id)[0], revision, [outcome])])

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

        waiting = _Waiting(signal, alert, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._saving is None:
            self._saving = asyncio.create_task(self._save_waiting(), name="save signals")
        return await waiting.saved

    async def failed(self, item_id: str, revision: int, *, now: datetime) -> ItemState:
        """Counts an attempt that gave no signal at all, and returns where the item stands then."""

        def job(connection: sqlite3.Connection) -> ItemState:
            item, _, current, state, attempts, *_ = _item_row(connection, item_id)
            if revision != current or state != "pending":
                return state  # type: ignore[no-any-return]
            return self._retries.postpone(connection, item, attempts, now)

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

    async def _save_waiting(self) -> None:
        """Saves until nothing waits any more."""
        try:
            while self._waiting:
                some = self._waiting[:SAVED_TOGETHER]
                del self._waiting[:SAVED_TOGETHER]
                await self._save(some)
        finally:
            self._saving = None

    async def _save(self, some: Sequence[_Waiting]) -> None:
        """Saves together and tells who waits; what fails as a whole for a fault of the program is tried one by one."""

        def job(connection: sqlite3.Connection) -> list[Saved]:
            wanted = [(one.signal, one.alert) for one in some]
            return save_all(connection, wanted, self._retries, full_text=self._database.full_text)

        try:
            answers: Sequence[Saved | Exception] = await self._database.write(
                job, durable=any(one.durable for one in some)
            )
        except Exception as error:  # noqa: BLE001 -- whatever failed belongs to those who wait
            if len(some) > 1 and not isinstance(error, StorageError):
                for one in some:
                    await self._save([one])
                return
            answers = [error] * len(some)
        for one, answer in zip(some, answers, strict=True):
            if one.saved.done():
                continue
            if isinstance(answer, Exception):
                one.saved.set_exception(answer)
            else:
                one.saved.set_result(answer)


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
