"""What an investigation needs from outside, and the seams where another engine or another source fits in.

Every source says its name and either answers or raises SourceDown; it never answers "nothing" because it is down.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias

from agents.investigation.models import Anchor, Case, Collector, Evidence, Gathered, Judged, Record, Sighted
from agents.investigation.moves.series import Series
from agents.investigation.readings.causes import Reading, Refused
from agents.investigation.state import State
from agents.models import Engine


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What a source is asked: the case, the move, the span of publication times, and from the second round on the
    topics that a better record would settle."""

    case: Case
    anchor: Anchor
    since: datetime
    until: datetime
    topics: tuple[str, ...] = ()


class Remarked(tuple[Record, ...]):
    """Records with a word on what was searched, for the coverage: what the source shows, or when it will know more."""

    remark: str

    def __new__(cls, records: Sequence[Record], remark: str) -> Remarked:
        made = super().__new__(cls, tuple(records))
        made.remark = remark
        return made


class RecordSource(Protocol):
    """A source of published records.

    `exhaustive` says that a first answer holds all it has, so that asking again is idle.
    """

    @property
    def name(self) -> str: ...

    @property
    def exhaustive(self) -> bool: ...

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """The records of the span; raises SourceDown where it cannot be asked."""
        ...


class SeriesSource(Protocol):
    """A source of prices."""

    @property
    def name(self) -> str: ...

    async def series(self, symbol: str, around: datetime | None, *, daily: bool | None = None) -> Series:
        """The series of `symbol` around a time (None: the last bars), as fine as there is; raises SourceDown where it
        cannot be asked and NoSeries where there are no prices."""
        ...


@dataclass(frozen=True, slots=True)
class Related:
    """The series a move is split up by: the market, the sector's peers, and other pairs of either currency."""

    market: str = ""
    peers: tuple[str, ...] = ()
    crosses: tuple[str, ...] = ()


Look: TypeAlias = Callable[[str, Inquiry], Awaitable[Sequence[Record]]]
"""One more question of a collector to a source of its own checklist, by the name of the check. Counted; raises
BoundReached at the limit."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an engine says of a round. It may call another look idle, and name evidence that refutes; `refused` is what
    it said that does not count."""

    another_look: bool = True
    refuting: tuple[Evidence, ...] = ()
    refused: tuple[Refused, ...] = ()


class Thinker(Protocol):
    """The engine inside the roles. It reads records; it sets no rank, no time, no certainty and no end.

    A reading of a record that the collector did not bring is dropped, and every reading is held to what code reads in
    the same record (`agents.investigation.readings.claims`). What it raises counts as a failure of the node.
    """

    @property
    def engine(self) -> Engine: ...

    @property
    def model(self) -> str | None: ...

    @property
    def calls_per_collector(self) -> int:
        """The most model calls one collector may make in one round; 0 for an engine without a model."""
        ...

    async def read(
        self, collector: Collector, case: Case, anchor: Anchor, records: Sequence[Record], look: Look, meter: Meter
    ) -> Sequence[Reading | Refused]:
        """What the records say, and what was said that does not count. May look further within the meter. Raises
        NoReading where nothing was said."""
        ...

    async def second_reading(self, state: State, judged: Judged, reason: str, meter: Meter) -> Opinion:
        """Whether one more round may find better evidence, for which code gives the `reason` ("": code will not run
        one), and what of the evidence speaks against a hypothesis. Code decides when the work ends."""
        ...


class Meter(Protocol):
    """Counts the calls of one node against its share of the bound; each raises BoundReached at the limit."""

    @property
    def round(self) -> int: ...

    @property
    def model_calls_left(self) -> int: ...

    def source_call(self) -> None: ...

    def model_call(self) -> None: ...

    def paid(self, tokens: int, nano: int) -> None:
        """Counts what a model call took: tokens, and nano-USD where it has a price."""
        ...


NodeResult: TypeAlias = Sighted | Gathered | Judged


class Rows(Protocol):
    """Where node results are kept: one row a node and round. Implemented by storage."""

    async def results(self, case_id: str) -> Mapping[tuple[str, int], NodeResult]:
        """What is there already, by node and round."""
        ...

    async def keep(self, case_id: str, node: str, round_: int, result: NodeResult) -> None:
        """Keeps a result; committed when it returns."""
        ...


@dataclass(frozen=True, slots=True)
class NodeEvent:
    """What the graph tells a watcher: a node and the state it is in now."""

    node: str
    round: int
    state: str
    detail: str = ""
    calls: int = 0


Watcher: TypeAlias = Callable[[NodeEvent], None]
