"""One agent on one item, in three stages whose order code decides: gather, draft, revise.

Gather   every mandatory tool is asked at once, each under a deadline (`agents.gather`). Findings that give orders are
         left out (`agents.orders`).
Draft    a score from the item and the evidence. The analyst may first ask the agent's own tools a few questions more
         (`agents.enquiry`). Its links are checked by code (`agents.links`), a model's word is held to bounds
         (`agents.bounds`).
Revise   the analyst names faults of the draft. A fault counts only if it points at an evidence of this report or at
         words of the item; the others are refused. No fault that counts: the draft stands unchanged.

The counted confidence is reported x (0.5 + 0.5 x answered / mandatory); further answers do not count. Whatever fails
becomes an abstention with its cause, never a number.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from time import perf_counter
from typing import TypeVar

from agents.analysts.protocol import Analyst, Bill, Brief, Holding
from agents.bounds import Bounds, hold
from agents.enquiry import ToolEnquiry
from agents.errors import AnalystFailed, ScoreError
from agents.gather import gather
from agents.links import CheckedLinks, NamedSymbols, check_links
from agents.models import (
    ANSWERED,
    FLASH_EVENTS,
    LINK_TYPES,
    SIGNAL_TYPES,
    Abstention,
    AbstentionCause,
    Assessment,
    Critique,
    Evidence,
    Fault,
    Outcome,
    Report,
    ToolName,
)
from agents.orders import heed_evidence
from agents.specialists import Specialist
from agents.tools.protocol import Question, Tool
from feeds.models import Item

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

DETAIL_LIMIT = 240
"""Longest detail of an abstention, in characters."""

_GRACE_S = 0.25
"""So much later an analyst is cut off that does not keep the deadline itself, which one that keeps accounts does."""

_INSIDE_WORD = frozenset("0123456789abcdefghijklmnopqrstuvwxyz")
_WORD = re.compile(r"[^\W_]+")
_DIRECTIONS = frozenset({"up", "down", "unclear"})


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long a tool may take, and how long an analyst may think for one agent in all, in seconds."""

    tool_s: float = 10.0
    call_s: float = 45.0


@dataclass(frozen=True, slots=True)
class Case:
    """An item as all five agents get it: the symbols it names, the story's novelty and the question for the tools.

    `bounds` hold what a model says; None for an engine that is not held. `extra_calls` are the further questions each
    agent may ask.
    """

    item: Item
    now: datetime
    named: NamedSymbols
    question: Question
    watchlist: Mapping[str, Holding] = field(default_factory=dict)
    novelty: float = 1.0
    bounds: Bounds | None = None
    extra_calls: int = 0
    urgent: bool = False


async def report_on(
    case: Case, specialist: Specialist, analyst: Analyst, tools: Mapping[ToolName, Tool], deadlines: Deadlines
) -> Outcome:
    """What `specialist` says of the item, or why it says nothing. Raises only what cancels it."""
    work = _Work(case, specialist, analyst)
    mandatory = await gather(specialist.tools, tools, work.question, deadlines.tool_s)
    work.evidence = tuple(heed_evidence(one) for one in mandatory)
    until = asyncio.get_running_loop().time() + deadlines.call_s
    try:
        return await _within(deadlines.call_s, until, _examine(work, tools, deadlines, until))
    except Exception as error:  # noqa: BLE001 -- an analyst may break in any way; its agent then abstains, the others go on
        return _abstention(error, work)


@dataclass(slots=True)
class _Work:
    """How far one agent is with one item. `question` is the case's, on this agent's bill."""

    case: Case
    specialist: Specialist
    analyst: Analyst
    evidence: tuple[Evidence, ...] = ()
    stage: str = "draft"
    bill: Bill = field(default_factory=Bill)
    notes: list[str] = field(default_factory=list)
    started: float = field(default_factory=perf_counter)
    question: Question = field(init=False)

    def __post_init__(self) -> None:
        self.question = replace(self.case.question, bill=self.bill)

    def brief(self, until: float, enquiry: ToolEnquiry | None) -> Brief:
        """What the analyst is told now."""
        case = self.case
        return Brief(
            case.item,
            case.now,
            self.evidence,
            case.watchlist,
            case.novelty,
            concerned=case.named.concerned if case.bounds else (),
            urgent=case.urgent,
            until=until,
            enquiry=enquiry,
            bill=self.bill,
        )

    def checked(self, given: object) -> CheckedLinks:
        """`given` as it may count: sound, its links known, its scores within the bounds."""
        checked = check_links(_sound(given), self.case.named, self.evidence)
        if self.case.bounds is None:
            return checked
        held = hold(checked.assessment, self.case.bounds, self.case.named.concerned)
        self.notes += [note for note in held.notes if note not in self.notes]
        return CheckedLinks(held.assessment, checked.dropped)


