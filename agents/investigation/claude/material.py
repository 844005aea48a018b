"""What a reader is told: instructions that never change, and the case with its records as delimited data.

Records are shown without the orders they give, numbered, the nearest to the onset first, and with the timing that code
gave them. Nothing depends on when the question was asked, so that the same records are the same request.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any, Final

from agents.analysts.claude.prompts import cut, delimited, prompt_text
from agents.analysts.claude.request import Script
from agents.calls import Role
from agents.investigation.checklist import checks_of
from agents.investigation.claude.limits import ANSWER_BYTES, DATA_BYTES, OUTPUT_TOKENS, request_bytes
from agents.investigation.claude.replies import Readings, adjudicator_schema, reader_schema
from agents.investigation.dates.timing import timing
from agents.investigation.models import Anchor, Case, Collector, Evidence, Hypothesis, Record
from agents.investigation.readings.claims import without_its_orders
from agents.investigation.readings.known import Known
from agents.investigation.readings.ranks import standing
from agents.investigation.state import State
from agents.orders import LEFT_OUT, without_orders

SHOWN: Final = 60
"""Records that are shown at first, those nearest to the onset."""
FURTHER: Final = 12
"""Records of one further answer that are shown."""
EVIDENCE: Final = 60
TITLE_BYTES: Final = 300
SUMMARY_BYTES: Final = 480
_FILES: Final[Mapping[Role, str]] = {
    "PrimarySource": "investigation_primary_source.md",
    "MarketStructure": "investigation_market_structure.md",
    "Narrative": "investigation_narrative.md",
}


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of one further question: the records that are new, or why there are none."""

    source: str
    about: str
    records: tuple[tuple[int, Record], ...] = ()
    why: str = ""


def script(role: Role, model: str, questions: int) -> Script:
    """What `role` is told before its material, and the limits of its calls."""
    return Script(
        model=model,
        instructions=_instructions(role),
        schema=adjudicator_schema() if role == "Adjudicator" else reader_schema(),
        version=version(),
        most_bytes=request_bytes(questions),
        most_output=OUTPUT_TOKENS,
    )


@cache
def _instructions(role: Role) -> str:
    if role == "Adjudicator":
        return prompt_text("investigation_adjudicator.md")
    return "\n".join((prompt_text("investigation_shared.md"), prompt_text(_FILES[role])))


@cache
def version() -> str:
    """Names the instructions and schemas in force; it differs whenever one of them does."""
    told = [_instructions(role) for role in (*_FILES, "Adjudicator")]
    return sha256(json.dumps([told, reader_schema(), adjudicator_schema()]).encode()).hexdigest()[:12]


def askable(role: Collector, case: Case) -> dict[str, str]:
    """The sources of the role's own checklist that may be asked further, by name, in words."""
    return {check.name: check.title for check in checks_of(case) if check.collector == role}


def shown_first(records: Sequence[Record], anchor: Anchor) -> tuple[Record, ...]:
    """The records that are shown, official ones and those nearest to the onset first."""

    def place(record: Record) -> tuple[bool, float, str]:
        at = record.effective.at if record.effective else record.published_at
        away = abs((at - anchor.onset_at).total_seconds()) if at else float("inf")
        return (standing(record) != "official", away, record.id)

    return tuple(sorted(records, key=place)[:SHOWN])


