"""A second process that scores by rules while more waits than one core gets through.

It starts when it is first asked, and ends when it is told to or when its parent goes away. It holds no secret: what it
gets is the watchlist, the database to read and the items. Whatever it does not answer, its parent scores itself.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from agents.analysts.protocol import Holding
from agents.models import Signal
from feeds.documents.parse import KEPT_VARIABLES
from storage.models import Work

log = logging.getLogger(__name__)

TIMEOUT_S = 15.0
"""A batch that takes longer, the start included, is taken back and the process ended."""
FAILURES = 3
"""After so many failures it is not asked again."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What the process must know before it is asked: the desk's watchlist and the database of earlier items."""

    database: Path
    watched: Mapping[str, Holding]
    source_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """Items to judge as of `now`; each is answered by its signal or by None."""

    works: tuple[Work, ...]
    now: datetime


class DeskProcess:
    """Judges batches, one at a time, in a process of `module` that speaks as `app.wiring.desk_worker` does."""

    def __init__(self, setup: Setup, module: str, *, timeout_s: float = TIMEOUT_S) -> None:
        self._setup = setup
        self._module = module
        self._timeout_s = timeout_s
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._failures = 0

    @property
    def usable(self) -> bool:
        """Whether it makes sense to ask: there is a second core, and it has not failed time and again."""
        return self._failures < FAILURES and (os.cpu_count() or 1) > 1

    @property
    def pid(self) -> int | None:
        """The process, while there is one."""
        return self._process.pid if self._process else None

    async def judge(self, works: Sequence[Work], now: datetime) -> list[Signal | None]:
        """The signals in the order of the items; None for what it could not judge."""
        async with self._turn:
            if not self.usable:
                return [None] * len(works)
            try:
                async with asyncio.timeout(self._timeout_s):
                    process = await self._started()
                    answers = await _exchange(process, pickle.dumps(Batch(tuple(works), now), pickle.HIGHEST_PROTOCOL))
            except (TimeoutError, EOFError, OSError) as error:
                self._failures += 1
                log.warning("the second scoring process failed (%s); its items are scored here", type(error).__name__)
                await self._end()
                return [None] * len(works)
            except BaseException:  # cancelled in the middle: what it still says belongs to nobody
                await self._end()
                raise
            self._failures = 0
            return answers

    async def stop(self) -> None:
        """Ends the process, after the batch in hand; the next batch starts it again."""
        async with self._turn:
            await self._end()

    async def _started(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            await self._end()
            environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
            environment["PYTHONPATH"] = str(Path(__file__).parent.parent.parent)
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", self._module),
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                env=environment,
                start_new_session=True,  # Ctrl-C at the terminal is for the program, not for its helper
                limit=2**20,
            )
            await _send(self._process, pickle.dumps(self._setup, pickle.HIGHEST_PROTOCOL))
        return self._process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def _exchange(process: Process, message: bytes) -> list[Signal | None]:
    await _send(process, message)
    assert process.stdout is not None
    size = int.from_bytes(await process.stdout.readexactly(4), "big")
    answers: list[Signal | None] = pickle.loads(await process.stdout.readexactly(size))  # noqa: S301 -- our own process
    return answers


async def _send(process: Process, message: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(len(message).to_bytes(4, "big") + message)
    await process.stdin.drain()
