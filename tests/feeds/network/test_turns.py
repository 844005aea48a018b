"""One request per host at a time, a distance between two, and pauses that count for the whole host."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from feeds.errors import HttpStatus
from feeds.network.turns import HostTurns


class Seconds:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def test_one_at_a_time_per_host_in_the_order_of_asking() -> None:
    turns, running, order = HostTurns(), {"a": 0, "b": 0}, []

    async def ask(host: str, number: int) -> None:
        async with turns.turn(host):
            running[host] += 1
            assert running[host] == 1
            order.append((host, number))
            await asyncio.sleep(0.002)
            running[host] -= 1

    await asyncio.gather(*(ask(host, number) for number in range(5) for host in ("a", "b")))
    assert [number for host, number in order if host == "a"] == [0, 1, 2, 3, 4]
    assert {host for host, _ in order[:2]} == {"a", "b"}, "hosts do not wait for each other"


async def test_the_distance_is_between_the_beginnings() -> None:
    turns, loop = HostTurns(), asyncio.get_running_loop()
    began = []
    for _ in range(3):
        async with turns.turn("a", 0.05):
            began.append(loop.time())
    assert [later - earlier >= 0.049 for earlier, later in pairwise(began)] == [True, True]
    async with turns.turn("b", 5.0):
        pass
    async with asyncio.timeout(1.0), turns.turn("b"):
        pass  # who asks for no distance keeps none


async def test_a_pause_holds_everyone_off_and_ends() -> None:
    clock = Seconds()
    turns = HostTurns(clock)
    turns.pause("a", 120.0)
    turns.pause("a", 5.0)
    for left in (120.0, 1.0):
        clock.now = 1120.0 - left
        with pytest.raises(HttpStatus, match=f"a: asked to be left alone, {left:.0f} s") as paused:
            async with turns.turn("a"):
                pass
        assert (paused.value.status, paused.value.retry_after_s) == (429, left)
    async with turns.turn("b"):
        pass
    clock.now = 1120.0
    async with turns.turn("a"):
        pass


async def test_those_who_already_wait_are_held_off_too() -> None:
    turns = HostTurns()
    async with turns.turn("a"):
        waiting = asyncio.ensure_future(_take(turns))
        await asyncio.sleep(0)
        turns.pause("a", 60.0)
    with pytest.raises(HttpStatus):
        await waiting


async def test_a_cancelled_wait_and_a_failed_turn_free_the_host() -> None:
    turns = HostTurns()
    async with turns.turn("a"):
        waiting = asyncio.ensure_future(_take(turns))
        await asyncio.sleep(0)
        waiting.cancel()
    with pytest.raises(ValueError, match="mine"):
        async with turns.turn("a"):
            raise ValueError("mine")
    await asyncio.wait_for(_take(turns), 0.5)


async def _take(turns: HostTurns) -> None:
    async with turns.turn("a"):
        pass
