"""Several at once, answers in order."""

from __future__ import annotations

import asyncio

import pytest

from app.lines.in_order import in_order


async def test_answers_come_in_the_order_asked_and_no_more_work_at_once_than_allowed() -> None:
    under_way, most = 0, 0

    async def work(number: int) -> int:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.001 * (7 - number % 7))
        under_way -= 1
        return number

    assert [answer async for answer in in_order(range(20), work, 4)] == list(range(20))
    assert most == 4


async def test_a_failure_comes_out_in_its_place_and_nothing_is_left_running() -> None:
    ended: list[str] = []

    async def work(number: int) -> int:
        if number == 1:
            raise ValueError("as told")
        try:
            await asyncio.sleep(0 if number == 0 else 5)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        return number

    got: list[int] = []

    async def collect() -> None:
        async for answer in in_order(range(5), work, 3):
            got.append(answer)

    with pytest.raises(ValueError, match="as told"):
        await collect()
    assert got == [0]
    assert set(ended) == {"cancelled"}
    assert asyncio.all_tasks() == {asyncio.current_task()}
