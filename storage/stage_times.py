"""How long each stage of the newest items took, and what their models cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from agents.models import AGENT_NAMES, AgentName, EvidenceStatus, ToolName
from storage.readers import Readable

NEWEST: Final = 500
"""So many of the newest scored items are looked at, whatever the history holds."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A sample of durations in milliseconds. Percentiles are of values that occurred; None where `n` is 0."""

    n: int = 0
    p50_ms: float | None = None
    p95_ms: float | None = None
    max_ms: float | None = None


@dataclass(frozen=True, slots=True)
class AgentTimes:
    """One agent: how long it took with everything in it, how often it abstained, what it cost in USD."""

    agent: AgentName
    taken: Taken
    abstained: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class ToolTimes:
    """One tool: how long its answers took and how many there were of each status."""

    tool: ToolName
    taken: Taken
    statuses: dict[EvidenceStatus, int]


@dataclass(frozen=True, slots=True)
class CallTimes:
    """The calls to one model in one stage; calls answered from the cache are counted apart and cost nothing."""

    model: str
    stage: str
    taken: Taken
    cached: int
    failed: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class StageTimes:
    """The newest items stage by stage.

    `publishing` is from the publisher's own time, where that is exact and not in doubt, to the first sight; what a feed
    held already when it was first read is left out. `scoring` is from first sight to the score on the card.
    """

    items: int = 0
    publishing: Taken = field(default_factory=Taken)
    scoring: Taken = field(default_factory=Taken)
    agents: tuple[AgentTimes, ...] = ()
    tools: tuple[ToolTimes, ...] = ()
    calls: tuple[CallTimes, ...] = ()


async def stage_times(database: Readable, *, newest: int = NEWEST) -> StageTimes:
    """The stages of the newest items that have a score."""
    async with database.read() as connection:
        found = [
            [tuple(row) for row in await connection.execute_fetchall(sql, (newest,))]
            for sql in (_ITEMS, _REPORTS, _EVIDENCE, _CALLS)
        ]
    items, reports, evidence, calls = found
    published = [(seen - at) / 1000 for at, seen, _ in items if at is not None and seen >= at]
    return StageTimes(
        items=len(items),
        publishing=taken(published),
        scoring=taken([(scored - seen) / 1000 for _, seen, scored in items if scored >= seen]),
        agents=tuple(_agent(name, [row for row in reports if row[0] == name]) for name in AGENT_NAMES) if items else (),
        tools=_tools(evidence),
        calls=_calls(calls),
    )


def taken(durations: Sequence[float]) -> Taken:
    """The sample of some durations in milliseconds."""
    if not durations:
        return Taken()
    ordered = sorted(durations)
    last = len(ordered) - 1
    return Taken(len(ordered), ordered[last // 2], ordered[-(-last * 95 // 100)], ordered[-1])


def _agent(name: AgentName, rows: Sequence[Any]) -> AgentTimes:
    costs = [cost for _, _, _, cost in rows if cost is not None]
    return AgentTimes(
        name,
        taken([elapsed for _, elapsed, cause, _ in rows if cause is None]),
        sum(cause is not None for _, _, cause, _ in rows),
        sum(costs) if costs else None,
    )


def _tools(rows: Sequence[Any]) -> tuple[ToolTimes, ...]:
    times: dict[ToolName, list[float]] = defaultdict(list)
    statuses: dict[ToolName, dict[EvidenceStatus, int]] = defaultdict(dict)
    for tool, status, elapsed in rows:
        if status != "not_configured":
            times[tool].append(elapsed)
        statuses[tool][status] = statuses[tool].get(status, 0) + 1
    made = [ToolTimes(tool, taken(times[tool]), found) for tool, found in statuses.items()]
    return tuple(sorted(made, key=lambda one: (-(one.taken.p95_ms or 0.0), one.tool)))


def _calls(rows: Sequence[Any]) -> tuple[CallTimes, ...]:
    groups: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for model, stage, *rest in rows:
        groups[model, stage].append(rest)
    made = []
    for (model, stage), some in sorted(groups.items()):
        asked = [row for row in some if not row[4]]
        costs = [row[3] for row in asked if row[3] is not None]
        made.append(
            CallTimes(
                model,
                stage,
                taken([row[0] for row in asked]),
                len(some) - len(asked),
                sum(row[5] is not None for row in asked),
                sum(row[1] for row in asked),
                sum(row[2] for row in asked),
                sum(costs) / 1e9 if costs else None,
            )
        )
    return tuple(made)


_NEWEST: Final = (
    "(SELECT item, revision FROM scoring WHERE revision IS NOT NULL AND state = 'scored' ORDER BY item DESC LIMIT ?)"
    " AS newest"
)
_ITEMS: Final = (
    "SELECT iif(doubt IS NULL AND backlog = 0 AND precision IN ('second', 'minute'), published_at, NULL),"
    f" first_seen_at, signal.scored_at FROM {_NEWEST} JOIN item ON item.id = newest.item"
    " JOIN signal ON signal.item = newest.item AND signal.revision = newest.revision WHERE newest.revision = 0"
)
_OF_NEWEST: Final = f"FROM {_NEWEST} JOIN report ON report.item = newest.item AND report.revision = newest.revision"
_REPORTS: Final = f"SELECT report.agent, report.elapsed_ms, report.cause, report.cost_usd {_OF_NEWEST}"
_EVIDENCE: Final = (
    f"SELECT evidence.tool, evidence.status, evidence.elapsed_ms {_OF_NEWEST}"
    " JOIN evidence ON evidence.report = report.id"
)
_CALLS: Final = (
    "SELECT call.model, call.stage, call.elapsed_ms, call.input_tokens, call.output_tokens, call.cost_nano,"
    f" call.cached, call.cause FROM {_NEWEST} JOIN call ON call.item = newest.item AND call.revision = newest.revision"
)
