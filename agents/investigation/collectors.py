"""Primary Source and Narrative: each goes through its fixed checklist at once, bounded in calls and time.

A collector returns evidence and coverage, never prose. What a source does not answer is down and named; what runs into
a limit is cut and says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from agents.investigation.bound import Caps, NodeMeter
from agents.investigation.checklist import Check
from agents.investigation.errors import BoundReached, NoReading, SourceDown, Unread
from agents.investigation.evidence import weigh, with_copies, without_copies
from agents.investigation.models import Case, Collector, Coverage, Evidence, Gathered, Record
from agents.investigation.ports import Inquiry, RecordSource, Remarked, Thinker
from agents.investigation.readings.causes import Reading
from agents.investigation.readings.claims import Claims
from agents.investigation.readings.known import is_named
from agents.investigation.state import State

BEFORE: Final = timedelta(days=3)
"""How long before the onset records are looked for, unless the user says."""
AFTER: Final = timedelta(days=140)
"""How long after the onset records are still looked for: a ministry's quarter comes out within it."""


SEARCHED: Final = "searched, nothing there"


@dataclass(frozen=True, slots=True)
class Brought:
    """What one check brought: its records, or why there are none. `limit` says that a limit of ours stopped it,
    `remark` is what the source says of its answer."""

    check: Check
    records: tuple[Record, ...] = ()
    down: str = ""
    limit: bool = False
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """What an engine made of `records` records: the readings that count with their copies, what was dropped, and which
    limit stopped it. `unread` says why nothing was read."""

    counted: tuple[tuple[Reading, int], ...] = ()
    dropped: tuple[str, ...] = ()
    records: int = 0
    unread: str = ""
    cut: str = ""

    def coverage(self, role: Collector, thinker: Thinker) -> list[Coverage]:
        """The line of an engine that may fail; rules read whatever is there."""
        if not thinker.calls_per_collector:
            return []
        if self.unread:
            return [Coverage(role, reading_of(role, thinker), "down", self.unread)]
        dropped = f", {len(self.dropped)} dropped" if self.dropped else ""
        detail = f"of {self.records} records {len(self.counted)} readings{dropped}"
        return [Coverage(role, reading_of(role, thinker), "found" if self.counted else "nothing", detail)]


def reading_of(role: Collector, thinker: Thinker) -> str:
    """The name of an engine's reading among what was searched."""
    return f"reading of {role} by {thinker.engine}"


@dataclass(frozen=True, slots=True)
class RecordCollector:
    """A collector of records over the checks of its role."""

    role: Collector
    checks: tuple[tuple[Check, RecordSource], ...]
    thinker: Thinker
    claims: Claims
    caps: Caps

    async def gather(self, state: State, round_: int, meter: NodeMeter) -> Gathered:
        """One round over the checklist; the sources are asked at once. Raises Unread where the engine read nothing of
        what they brought."""
        inquiry = self._inquiry(state, round_)
        lines: list[Coverage] = []
        try:
            async with asyncio.timeout(self.caps.collector_timeout_s):
                brought = await asyncio.gather(*(self._ask(check, one, inquiry, meter) for check, one in self.checks))
                lines = [self._covered(one) for one in brought]
                cut = next((one.down for one in brought if one.limit), "")
                read = await self._read(state, brought, meter)
        except NoReading as error:
            unread = Coverage(self.role, reading_of(self.role, self.thinker), "down", str(error))
            gathered = self._gathered(round_, (), [*lines, unread], meter, str(error))
            raise Unread(gathered, f"no reading by {self.thinker.engine}: {error}") from error
        except TimeoutError:
            reason = f"cut after {self.caps.collector_timeout_s:g} s, the limit"
            if lines:
                lines.append(Coverage(self.role, reading_of(self.role, self.thinker), "down", reason))
            lines = lines or [Coverage(self.role, check.title, "down", reason) for check, _ in self.checks]
            return self._gathered(round_, (), lines, meter, reason)
        evidence = tuple(
            with_copies(weigh(reading, state.anchor, state.case.kind, self.role, round_), copies)
            for reading, copies in read.counted
        )
        lines += [*read.coverage(self.role, self.thinker), *self._unnamed(state.case, brought)]
        gathered = self._gathered(round_, evidence, lines, meter, cut or read.cut)
        return replace(gathered, dropped=read.dropped)

    def _unnamed(self, case: Case, brought: Sequence[Brought]) -> list[Coverage]:
        """That nobody can tell which records are about the symbol, so that none of them rules anything out."""
        tagged = any(case.symbol in record.tickers for one in brought for record in one.records)
        if self.role != "Narrative" or tagged or is_named(case, self.claims.companies):
            return []
        return [Coverage(self.role, "table of symbols", "down", f"{case.symbol} is not in it: no record can name it")]

    async def _ask(self, check: Check, source: RecordSource, inquiry: Inquiry, meter: NodeMeter) -> Brought:
        """One source with its own retries."""
        reason = ""
        for _ in range(self.caps.attempts):
            try:
                meter.source_call()
                async with asyncio.timeout(self.caps.source_timeout_s):
                    found = await source.find(inquiry)
                    remark = found.remark if isinstance(found, Remarked) else ""
                    return Brought(check, tuple(found), remark=remark)
            except TimeoutError:
                reason = f"no answer within {self.caps.source_timeout_s:g} s"
            except BoundReached as error:
                return Brought(check, down=reason or str(error), limit=True)
            except SourceDown as error:
                reason = str(error)
            except Exception as error:  # noqa: BLE001 -- a source's own fault is that source's state, not the end of the collector
                reason = f"{type(error).__name__}: {error}"
        return Brought(check, down=reason or "no answer")

    async def _read(self, state: State, brought: Sequence[Brought], meter: NodeMeter) -> Read:
        """What the engine reads in the records, as far as it counts."""
        records = {record.id: record for one in brought for record in one.records}
        texts = without_copies(records.values())
        known = {record.id: (record, copies) for record, copies in texts}
        further: dict[str, Record] = {}

        async def look(source: str, question: Inquiry) -> Sequence[Record]:
            found = next((one for check, one in self.checks if check.name == source), None)
            if found is None:
                raise SourceDown(f"{source} is not on the checklist")
            meter.source_call()
            try:
                async with asyncio.timeout(self.caps.source_timeout_s):
                    answer = await found.find(question)
            except TimeoutError:
                raise SourceDown(f"no answer within {self.caps.source_timeout_s:g} s") from None
            further.update({record.id: record for record in answer})
            return answer

        cut = ""
        try:
            readings = await self.thinker.read(
                self.role, state.case, state.anchor, [record for record, _ in texts], look, meter
            )
        except BoundReached as error:
            readings, cut = (), str(error)
        counted, refused = self.claims.held(readings, state.case, state.anchor)
        own: list[tuple[Reading, int]] = []
        dropped = [one.why for one in refused]
        for reading in counted:
            record, copies = known.get(reading.record.id, (further.get(reading.record.id), 0))
            if record is not None and record == reading.record:
                own.append((reading, copies))
            else:
                dropped.append("a record that was not brought")
        limit = next((one.why for one in refused if one.limit), "")
        return Read(tuple(own), tuple(dropped), len(texts) + len(further), cut, cut or limit)

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
            return Coverage(self.role, one.check.title, "nothing", one.remark or SEARCHED)
        said = one.remark or f"{count} record{'s' if count > 1 else ''}"
        return Coverage(self.role, one.check.title, "found", said)

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
            tokens=meter.tokens,
            nano=meter.nano,
        )
