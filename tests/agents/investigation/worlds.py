"""Sources and engines that answer, fail, hang or never have enough, for the tests of collectors and graph."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from agents.investigation.errors import SourceDown
from agents.investigation.models import Anchor, Case, Collector, Judged, Record
from agents.investigation.moves.series import Series
from agents.investigation.ports import Inquiry, Look, Meter, Opinion
from agents.investigation.readings.causes import Reading
from agents.investigation.state import State
from agents.models import Engine


@dataclass
class Library:
    """A source that holds records, may fail some times first, and may be slow."""

    name: str
    records: Sequence[Record] = ()
    failures: int = 0
    delay_s: float = 0.0
    exhaustive: bool = True
    broken: bool = False
    asked: list[Inquiry] = field(default_factory=list)

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        self.asked.append(inquiry)
        await asyncio.sleep(self.delay_s)
        if self.broken:
            raise ZeroDivisionError("a fault of its own")
        if self.failures >= len(self.asked):
            raise SourceDown(f"{self.name} did not answer")
        return self.records


@dataclass
class Shelf:
    """Price series by symbol; `fails` are the symbols that do not answer."""

    series_by_symbol: dict[str, Series]
    name: str = "shelf"
    fails: frozenset[str] = frozenset()
    asked: list[str] = field(default_factory=list)

    async def series(self, symbol: str, around: datetime | None, *, daily: bool | None = None) -> Series:
        self.asked.append(symbol)
        if symbol in self.fails or symbol not in self.series_by_symbol:
            raise SourceDown(f"{symbol}: no answer")
        return self.series_by_symbol[symbol]


@dataclass
class Endless:
    """An engine that looks further and asks its model for ever."""

    engine: Engine = "claude"
    model: str | None = "endless"
    calls_per_collector: int = 3
    look_with: str = ""

    async def read(
        self, collector: Collector, case: Case, anchor: Anchor, records: Sequence[Record], look: Look, meter: Meter
    ) -> Sequence[Reading]:
        while True:
            if self.look_with:
                await look(self.look_with, Inquiry(case, anchor, anchor.onset_at, anchor.ends_at))
            else:
                meter.model_call()
            await asyncio.sleep(0)

    async def second_reading(self, state: State, judged: Judged, reason: str, meter: Meter) -> Opinion:
        while True:
            meter.model_call()


@dataclass
class Echo:
    """An engine that reads every record as support for one hypothesis, and claims records nobody brought."""

    engine: Engine = "rules"
    model: str | None = None
    calls_per_collector: int = 0
    invented: Sequence[Record] = ()
    worth: bool = True

    async def read(
        self, collector: Collector, case: Case, anchor: Anchor, records: Sequence[Record], look: Look, meter: Meter
    ) -> Sequence[Reading]:
        return [
            Reading(record, "policy_change/boj", "policy_change", "Bank of Japan", True)
            for record in (*records, *self.invented)
        ]

    async def second_reading(self, state: State, judged: Judged, reason: str, meter: Meter) -> Opinion:
        return Opinion(self.worth)
