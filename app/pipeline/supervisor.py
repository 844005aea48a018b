"""Keeps the pipeline's tasks running: one that crashes is said and started again, never silently gone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from app.clock import Clock
from app.log import one_line, redact
from app.pipeline.trouble import Troubles

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
SETTLED_S = 60.0
"""A task that has run so long after a crash counts as well again."""


class Supervisor:
    """Holds a reference to every task it started and restarts those that raise."""

    def __init__(self, clock: Clock, troubles: Troubles) -> None:
        self._clock = clock
        self._troubles = troubles
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._ending: set[str] = set()

    def start(self, name: str, work: Callable[[], Awaitable[None]], *, ends: bool = False) -> None:
        """Runs `work` until it returns, starting it again with a growing pause whenever it raises.

        `ends` says that it comes to an end by itself when it is to stop, if it is given a moment.
        """
        if ends:
            self._ending.add(name)
        self._tasks[name] = asyncio.create_task(self._keep(name, work), name=name)

    def running(self) -> set[str]:
        """The names of the tasks that have not ended."""
        return {name for name, task in self._tasks.items() if not task.done()}

    async def stop(self, *, grace_s: float = 0.0) -> None:
        """Cancels the tasks; those that end by themselves get `grace_s` seconds for it first."""
        patient = [task for name, task in self._tasks.items() if name in self._ending and not task.done()]
        others = [task for name, task in self._tasks.items() if name not in self._ending]
        for task in others:
            task.cancel()
        if patient and grace_s > 0:
            await asyncio.wait(patient, timeout=grace_s)
        for task in patient:
            task.cancel()
        await asyncio.gather(*others, *patient, return_exceptions=True)
        self._tasks.clear()
        self._ending.clear()

    async def _keep(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        pause = FIRST_PAUSE_S
        while True:
            began = self._clock.now()
            settled = asyncio.get_running_loop().call_later(SETTLED_S, self._troubles.clear, name)
            try:
                await work()
                self._troubles.clear(name)
                return
            except Exception as error:
                log.exception("%s failed and is started again in %.0f s", name, pause)
                self._troubles.raise_(name, f"{name} failed and restarts: {_reason(error)}")
            finally:
                settled.cancel()
            await self._clock.sleep(pause)
            lived = (self._clock.now() - began).total_seconds()
            pause = FIRST_PAUSE_S if lived > SETTLED_S else min(pause * 2, LONGEST_PAUSE_S)


def _reason(error: Exception) -> str:
    """What went wrong in one line; of several failures at once, the first."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return one_line(redact(str(error))) or type(error).__name__
