"""Investigations: kept node by node, so that an interrupted one goes on with what is missing, and found again later."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from agents.calls import ModelCall
from agents.investigation.models import Case, Verdict
from agents.investigation.ports import NodeResult
from agents.investigation.state import Answer
from storage.calls import CALLS_OF_INVESTIGATION, call_of
from storage.database import Database
from storage.encoding import moment_or_none, stamp, stamp_or_none
from storage.investigation_rows import dump_answer, dump_case, dump_result, load_answer, load_case, load_result
from storage.readers import Readable

RESUMED_WITHIN: Final = timedelta(hours=6)
"""An unfinished run is taken up again by the same question within this time."""


@dataclass(frozen=True, slots=True)
class PastInvestigation:
    """One line of the list. `verdict` is None while it runs or after it was interrupted."""

    case: Case
    verdict: Verdict | None
    headline: str
    onset_at: datetime | None
    answered_at: datetime | None
    recheck_at: datetime | None
    rechecked_at: datetime | None
    changed: str


class Investigations:
    """The rows of investigations. Implements `agents.investigation.ports.Rows`."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def begin(self, case: Case) -> Case:
        """The case under which to run: a like question that was interrupted lately goes on under its own id."""
        asked = stamp(case.asked_at)
        since = stamp(case.asked_at - RESUMED_WITHIN)

        def insert(connection: sqlite3.Connection) -> Case:
            rows = connection.execute(
                "SELECT case_json FROM investigation WHERE symbol = ? AND at IS ? AND answer_json IS NULL"
                " AND asked_at BETWEEN ? AND ? ORDER BY asked_at DESC",
                (case.symbol, stamp_or_none(case.at), since, asked),
            )
            unfinished = (load_case(row[0]) for row in rows)
            # What one engine read is no result of another, and a wider window was not searched.
            same = (one for one in unfinished if (one.engine, one.window_s) == (case.engine, case.window_s))
            if (found := next(same, None)) is not None:
                return found
            connection.execute(
                "INSERT OR IGNORE INTO investigation (case_id, symbol, question, asked_at, at, case_json)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (case.id, case.symbol, case.question, asked, stamp_or_none(case.at), dump_case(case)),
            )
            return case

        return await self._database.write(insert)

    async def results(self, case_id: str) -> Mapping[tuple[str, int], NodeResult]:
        """What the nodes of a case have found so far, by node and round."""
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT node, round, result FROM investigation_node JOIN investigation"
                " ON investigation.key = investigation WHERE case_id = ?",
                (case_id,),
            )
        return {(node, round_): load_result(node, text) for node, round_, text in rows}

    async def keep(self, case_id: str, node: str, round_: int, result: NodeResult) -> None:
        """Keeps a node's result; committed when it returns."""
        text, at = dump_result(result), stamp(self._now())

        def insert(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT OR REPLACE INTO investigation_node (investigation, round, node, kept_at, result)"
                " SELECT key, ?, ?, ?, ? FROM investigation WHERE case_id = ?",
                (round_, node, at, text, case_id),
            )

        await self._database.write(insert)

    async def finish(self, answer: Answer, recheck_at: datetime | None, *, changed: str | None = None) -> None:
        """Keeps the answer. A re-check gives what `changed`; its answer replaces the earlier one."""
        text, at = dump_answer(answer), stamp(self._now())
        onset = answer.anchor.onset_at if answer.anchor else None

        def update(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE investigation SET answer_json = ?, answered_at = coalesce(answered_at, ?), onset_at = ?,"
                " verdict = ?, headline = ?, recheck_at = ?, rechecked_at = CASE WHEN ? THEN ? ELSE rechecked_at END,"
                " changed = coalesce(?, changed) WHERE case_id = ?",
                (
                    text,
                    at,
                    stamp_or_none(onset),
                    answer.verdict,
                    headline(answer),
                    stamp_or_none(recheck_at),
                    changed is not None,
                    at,
                    changed,
                    answer.case.id,
                ),
            )

        await self._database.write(update)

    async def postpone(self, case_id: str, until: datetime) -> None:
        """Puts the next look at a case off, after one that failed."""
        await self._database.write(
            lambda connection: connection.execute(
                "UPDATE investigation SET recheck_at = ? WHERE case_id = ?", (stamp(until), case_id)
            )
        )

    async def forget_nodes(self, case_id: str) -> None:
        """Drops the node results of a finished case, so that a re-check asks the sources again."""

        def delete(connection: sqlite3.Connection) -> None:
            connection.execute(
                "DELETE FROM investigation_node WHERE investigation IN"
                " (SELECT key FROM investigation WHERE case_id = ? AND answer_json IS NOT NULL)",
                (case_id,),
            )

        await self._database.write(delete)


