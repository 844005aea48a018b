"""The fake server keeps its own word, since other tests stand on it."""

from __future__ import annotations

import asyncio

from tests.fakes.feed_server import FeedServer, in_turn, reply, silent


async def test_requests_on_one_connection_stay_whole_after_scripts() -> None:
    async with FeedServer() as server:
        server.script("/a", reply(200, b"one"))
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for _ in range(50):
            writer.write(b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n" * 2)
            for _ in range(2):
                head = await reader.readuntil(b"\r\n\r\n")
                assert head.startswith(b"HTTP/1.1 200")
                assert await reader.readexactly(3) == b"one"
        writer.close()
        await writer.wait_closed()
    assert [seen.path for seen in server.requests()] == ["/a"] * 100
    assert server.connections == 1


async def test_it_closes_with_clients_still_waiting() -> None:
    async with FeedServer() as server:
        server.script("/", in_turn(silent()))
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        await asyncio.sleep(0.02)
        assert len(server.requests("/")) == 1
    writer.close()


async def test_conditions_are_compared_as_the_standard_says() -> None:
    async with FeedServer() as server:
        server.serve("/", b"body", etag='"a"', last_modified="then")
        for lines, status in (
            (b'If-None-Match: "a"\r\n', b"304"),
            (b'If-None-Match: "b"\r\nIf-Modified-Since: then\r\n', b"200"),
            (b"If-Modified-Since: then\r\n", b"304"),
            (b"If-Modified-Since: now\r\n", b"200"),
            (b"", b"200"),
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET / HTTP/1.1\r\n" + lines + b"\r\n")
            assert (await reader.readline()).split()[1] == status
            writer.close()
            await writer.wait_closed()
