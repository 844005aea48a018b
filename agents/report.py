"""One agent on one item, in three stages whose order code decides: gather, draft, revise.

Gather   every mandatory tool is asked at once, each under a deadline (`agents.gather`).
Draft    a score from the item and the evidence; its links are checked by code (`agents.links`).
Revise   the analyst names faults of the draft. A fault counts only if it points at an evidence of this report or at
         words of the item; the others are refused. No fault that counts: the draft stands unchanged.

The counted confidence is reported x (0.5 + 0.5 x answered / mandatory). Whatever fails becomes an abstention with its
cause, never a number.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from time import perf_counter
from typing import TypeVar

from agents.analysts.protocol import Analyst, Brief, Holding
from agents.errors import AnalystFailed, ScoreError
from agents.gather import gather
from agents.links import NamedSymbols, check_links
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
from agents.specialists import Specialist
from agents.tools.protocol import Question, Tool
from feeds.models import Item

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

DETAIL_LIMIT = 240
"""Longest detail of an abstention, in characters."""

_DIRECTIONS = frozenset({"up", "down", "unclear"})


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long a tool and one call of an analyst may take, in seconds."""

    tool_s: float = 10.0
    call_s: float = 45.0


@dataclass(frozen=True, slots=True)
class Case:
    """An item as all five agents get it: the symbols it names, the story's novelty and the question for the tools."""

    item: Item
    now: datetime
    named: NamedSymbols
    question: Question
    watchlist: Mapping[str, Holding] = field(default_factory=dict)
    novelty: float = 1.0


async def report_on(
    case: Case, specialist: Specialist, analyst: Analyst, tools: Mapping[ToolName, Tool], deadlines: Deadlines
) -> Outcome:
    """What `specialist` says of the item, or why it says nothing. Raises only what cancels it."""
    started = perf_counter()
    evidence = await gather(specialist.tools, tools, case.question, deadlines.tool_s)
    brief = Brief(case.item, case.now, evidence, case.watchlist, case.novelty)
    stage = "draft"
    try:
        given = await _within(deadlines.call_s, analyst.draft(specialist.name, brief))
        draft = check_links(_sound(given), case.named, evidence)
        stage = "revise"
        revision = await _within(deadlines.call_s, analyst.revise(specialist.name, brief, draft.assessment))
        critique = judge_faults(revision.faults, case.item, evidence)
        final = check_links(_sound(revision.final), case.named, evidence) if critique.faults else draft
    except Exception as error:  # noqa: BLE001 -- an analyst may break in any way; its agent then abstains, the others go on
        return _abstention(error, stage, specialist, analyst, evidence, started)
    return Report(
        agent=specialist.name,
        draft=draft.assessment,
        critique=critique,
        final=final.assessment,
        confidence_score=counted_confidence(final.assessment.confidence_score, evidence),
        evidence=evidence,
        engine=analyst.engine,
        model=analyst.model,
        dropped_tickers=tuple(dict.fromkeys((*draft.dropped, *final.dropped))),
        elapsed_ms=(perf_counter() - started) * 1000,
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
    quoted = re.escape(_words(pointer))
    return bool(quoted) and re.search(rf"(?<![0-9a-z]){quoted}(?![0-9a-z])", words) is not None


def _words(text: str) -> str:
    """`text` as bare words, so that a quotation matches whatever its case, quotation marks and spacing."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


async def _within(seconds: float, call: Awaitable[_T]) -> _T:
    """The result of `call`; AnalystFailed("timeout") after `seconds`. A TimeoutError of the call's own passes."""
    try:
        async with asyncio.timeout(seconds) as deadline:
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


def _abstention(
    error: Exception,
    stage: str,
    specialist: Specialist,
    analyst: Analyst,
    evidence: tuple[Evidence, ...],
    started: float,
) -> Abstention:
    """The abstention `error` becomes; what no contract foresees is logged with its traceback."""
    cause: AbstentionCause
    if isinstance(error, AnalystFailed):
        cause, detail = error.cause, error.detail
    elif isinstance(error, ScoreError):
        cause, detail = "malformed", str(error)
    else:
        cause, detail = "error", f"{type(error).__name__}: {error}"
        _log.error("%s: the analyst broke its contract in %s", specialist.name, stage, exc_info=error)
    return Abstention(
        agent=specialist.name,
        cause=cause,
        detail=f"{stage}: {' '.join(detail.split())}"[:DETAIL_LIMIT],
        engine=analyst.engine,
        evidence=evidence,
        model=analyst.model,
        elapsed_ms=(perf_counter() - started) * 1000,
    )
