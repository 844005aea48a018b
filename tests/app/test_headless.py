from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import closing
from pathlib import Path

import pytest

from app.lines.contract import SignalLine
from tests.app.program import NO_NETWORK, run, start
from tests.fakes.feed_server import FeedServer

NOW = "Tue, 10 Mar 2026 18:30:00 GMT"


def rss(titles: Iterable[str], *, date: str = "") -> str:
    dated = f"<pubDate>{date}</pubDate>" if date else ""
    items = "".join(
        f"<item><guid>{title}</guid><title>{title}</title><link>https://wire.example/{number}</link>{dated}</item>"
        for number, title in enumerate(titles)
    )
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>Wire</title>{items}</channel></rss>'


def atom(titles: Iterable[str]) -> str:
    entries = "".join(
        f"<entry><id>urn:{title}</id><title>{title}</title><link href='https://a.example/{title}'/></entry>"
        for title in titles
    )
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title>{entries}</feed>'


def rdf(titles: Iterable[str]) -> str:
    items = "".join(
        f'<item rdf:about="https://r.example/{title}"><title>{title}</title><link>https://r.example/{title}</link></item>'
        for title in titles
    )
    return (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">'
        f'<channel rdf:about="https://r.example/"><title>RDF</title></channel>{items}</rdf:RDF>'
    )


def json_feed(titles: Iterable[str]) -> str:
    items = [{"id": title, "title": title, "url": f"https://j.example/{title}"} for title in titles]
    return json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "JSON", "items": items})


@pytest.fixture
async def server() -> AsyncIterator[FeedServer]:
    async with FeedServer() as running:
        yield running


def configure(home: Path, server: FeedServer, *paths: str) -> None:
    """A configuration that polls these paths of the server and nothing else."""
    sources = "".join(f'[[feeds.source]]\nurl = "{server.url(path)}"\ninterval_s = 30\n' for path in paths)
    folder = home / "config" / "tapewatch"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(
        f'[network]\nallow_hosts = ["{server.host}"]\n[feeds]\nbuiltin = false\n{sources}{NO_NETWORK}'
    )


async def read_lines(process: asyncio.subprocess.Process, count: int) -> list[SignalLine]:
    assert process.stdout is not None
    found: list[SignalLine] = []
    async with asyncio.timeout(15):
        while len(found) < count and (line := await process.stdout.readline()):
            found.append(SignalLine.model_validate_json(line))
    return found