class PastInvestigations:
    """Finished and interrupted investigations, read from the open database or a view of it."""

    def __init__(self, database: Readable) -> None:
        self._database = database

    async def recent(self, text: str = "", limit: int = 100) -> Sequence[PastInvestigation]:
        """The newest whose symbol, question, headline or change at a re-check holds `text`, whatever its case."""
        wanted = f"%{_escaped(text)}%"
        return await self._list(
            "WHERE symbol LIKE ? ESCAPE '\\' OR question LIKE ? ESCAPE '\\' OR headline LIKE ? ESCAPE '\\'"
            " OR changed LIKE ? ESCAPE '\\'"
            " ORDER BY asked_at DESC, key DESC LIMIT ?",
            (*(wanted,) * 4, limit),
        )

    async def one(self, case_id: str) -> PastInvestigation | None:
        """The line of a case; None for one that is not known."""
        return next(iter(await self._list("WHERE case_id = ?", (case_id,))), None)

    async def due(self, now: datetime) -> Sequence[PastInvestigation]:
        """Those whose next information has come out by `now`, the longest waiting first."""
        return await self._list("WHERE recheck_at IS NOT NULL AND recheck_at <= ? ORDER BY recheck_at", (stamp(now),))

    async def calls(self, case_id: str) -> tuple[ModelCall, ...]:
        """The model calls of a case, oldest first; empty where rules read."""
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(CALLS_OF_INVESTIGATION, (case_id,))
        return tuple(call_of(tuple(row)) for row in rows)

    async def answer(self, case_id: str) -> Answer | None:
        """The answer to a case; None where it has none or is not known."""
        async with self._database.read() as connection:
            rows = list(
                await connection.execute_fetchall("SELECT answer_json FROM investigation WHERE case_id = ?", (case_id,))
            )
        return load_answer(rows[0][0]) if rows and rows[0][0] is not None else None

    async def _list(self, condition: str, values: tuple[object, ...]) -> Sequence[PastInvestigation]:
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(f"SELECT {_COLUMNS} FROM investigation {condition}", values)
        return [
            PastInvestigation(
                case=load_case(row[0]),
                verdict=row[1],
                headline=row[2],
                onset_at=moment_or_none(row[3]),
                answered_at=moment_or_none(row[4]),
                recheck_at=moment_or_none(row[5]),
                rechecked_at=moment_or_none(row[6]),
                changed=row[7],
            )
            for row in rows
        ]


def headline(answer: Answer) -> str:
    """An answer in one line: the strongest hypothesis with its certainty, else what is not known."""
    if answer.hypotheses:
        best = answer.hypotheses[0]
        return f"{best.title}: {best.status}, {best.certainty}"
    if answer.anchor is None:
        return answer.notes[0] if answer.notes else "no price series"
    return "nothing on the checklist speaks for a cause" if answer.anchor.unusual else "no unusual move"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


_COLUMNS: Final = "case_json, verdict, headline, onset_at, answered_at, recheck_at, rechecked_at, changed"
