"""Primary Source and Narrative: each goes through its fixed checklist at once, bounded in calls and time.

A collector returns evidence and coverage, never prose. What a source does not answer is down and named; what runs into
a limit is cut and says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from agents.investigation.bound import Caps, NodeMeter
from agents.investigation.checklist import Check
from agents.investigation.errors import BoundReached, SourceDown
from agents.investigation.evidence import weigh, with_copies, without_copies
from agents.investigation.models import Collector, Coverage, Evidence, Gathered, Record
from agents.investigation.ports import Inquiry, RecordSource, Thinker
from agents.investigation.state import State

BEFORE: Final = timedelta(days=3)
"""How long before the onset records are looked for, unless the user says."""
AFTER: Final = timedelta(days=120)
"""How long after the onset records are still looked for: a ministry's quarter comes out within it."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What one check brought: its records, or why there are none. `limit` says that a limit of ours stopped it."""

    check: Check
    records: tuple[Record, ...] = ()
    down: str = ""
    limit: bool = False


@dataclass(frozen=True, slots=True)
class RecordCollector:
    """A collector of records over the checks of its role."""

    role: Collector
    checks: tuple[tuple[Check, RecordSource], ...]
    thinker: Thinker
    caps: Caps

    async def gather(self, state: State, round_: int, meter: NodeMeter) -> Gathered:
        """One round over the checklist; the sources are asked at once."""
        inquiry = self._inquiry(state, round_)
        try:
            async with asyncio.timeout(self.caps.collector_timeout_s):
                brought = await asyncio.gather(*(self._ask(check, one, inquiry, meter) for check, one in self.checks))
                evidence, cut = await self._evidence(state, round_, brought, inquiry, meter)
        except TimeoutError:
            reason = f"cut after {self.caps.collector_timeout_s:g} s, the limit"
            lines = [Coverage(self.role, check.title, "down", reason) for check, _ in self.checks]
            return self._gathered(round_, (), lines, meter, reason)
        lines = [self._covered(one) for one in brought]
        cut = cut or next((one.down for one in brought if one.limit), "")
        return self._gathered(round_, evidence, lines, meter, cut)

    async def _ask(self, check: Check, source: RecordSource, inquiry: Inquiry, meter: NodeMeter) -> Brought:
        """One source with its own retries."""
        reason = ""
        for _ in range(self.caps.attempts):
            try:
                meter.source_call()
                async with asyncio.timeout(self.caps.source_timeout_s):
                    return Brought(check, tuple(await source.find(inquiry)))
            except TimeoutError:
                reason = f"no answer within {self.caps.source_timeout_s:g} s"
            except BoundReached as error:
                return Brought(check, down=reason or str(error), limit=True)
            except SourceDown as error:
                reason = str(error)
            except Exception as error:  # noqa: BLE001 -- a source's own fault is that source's state, not the end of the collector
                reason = f"{type(error).__name__}: {error}"
        return Brought(check, down=reason or "no answer")

    async def _evidence(
        self, state: State, round_: int, brought: Sequence[Brought], inquiry: Inquiry, meter: NodeMeter
    ) -> tuple[tuple[Evidence, ...], str]:
        records = {record.id: record for one in brought for record in one.records}
        texts = without_copies(records.values())
        known = {record.id: (record, copies) for record, copies in texts}
        further: dict[str, Record] = {}

        async def look(source: str, question: Inquiry) -> Sequence[Record]:
            found = next((one for check, one in self.checks if check.name == source), None)
            meter.source_call()
            answer = await found.find(question) if found else ()
            further.update({record.id: record for record in answer})
            return answer

        cut = ""
        try:
            readings = await self.thinker.read(
                self.role, state.case, state.anchor, [record for record, _ in texts], look, meter
            )
        except BoundReached as error:
            readings, cut = (), str(error)
        evidence = []
        for reading in readings:
            record, copies = known.get(reading.record.id, (further.get(reading.record.id), 0))
            if record is not None and record == reading.record:
                one = weigh(reading, state.anchor, state.case.kind, self.role, round_)
                evidence.append(with_copies(one, copies))
        return tuple(evidence), cut

    def _inquiry(self, state: State, round_: int) -> Inquiry:
        anchor = state.anchor
        topics = tuple(one.title for one in state.judged[-1].hypotheses[:3]) if round_ > 1 and state.judged else ()
        window = state.case.window_s
        before = BEFORE if window is None else timedelta(seconds=window)
        return Inquiry(state.case, anchor, anchor.onset_at - before, anchor.ends_at + AFTER, topics)

    def _covered(self, one: Brought) -> Coverage:
        if one.down:
            return Coverage(self.role, one.check.title, "down", one.down)
        count = len(one.records)
        if not count:
            return Coverage(self.role, one.check.title, "nothing", "searched, nothing there")
        return Coverage(self.role, one.check.title, "found", f"{count} record{'s' if count > 1 else ''}")

    def _gathered(
        self, round_: int, evidence: tuple[Evidence, ...], lines: Sequence[Coverage], meter: NodeMeter, cut: str
    ) -> Gathered:
        return Gathered(
            collector=self.role,
            round=round_,
            evidence=evidence,
            coverage=tuple(lines),
            source_calls=meter.source_calls,
            model_calls=meter.model_calls,
            cut=cut,
        )
