"""The evidence tools on the loopback: gathering at once against one after the other, and what a burst costs.

python -m tests.benchmarks.bench_tools [DELAY_MS]
"""

from __future__ import annotations

import asyncio
import sys
import time

from agents.gather import gather
from agents.specialists import SPECIALISTS
from agents.tools.asking.catalogue import SOURCES
from agents.tools.protocol import Question
from feeds.symbols.table import SymbolTable
from tests.fakes.burst import COMPANIES, burst_of
from tests.fakes.evidence import Sources, a_question, sources
from tests.fakes.feed_server import reply

LATER_S = 1_000_000.0


async def alone(world: Sources, question: Question) -> dict[str, float]:
    """How long each tool takes by itself, with nothing remembered."""
    took: dict[str, float] = {}
    for specialist in SPECIALISTS:
        for name in specialist.tools:
            world.clock.seconds += LATER_S
            began = time.perf_counter()
            await gather((name,), world.tools, question, 10.0)
            took[name] = time.perf_counter() - began
    return took


async def at_once(world: Sources, question: Question) -> float:
    """How long all five agents take together."""
    world.clock.seconds += LATER_S
    began = time.perf_counter()
    await asyncio.gather(*(gather(one.tools, world.tools, question, 10.0) for one in SPECIALISTS))
    return time.perf_counter() - began


async def gathering(delay_s: float) -> None:
    question = a_question("Fed raises interest rates; US sanctions Nvidia supplier", event="sanctions")
    async with sources() as world:
        await at_once(world, question)  # opens the connections
        world.server.latency_s = delay_s
        took = await alone(world, question)
        slowest = max(took, key=lambda name: took[name])
        together = sorted([await at_once(world, question) for _ in range(3)])[1]
        again = time.perf_counter()
        await asyncio.gather(*(gather(one.tools, world.tools, question, 10.0) for one in SPECIALISTS))
        again = time.perf_counter() - again
        print(f"sixteen tools, sources answer after {delay_s * 1000:.0f} ms")
        print(f"  one after the other      {sum(took.values()):6.3f} s")
        print(f"  the slowest alone        {took[slowest]:6.3f} s  ({slowest})")
        print(f"  all five agents at once  {together:6.3f} s  ({together / took[slowest]:.2f} x the slowest)")
        print(f"  the same item again      {again:6.3f} s  (nothing is asked)")


async def burst(items: int) -> None:
    """Items on twenty companies within a moment: what each source is asked, and how long it takes at its interval."""
    async with sources(table=SymbolTable.load()) as world:
        world.server.script("*", reply(404, b'{"response": {"status": 404}}'))
        began = time.perf_counter()
        await asyncio.gather(
            *(gather(one.tools, world.tools, question, 10.0) for question in burst_of(items) for one in SPECIALISTS)
        )
        took = time.perf_counter() - began
        total = len(world.server.requests())
        print(f"{items} items on {len(COMPANIES)} companies: {took:.2f} s, {total} requests in all")
        print(f"  {'source':<18} {'calls':>6} {'an item':>8} {'at its interval':>16}  limit")
        for name, info in SOURCES.items():
            if count := world.asked(name):
                limit = f"  {info.allowance.most} per {info.allowance.per}" if info.allowance else ""
                print(f"  {name:<18} {count:>6} {count / items:>8.2f} {count * info.interval_s:>14.1f} s{limit}")


if __name__ == "__main__":
    asyncio.run(gathering(float(sys.argv[1]) / 1000 if len(sys.argv) > 1 else 0.2))
    asyncio.run(burst(200))
