"""What each agent said of one revision of an item, with the evidence beneath it: rows of `report` and `evidence`."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from agents.models import Abstention, Evidence, Outcome, Report
from storage.connection import insert_rows, rows_among
from storage.encoding import (
    Row,
    dump,
    dump_assessment,
    dump_critique,
    dump_findings,
    load,
    load_assessment,
    load_critique,
    load_findings,
    moment,
    stamp,
    storable,
)

REPORT_COLUMNS: Final = (
    "report.id, report.agent, report.engine, report.model, report.elapsed_ms, report.cost_usd, report.cause,"
    " report.detail, report.confidence, report.draft, report.critique, report.final, report.dropped, report.held"
)
EVIDENCE_COLUMNS: Final = (
    "evidence.report, evidence.evidence_id, evidence.tool, evidence.status, evidence.source, evidence.url,"
    " evidence.fetched_at, evidence.elapsed_ms, evidence.detail, evidence.findings, evidence.raw"
)
REPORTS_OF: Final = f"SELECT {REPORT_COLUMNS} FROM report WHERE item = ? AND revision = ? ORDER BY id"
EVIDENCE_OF: Final = (
    f"SELECT {EVIDENCE_COLUMNS} FROM report JOIN evidence ON evidence.report = report.id"
    " WHERE report.item = ? AND report.revision = ? ORDER BY report.id, place"
)

_INTO_REPORT: Final = (
    "INSERT INTO report (id, item, revision, agent, engine, model, elapsed_ms, cost_usd, cause, detail, confidence,"
    " draft, critique, final, dropped, held)"
)
_INTO_EVIDENCE: Final = "INSERT INTO evidence"


def write_outcomes(connection: sqlite3.Connection, told: Sequence[tuple[int, int, Sequence[Outcome]]]) -> None:
    """Keeps outcomes, each with its item and revision; what an agent said of it before is replaced, its evidence with
    it."""
    items = [item for item, _, _ in told]
    landed = set(rows_among(connection, "SELECT DISTINCT item, revision FROM report WHERE item IN ({})", items))
    connection.executemany(
        "DELETE FROM report WHERE item = ? AND revision = ? AND agent = ?",
        [
            (item, revision, outcome.agent)
            for item, revision, outcomes in told
            if (item, revision) in landed
            for outcome in outcomes
        ],
    )
    (next_id,) = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM report").fetchone()
    flat = [(item, revision, outcome) for item, revision, outcomes in told for outcome in outcomes]
    numbered = list(enumerate(flat, next_id))
    insert_rows(
        connection,
        _INTO_REPORT,
        [(number, item, revision, *_report_values(outcome)) for number, (item, revision, outcome) in numbered],
    )
    evidence = [
        (number, place, *_evidence_values(one))
        for number, (_, _, outcome) in numbered
        for place, one in enumerate(outcome.evidence)
    ]
    insert_rows(connection, _INTO_EVIDENCE, evidence)


def outcomes_of(reports: Sequence[Row], evidence: Sequence[Row]) -> tuple[Outcome, ...]:
    """The outcomes of one revision, from REPORTS_OF and EVIDENCE_OF, in the order they were given."""
    found: dict[int, list[Evidence]] = defaultdict(list)
    for row in evidence:
        found[row[0]].append(_evidence_of(row))
    return tuple(_outcome_of(row, tuple(found[row[0]])) for row in reports)


def _report_values(outcome: Outcome) -> tuple[Any, ...]:
    if isinstance(outcome, Abstention):
        said: tuple[Any, ...] = (outcome.cause, storable(outcome.detail), None, None, None, None, "[]", "[]")
    else:
        said = (
            None,
            "",
            outcome.confidence_score,
            dump_assessment(outcome.draft),
            dump_critique(outcome.critique),
            None if outcome.final == outcome.draft else dump_assessment(outcome.final),
            dump(outcome.dropped_tickers) if outcome.dropped_tickers else "[]",
            dump(outcome.held) if outcome.held else "[]",
        )
    return (outcome.agent, outcome.engine, outcome.model, outcome.elapsed_ms, outcome.cost_usd, *said)


def _outcome_of(row: Row, evidence: tuple[Evidence, ...]) -> Outcome:
    _, agent, engine, model, elapsed_ms, cost_usd, cause, detail, confidence, draft_text, critique, final, *lists = row
    if cause is not None:
        return Abstention(agent, cause, detail, engine, evidence, model, elapsed_ms, cost_usd)
    draft = load_assessment(draft_text)
    return Report(
        agent=agent,
        draft=draft,
        critique=load_critique(critique),
        final=draft if final is None else load_assessment(final),
        confidence_score=confidence,
        evidence=evidence,
        engine=engine,
        model=model,
        dropped_tickers=tuple(load(lists[0])),
        elapsed_ms=elapsed_ms,
        cost_usd=cost_usd,
        held=tuple(load(lists[1])),
    )


def _evidence_values(one: Evidence) -> tuple[Any, ...]:
    return (
        one.id,
        one.tool,
        one.status,
        storable(one.source),
        storable(one.url),
        stamp(one.fetched_at),
        one.elapsed_ms,
        storable(one.detail),
        dump_findings(one.items),
        storable(one.raw),
    )


def _evidence_of(row: Row) -> Evidence:
    _, evidence_id, tool, status, source, url, fetched_at, elapsed_ms, detail, findings, raw = row
    return Evidence(
        id=evidence_id,
        tool=tool,
        status=status,
        source=source,
        fetched_at=moment(fetched_at),
        url=url,
        items=load_findings(findings),
        detail=detail,
        raw=raw,
        elapsed_ms=elapsed_ms,
    )
