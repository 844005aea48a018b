"""The accounts of these tests, in memory, and a caller that speaks to the fake service through the real SDK."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from agents.analysts.claude.analyst import ClaudeAnalyst
from agents.analysts.claude.call import Caller, Settings
from agents.analysts.claude.capabilities import ServerChoice
from agents.analysts.claude.prices import PRICES
from agents.analysts.claude.rate import Limiter
from agents.analysts.claude.transport import Connection, Transport
from agents.budget import BudgetSpent, Price, nano_usd
from agents.calls import ModelCall
from agents.models import AGENT_NAMES, AgentName
from tests.agents.builders import NOW
from tests.fakes.messages_api import MessagesApi

MODEL = "claude-haiku-5-5"


@dataclass
class Purse:
    """A ledger of one day: what is reserved counts until it is settled."""

    open: dict[int, int] = field(default_factory=dict)
    settled: list[int] = field(default_factory=list)
    before: int = 0
    highest: int = 0

    async def reserve(self, nano: int, *, day: date, cap_nano: int) -> int:
        if self.total + nano > cap_nano:
            raise BudgetSpent(self.total, cap_nano)
        number = len(self.open) + len(self.settled) + 1000
        self.open[number] = nano
        self.highest = max(self.highest, self.total)
        return number

    async def settle(self, reservation: int, nano: int) -> None:
        del self.open[reservation]
        self.settled.append(nano)

    async def spent(self, day: date) -> int:
        return self.total

    @property
    def total(self) -> int:
        return self.before + sum(self.open.values()) + sum(self.settled)


@dataclass
class Shelf:
    """A cache of replies."""

    replies: dict[str, str] = field(default_factory=dict)

    async def find(self, digest: str) -> str | None:
        return self.replies.get(digest)

    async def keep(self, digest: str, reply: str, *, now: datetime) -> None:
        self.replies[digest] = reply


@dataclass
class Book:
    """Keeps calls in a list."""

    calls: list[ModelCall] = field(default_factory=list)

    async def keep(self, call: ModelCall) -> None:
        self.calls.append(call)


@dataclass
class Office:
    """A claude analyst at work, with its accounts to look at."""

    analyst: ClaudeAnalyst
    caller: Caller
    purse: Purse
    shelf: Shelf
    book: Book


@asynccontextmanager
async def office(
    api: MessagesApi | str,
    *,
    key: str | None = None,
    slots: int = 10,
    cap_usd: float = 5.0,
    models: Mapping[AgentName, str] | None = None,
    prices: Mapping[str, Price] = PRICES,
    extra: int = 2,
    shelf: Shelf | None = None,
    server: ServerChoice = "auto",
    **settings: Any,
) -> AsyncIterator[Office]:
    """An analyst that speaks to `api`; nothing of it is left at the end."""
    url, good_key = (api, "sk-none") if isinstance(api, str) else (api.url, api.key)
    transport = Transport(Connection(good_key if key is None else key, url))
    purse, kept, book = Purse(), shelf or Shelf(), Book()
    told = Settings(
        models=dict.fromkeys(AGENT_NAMES, MODEL) | dict(models or {}),
        prices=prices,
        cap_nano=nano_usd(cap_usd),
        max_extra_calls=extra,
        now=lambda: NOW,
        today=lambda: NOW.date(),
        server=server,
        **settings,
    )
    caller = Caller(transport, Limiter(slots, lambda: NOW), purse, told, cache=kept, book=book)
    try:
        yield Office(ClaudeAnalyst(caller, purse, MODEL), caller, purse, kept, book)
    finally:
        await transport.close()
