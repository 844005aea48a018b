"""What one collector's reader says and is told, turn by turn; how many turns there are is decided here.

First the case and the records; then at most as many further questions as are allowed, each to a source of the
collector's own checklist; after each turn only the new records are read. One spare call repairs a malformed answer or
repeats a lost one.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final, TypeVar

from agents.analysts.claude.call import Caller
from agents.analysts.claude.failures import CallFailed
from agents.analysts.claude.message import Answer
from agents.analysts.claude.prompts import cut
from agents.analysts.claude.request import Order, Script
from agents.analysts.protocol import Bill
from agents.budget import SPARE_CALLS
from agents.calls import Role, Stage
from agents.enquiry import plain_words
from agents.investigation.claude import material
from agents.investigation.claude.limits import ECHO_BYTES, REPAIR_BYTES
from agents.investigation.claude.material import Answered
from agents.investigation.claude.replies import QuestionEntry, ReadingEntry, Readings, read_readings
from agents.investigation.errors import BoundReached, NoReading, SourceDown
from agents.investigation.models import Anchor, Case, Collector, Record
from agents.investigation.ports import Inquiry, Look, Meter
from agents.investigation.readings.causes import Reading, Refused
from agents.investigation.readings.known import Known

T = TypeVar("T")

READINGS_OF_ONE: Final = 3
"""Hypotheses one record may speak of; a record that speaks of everything says nothing."""
AFTER: Final = timedelta(days=120)
_NO_WORD: Final = re.compile(r"[^\w\s.&'-]")


@dataclass(slots=True)
class Exchange:
    """The turns of one role with the model, each paid for and counted. `until_s` is what one call may take."""

    caller: Caller
    role: Role
    stage: Stage
    case_id: str
    round: int
    script: Script
    meter: Meter
    until_s: float
    spare: int = SPARE_CALLS
    messages: list[dict[str, Any]] = field(default_factory=list)

    def say(self, text: str) -> None:
        """Adds a turn of ours."""
        self.messages.append({"role": "user", "content": text})

    def shown_again(self, text: str) -> None:
        """Adds the model's own words as they are shown to it again."""
        self.messages.append({"role": "assistant", "content": text})

    async def turn(self, read: Callable[[str], T]) -> T:
        """One answer. Raises NoReading where there is none, BoundReached where no call is left."""
        while True:
            self.meter.model_call()
            try:
                return await self._call(read)
            except CallFailed as failed:
                repairable = failed.failure.lost or failed.cause == "malformed"
                if not repairable or not self.spare or not self.meter.model_calls_left:
                    repaired = " (after one repair)" if repairable and not self.spare else ""
                    raise NoReading(failed.cause, f"{failed.detail}{repaired}") from failed
                self.spare -= 1
                if failed.text and not failed.failure.lost:
                    self.shown_again(cut(failed.text, REPAIR_BYTES - 1_000))
                    self.say(f"That was not valid: {failed.detail}. Send the corrected JSON object and nothing else.")

    async def _call(self, read: Callable[[str], T]) -> T:
        bill = Bill()

        def of_text(answer: Answer) -> T:
            return read(answer.text)

        order = Order(
            agent=self.role,
            item_id=self.case_id,
            revision=self.round,
            stage=self.stage,
            messages=tuple(self.messages),
            read=of_text,
            bill=bill,
            until=asyncio.get_running_loop().time() + self.until_s,
            script=self.script,
        )
        try:
            return await self.caller.make(order)
        finally:
            self.meter.paid(bill.tokens, bill.nano)


