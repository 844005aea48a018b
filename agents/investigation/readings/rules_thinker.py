"""The engine without a model: reads records by fixed words. Same input, same output."""

from __future__ import annotations

from collections.abc import Sequence

from agents.investigation.models import Anchor, Case, Collector, Judged, Record
from agents.investigation.moves.currencies import pair
from agents.investigation.moves.instruments import instrument
from agents.investigation.ports import Look, Meter, Opinion
from agents.investigation.readings import company, currency
from agents.investigation.readings import instrument as of_instrument
from agents.investigation.readings.causes import Reading
from agents.investigation.readings.company import Companies
from agents.investigation.state import State
from agents.models import Engine


class RulesThinker:
    """Groups records by the kind of cause and who acts. Makes no model call."""

    engine: Engine = "rules"
    model: str | None = None
    calls_per_collector = 0

    def __init__(self, companies: Companies) -> None:
        self._companies = companies

    async def read(
        self, collector: Collector, case: Case, anchor: Anchor, records: Sequence[Record], look: Look, meter: Meter
    ) -> Sequence[Reading]:
        """The reading of each record that says something about a cause."""
        readings = (read_record(record, case, anchor, self._companies) for record in records)
        return [reading for reading in readings if reading is not None]

    async def second_reading(self, state: State, judged: Judged, reason: str, meter: Meter) -> Opinion:
        """Fixed rules see the same twice; whether a source is worth asking again is decided by code."""
        return Opinion()


def read_record(record: Record, case: Case, anchor: Anchor, companies: Companies) -> Reading | None:
    """What the rules read in a record; None where it says nothing about a cause of the move."""
    known = pair(case.symbol) if case.kind == "currency" else None
    if known is not None:
        return currency.read(record, known, anchor)
    traded = instrument(case.symbol) if case.kind == "other" else None
    if traded is not None:
        return of_instrument.read(record, case, traded, anchor)
    return company.read(record, case, companies, anchor)
