from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from agents.investigation.answer import answer_of, used, without_series
from agents.investigation.bound import Caps, NodeMeter
from agents.investigation.errors import InvestigationError, NoSeries
from agents.investigation.graph import Graph
from agents.investigation.memory_rows import MemoryRows
from agents.investigation.models import (
    COLLECTORS,
    Case,
    Collector,
    Coverage,
    CoverageState,
    Evidence,
    Gathered,
    Sighted,
)
from agents.investigation.ports import NodeEvent, Rows, Thinker
from agents.investigation.state import State
from tests.agents.investigation.builders import NOW, a_case, a_sighting, an_evidence
from tests.agents.investigation.worlds import Echo, Endless

CASE = a_case()


@dataclass
class Node:
    """A collector that returns what it is told to, may fail first, and remembers when it ran."""

    role: Collector
    evidence: Sequence[Evidence] = ()
    state: CoverageState = "nothing"
    failures: int = 0
    delay_s: float = 0.0
    rounds: list[int] = field(default_factory=list)

    async def gather(self, state: State, round_: int, meter: NodeMeter) -> Gathered:
        self.rounds.append(round_)
        meter.source_call()
        await asyncio.sleep(self.delay_s)
        if len(self.rounds) <= self.failures:
            raise RuntimeError("lost its way")
        line = Coverage(self.role, f"{self.role} source", self.state, "")
        return Gathered(self.role, round_, tuple(self.evidence), (line,), source_calls=meter.source_calls)


@dataclass
class World:
    """A graph over three such collectors."""

    nodes: dict[Collector, Node] = field(default_factory=lambda: {role: Node(role) for role in COLLECTORS})
    rows: Rows = field(default_factory=MemoryRows)
    caps: Caps = field(default_factory=Caps)
    thinker: Thinker = field(default_factory=Echo)
    exhaustive: bool = True
    seen: int = 0
    events: list[NodeEvent] = field(default_factory=list)

    async def see(self, case: Case, meter: NodeMeter) -> Sighted:
        self.seen += 1
        meter.source_call()
        return a_sighting()

    async def run(self) -> State:
        graph = Graph(self.see, self.nodes, self.thinker, self.caps, self.rows, self.exhaustive, self.events.append)
        return await graph.run(CASE, lambda: NOW)


async def test_three_collectors_run_at_once_and_the_adjudicator_waits_for_all() -> None:
    world = World()
    for node in world.nodes.values():
        node.delay_s = 0.1
    started = time.monotonic()
    state = await world.run()
    assert time.monotonic() - started < 0.25
    assert [one.collector for one in state.gathered] == list(COLLECTORS)
    done = [event.node for event in world.events if event.state == "done"]
    assert (done[0], done[-1]) == ("Timeline", "Adjudicator")


async def test_a_node_that_fails_is_tried_again_alone() -> None:
    world = World()
    world.nodes["Narrative"].failures = 1
    await world.run()
    assert {role: len(node.rounds) for role, node in world.nodes.items()} == {
        "PrimarySource": 1,
        "MarketStructure": 1,
        "Narrative": 2,
    }


async def test_a_node_that_keeps_failing_is_down_and_its_siblings_results_stay() -> None:
    world = World()
    world.nodes["Narrative"].failures = 9
    world.nodes["PrimarySource"].evidence = [an_evidence("A", "overlap")]
    state = await world.run()
    answer = answer_of(state, world.caps)
    assert answer.verdict == "cause_found"
    down = next(line for line in answer.coverage if line.state == "down")
    assert down.source == "Narrative"
    assert "failed 2 times: lost its way" in down.detail
    assert ("Narrative", 1) not in await world.rows.results(CASE.id)


@pytest.mark.parametrize("role", COLLECTORS)
async def test_each_source_that_is_down_turns_nothing_found_into_unknown_and_is_named(role: Collector) -> None:
    world = World()
    world.nodes[role].state = "down"
    answer = answer_of(await world.run(), world.caps)
    assert (answer.verdict, answer.unknown_because) == ("unknown", (f"{role} source",))


async def test_all_healthy_and_nothing_found_is_no_public_cause() -> None:
    world = World()
    answer = answer_of(await world.run(), world.caps)
    assert (answer.verdict, answer.unknown_because) == ("no_public_cause", ())


async def test_a_cause_found_is_found_though_a_source_was_down() -> None:
    world = World()
    world.nodes["Narrative"].state = "down"
    world.nodes["PrimarySource"].evidence = [an_evidence("A", "overlap")]
    answer = answer_of(await world.run(), world.caps)
    assert (answer.verdict, answer.unknown_because) == ("cause_found", ())


async def test_one_more_round_goes_to_primary_source_alone_and_never_a_third() -> None:
    world = World(exhaustive=False)
    world.nodes["Narrative"].evidence = [an_evidence("C", "overlap")]
    world.nodes["PrimarySource"].state = "down"
    state = await world.run()
    assert state.rounds == 2
    assert world.nodes["PrimarySource"].rounds == [1, 2]
    assert world.nodes["MarketStructure"].rounds == [1]
    assert [one.retry for one in state.judged] == [True, False]


