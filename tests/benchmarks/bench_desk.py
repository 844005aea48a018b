"""What the desk costs: per item beside the analyst, and the wall time of five agents beside the slowest."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from statistics import median
from time import perf_counter

from agents.analysts.protocol import Brief
from agents.desk import Desk
from agents.models import AgentName, Assessment
from agents.tools import build_tools
from tests.agents.builders import NOW, a_link, an_assessment, an_item
from tests.fakes.analysts import GoodAnalyst
from tests.fakes.companies import Companies

ITEM = an_item("Nvidia opens a plant")
MODEL_S = 1.0
ROUNDS, ITEMS = 5, 500


class AtOnce(GoodAnalyst):
    """Answers at once and keeps no record, so that only the desk is measured."""

    async def draft(self, agent: AgentName, brief: Brief) -> Assessment:
        return self.says


class OneSecond(AtOnce):
    """A model that takes `MODEL_S` to draft."""

    async def draft(self, agent: AgentName, brief: Brief) -> Assessment:
        await asyncio.sleep(MODEL_S)
        return self.says


async def microseconds(call: Callable[[], Awaitable[object]]) -> float:
    """The median over the rounds of the mean time of one call."""
    rounds = []
    for _ in range(ROUNDS):
        started = perf_counter()
        for _ in range(ITEMS):
            await call()
        rounds.append((perf_counter() - started) / ITEMS * 1e6)
    return median(rounds)


async def main() -> None:
    says = an_assessment(0.6, links=[a_link("NVDA")])
    bare = Desk(AtOnce(says=says), {}, Companies(), {})
    tooled = Desk(AtOnce(says=says), build_tools(None, Companies()), Companies(), {})
    slow = Desk(OneSecond(says=says), {}, Companies(), {})
    print(f"desk, five agents, no tools        {await microseconds(lambda: bare.judge(ITEM, now=NOW)):7.0f} µs an item")
    print(
        f"desk, five agents, tools at hand   {await microseconds(lambda: tooled.judge(ITEM, now=NOW)):7.0f} µs an item"
    )
    started = perf_counter()
    await slow.judge(ITEM, now=NOW)
    wall = perf_counter() - started
    print(f"five agents, a model of {MODEL_S:.0f} s        {wall:7.3f} s (limit {1.05 * MODEL_S + 0.05:.3f} s)")


if __name__ == "__main__":
    asyncio.run(main())
