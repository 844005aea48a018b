"""Telegram, ntfy, a webhook and a push service on the loopback, which fail, stall, limit, and take without answering.

async with Receiver(Telegram) as receiver:
    receiver.plan = faulty(Random(1), 0.3)
    ...
    assert receiver.taken == [...]        # the texts that were accepted, a repeat twice
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from types import TracebackType
from typing import Any, Literal

from tests.fakes.feed_server import FeedServer, Handler, Request, answer

Fault = Literal["", "error", "limit", "drop", "stall", "refuse", "forbidden", "gone"]
Plan = Iterator[Fault]

STATUS = {"error": 500, "refuse": 400, "forbidden": 403, "gone": 410}


def faulty(dice: Random, share: float, faults: tuple[Fault, ...] = ("error", "limit", "drop", "stall")) -> Plan:
    """So many of the answers are faults, at random."""
    while True:
        yield dice.choice(faults) if dice.random() < share else ""


def first(*faults: Fault) -> Plan:
    """These faults, then none."""
    yield from faults
    while True:
        yield ""


@dataclass
class Received:
    """A request that the service accepted, whether or not its answer got through."""

    request: Request
    body: Any
    lost: bool = False


@dataclass
class Receiver:
    """One service. `plan` says what becomes of each request; what it accepted is in `taken`."""

    limit_body: Callable[[], bytes] = lambda: b'{"ok":false,"error_code":429,"parameters":{"retry_after":35}}'
    plan: Plan = field(default_factory=first)
    taken: list[Received] = field(default_factory=list)
    asked: int = 0
    faults: list[Fault] = field(default_factory=list)

    async def __aenter__(self) -> Receiver:
        self._server = await FeedServer().__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._server.__aexit__(kind, error, at)

    @property
    def host(self) -> str:
        return self._server.host

    def url(self, path: str = "/") -> str:
        """An address of the service; whatever is posted there goes by the plan."""
        self._server.script(path, self._handler())
        return self._server.url(path)

    @property
    def lost(self) -> int:
        """How many answers were lost after the message was accepted."""
        return sum(one.lost for one in self.taken)

    def _handler(self) -> Handler:
        async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
            self.asked += 1
            fault = next(self.plan)
            if fault:
                self.faults.append(fault)
            if fault in STATUS:
                writer.write(answer(STATUS[fault], b'{"ok":false,"description":"Bad Request: told so"}'))
            elif fault == "limit":
                writer.write(answer(429, self.limit_body(), {"Retry-After": "35"}))
            else:
                self.taken.append(Received(request, parsed(request.body), lost=fault in ("drop", "stall")))
                if fault == "drop":
                    writer.transport.abort()
                    return
                if fault == "stall":
                    await asyncio.Event().wait()
                writer.write(answer(200, b'{"ok":true}'))
            await writer.drain()

        return handle


def parsed(body: bytes) -> Any:
    """JSON, or the bytes where they are none."""
    try:
        return json.loads(body)
    except ValueError:
        return body
