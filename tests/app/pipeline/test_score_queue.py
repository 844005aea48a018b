from __future__ import annotations

import asyncio
from datetime import datetime

from app.pipeline.score_queue import CROWD, ScoreQueue


async def drain(queue: ScoreQueue) -> list[str]:
    found = []
    while not queue.idle:
        (waiting,) = await queue.take(1)
        found.append(waiting.item_id)
        queue.done(waiting.item_id)
    return found


async def test_the_newest_comes_first_and_what_a_feed_held_already_comes_last(now: datetime) -> None:
    queue = ScoreQueue()
    queue.recover(["left"])
    for name, backlog in (("old1", True), ("new1", False), ("old2", True), ("new2", False)):
        queue.accept(name, at=now, backlog=backlog)
    assert await drain(queue) == ["new2", "new1", "left", "old1", "old2"]


async def test_several_are_taken_together_in_the_same_order(now: datetime) -> None:
    queue = ScoreQueue()
    for name in ("a", "b", "c"):
        queue.accept(name, at=now, backlog=False)
    assert [waiting.item_id for waiting in await queue.take(2)] == ["c", "b"]
    assert [waiting.item_id for waiting in await queue.take(2)] == ["a"]


async def test_an_id_is_given_out_once_however_often_it_is_offered(now: datetime) -> None:
    queue = ScoreQueue()
    queue.accept("a", at=now, backlog=False)
    queue.accept("a", at=now, backlog=False)
    queue.recover(["a"])
    await queue.take(5)
    queue.recover(["a"])
    queue.done("a")
    assert queue.idle


async def test_an_item_that_changes_while_it_is_worked_on_is_given_out_again(now: datetime) -> None:
    queue = ScoreQueue()
    queue.accept("a", at=now, backlog=False)
    await queue.take(1)
    queue.accept("a", at=now, backlog=False)
    assert len(queue) == 1
    queue.done("a")
    assert await drain(queue) == ["a"]


async def test_a_full_queue_lets_go_of_what_would_be_scored_last_and_says_so(now: datetime) -> None:
    queue = ScoreQueue(capacity=2)
    queue.accept("old", at=now, backlog=True)
    queue.accept("new1", at=now, backlog=False)
    assert not queue.overflowed
    queue.accept("new2", at=now, backlog=False)
    assert queue.overflowed
    queue.accept("old2", at=now, backlog=True)
    assert await drain(queue) == ["new2", "new1"]


async def test_closing_ends_a_worker_that_waits(now: datetime) -> None:
    queue = ScoreQueue()
    waiting = asyncio.create_task(queue.take(5))
    await asyncio.sleep(0)
    queue.close()
    assert await waiting == []
    queue.accept("a", at=now, backlog=False)
    assert await queue.take(5) == []


async def test_there_is_a_crowd_from_many_ids_on_until_the_queue_is_empty(now: datetime) -> None:
    queue = ScoreQueue()
    for number in range(CROWD):
        assert not queue.crowd.is_here
        queue.accept(str(number), at=now, backlog=False)
    await queue.crowd.here()
    assert len(queue.take_now(CROWD - 1)) == CROWD - 1
    await asyncio.sleep(0)
    assert queue.crowd.is_here
    assert len(queue.take_now(CROWD)) == 1
    assert not queue.crowd.is_here
    assert queue.take_now(9) == []


async def test_a_closed_queue_holds_no_crowd_and_gets_none(now: datetime) -> None:
    queue = ScoreQueue()
    queue.accept("a", at=now, backlog=False)
    queue.close()
    for number in range(CROWD):
        queue.accept(str(number), at=now, backlog=False)
    assert queue.take_now(9) == []
    assert not queue.crowd.is_here
    await queue.crowd.here()  # who waits for one is let go
    assert queue.crowd.over
    assert not queue.crowd.is_here
