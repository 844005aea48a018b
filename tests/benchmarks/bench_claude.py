"""What the claude analyst adds to the model's own time, through the real SDK to a server in a process of its own.

Ideal is the model's time alone: draft and revision one after the other for one item; for many items all calls spread
evenly over the slots. Accounts are real: money reserved and settled, replies cached, in SQLite files.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from math import ceil
from pathlib import Path
from time import perf_counter, process_time

from agents.analysts.claude.analyst import ClaudeAnalyst
from agents.analysts.claude.call import Caller, Settings
from agents.analysts.claude.prices import PRICES
from agents.analysts.claude.rate import Limiter
from agents.analysts.claude.transport import Connection, Transport
from agents.budget import NANO
from agents.desk import Desk
from agents.models import AGENT_NAMES
from agents.report import Deadlines
from app.lines.in_order import in_order
from storage.cache import Replies
from storage.usage import SpendLedger
from storage.usage_file import UsageFile
from tests.agents.builders import NOW, an_item
from tests.fakes.companies import Companies

MODEL = "claude-haiku-5-5"
STAGES = 2


@asynccontextmanager
async def served(seconds: float) -> AsyncIterator[tuple[str, str]]:
    """A model that takes `seconds`, in a process of its own: its address and key."""
    arguments = ("-m", "tests.fakes.messages_api", "--mood", "slow", "--quick", "--seconds", str(seconds))
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdout=asyncio.subprocess.PIPE, env={**os.environ, "PYTHONWARNINGS": "ignore"}
    )
    assert process.stdout is not None
    said = json.loads(await process.stdout.readline())
    try:
        yield said["url"], said["key"]
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def desk(url: str, key: str, slots: int) -> AsyncIterator[Desk]:
    """A desk with the claude analyst and real accounts."""
    transport = Transport(Connection(key, url))
    with tempfile.TemporaryDirectory() as folder:
        async with UsageFile.open(Path(folder) / "usage.db", now=NOW) as file:
            ledger = SpendLedger(file)
            settings = Settings(
                models=dict.fromkeys(AGENT_NAMES, MODEL),
                prices=PRICES,
                cap_nano=100 * NANO,
                max_extra_calls=2,
                now=lambda: datetime.now(UTC),
                today=lambda: NOW.date(),
            )
            caller = Caller(transport, Limiter(slots, settings.now), ledger, settings, cache=Replies(file))
            analyst = ClaudeAnalyst(caller, ledger, MODEL)
            await analyst.prepare()
            yield Desk(analyst, {}, Companies(), {}, deadlines=Deadlines(call_s=300))
    await transport.close()


async def one_item(seconds: float) -> None:
    """One item alone: how much longer than its slowest agent."""
    async with served(seconds) as (url, key), desk(url, key, 10) as examined:
        await examined.judge(an_item("Nvidia opens a warehouse"), now=NOW)
        begun = perf_counter()
        signal = await examined.judge(an_item("Nvidia opens a plant"), now=NOW)
        wall, ideal = perf_counter() - begun, STAGES * seconds
        limit = 1.05 * ideal + 0.05
        print(f"five agents, draft and revision of {seconds:g} s  {wall:6.3f} s, ideal {ideal:.2f} (limit {limit:.2f})")
        assert signal.synthesis is not None


async def many_items(items: int, seconds: float, slots: int) -> None:
    """Many items at once: how far from the ideal schedule, and what a call costs in processor time."""
    async with served(seconds) as (url, key), desk(url, key, slots) as examined:
        calls = items * len(AGENT_NAMES) * STAGES
        ideal = ceil(calls / slots) * seconds
        given = [replace(an_item(f"Nvidia opens plant {number}"), id=f"i{number}") for number in range(items)]
        begun, used = perf_counter(), process_time()
        at_once = slots // len(AGENT_NAMES) + 2
        done = [
            signal
            async for signal in in_order(given, lambda item: examined.judge(item, now=NOW), at_once)
            if signal.synthesis
        ]
        wall, used = perf_counter() - begun, process_time() - used
        print(
            f"{len(done)} items, {slots} calls in flight, model of {seconds:g} s  {wall:6.2f} s, ideal {ideal:.2f},"
            f" ratio {wall / ideal:.3f} (limit 1.05); {used / calls * 1000:.1f} ms of processor a call"
        )


async def main() -> None:
    await one_item(1.0)
    await many_items(50, 3.0, 50)
    await many_items(50, 0.5, 10)


if __name__ == "__main__":
    asyncio.run(main())
