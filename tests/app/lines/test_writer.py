from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Iterator

import pytest

from app.lines.writer import LineWriter


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    for end in (reading, writing):
        try:
            os.close(end)
        except OSError:
            continue


async def test_lines_arrive_whole_and_in_order(pipe: tuple[int, int]) -> None:
    writer = LineWriter(pipe[1], lambda: None)
    for number in range(100):
        await writer.write(f"line {number} é \ud800")
    await writer.close(within_s=1)
    read = os.read(pipe[0], 1 << 16).decode().splitlines()
    assert read == [f"line {number} é \\ud800" for number in range(100)]


async def test_a_reader_that_went_away_is_told_once_and_blocks_nobody(pipe: tuple[int, int]) -> None:
    os.close(pipe[0])
    gone: list[int] = []
    writer = LineWriter(pipe[1], lambda: gone.append(1), waiting=2)
    async with asyncio.timeout(1):
        for _ in range(10):
            await writer.write("x")
            await asyncio.sleep(0.001)
        await asyncio.gather(*(writer.write("x") for _ in range(10)))
        await writer.close(within_s=1)
    assert gone == [1]


async def test_a_reader_that_does_not_read_holds_back_the_writers_and_not_the_end(pipe: tuple[int, int]) -> None:
    writer = LineWriter(pipe[1], lambda: None, waiting=3)
    long = "x" * (1 << 17)
    for _ in range(3):
        await writer.write(long)
    blocked = asyncio.create_task(writer.write(long))
    await asyncio.sleep(0.02)
    assert not blocked.done()
    began = asyncio.get_running_loop().time()
    await writer.close(within_s=0.05)
    assert asyncio.get_running_loop().time() - began < 0.3
    blocked.cancel()


async def test_a_full_disk_is_kept_as_the_reason_and_a_reader_that_left_is_none(pipe: tuple[int, int]) -> None:
    os.close(pipe[0])
    for descriptor, reason in ((os.open("/dev/full", os.O_WRONLY), errno.ENOSPC), (os.dup(pipe[1]), None)):
        writer = LineWriter(descriptor, lambda: None)
        await writer.write("x")
        await writer.close(within_s=1)
        os.close(descriptor)
        assert (writer.failure and writer.failure.errno) == reason
