"""Feeds are parsed in a worker process that is killed when it passes its limit of time or memory."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from feeds.errors import Malformed, NotAFeed, ParseError, ParserKilled
from feeds.models import Entry, ParsedFeed, Published, TimeDoubt

MAX_BYTES = 10 * 2**20
_MEMORY = 768 * 2**20
_ERRORS: dict[str, type[ParseError]] = {kind.__name__: kind for kind in (NotAFeed, Malformed, ParserKilled)}
KEPT_VARIABLES = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "SYSTEMROOT", "TMPDIR")
"""The environment of a worker: enough to run Python, and no secret of the program."""


class FeedParser:
    """Parses one document after another in one worker, which starts with the first and ends with this object.

    `timeout_s` is the time one document may take, in seconds; of the entries the first `max_entries` are returned.
    """

    def __init__(self, *, timeout_s: float = 5.0, max_entries: int = 500, max_bytes: int = MAX_BYTES) -> None:
        self._timeout_s = timeout_s
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self._worker: Process | None = None
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def parse(self, body: bytes, content_type: str, *, base_url: str, now: datetime) -> ParsedFeed:
        """The feed in `body`, its text cleaned, its links resolved against `base_url` and checked.

        Raises NotAFeed, Malformed, or ParserKilled (the worker passed its limit; the next call has a new one).
        """
        if len(body) > self._max_bytes:
            raise Malformed(f"larger than {self._max_bytes >> 20} MB")
        header = {
            "content_type": content_type,
            "base_url": base_url,
            "now": now.isoformat(),
            "max_entries": self._max_entries,
            "timeout_s": self._timeout_s,
        }
        async with self._turn:
            answer = await self._ask(json.dumps(header).encode(), body)
            if answer.get("error") == ParserKilled.__name__:
                await self._stop()
        return _feed(answer)

    async def _ask(self, header: bytes, body: bytes) -> dict[str, Any]:
        worker = await self._started()
        try:
            async with asyncio.timeout(self._timeout_s):
                return await _exchange(worker, header, body)
        except TimeoutError:
            await self._stop()
            raise ParserKilled(f"the document took longer than {self._timeout_s:g} s to parse") from None
        except (EOFError, OSError):
            await self._stop()
            raise ParserKilled("the document broke the parser") from None
        except BaseException:  # cancelled in the middle: what the worker still says belongs to nobody
            await self._stop()
            raise

    async def _started(self) -> Process:
        if self._worker is None or self._worker.returncode is not None:
            await self._stop()
            environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
            environment["PYTHONPATH"] = str(Path(__file__).parent.parent)
            self._worker = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "feeds.documents.parse_worker", str(_MEMORY)),
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                env=environment,
                start_new_session=True,  # Ctrl-C at the terminal is for the program, not for the worker
                limit=2**20,
            )
        return self._worker

    async def _stop(self) -> None:
        worker, self._worker = self._worker, None
        if worker is None:
            return
        with suppress(ProcessLookupError):
            worker.kill()
        await worker.communicate()


async def _exchange(worker: Process, header: bytes, body: bytes) -> dict[str, Any]:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(len(header).to_bytes(4, "big") + len(body).to_bytes(4, "big") + header + body)
    await worker.stdin.drain()
    size = int.from_bytes(await worker.stdout.readexactly(4), "big")
    answer: dict[str, Any] = json.loads(await worker.stdout.readexactly(size))
    return answer


def _feed(answer: dict[str, Any]) -> ParsedFeed:
    if "error" in answer:
        raise _ERRORS[answer["error"]](answer["message"])
    entries = tuple(
        Entry(guid, url, title, summary, _time(published), outlet, _time(updated))
        for guid, url, title, summary, published, outlet, updated in answer["entries"]
    )
    return ParsedFeed(answer["title"], answer["format"], entries, tuple(answer["notices"]))


def _time(parts: list[Any]) -> Published:
    at, precision, doubt = parts
    return Published(datetime.fromisoformat(at) if at else None, precision, TimeDoubt(doubt) if doubt else None)
