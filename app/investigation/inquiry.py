"""Puts an investigation together: the case, the graph over files or sources, and the answer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from agents.investigation.answer import answer_of, without_series
from agents.investigation.bound import Caps
from agents.investigation.checklist import Check, from_files, from_sources
from agents.investigation.collectors import RecordCollector
from agents.investigation.errors import NoSeries
from agents.investigation.graph import CollectorNode, Graph
from agents.investigation.models import COLLECTORS, Case, Record
from agents.investigation.moves import sighting
from agents.investigation.moves.currencies import pair
from agents.investigation.moves.files import FileSeries, NoSeriesGiven
from agents.investigation.moves.instruments import kind_of
from agents.investigation.moves.market_structure import MarketStructure
from agents.investigation.moves.price_reading import ReadMarketStructure
from agents.investigation.moves.series import Series
from agents.investigation.ports import RecordSource, Related, Rows, SeriesSource, Thinker, Watcher
from agents.investigation.readings.claims import Claims
from agents.investigation.readings.company import Companies
from agents.investigation.state import Answer, State
from app.investigation.text import usual

_ALONE: Final = Related()
_CAPS: Final = Caps()


@dataclass(frozen=True, slots=True)
class World:
    """Where an investigation looks. With `records` the files are the whole world."""

    prices: SeriesSource
    records: tuple[Record, ...] | None = None
    sources: Mapping[str, RecordSource] = field(default_factory=dict)
    related: Related = _ALONE

    def checks(self, case: Case) -> tuple[tuple[Check, RecordSource], ...]:
        """The checklist with what answers it."""
        return from_sources(case, self.sources) if self.records is None else from_files(case, self.records)


@dataclass(frozen=True, slots=True)
class Inquirer:
    """Runs investigations with one engine, one world and one place for the rows."""

    world: World
    thinker: Thinker
    rows: Rows
    companies: Companies
    caps: Caps = _CAPS

    async def ask(self, case: Case, now: Callable[[], datetime], watch: Watcher = lambda event: None) -> Answer:
        """The answer to a case; where there is no series, the answer that says so."""
        case = replace(case, engine=self.thinker.engine)
        try:
            state = await self.state(case, now, watch)
        except NoSeries as error:
            return without_series(case, self.caps, str(error))
        return replace(answer_of(state, self.caps), model=self.thinker.model)

    def _market_structure(self) -> CollectorNode:
        measured = MarketStructure(self.world.prices, self.world.related, self.caps)
        reads = self.thinker.calls_per_collector > 0
        return ReadMarketStructure(measured, self.thinker, self.companies) if reads else measured

    async def state(self, case: Case, now: Callable[[], datetime], watch: Watcher) -> State:
        """The finished state, for those who show more than the answer. Raises NoSeries."""
        checks = self.world.checks(case)
        primary = tuple(one for one in checks if one[0].collector == "PrimarySource")
        narrative = tuple(one for one in checks if one[0].collector == "Narrative")
        claims = Claims(self.companies)
        nodes = (
            RecordCollector("PrimarySource", primary, self.thinker, claims, self.caps),
            self._market_structure(),
            RecordCollector("Narrative", narrative, self.thinker, claims, self.caps),
        )
        graph = Graph(
            see=lambda asked, meter: sighting.see(asked, self.world.prices, self.caps, meter),
            collectors=dict(zip(COLLECTORS, nodes, strict=True)),
            thinker=self.thinker,
            caps=self.caps,
            rows=self.rows,
            exhaustive=all(source.exhaustive for _, source in primary),
            watch=watch,
        )
        return await graph.run(case, now)


def file_world(series: Series | None, records: Sequence[Record] | None) -> World:
    """A world of files alone."""
    prices: SeriesSource = FileSeries(series) if series is not None else NoSeriesGiven()
    return World(prices, tuple(records or ()))


def case_of(
    symbol: str,
    *,
    asked_at: datetime,
    at: datetime | None = None,
    names: Sequence[str] = (),
    span: timedelta | None = None,
    question: str = "",
) -> Case:
    """The case for a symbol. Its id is that of the question, so that an interrupted run is found again."""
    known = pair(symbol)
    symbol = known.symbol if known else symbol
    question = question or usual(symbol, at)
    digest = hashlib.sha256(f"{symbol}|{at}|{span}|{asked_at.isoformat()}".encode()).hexdigest()[:16]
    case = Case(digest, symbol, kind_of(symbol), question, asked_at, at, tuple(names))
    return replace(case, window_s=int(span.total_seconds())) if span else case
