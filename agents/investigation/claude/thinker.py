"""The engine that reads records with Claude. Each collector has its own conversation; the Adjudicator has one question.

It says what records say. Ranks, times and certainties are code's, and what it says is held to the records' own words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.analysts.claude.call import Caller
from agents.calls import Role
from agents.investigation.claude import material
from agents.investigation.claude.conversation import Exchange, Reader
from agents.investigation.claude.limits import MOST_QUESTIONS
from agents.investigation.claude.replies import SecondReading, read_second
from agents.investigation.models import Anchor, Case, Collector, Evidence, Hypothesis, Judged, Record
from agents.investigation.ports import Look, Meter, Opinion
from agents.investigation.readings.causes import Reading, Refused
from agents.investigation.readings.claims import refuting_rank
from agents.investigation.readings.company import Companies
from agents.investigation.readings.known import known_hypotheses
from agents.investigation.state import State
from agents.models import Engine


class ClaudeThinker:
    """Reads records with one model. `questions` are the further questions of a collector in one round; `call_s` is what
    one call may take, its wait for a turn included."""

    engine: Engine = "claude"

    def __init__(self, caller: Caller, model: str, companies: Companies, *, questions: int, call_s: float) -> None:
        self._caller = caller
        self._companies = companies
        self._questions = min(questions, MOST_QUESTIONS)
        self._call_s = call_s
        self.model: str | None = model
        self._name = model

    @property
    def calls_per_collector(self) -> int:
        """The most model calls one collector may make in one round."""
        return 1 + self._questions + 1

    async def read(
        self, collector: Collector, case: Case, anchor: Anchor, records: Sequence[Record], look: Look, meter: Meter
    ) -> Sequence[Reading | Refused]:
        """What the records say. Without a record the model is not asked; raises NoReading where it gives no answer."""
        if not records:
            return ()
        reader = Reader(
            self._exchange(collector, case, meter), collector, case, anchor, known_hypotheses(case, self._companies)
        )
        return await reader.read(records, look, 0 if collector == "MarketStructure" else self._questions)

    async def second_reading(self, state: State, judged: Judged, reason: str, meter: Meter) -> Opinion:
        """Whether another look is idle, and what of the evidence refutes a hypothesis other than its own. The model is
        not asked where there is nothing to refute and no look to decide."""
        if not judged.hypotheses and not reason:
            return Opinion()
        evidence = state.evidence[: material.EVIDENCE]
        hypotheses = {one.key: one for one in judged.hypotheses}
        exchange = self._exchange("Adjudicator", state.case, meter)
        exchange.say(material.to_adjudicate(state, evidence, hypotheses, reason))
        said = await exchange.turn(read_second)
        refuting, refused = _refuting(said, evidence, hypotheses)
        held = tuple(refuting_rank(one, state.case, state.anchor, self._companies) for one in refuting)
        return Opinion(said.another_look, held, (*said.refused, *refused))

    def _exchange(self, role: Role, case: Case, meter: Meter) -> Exchange:
        return Exchange(
            caller=self._caller,
            role=role,
            stage="adjudicate" if role == "Adjudicator" else "read",
            case_id=case.id,
            round=meter.round,
            script=material.script(role, self._name, self._questions),
            meter=meter,
            until_s=self._call_s,
        )


def _refuting(
    said: SecondReading, evidence: Sequence[Evidence], hypotheses: Mapping[str, Hypothesis]
) -> tuple[list[Evidence], list[Refused]]:
    """(the evidence as it speaks against another hypothesis, what of it does not count)."""
    found: list[Evidence] = []
    refused: list[Refused] = []
    taken = {(one.record, one.hypothesis) for one in evidence}
    for entry in said.refuting:
        if not 1 <= entry.evidence <= len(evidence) or entry.hypothesis not in hypotheses:
            refused.append(Refused(f"evidence {entry.evidence} against {entry.hypothesis!r}: there is no such thing"))
            continue
        one = evidence[entry.evidence - 1]
        if (one.record, entry.hypothesis) in taken:
            refused.append(Refused(f"evidence {entry.evidence} was already read for {entry.hypothesis}"))
            continue
        taken.add((one.record, entry.hypothesis))
        against = hypotheses[entry.hypothesis]
        found.append(
            replace(
                one,
                hypothesis=against.key,
                cause_type=against.cause_type,
                topic=against.title,
                supports=False,
                linked=False,
                why=entry.reason,
            )
        )
    return found, refused
