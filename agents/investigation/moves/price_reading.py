"""Market Structure with an engine that reads: code measures, the engine says which causes that fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.investigation.bound import NodeMeter
from agents.investigation.collectors import reading_of
from agents.investigation.errors import BoundReached, NoReading, SourceDown, Unread
from agents.investigation.models import Coverage, CoverageState, Gathered, Record
from agents.investigation.moves.market_structure import MarketStructure
from agents.investigation.moves.observations import ROLE, concluded, evidence_of, observed
from agents.investigation.ports import Inquiry, Thinker
from agents.investigation.readings.company import Companies
from agents.investigation.readings.known import known_hypotheses
from agents.investigation.state import State


@dataclass(frozen=True, slots=True)
class ReadMarketStructure:
    """The collector of prices and the engine's reading of what it measured, held to the decomposition."""

    measured: MarketStructure
    thinker: Thinker
    companies: Companies

    async def gather(self, state: State, round_: int, meter: NodeMeter) -> Gathered:
        """What code measured, with the engine's evidence. Raises Unread where the engine read nothing of it."""
        gathered = await self.measured.gather(state, round_, meter)
        records = observed(gathered, state.anchor)
        try:
            said = await self.thinker.read(ROLE, state.case, state.anchor, records, _nobody, meter)
        except NoReading as error:
            unread = self._with(gathered, "down", str(error), meter)
            unread = replace(unread, cut=gathered.cut or str(error))
            raise Unread(unread, f"no reading by {self.thinker.engine}: {error}") from error
        except BoundReached as error:
            return replace(self._with(gathered, "down", str(error), meter), cut=gathered.cut or str(error))
        known = known_hypotheses(state.case, self.companies)
        counted, refused = concluded(said, state.case, gathered.decomposition, known)
        dropped = f", {len(refused)} dropped" if refused else ""
        detail = f"of {len(records)} observations {len(counted)} readings{dropped}"
        evidence = tuple(evidence_of(one, known[one.hypothesis], state.anchor, round_) for one in counted)
        return replace(
            self._with(gathered, "found" if counted else "nothing", detail, meter),
            evidence=(*gathered.evidence, *evidence),
            dropped=tuple(one.why for one in refused),
        )

    def _with(self, gathered: Gathered, state: CoverageState, detail: str, meter: NodeMeter) -> Gathered:
        """`gathered` with the line of the engine's reading and what it took."""
        return replace(
            gathered,
            coverage=(*gathered.coverage, Coverage(ROLE, reading_of(ROLE, self.thinker), state, detail)),
            source_calls=meter.source_calls,
            model_calls=meter.model_calls,
            tokens=meter.tokens,
            nano=meter.nano,
        )


async def _nobody(source: str, inquiry: Inquiry) -> Sequence[Record]:
    raise SourceDown("prices answer no further question")