def material(
    case: Case,
    anchor: Anchor,
    known: Iterable[Known],
    records: Sequence[Record],
    sources: Mapping[str, str],
    questions: int,
) -> tuple[str, int]:
    """(case, hypotheses and records as delimited data of at most DATA_BYTES, how many records are in it)."""
    told: dict[str, Any] = {
        "move": _move(case, anchor),
        "hypotheses": {one.key: one.title for one in known},
        "sources": dict(sources) if questions else {},
        "questions_left": questions,
    }
    numbered = tuple(enumerate(records, start=1))
    summaries = SUMMARY_BYTES
    while True:
        text = delimited({**told, "records": [_record(n, one, anchor, summaries) for n, one in numbered]})
        if len(text.encode()) <= DATA_BYTES or not numbered:
            return text, len(numbered)
        if summaries > 60:
            summaries //= 2
        else:
            numbered = numbered[: len(numbered) * 3 // 4]


def further(answers: Sequence[Answered], anchor: Anchor, left: int) -> str:
    """What the sources said to the questions of one turn, of at most ANSWER_BYTES for each question."""
    summaries, most = SUMMARY_BYTES, FURTHER
    while True:
        told = [_answered(one, anchor, summaries, most) for one in answers]
        text = delimited({"answers": told, "questions_left": left})
        if len(text.encode()) <= ANSWER_BYTES * max(1, len(answers)) or not most:
            return text
        summaries, most = (summaries // 2, most) if summaries > 60 else (summaries, most - 1)


def echo(said: Readings, most: int) -> str:
    """A reader's own answer as it is shown to it again: what it read and what it asked, in at most `most` bytes."""
    read = [[one.record, one.hypothesis, one.effect] for one in said.readings]
    asked = [[one.source, one.about[:80]] for one in said.questions]
    while True:
        text = json.dumps({"read": read, "asked": asked}, ensure_ascii=False, separators=(",", ":"))
        if len(text.encode("utf-8", "replace")) <= most or not read:
            return cut(text, most)
        read = read[: len(read) * 3 // 4]


def to_adjudicate(state: State, evidence: Sequence[Evidence], hypotheses: Mapping[str, Hypothesis], reason: str) -> str:
    """The hypotheses, the numbered evidence and the coverage as delimited data of at most DATA_BYTES."""
    told: dict[str, Any] = {
        "move": _move(state.case, state.anchor),
        "hypotheses": {key: cut(plain(one.title), 80) for key, one in hypotheses.items()},
        "searched": [[one.collector, cut(one.source, 60), one.state] for one in state.coverage[:40]],
        "another_look_for": cut(plain(reason), 160),
    }
    numbered = [_evidence(number, one) for number, one in enumerate(evidence, start=1)]
    while True:
        text = delimited({**told, "evidence": numbered})
        if len(text.encode()) <= DATA_BYTES or not numbered:
            return text
        numbered = numbered[: len(numbered) * 3 // 4]


def plain(text: str) -> str:
    """`text` without the orders it gives."""
    left, orders = without_orders(text)
    return " ".join(left.split()) or LEFT_OUT if orders else text


def _move(case: Case, anchor: Anchor) -> dict[str, Any]:
    return {
        "symbol": case.symbol,
        "names": [cut(one, 40) for one in case.names[:6]],
        "kind": case.kind,
        "onset": f"{anchor.onset_at:%Y-%m-%d %H:%M} to {anchor.ends_at:%Y-%m-%d %H:%M} UTC",
        "change_pct": round(anchor.change_pct, 3),
        "range_pct": round(anchor.range_pct, 3),
        "direction": anchor.direction,
    }


def _record(number: int, record: Record, anchor: Anchor, summary: int) -> dict[str, Any]:
    shown, _ = without_its_orders(record)
    told: dict[str, Any] = {"n": number, "title": cut(shown.title, TITLE_BYTES) or LEFT_OUT}
    if shown.summary:
        told["summary"] = cut(shown.summary, summary)
    told["source"] = cut(shown.source, 60) or LEFT_OUT
    told["kind"] = standing(record)
    if record.published_at is not None:
        told[record.time_kind] = _when(record)
        told["timing"] = timing(record.published_at, record.precision, anchor)
    if record.effective is not None:
        told["act_dated"] = record.effective.at.strftime("%Y-%m-%d")
    return told


def _when(record: Record) -> str:
    assert record.published_at is not None
    forms = {"month": "%Y-%m", "day": "%Y-%m-%d", "unknown": "%Y-%m-%d"}
    return record.published_at.strftime(forms.get(record.precision, "%Y-%m-%d %H:%M UTC"))


def _answered(one: Answered, anchor: Anchor, summary: int, most: int) -> dict[str, Any]:
    told: dict[str, Any] = {"source": one.source, "about": cut(one.about, 80)}
    if one.why:
        return {**told, "nothing": cut(plain(one.why), 120)}
    return {**told, "records": [_record(number, record, anchor, summary) for number, record in one.records[:most]]}


def _evidence(number: int, one: Evidence) -> dict[str, Any]:
    told: dict[str, Any] = {
        "n": number,
        "hypothesis": one.hypothesis,
        "supports": one.supports,
        "rank": one.rank,
        "timing": one.timing,
        "source": cut(plain(one.source), 60),
        "claim": cut(plain(one.claim), TITLE_BYTES),
    }
    if one.published_at is not None:
        told["published"] = f"{one.published_at:%Y-%m-%d %H:%M} UTC"
    return told
