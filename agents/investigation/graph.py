"""The fixed graph: Timeline, three collectors at once, Adjudicator, and one conditional edge back to Primary Source.

Each node's result is kept as a row the moment it is there, so that an interrupted run goes on with what is missing. A
node that fails is tried again alone; its siblings' results stay. The order and the end are code.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Protocol, TypeVar

from agents.investigation import adjudicator
from agents.investigation.bound import Caps, NodeMeter
from agents.investigation.errors import BoundReached, NodeFailed, NoReading, NoSeries, Unread
from agents.investigation.models import Case, Collector, Coverage, Gathered, Judged, Sighted
from agents.investigation.ports import NodeEvent, NodeResult, Opinion, Rows, Thinker, Watcher
from agents.investigation.state import State

TIMELINE: Final = "Timeline"
ADJUDICATOR: Final = "Adjudicator"
NODES: Final = (TIMELINE, "PrimarySource", "MarketStructure", "Narrative", ADJUDICATOR)

Result = TypeVar("Result", bound=NodeResult)


class CollectorNode(Protocol):
    """One of the three collectors."""

    async def gather(self, state: State, round_: int, meter: NodeMeter) -> Gathered: ...


@dataclass(frozen=True, slots=True)
class Graph:
    """The nodes of one investigation and its limits. `exhaustive`: the primary sources gave all they have at once."""

    see: Callable[[Case, NodeMeter], Awaitable[Sighted]]
    collectors: Mapping[Collector, CollectorNode]
    thinker: Thinker
    caps: Caps
    rows: Rows
    exhaustive: bool
    watch: Watcher = lambda event: None

    async def run(self, case: Case, now: Callable[[], datetime]) -> State:
        """Runs what is missing and returns the whole state. Raises NoSeries where there is no move to look into."""
        done = dict(await self.rows.results(case.id))
        sighted = await self._node(case, TIMELINE, 1, done, lambda meter: self.see(case, meter), Sighted)
        state = State(case, sighted)
        for round_ in range(1, self.caps.rounds + 1):
            state = await self._collect(state, round_, done)
            state = await self._adjudicate(state, round_, done, now)
            if not state.judged[-1].retry:
                break
        return state

    async def _collect(self, state: State, round_: int, done: Mapping[tuple[str, int], NodeResult]) -> State:
        """The collectors of a round at once: all three first, only Primary Source on the way back."""
        roles = [role for role in self.collectors if round_ == 1 or role == "PrimarySource"]

        async def one(role: Collector) -> Gathered:
            node = self.collectors[role]
            try:
                return await self._node(
                    state.case, role, round_, done, lambda meter: node.gather(state, round_, meter), Gathered
                )
            except NodeFailed as error:
                return _of_failed(role, round_, error)

        results = await asyncio.gather(*(one(role) for role in roles), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result  # the siblings have ended and their results are kept
        gathered = tuple(result for result in results if isinstance(result, Gathered))
        return replace(state, gathered=(*state.gathered, *gathered))

    async def _adjudicate(
        self, state: State, round_: int, done: Mapping[tuple[str, int], NodeResult], now: Callable[[], datetime]
    ) -> State:
        async def decide(meter: NodeMeter) -> Judged:
            judged = Judged(round_, adjudicator.judge(state, round_, now()), retry=False)
            reason = ""
            if round_ < self.caps.rounds:
                reason = adjudicator.cheap_upgrade(state, judged, exhaustive=self.exhaustive)
            opinion, cut = await self._opinion(state, judged, reason, meter)
            if opinion.refuting:
                judged = replace(judged, hypotheses=adjudicator.judge(state, round_, now(), opinion.refuting))
            reason = reason if opinion.another_look else ""
            return replace(
                judged,
                retry=bool(reason),
                reason=reason,
                model_calls=meter.model_calls,
                refuting=opinion.refuting,
                cut=cut,
                tokens=meter.tokens,
                nano=meter.nano,
                dropped=tuple(one.why for one in opinion.refused),
            )

        judged = await self._node(state.case, ADJUDICATOR, round_, done, decide, Judged)
        return replace(state, judged=(*state.judged, judged))

    async def _opinion(self, state: State, judged: Judged, reason: str, meter: NodeMeter) -> tuple[Opinion, str]:
        """What the engine says of the round, and why it says nothing: then no more is spent on another look."""
        try:
            return await self.thinker.second_reading(state, judged, reason, meter), ""
        except (BoundReached, NoReading) as error:
            return Opinion(another_look=False), f"no second reading by {self.thinker.engine}: {error}"

    async def _node(
        self,
        case: Case,
        name: str,
        round_: int,
        done: Mapping[tuple[str, int], NodeResult],
        work: Callable[[NodeMeter], Awaitable[Result]],
        kind: type[Result],
    ) -> Result:
        """The node's kept result, or its work, tried again alone where it fails."""
        kept = done.get((name, round_))
        if isinstance(kept, kind):
            self.watch(NodeEvent(name, round_, "kept"))
            return kept
        meter = NodeMeter(self._share(name), round_)
        for attempt in range(1, self.caps.node_attempts + 1):
            self.watch(NodeEvent(name, round_, "running", "" if attempt == 1 else f"attempt {attempt}"))
            try:
                result = await work(meter)
            except NoSeries as error:
                self.watch(NodeEvent(name, round_, "failed", str(error), meter.calls))
                raise
            except Exception as error:  # any fault of a node is the node's: it is tried again, then named
                self.watch(NodeEvent(name, round_, "failed", str(error), meter.calls))
                if attempt == self.caps.node_attempts:
                    said = f"{name} failed {attempt} times: {error}"
                    raise NodeFailed(said, meter.source_calls, meter.model_calls, meter.tokens, meter.nano) from error
                continue
            await self.rows.keep(case.id, name, round_, result)
            self.watch(NodeEvent(name, round_, "done", _said(result), meter.calls))
            return result
        raise AssertionError("a node has at least one attempt")

    def _share(self, name: str) -> Caps:
        """The caps of one node: the Adjudicator asks no source and may make one model call."""
        if name == ADJUDICATOR:
            return replace(self.caps, source_calls=0, model_calls=1 if self.caps.model_calls else 0)
        return self.caps if name != TIMELINE else replace(self.caps, model_calls=0)


def _of_failed(role: Collector, round_: int, error: NodeFailed) -> Gathered:
    """What is left of a collector that failed: what it brought where only its reading failed, else that it is down."""
    line = Coverage(role, role, "down", str(error))
    left = Gathered(role, round_, (), (line,), cut=str(error))
    if isinstance(error.__cause__, Unread):
        left = error.__cause__.gathered
    return replace(
        left,
        source_calls=error.source_calls,
        model_calls=error.model_calls,
        tokens=error.tokens,
        nano=error.nano,
    )


def _said(result: NodeResult) -> str:
    """A node's result in a few words."""
    if isinstance(result, Sighted):
        return f"{result.anchor.change_pct:+.2f}% at {result.anchor.onset_at:%Y-%m-%d %H:%M} UTC"
    if isinstance(result, Gathered):
        found = sum(line.state == "found" for line in result.coverage)
        said = f"{len(result.evidence)} evidence, {found} of {len(result.coverage)} sources found something"
        return f"{said}; {result.cut}" if result.cut else said
    return f"{len(result.hypotheses)} hypotheses" + (f", once more: {result.reason}" if result.retry else "")
