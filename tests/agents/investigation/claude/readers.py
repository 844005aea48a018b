"""Models that read records, as moods of the fake service, and an investigation over files that asks them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.investigation.bound import Caps
from agents.investigation.claude.limits import claude_caps
from agents.investigation.claude.thinker import ClaudeThinker
from agents.investigation.memory_rows import MemoryRows
from agents.investigation.models import Case, Record
from agents.investigation.ports import NodeEvent, Rows
from agents.investigation.state import Answer, State
from app.investigation.inquiry import Inquirer, World, file_world
from feeds.symbols.table import SymbolTable
from tests.agents.analysts.claude.ledgers import MODEL, Office
from tests.agents.investigation.builders import NOW, a_case, a_record, a_series
from tests.fakes.messages_api import Asked, Mood, message

SYMBOLS = SymbolTable.load()
QUESTIONS = 2

STATEMENT = a_record(
    "Statement on Monetary Policy, 14 May 2024",
    "The Bank raises the overnight rate to 0.5 percent.",
    source="Bank of Japan",
    url="https://www.boj.or.jp/en/mopo/k240514a.htm",
    when="14 05:30",
)
REPORT = a_record("Yen leaps after Bank of Japan raises rates", when="14 06:14")
SUSPICION = a_record("Yen vaults in minutes; dealers suspect intervention by Tokyo", key="suspicion", when="14 06:20")
RECORD = a_record(
    "Foreign exchange intervention operations, April to June 2024, daily data",
    "14 May 2024: 3,000 billion yen, US dollar (sold) Japanese yen (bought).",
    source="Ministry of Finance Japan",
    url="https://www.mof.go.jp/english/quarter/2024_2Qe.html",
    when="14 23:50",
    effective="14 00:00",
    key="record",
)

Reads = Callable[[Asked, dict[str, Any]], Mapping[str, Any]]


def outside(asked: Asked, place: int = 0) -> dict[str, Any]:
    """The delimited documents of a request in turn; the last one by -1."""
    found: list[dict[str, Any]] = [
        json.loads(text) for text in re.findall(r"<outside>\n(.*?)\n</outside>", asked.told, re.DOTALL)
    ]
    return found[place]


def role_of(asked: Asked) -> str:
    """Which role is asked, by its instructions."""
    for title, role in (
        ("# Your records: primary", "PrimarySource"),
        ("# Your records: what newsrooms", "Narrative"),
        ("# Your records: what other", "MarketStructure"),
    ):
        if title in asked.system:
            return role
    return "Adjudicator"


def reading(
    record: int, hypothesis: str, *, effect: str = "supports", states: bool = True, **more: Any
) -> dict[str, Any]:
    """A reading as the model writes it."""
    return {
        "record": record,
        "cause_type": hypothesis.partition("/")[0],
        "hypothesis": hypothesis,
        "title": "",
        "effect": effect,
        "states_act": states,
        "reason": "as it says",
        **more,
    }


def said(*readings: Mapping[str, Any], questions: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """A collector's answer."""
    return {"readings": list(readings), "questions": list(questions)}


def question(source: str, about: str = "rate decision", days_before: int = 3) -> dict[str, Any]:
    """A further question."""
    return {"source": source, "about": about, "days_before": days_before}


def second(*, another_look: bool = True, refuting: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """The Adjudicator's answer."""
    return {"another_look": another_look, "refuting": list(refuting)}


def by_words(words: Mapping[str, str]) -> Reads:
    """Reads each record by the first word it holds of `words`, as support for the hypothesis under it."""

    def reads(asked: Asked, given: dict[str, Any]) -> Mapping[str, Any]:
        if role_of(asked) == "Adjudicator":
            return second()
        found = []
        for record in outside(asked, -1).get("records", ()):
            text = f"{record['title']} {record.get('summary', '')}".casefold()
            key = next((key for word, key in words.items() if word in text), "")
            found += [reading(record["n"], key)] if key in given["hypotheses"] else []
        return said(*found)

    return reads


def answers(reads: Reads) -> Mood:
    """Answers what `reads` makes of the first document."""

    async def mood(asked: Asked) -> Any:
        return message(asked, json.dumps(reads(asked, outside(asked))))

    return mood


def by_role(others: Mood, **moods: Mood) -> Mood:
    """A mood for each role that is named, `others` for the rest."""

    async def mood(asked: Asked) -> Any:
        return await moods.get(role_of(asked), others)(asked)

    return mood


@dataclass
class Inquest:
    """Investigations over files, read by the model of an office."""

    office: Office
    questions: int = QUESTIONS
    rows: Rows = field(default_factory=MemoryRows)
    call_s: float = 5.0
    events: list[NodeEvent] = field(default_factory=list)

    @property
    def caps(self) -> Caps:
        price = self.office.caller.settings.prices.get(MODEL)
        return claude_caps(price, self.questions, self.call_s)

    def inquirer(self, world: World) -> Inquirer:
        thinker = ClaudeThinker(self.office.caller, MODEL, SYMBOLS, questions=self.questions, call_s=self.call_s)
        return Inquirer(world, thinker, self.rows, SYMBOLS, self.caps)

    async def ask(self, *records: Record, case: Case | None = None, world: World | None = None) -> Answer:
        """The answer over a fall of the pair at the onset and these records."""
        case = case or a_case()
        world = world or file_world(a_series(symbol=case.symbol), records)
        return await self.inquirer(world).ask(case, lambda: NOW, self.events.append)

    async def state(self, *records: Record, case: Case | None = None, world: World | None = None) -> State:
        """The finished state over the same."""
        case = case or a_case()
        world = world or file_world(a_series(symbol=case.symbol), records)
        return await self.inquirer(world).state(case, lambda: NOW, self.events.append)
