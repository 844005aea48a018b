"""One limiter: so many at once, urgent first, fair between items, and slower before the service says 429."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from time import perf_counter

import pytest

from agents.analysts.claude.rate import Limiter, Need
from tests.agents.analysts.claude.ledgers import office
from tests.agents.analysts.claude.test_call import a_brief
from tests.agents.builders import NOW
from tests.fakes.messages_api import MessagesApi

SMALL = Need(1_000, 500)


def headers(left: int, limit: int = 100, *, seconds: float = 10, kind: str = "requests") -> dict[str, str]:
    reset = (NOW + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")
    name = f"anthropic-ratelimit-{kind}"
    return {f"{name}-limit": str(limit), f"{name}-remaining": str(left), f"{name}-reset": reset}


class Line:
    """Whoever wants a turn, and in which order they got it."""

    def __init__(self, slots: int) -> None:
        self.limiter = Limiter(slots, lambda: NOW)
        self.order: list[str] = []
        self.go = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def want(self, name: str, item: str = "", *, urgent: bool = False) -> None:
        async def turn() -> None:
            async with self.limiter.turn(item or name, SMALL, urgent=urgent):
                self.order.append(name)
                await self.go.wait()

        self.tasks.append(asyncio.create_task(turn()))
        await asyncio.sleep(0)

    async def finish(self) -> list[str]:
        self.go.set()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        return self.order


@asynccontextmanager
async def line(slots: int) -> AsyncIterator[Line]:
    made = Line(slots)
    try:
        yield made
    finally:
        for task in made.tasks:
            task.cancel()
        await asyncio.gather(*made.tasks, return_exceptions=True)


async def test_no_more_than_the_slots_run_at_once() -> None:
    async with line(3) as waiting:
        for number in range(10):
            await waiting.want(str(number))
        await asyncio.sleep(0.01)
        assert waiting.order == ["0", "1", "2"]
        assert await waiting.finish() == [str(number) for number in range(10)]


async def test_the_urgent_go_first() -> None:
    async with line(1) as waiting:
        for name, urgent in (("running", False), ("quiet", False), ("flash", True)):
            await waiting.want(name, urgent=urgent)
        assert await waiting.finish() == ["running", "flash", "quiet"]


async def test_the_item_that_came_first_is_finished_first() -> None:
    async with line(1) as waiting:
        for name in ("a draft", "b draft", "c draft", "b revise", "a revise"):
            await waiting.want(name, name[0])
        assert await waiting.finish() == ["a draft", "a revise", "b draft", "b revise", "c draft"]


async def test_a_slot_is_kept_a_moment_for_the_agents_next_turn_and_no_longer() -> None:
    limiter, order = Limiter(1, lambda: NOW), []

    async def turn(name: str, agent: str, *, more: bool = False) -> None:
        async with limiter.turn("a", SMALL, agent=agent, more=more):
            order.append(name)

    await turn("draft", "MacroMind", more=True)
    other = asyncio.create_task(turn("other", "SectorScan"))
    await asyncio.sleep(0.01)
    await turn("revise", "MacroMind", more=True)
    assert order == ["draft", "revise"]
    begun = perf_counter()
    await other
    assert order == ["draft", "revise", "other"]
    assert perf_counter() - begun < 0.3


async def test_one_that_is_cancelled_while_it_waits_or_runs_leaves_its_place() -> None:
    async with line(1) as waiting:
        for name in ("running", "waiting", "next"):
            await waiting.want(name)
        waiting.tasks[1].cancel()
        waiting.tasks[0].cancel()
        await asyncio.sleep(0.01)
        assert waiting.order == ["running", "next"]


async def test_nobody_starts_with_nothing_left_until_the_window_ends() -> None:
    async with line(5) as waiting:
        waiting.limiter.learn(headers(0, seconds=0.1), SMALL)
        begun = perf_counter()
        await waiting.want("first")
        waiting.go.set()
        await waiting.tasks[0]
        assert 0.09 <= perf_counter() - begun < 0.3


@pytest.mark.parametrize(("kind", "left"), [("input-tokens", 999), ("output-tokens", 499), ("requests", 0)])
async def test_every_kind_of_limit_counts(kind: str, left: int) -> None:
    async with line(5) as waiting:
        waiting.limiter.learn(headers(left, 100_000, kind=kind), SMALL)
        await waiting.want("first")
        await asyncio.sleep(0.02)
        assert waiting.order == []


async def test_near_the_limit_the_starts_are_spread_over_what_is_left_of_the_window() -> None:
    async with line(10) as waiting:
        waiting.limiter.learn(headers(4, 100, seconds=0.4), SMALL)
        begun = perf_counter()
        times: list[float] = []
        waiting.go.set()
        for number in range(3):
            await waiting.want(str(number))
        for task in waiting.tasks:
            await task
            times.append(perf_counter() - begun)
        assert times[0] < 0.05
        assert times[1] - times[0] > 0.05
        assert times[2] < 0.45


async def test_far_from_the_limit_nobody_waits() -> None:
    async with line(10) as waiting:
        waiting.limiter.learn(headers(90), SMALL)
        for number in range(10):
            await waiting.want(str(number))
        assert len(waiting.order) == 10


async def test_calls_under_way_are_taken_off_what_the_service_says_is_left() -> None:
    async with line(10) as waiting:
        for number in range(3):
            await waiting.want(str(number))
        waiting.limiter.learn(headers(2, 100), SMALL)
        await waiting.want("late")
        await asyncio.sleep(0.02)
        assert "late" not in waiting.order, "two of the three are still not counted by the service"


@pytest.mark.parametrize(
    "odd",
    [
        {},
        headers(5) | {"anthropic-ratelimit-requests-remaining": "-1"},
        headers(5) | {"anthropic-ratelimit-requests-limit": "lots"},
        headers(0) | {"anthropic-ratelimit-requests-reset": "soon"},
        headers(0) | {"anthropic-ratelimit-requests-reset": "2026-03-10T18:30:00"},
    ],
)
async def test_what_is_unreadable_says_nothing(odd: dict[str, str]) -> None:
    async with line(5) as waiting:
        waiting.limiter.learn(odd, SMALL)
        await waiting.want("first")
        assert waiting.order == ["first"]


async def test_the_headers_of_real_answers_are_read() -> None:
    async with MessagesApi(headers=headers(0, seconds=0.3)) as api, office(api) as o:
        await o.analyst.draft("MacroMind", a_brief())
        begun = perf_counter()
        await o.analyst.draft("SectorScan", a_brief())
        assert perf_counter() - begun > 0.2
