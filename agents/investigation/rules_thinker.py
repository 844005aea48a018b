"""The engine without a model: reads records by fixed words. Same input, same output."""

from __future__ import annotations

from collections.abc import Sequence

from agents.investigation import company_reading, currency_reading
from agents.investigation.causes import Reading
from agents.investigation.company_reading import Companies
from agents.investigation.currencies import pair
from agents.investigation.models import Anchor, Case, Collector, Judged, Record
from agents.investigation.ports import Look, Meter
from agents.investigation.state import State


class RulesThinker:
    """Groups records by the kind of cause and who acts. Makes no model call."""

    engine = "rules"
    model: str | None = None
    calls_per_collector = 0

    def __init__(self, companies: Companies) -> None:
        self._companies = companies

    async def read(
        self, collector: Collector, case: Case, anchor: Anchor, records: Sequence[Record], look: Look, meter: Meter
    ) -> Sequence[Reading]:
        """The reading of each record that says something about a cause."""
        known = pair(case.symbol) if case.kind == "currency" else None
        readings = (
            currency_reading.read(record, known, anchor)
            if known
            else company_reading.read(record, case, self._companies, anchor)
            for record in records
        )
        return [reading for reading in readings if reading is not None]

    async def worth_another_look(self, state: State, judged: Judged, meter: Meter) -> bool:
        """Fixed rules see the same twice; whether a source is worth asking again is decided by code."""
        return True