async def _examine(work: _Work, tools: Mapping[ToolName, Tool], deadlines: Deadlines, until: float) -> Report:
    """Draft and revision, which the analyst is to give by `until`."""
    case, specialist, mandatory = work.case, work.specialist, work.evidence
    enquiry = ToolEnquiry(tools, work.question, mandatory, limit=case.extra_calls, deadline_s=deadlines.tool_s)
    drafted = await work.analyst.draft(specialist.name, work.brief(until, enquiry))
    work.evidence = (*mandatory, *enquiry.answers)
    draft = work.checked(drafted)
    work.stage = "revise"
    revision = await work.analyst.revise(specialist.name, work.brief(until, None), draft.assessment)
    critique = judge_faults(revision.faults, case.item, work.evidence)
    final = work.checked(revision.final) if critique.faults else draft
    return Report(
        agent=specialist.name,
        draft=draft.assessment,
        critique=critique,
        final=final.assessment,
        confidence_score=counted_confidence(final.assessment.confidence_score, mandatory),
        evidence=work.evidence,
        engine=work.analyst.engine,
        model=work.bill.model or work.analyst.model,
        dropped_tickers=tuple(dict.fromkeys((*draft.dropped, *final.dropped))),
        elapsed_ms=(perf_counter() - work.started) * 1000,
        cost_usd=work.bill.usd,
        held=tuple(work.notes),
    )


def counted_confidence(reported: float, evidence: Sequence[Evidence]) -> float:
    """`reported` x (0.5 + 0.5 x answered / mandatory), over one evidence for each mandatory tool."""
    if not evidence:
        return reported
    answered = sum(result.status in ANSWERED for result in evidence)
    return reported * (0.5 + 0.5 * answered / len(evidence))


def judge_faults(faults: Sequence[Fault], item: Item, evidence: Sequence[Evidence]) -> Critique:
    """Parts `faults` into those that point at something and say what is wrong, and the refused."""
    if not faults:
        return Critique()
    ids = frozenset(result.id for result in evidence)
    text = _words(item.text)
    valid: list[Fault] = []
    refused: list[Fault] = []
    for fault in faults:
        shown = fault.pointer in ids or _quotes(fault.pointer, text)
        (valid if shown and fault.statement.strip() else refused).append(fault)
    return Critique(tuple(valid), tuple(refused))


def _quotes(pointer: str, words: str) -> bool:
    """Whether `pointer` is whole words of `words`; scripts that write without spaces match anywhere."""
    quoted = _words(pointer)
    start = words.find(quoted) if quoted else -1
    while start >= 0:
        end = start + len(quoted)
        if words[start - 1 : start] not in _INSIDE_WORD and words[end : end + 1] not in _INSIDE_WORD:
            return True
        start = words.find(quoted, start + 1)
    return False


def _words(text: str) -> str:
    """`text` as bare words, so that a quotation matches whatever its case, quotation marks and spacing."""
    return " ".join(_WORD.findall(text.casefold()))


async def _within(seconds: float, until: float, call: Awaitable[_T]) -> _T:
    """The result of `call`; AnalystFailed("timeout") after the deadline. A TimeoutError of the call's own passes."""
    try:
        async with asyncio.timeout_at(until + _GRACE_S) as deadline:
            return await call
    except TimeoutError as error:
        if deadline.expired():
            raise AnalystFailed("timeout", f"no answer after {seconds:g} s") from error
        raise


def _sound(given: object) -> Assessment:
    """`given` if its words are the product's; ScoreError otherwise. Its scores were checked when it was made."""
    if not isinstance(given, Assessment):
        raise ScoreError(f"not an assessment: {type(given).__name__}")
    if given.signal_type not in SIGNAL_TYPES:
        raise ScoreError(f"not a signal type: {given.signal_type!r}")
    if given.event_type is not None and given.event_type not in FLASH_EVENTS:
        raise ScoreError(f"not a flash event: {given.event_type!r}")
    for link in given.tickers_linked:
        if link.link_type not in LINK_TYPES or link.direction not in _DIRECTIONS:
            raise ScoreError(f"not a link: {link.symbol} {link.link_type!r} {link.direction!r}")
    return given


def _abstention(error: Exception, work: _Work) -> Abstention:
    """The abstention `error` becomes; what no contract foresees is logged with its traceback."""
    cause: AbstentionCause
    if isinstance(error, AnalystFailed):
        cause, detail = error.cause, error.detail
    elif isinstance(error, ScoreError):
        cause, detail = "malformed", str(error)
    else:
        cause, detail = "error", f"{type(error).__name__}: {error}"
        _log.error("%s: the analyst broke its contract in %s", work.specialist.name, work.stage, exc_info=error)
    return Abstention(
        agent=work.specialist.name,
        cause=cause,
        detail=f"{work.stage}: {' '.join(detail.split())}"[:DETAIL_LIMIT],
        engine=work.analyst.engine,
        evidence=work.evidence,
        model=work.bill.model or work.analyst.model,
        elapsed_ms=(perf_counter() - work.started) * 1000,
        cost_usd=work.bill.usd,
    )
