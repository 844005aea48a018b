"""A tool that public sources answer, with our own database beside them.

Its chains are asked at once; inside a chain the next source is asked only where the one before gave no answer. The tool
has a deadline of its own, shorter than the agent's patience: what has answered by then is the evidence, and the rest is
named as missing. Nothing found counts as `empty` only where every chain that matters has answered.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeAlias

from agents.models import ANSWERED, Evidence, EvidenceItem, ToolName
from agents.tools.asking.catalogue import SOURCES
from agents.tools.asking.errors import SourceError
from agents.tools.asking.keys import Keys
from agents.tools.asking.request import Got
from agents.tools.findings import known_then
from agents.tools.protocol import Question, Tool
from agents.tools.result import empty, not_configured, ok, stale, unavailable

_log = logging.getLogger(__name__)

DEADLINE_S: Final = 9.0
STEP_S: Final = 4.0
"""A source with another behind it in its chain may take so long."""
FINDINGS: Final = 24
BACKLOG = "the feed held it before it was first read; for history the network is not asked"


@dataclass(frozen=True, slots=True)
class Answer:
    """What one source contributes. `note` says what a reader must know of it ("no scores known")."""

    items: tuple[EvidenceItem, ...]
    source: str
    url: str
    fetched_at: datetime
    raw: str = ""
    stale: str = ""
    note: str = ""


def answer(got: Got[object], items: Sequence[EvidenceItem], note: str = "", lapsed: str = "") -> Answer:
    """The contribution of a read answer; `lapsed` says that what it holds is older than its source promises."""
    return Answer(tuple(items), got.source, got.url, got.fetched_at, got.raw, got.stale or lapsed, note)


Part: TypeAlias = Callable[[Question], Awaitable[Answer | None]]
"""Asks one source; None where the item gives nothing to ask it. Raises SourceError."""


@dataclass(frozen=True, slots=True)
class Step:
    """One source of a chain, by its name in the catalogue.

    With another behind it it may take `patience_s`. `unfit` says in words why it is not asked this question, or "".
    """

    source: str
    part: Part
    patience_s: float = STEP_S
    unfit: Callable[[Question], str] = lambda _: ""


@dataclass(frozen=True, slots=True)
class Chain:
    """Sources that stand in for each other, the first one first. Without `needed` its silence proves nothing."""

    steps: tuple[Step, ...]
    needed: bool = True


@dataclass(slots=True)
class _Told:
    """What became of one chain; `idle` where the item gave nothing to ask. `asking` is who is asked at the moment."""

    answer: Answer | None = None
    failures: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    idle: bool = False
    asking: str = ""

    @property
    def failed(self) -> bool:
        return self.answer is None and bool(self.failures)


@dataclass(frozen=True, slots=True)
class SourcedTool:
    """A mandatory tool over public sources; `own` is answered by our database and comes first in the evidence."""

    tool: ToolName
    chains: tuple[Chain, ...]
    keys: Keys
    own: Tool | None = None
    deadline_s: float = DEADLINE_S
    nothing_to_ask: str = "the item names no company and no event to ask about"

    @property
    def name(self) -> ToolName:
        return self.tool

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources in the order of asking."""
        return tuple(step.source for chain in self.chains for step in chain.steps)

    async def ask(self, question: Question) -> Evidence:
        """One evidence from all that answered in time."""
        own = await self.own.ask(question) if self.own is not None else None
        if question.item.backlog:
            return own or not_configured(self.tool, question.now, BACKLOG)
        told = [_Told() for _ in self.chains]
        tasks = [
            asyncio.create_task(self._chain(chain, one, question)) for chain, one in zip(self.chains, told, strict=True)
        ]
        try:
            _, late = await asyncio.wait(tasks, timeout=self.deadline_s) if tasks else (set(), set())
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task, one in zip(tasks, told, strict=True):
            if task in late:
                one.failures.append(f"{_title(one.asking)}: no answer within {self.deadline_s:g} s")
        return self._evidence(question, own, told)

    async def _chain(self, chain: Chain, told: _Told, question: Question) -> None:
        """Asks one source after the other until one has answered; all goes into `told`."""
        for place, step in enumerate(chain.steps):
            if why := self.keys.unusable(step.source) or step.unfit(question):
                told.missing.append(f"{step.source} {why}")
                continue
            told.asking = step.source
            try:
                last = place == len(chain.steps) - 1
                told.answer = await asyncio.wait_for(step.part(question), None if last else step.patience_s)
                told.idle = told.answer is None
                return
            except TimeoutError:
                told.failures.append(f"{_title(step.source)}: no answer within {step.patience_s:g} s")
            except SourceError as error:
                told.failures.append(str(error))
            except Exception as error:  # noqa: BLE001 -- one broken source must not take the tool's others with it
                _log.exception("%s: %s broke its contract", self.tool, step.source)
                told.failures.append(f"{_title(step.source)}: failed ({type(error).__name__})")

    def _evidence(self, question: Question, own: Evidence | None, told: Sequence[_Told]) -> Evidence:
        now = question.now
        answers = [one.answer for one in told if one.answer is not None]
        kept = [(one, known_then(one.items, question)) for one in answers]
        items = [*(own.items if own is not None else ()), *(item for _, found in kept for item in found)][:FINDINGS]
        sources, url = self._named(own, kept)
        detail = "; ".join(_said(own, answers, told))
        raw = "\n\n".join(part for part in (own.raw if own else "", *map(_headed, answers)) if part)
        if items:
            fresh = (own is not None and own.status == "ok") or any(found and not one.stale for one, found in kept)
            made = ok if fresh else stale
            return made(self.tool, now, sources, items, detail=detail, url=url, raw=raw)
        down = any(one.failed and chain.needed for one, chain in zip(told, self.chains, strict=True))
        own_answers = own is not None and own.status in ANSWERED
        if down or (own is not None and own.status == "unavailable"):
            return unavailable(self.tool, now, detail, source=sources, url=url)
        if answers or own_answers:
            return empty(self.tool, now, sources, detail or "asked, and nothing is there", url=url, raw=raw)
        if any(one.failures for one in told):
            return unavailable(self.tool, now, detail, source=sources, url=url)
        if any(one.idle for one in told):
            return empty(self.tool, now, "", self.nothing_to_ask)
        return own or not_configured(self.tool, now, detail)

    def _named(self, own: Evidence | None, kept: Sequence[tuple[Answer, tuple[EvidenceItem, ...]]]) -> tuple[str, str]:
        """The sources that found something, else those that answered, and the address of the first."""
        found = [one for one, items in kept if items] or [one for one, _ in kept]
        titles = [own.source] if own is not None and own.source and (own.items or not found) else []
        return ", ".join(dict.fromkeys([*titles, *(one.source for one in found)])), found[0].url if found else ""


def _title(source: str) -> str:
    """What people call a source."""
    return SOURCES[source].title if source in SOURCES else source


def _said(own: Evidence | None, answers: Sequence[Answer], told: Sequence[_Told]) -> list[str]:
    """What a reader must know, the failures first."""
    lines = [failure for one in told for failure in one.failures]
    lines += [f"{one.source}: {one.stale}" for one in answers if one.stale]
    lines += [one.note for one in answers if one.note]
    lines += [missing for one in told if one.answer is None and not one.idle for missing in one.missing]
    if own is not None and own.detail and own.status != "ok":
        lines.append(own.detail)
    return list(dict.fromkeys(lines))


def _headed(one: Answer) -> str:
    """A raw answer under a line that says whose it is and when it was fetched."""
    return f"== {one.source}  {one.fetched_at:%Y-%m-%d %H:%M:%S} UTC  {one.url}\n{one.raw}" if one.raw else ""
