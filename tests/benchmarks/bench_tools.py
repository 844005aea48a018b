"""The evidence tools on the loopback: gathering at once against one after the other, and what a burst costs.

python -m tests.benchmarks.bench_tools [DELAY_MS]
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from dataclasses import replace

from agents.gather import gather
from agents.specialists import SPECIALISTS
from agents.tools.protocol import Question
from tests.agents.builders import NOW, an_item
from tests.fakes.companies import NAMES
from tests.fakes.evidence import Sources, a_question, sources

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
    """Items on a few companies within a moment."""
    async with sources() as world:
        symbols = list(NAMES)
        questions = [
            Question(replace(an_item(f"{NAMES[symbol][0]} news {number}"), id=f"i{number}"), (symbol,), None, NOW)
            for number in range(items)
            for symbol in (symbols[number % len(symbols)],)
        ]
        began = time.perf_counter()
        await asyncio.gather(
            *(gather(one.tools, world.tools, question, 10.0) for question in questions for one in SPECIALISTS)
        )
        took = time.perf_counter() - began
        asked = Counter(one.path.split("/")[1] for one in world.server.requests())
        print(f"{items} items on {len(symbols)} companies: {took:.2f} s, {sum(asked.values())} requests in all")
        for source, count in asked.most_common(8):
            print(f"  {source:<18} {count:>4}")


if __name__ == "__main__":
    asyncio.run(gathering(float(sys.argv[1]) / 1000 if len(sys.argv) > 1 else 0.2))
    asyncio.run(burst(200))
