"""The desk: five specialists examine an item at once, and their reports are added up to a signal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from math import fsum

from agents.analysts.protocol import Analyst, Holding
from agents.bounds import Bounds, ReadByRules
from agents.links import NamedSymbols, Symbols
from agents.models import AgentName, FlashEvent, Outcome, Report, Signal, ToolName
from agents.novelty import PriorReport
from agents.novelty import novelty as novelty_of
from agents.orders import heed
from agents.report import Case, Deadlines, report_on
from agents.specialists import SPECIALISTS, Specialist
from agents.synthesis_engine import synthesize
from agents.tools.protocol import Question, Tool
from agents.urgency import ReadingThresholds, apply_urgency_thresholds, reading
from feeds.models import Item
from feeds.symbols.disguise import warnings

Landed = Callable[[Outcome], Awaitable[None]]
"""Takes each outcome the moment it lands, so that it can be kept before the others are done."""
EventReader = Callable[[Item], FlashEvent | None]
"""Reads which flash event an item may report, so that tools can be asked about it."""

_NONE_DONE: Mapping[AgentName, Outcome] = {}


class Desk:
    """Has every item examined by all five specialists with one analyst.

    An item takes as long as its slowest agent. Nothing an item's text says changes who is asked, in which order, or
    what code checks afterwards: text that gives orders is cut out of the item before anybody sees it, and with
    `read_by_rules` what the analyst makes of the rest is held to what rules read in it.
    """

    def __init__(
        self,
        analyst: Analyst,
        tools: Mapping[ToolName, Tool],
        symbols: Symbols,
        watchlist: Mapping[str, Holding],
        *,
        deadlines: Deadlines | None = None,
        thresholds: ReadingThresholds | None = None,
        read_event: EventReader | None = None,
        read_by_rules: ReadByRules | None = None,
        extra_calls: int = 0,
    ) -> None:
        self.analyst = analyst
        self._tools = tools
        self._symbols = symbols
        self._watchlist = watchlist
        self._names = {symbol: holding.names for symbol, holding in watchlist.items()}
        self._deadlines = deadlines or Deadlines()
        self._thresholds = thresholds or ReadingThresholds()
        self._read_event = read_event
        self._read_by_rules = read_by_rules
        self._extra_calls = extra_calls

    async def examine(
        self,
        item: Item,
        *,
        now: datetime,
        novelty: float = 1.0,
        done: Mapping[AgentName, Outcome] = _NONE_DONE,
        landed: Landed | None = None,
        urgent: bool = False,
    ) -> tuple[Outcome, ...]:
        """Five outcomes in table order, each handed to `landed` as it lands; agents in `done` are not asked again.

        `urgent` asks an analyst that has a queue to take this item first. What `landed` raises stops the other agents
        and comes out as itself.
        """
        case = await self._case(item, now, novelty, urgent)

        async def one(specialist: Specialist) -> Outcome:
            outcome = await report_on(case, specialist, self.analyst, self._tools, self._deadlines)
            if landed is not None:
                await landed(outcome)
            return outcome

        try:
            async with asyncio.TaskGroup() as group:
                running = {s.name: group.create_task(one(s)) for s in SPECIALISTS if s.name not in done}
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None
        return tuple(done[s.name] if s.name in done else running[s.name].result() for s in SPECIALISTS)

    async def judge(
        self,
        item: Item,
        *,
        now: datetime,
        prior: Sequence[PriorReport] = (),
        new_fact: bool = False,
        done: Mapping[AgentName, Outcome] = _NONE_DONE,
        landed: Landed | None = None,
        urgent: bool = False,
    ) -> Signal:
        """The signal of `item`: examined, added up, with urgency, reading and novelty. `prior` are the story's reports.

        No agent succeeded: `synthesis`, `urgency` and `reading` are None, which is unscored and not low.
        """
        novelty = novelty_of(prior, item.first_seen_at, new_fact)
        outcomes = await self.examine(item, now=now, novelty=novelty, done=done, landed=landed, urgent=urgent)
        return self.add_up(item, outcomes, now=now, novelty=novelty)

    def add_up(self, item: Item, outcomes: Sequence[Outcome], *, now: datetime, novelty: float) -> Signal:
        """The signal that `outcomes` give, whoever is missing among them."""
        synthesis = synthesize(outcomes)
        decision = apply_urgency_thresholds(synthesis, outcomes) if synthesis else None
        return Signal(
            item_id=item.id,
            revision=item.revision,
            outcomes=tuple(outcomes),
            synthesis=synthesis,
            urgency=decision.urgency if decision else None,
            degraded=decision.degraded if decision else True,
            reading=reading(synthesis.impact_score, synthesis.confidence_score, self._thresholds)
            if synthesis
            else None,
            novelty=novelty,
            engine=self.analyst.engine,
            scored_at=now,
            model=self.analyst.model,
            cost_usd=_cost(outcomes),
            notes=(*warnings(item.text, self._symbols.known), *_notes(outcomes)),
        )

    async def _case(self, given: Item, now: datetime, novelty: float, urgent: bool) -> Case:
        """What all five agents share. The text is searched for symbols only where a tool will be asked about them."""
        heeded = heed(given)
        item = heeded.item
        named = NamedSymbols(item, self._symbols, self._watchlist, self._names)
        question = Question(
            item=item,
            symbols=named.concerned if self._tools else (),
            event_type=self._read_event(item) if self._tools and self._read_event else None,
            now=now,
        )
        bounds = Bounds(await self._read_by_rules(item), bool(heeded.orders)) if self._read_by_rules else None
        return Case(item, now, named, question, self._watchlist, novelty, bounds, self._extra_calls, urgent)


def _cost(outcomes: Sequence[Outcome]) -> float | None:
    """What the outcomes cost together in USD; None where none has a price."""
    costs = [outcome.cost_usd for outcome in outcomes if outcome.cost_usd is not None]
    return fsum(costs) if costs else None


def _notes(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """What code changed against an agent's word, a line each."""
    reports = [outcome for outcome in outcomes if isinstance(outcome, Report)]
    dropped = [
        f"{report.agent}: dropped {', '.join(report.dropped_tickers)}, which nothing it had names"
        for report in reports
        if report.dropped_tickers
    ]
    return (*dropped, *(f"{report.agent}: {note}" for report in reports for note in report.held))