async def end(process: asyncio.subprocess.Process, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
    """Ends the process; returns its code and its log."""
    process.send_signal(number)
    async with asyncio.timeout(1.5):
        _, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, err.decode()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 -- another process does what is waited for
            await asyncio.sleep(0.02)


def rows(home: Path, query: str) -> list[tuple[object, ...]]:
    """What a second reader finds in the database."""
    with closing(sqlite3.connect(home / "data" / "tapewatch" / "tapewatch.db")) as connection:
        return connection.execute(query).fetchall()


async def test_every_kind_of_feed_becomes_signals_and_a_304_costs_nothing(tmp_path: Path, server: FeedServer) -> None:
    bodies = {"/rss": rss, "/atom": atom, "/rdf": rdf, "/json": json_feed}
    for number, (path, made) in enumerate(bodies.items()):
        server.serve(path, made([f"Company {number} names chairman {number}"]), etag='"1"')
    configure(tmp_path, server, *bodies)
    process = await start(tmp_path, "run", "--headless")
    found = await read_lines(process, 4)
    code, err = await end(process)
    assert code == 0, err
    assert sorted(line.item.title for line in found) == [f"Company {n} names chairman {n}" for n in range(4)]
    assert {line.item.backlog for line in found} == {True}
    for path in bodies:
        (request,) = server.requests(path)
        assert "if-none-match" not in request.headers
    assert all(" " in line and "Z " in line for line in err.splitlines())


async def test_a_second_start_asks_conditionally_and_repeats_nothing(tmp_path: Path, server: FeedServer) -> None:
    server.serve("/rss", rss(["Sable Ridge Energy files for Chapter 11 bankruptcy protection"]), etag='"1"')
    configure(tmp_path, server, "/rss")
    first = await start(tmp_path, "run", "--headless")
    assert len(await read_lines(first, 1)) == 1
    assert (await end(first))[0] == 0
    _overdue(tmp_path)
    second = await start(tmp_path, "run", "--headless")
    await until(lambda: len(server.requests("/rss")) == 2)
    await asyncio.sleep(0.2)
    second.send_signal(signal.SIGTERM)
    out, _ = await second.communicate()
    assert (second.returncode, out) == (0, b"")
    assert server.requests("/rss")[1].headers["if-none-match"] == '"1"'
    assert rows(tmp_path, "SELECT count(*) FROM item") == [(1,)]
    assert rows(tmp_path, "SELECT count(*) FROM alert") == [(0,)]


def _overdue(home: Path) -> None:
    """Lets the time until the next check pass."""
    with closing(sqlite3.connect(home / "data" / "tapewatch" / "tapewatch.db")) as connection:
        connection.execute("UPDATE source SET next_check_at = 0")
        connection.commit()


async def test_killed_in_the_middle_nothing_is_lost_and_nothing_is_repeated(tmp_path: Path, server: FeedServer) -> None:
    titles = [f"Company {number} opens plant number {number * 7}" for number in range(300)]
    server.serve("/rss", rss(titles), etag='"1"')
    configure(tmp_path, server, "/rss")
    told: Counter[str] = Counter()
    for stop_after in (1, 40, 90):
        process = await start(tmp_path, "run", "--headless")
        told.update(line.id for line in await read_lines(process, stop_after))
        process.kill()
        rest, _ = await process.communicate()
        told.update(json.loads(line)["id"] for line in rest.splitlines() if line.endswith(b"}"))
        accepted = rows(tmp_path, "SELECT count(*) FROM item")
        assert accepted == [(300,)]
    last = await start(tmp_path, "run", "--headless")
    await until(lambda: rows(tmp_path, "SELECT count(*) FROM scoring WHERE state = 'pending'") == [(0,)])
    last.send_signal(signal.SIGTERM)
    rest, _ = await last.communicate()
    told.update(json.loads(line)["id"] for line in rest.splitlines())
    assert rows(tmp_path, "SELECT state, count(*) FROM scoring GROUP BY state") == [("scored", 300)]
    assert rows(tmp_path, "SELECT count(*), count(DISTINCT item) FROM signal") == [(300, 300)]
    assert rows(tmp_path, "SELECT count(*) FROM report") == [(1500,)]
    assert max(told.values()) == 1
    assert rows(tmp_path, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_it_ends_cleanly_and_at_once_on_a_signal(
    tmp_path: Path, server: FeedServer, number: signal.Signals
) -> None:
    server.serve("/rss", rss([]))
    configure(tmp_path, server, "/rss")
    process = await start(tmp_path, "run", "--headless")
    assert process.stderr is not None
    async with asyncio.timeout(10):
        await process.stderr.readuntil(b"monitor runs with 1 feeds")
    began = asyncio.get_running_loop().time()
    code, err = await end(process, number)
    assert code == 0
    assert asyncio.get_running_loop().time() - began < 1
    assert err.rstrip().endswith("monitor ended")


async def test_further_signals_while_it_ends_change_nothing(tmp_path: Path, server: FeedServer) -> None:
    server.serve("/rss", rss([]))
    configure(tmp_path, server, "/rss")
    process = await start(tmp_path, "run", "--headless")
    assert process.stderr is not None
    async with asyncio.timeout(10):
        await process.stderr.readuntil(b"monitor runs with 1 feeds")
    process.send_signal(signal.SIGTERM)
    ended = asyncio.ensure_future(process.communicate())
    async with asyncio.timeout(10):
        while not ended.done():
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                await asyncio.sleep(0.01)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process.pid, number)  # `send_signal` would take the exit status from the one who waits
    assert process.returncode == 0
    assert (await ended)[1].decode().rstrip().endswith("monitor ended")


async def test_a_reader_that_goes_away_ends_it_cleanly(tmp_path: Path, server: FeedServer) -> None:
    server.serve("/rss", rss([f"Company {number} opens plant number {number * 7}" for number in range(50)]))
    configure(tmp_path, server, "/rss")
    reading, writing = os.pipe()
    os.close(reading)
    process = await start(tmp_path, "run", "--headless", out=writing)
    os.close(writing)
    async with asyncio.timeout(10):
        _, err = await process.communicate()
    assert process.returncode == 0, err
    assert b"Traceback" not in err


async def test_a_second_instance_is_refused_by_name(tmp_path: Path, server: FeedServer) -> None:
    server.serve("/rss", rss(["Company 1 names a chairman"]))
    configure(tmp_path, server, "/rss")
    first = await start(tmp_path, "run", "--headless")
    await read_lines(first, 1)
    second = await run(tmp_path, "run", "--headless")
    assert (second.code, second.out) == (1, "")
    assert f"process {first.pid}" in second.err
    assert second.err.count("\n") == 1
    assert (await end(first))[0] == 0


async def test_a_day_is_replayed_into_a_database_that_is_thrown_away(tmp_path: Path) -> None:
    done = await run(tmp_path, "demo", "--headless", "--speed", "0", more={"TMPDIR": str(tmp_path)})
    assert done.code == 0, done.err
    lines = [SignalLine.model_validate_json(line) for line in done.out.splitlines()]
    assert len(lines) >= 40
    assert not (tmp_path / "data").exists()
    assert [name for name in os.listdir(tmp_path) if name.startswith("tapewatch-")] == []
    urgencies = Counter(line.urgency for line in lines)
    assert urgencies["FYI"] > urgencies["NOTE"] > urgencies["FLASH"] > 2  # type: ignore[index]
    assert not any(line.item.backlog for line in lines)
    assert any(line.item.change == "corrected" for line in lines)
    assert any(line.item.published_doubt == "undated" for line in lines)
    assert {"export_ban", "rate_surprise"} <= {line.event_type for line in lines}


async def test_a_replay_names_broken_lines_and_plays_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "in.jsonl"
    file.write_text('{"title": "Nvidia falls", "at": "2026-03-10T08:00:00Z"}\n{broken\n')
    done = await run(tmp_path, "replay", str(file), "--headless", "--speed", "0")
    assert done.code == 0
    (line,) = [SignalLine.model_validate_json(row) for row in done.out.splitlines()]
    assert line.first_seen_at.isoformat() == "2026-03-10T08:00:00+00:00"
    assert "line 2: not JSON" in done.err


async def test_a_full_disk_behind_stdout_is_a_failure_that_is_said(tmp_path: Path) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        process = await start(tmp_path, "demo", "--headless", "--speed", "0", out=full)
        async with asyncio.timeout(20):
            _, err = await process.communicate()
    finally:
        os.close(full)
    assert process.returncode == 1
    assert err.decode().splitlines()[-1].startswith("tapewatch: stdout cannot be written (No space left on device)")


async def test_a_replay_of_binary_junk_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "in.jsonl"
    file.write_bytes(b"\x7fELF\x00" + bytes(range(256)) * 20)
    done = await run(tmp_path, "replay", str(file), "--headless")
    assert (done.code, done.err) == (3, f"tapewatch: {file}: binary, not text; give JSON lines or plain text\n")
