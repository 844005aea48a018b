"""The state of a running investigation, and the answer it ends with."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.investigation.models import (
    Anchor,
    Bound,
    Case,
    Collector,
    Coverage,
    CoverageState,
    Decomposition,
    Evidence,
    Gathered,
    Hypothesis,
    Judged,
    Sighted,
    Verdict,
)
from agents.models import Engine


@dataclass(frozen=True, slots=True)
class State:
    """All nodes' results so far. A node adds its own and changes nothing of another's."""

    case: Case
    sighted: Sighted | None = None
    gathered: tuple[Gathered, ...] = ()
    judged: tuple[Judged, ...] = ()

    @property
    def anchor(self) -> Anchor:
        """The move; asked for only after the Timeline."""
        if self.sighted is None:
            raise ValueError("the Timeline has not run")
        return self.sighted.anchor

    @property
    def rounds(self) -> int:
        """How many rounds were judged."""
        return len(self.judged)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All evidence of all rounds, each record once for the same hypothesis."""
        found: dict[tuple[str, str, str], Evidence] = {}
        every = (*(one.evidence for one in self.gathered), *(one.refuting for one in self.judged))
        for evidence in (evidence for some in every for evidence in some):
            found.setdefault((evidence.record, evidence.hypothesis, evidence.claim), evidence)
        return tuple(found.values())

    @property
    def coverage(self) -> tuple[Coverage, ...]:
        """The checklist with the best answer each source gave in any round."""
        order: dict[CoverageState, int] = {"found": 0, "nothing": 1, "down": 2}
        best: dict[tuple[Collector, str], Coverage] = {}
        for one in self.gathered:
            for line in one.coverage:
                known = best.get((line.collector, line.source))
                if known is None or order[line.state] < order[known.state]:
                    best[(line.collector, line.source)] = line
        return tuple(best.values())

    @property
    def decomposition(self) -> Decomposition | None:
        """The decomposition, where a round could make one."""
        return next((one.decomposition for one in self.gathered if one.decomposition), None)


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole answer. `unknown_because` names the sources that did not answer where the verdict is unknown; `engine`
    and `model` are who read the records."""

    case: Case
    anchor: Anchor | None
    verdict: Verdict
    unknown_because: tuple[str, ...]
    hypotheses: tuple[Hypothesis, ...]
    coverage: tuple[Coverage, ...]
    decomposition: Decomposition | None
    rounds: int
    bound: Bound
    used: Bound
    notes: tuple[str, ...] = field(default=())
    model: str | None = None

    @property
    def engine(self) -> Engine:
        """Who read the records."""
        return self.case.engine