class Reader:
    """One collector's reader in one round."""

    def __init__(self, exchange: Exchange, role: Collector, case: Case, anchor: Anchor, known: Mapping[str, Known]):
        self._exchange = exchange
        self._role = role
        self._case = case
        self._anchor = anchor
        self._known = known
        self._brought: dict[int, Record] = {}
        self._said: list[Reading] = []
        self._refused: list[Refused] = []
        self._seen: set[tuple[int, str]] = set()

    async def read(self, records: Sequence[Record], look: Look, questions: int) -> list[Reading | Refused]:
        """What the records say, after at most so many further questions."""
        sources = material.askable(self._role, self._case) if questions else {}
        left = questions if sources else 0
        first = material.shown_first(records, self._anchor)
        text, shown = material.material(self._case, self._anchor, self._known.values(), first, sources, left)
        self._brought = dict(enumerate(first[:shown], start=1))
        if shown < len(records):
            self._refuse(f"{len(records) - shown} of {len(records)} records, further from the onset, were not shown")
        self._exchange.say(text)
        while True:
            said = await self._exchange.turn(read_readings)
            self._understand(said)
            if not said.questions:
                break
            asked, beyond = said.questions[:left], len(said.questions) - left
            if beyond > 0:
                limit = f"cut after {questions} further questions, the limit" if questions else "no question is allowed"
                self._refused.append(Refused(limit, limit=bool(questions)))
            answers = [await self._ask(one, sources, look) for one in asked]
            left -= len(asked)
            if not any(one.records for one in answers) or not self._exchange.meter.model_calls_left:
                break
            self._exchange.shown_again(material.echo(said, ECHO_BYTES))
            self._exchange.say(material.further(answers, self._anchor, left))
        return [*self._said, *self._refused]

    def _understand(self, said: Readings) -> None:
        self._refused += said.refused
        for entry in said.readings:
            if why := self._wrong(entry):
                self._refuse(why)
            else:
                self._seen.add((entry.record, entry.hypothesis))
                self._said.append(self._reading(entry))

    def _wrong(self, entry: ReadingEntry) -> str:
        """Why a reading does not count; "" where it does."""
        if entry.record not in self._brought:
            return f"a reading of record {entry.record}, which was not brought"
        known = self._known.get(entry.hypothesis)
        if known is None:
            return f"record {entry.record}: there is no hypothesis {entry.hypothesis!r}"
        if known.cause_type != entry.cause_type:
            return f"record {entry.record}: {entry.hypothesis} is not of the type {entry.cause_type}"
        if (entry.record, entry.hypothesis) in self._seen:
            return f"record {entry.record}: read twice for {entry.hypothesis}"
        if sum(number == entry.record for number, _ in self._seen) >= READINGS_OF_ONE:
            return f"record {entry.record}: read for more than {READINGS_OF_ONE} hypotheses"
        return ""

    def _reading(self, entry: ReadingEntry) -> Reading:
        """The reading as it is claimed; code holds it to the record's words (`readings.claims`)."""
        return Reading(
            record=self._brought[entry.record],
            hypothesis=entry.hypothesis,
            cause_type=entry.cause_type,
            topic=entry.title,
            supports=entry.effect == "supports",
            own_act=entry.states_act,
            act=entry.states_act,
            why=entry.reason,
        )

    async def _ask(self, question: QuestionEntry, sources: Mapping[str, str], look: Look) -> Answered:
        """Puts one question to a source of the checklist; only what is new comes back."""
        about = plain_words(_NO_WORD.sub(" ", material.plain(question.about)))
        if question.source not in sources:
            self._refuse(f"a question to {question.source!r}, which is not on the checklist")
            return Answered(question.source[:40], about, why="there is no such source")
        since = self._anchor.onset_at - timedelta(days=question.days_before)
        topics = (about,) if about else ()
        inquiry = Inquiry(self._case, self._anchor, since, self._anchor.ends_at + AFTER, topics)
        try:
            found = await look(question.source, inquiry)
        except (SourceDown, BoundReached) as error:
            return Answered(question.source, about, why=f"it did not answer: {error}")
        known = {record.id for record in self._brought.values()}
        new = [record for record in found if record.id not in known][: material.FURTHER]
        numbered = tuple(enumerate(new, start=len(self._brought) + 1))
        self._brought.update(numbered)
        return Answered(question.source, about, numbered, "" if new else "nothing that was not shown already")

    def _refuse(self, why: str) -> None:
        self._refused.append(Refused(why))