async def test_a_model_may_say_that_another_look_is_idle() -> None:
    world = World(exhaustive=False, thinker=Echo(worth=False))
    world.nodes["Narrative"].evidence = [an_evidence("C", "overlap")]
    assert (await world.run()).rounds == 1


async def test_a_model_that_never_stops_asking_is_cut_and_the_work_ends() -> None:
    world = World(exhaustive=False, thinker=Endless(), caps=Caps(model_calls=3))
    world.nodes["Narrative"].evidence = [an_evidence("C", "overlap")]
    state = await world.run()
    assert state.rounds == 1
    assert used(state).calls <= world.caps.worst_case().calls


class Killed(BaseException):
    """The end of the process."""


@dataclass
class Dying:
    """Rows of a process that dies once `lives` results are kept."""

    kept: MemoryRows
    lives: int

    async def results(self, case_id: str) -> Mapping[tuple[str, int], object]:
        return await self.kept.results(case_id)

    async def keep(self, case_id: str, node: str, round_: int, result: object) -> None:
        if self.lives <= 0:
            raise Killed
        self.lives -= 1
        await self.kept.keep(case_id, node, round_, result)  # type: ignore[arg-type]


@pytest.mark.parametrize("lives", [1, 2, 3, 4])
async def test_an_interrupted_run_re_runs_only_what_is_missing(lives: int) -> None:
    kept = MemoryRows()
    first = World(rows=Dying(kept, lives))  # type: ignore[arg-type]
    with pytest.raises(Killed):
        await first.run()
    held = set(await kept.results(CASE.id))
    assert len(held) == lives
    second = World(rows=kept)
    state = await second.run()
    assert state.rounds == 1
    assert second.seen == (("Timeline", 1) not in held)
    for role, node in second.nodes.items():
        assert len(node.rounds) == ((role, 1) not in held)
    assert {event.node for event in second.events if event.state == "kept"} == {name for name, _ in held}


async def test_parallel_nodes_never_overwrite_each_others_evidence() -> None:
    world = World()
    for role, key in zip(COLLECTORS, "abc", strict=True):
        world.nodes[role].evidence = [an_evidence(record=key)]
    state = await world.run()
    assert sorted(one.record for one in state.evidence) == ["a", "b", "c"]


CALLS = list(itertools.product([0, 1, 9], [True, False], ["nothing", "down", "found"]))


@pytest.mark.parametrize(("failures", "exhaustive", "coverage"), CALLS)
async def test_no_run_uses_more_than_the_worst_case(failures: int, exhaustive: bool, coverage: CoverageState) -> None:
    world = World(exhaustive=exhaustive)
    for node in world.nodes.values():
        node.failures, node.state = failures, coverage
        node.evidence = [an_evidence("C", "overlap")]
    state = await world.run()
    made = 1 + sum(len(node.rounds) for node in world.nodes.values())
    assert used(state).calls == made
    assert made <= world.caps.worst_case().calls


async def test_without_a_series_it_says_so_and_stops() -> None:
    world = World()

    async def nothing(case: Case, meter: NodeMeter) -> Sighted:
        raise NoSeries("USDJPY: no price series")

    graph = Graph(nothing, world.nodes, world.thinker, world.caps, world.rows, True)
    with pytest.raises(NoSeries):
        await graph.run(CASE, lambda: NOW)
    assert all(not node.rounds for node in world.nodes.values())
    answer = without_series(CASE, world.caps, "USDJPY: no price series")
    assert (answer.verdict, answer.unknown_because, answer.anchor) == ("unknown", ("price series",), None)


async def test_a_timeline_that_breaks_ends_the_run_after_its_attempts() -> None:
    world = World()
    tries = []

    async def broken(case: Case, meter: NodeMeter) -> Sighted:
        tries.append(1)
        raise RuntimeError("lost its way")

    graph = Graph(broken, world.nodes, world.thinker, world.caps, world.rows, True)
    with pytest.raises(InvestigationError, match="Timeline failed 2 times"):
        await graph.run(CASE, lambda: NOW)
    assert len(tries) == world.caps.node_attempts


def test_the_worst_case_is_the_product_of_the_caps() -> None:
    caps = Caps(source_calls=10, model_calls=4, rounds=2, input_tokens=1000, output_tokens=100, usd_in=1.0, usd_out=5.0)
    bound = caps.worst_case()
    assert bound.calls == 3 * (10 + 4) * 2 + 2 + 10
    assert bound.tokens == (3 * 4 * 2 + 2) * 1100
    assert bound.usd == pytest.approx((3 * 4 * 2 + 2) * (1000 * 1.0 + 100 * 5.0) / 1e6)
    assert "= 96 calls" in caps.formula()
    assert replace(caps, model_calls=0).worst_case().tokens == 0
