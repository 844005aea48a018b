"""Scores with evidence from the network: the card stands at once by the rules alone, and the final score follows."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

from agents.desk import Desk
from agents.models import Evidence, ToolName
from agents.tools.protocol import Question, Tool
from agents.tools.result import empty
from app.pipeline.thinking import AtHand, Thinking
from feeds.models import Item, Published, Tier
from storage.models import Card, CardFilter
from storage.signals import Signals
from tests.app.pipeline.world import LOUD, Feeds, World, entry, world
from tests.fakes.analysts import GoodAnalyst
from tests.fakes.clock import ManualClock
from tests.fakes.companies import Companies


class Held:
    """A tool that answers once it is let go."""

    name: ToolName = "rss_search"

    def __init__(self) -> None:
        self.let_go = asyncio.Event()

    async def ask(self, question: Question) -> Evidence:
        await self.let_go.wait()
        return empty("rss_search", question.now, "held")


async def test_a_card_does_not_wait_for_the_network_and_its_alert_hardly(tmp_path: Path, now: datetime) -> None:
    held, feeds, clock = Held(), Feeds(), ManualClock(now)
    async with world(tmp_path / "db", clock, feeds, start=False) as w:
        tools: dict[ToolName, Tool] = {"rss_search": held}
        thinking = Thinking(
            desk=Desk(GoodAnalyst(LOUD), tools, Companies(), {}),
            model=AtHand(),
            signals=Signals(w.database),
            queue=w.queue,
            pause=w.pipeline._scorer._pause,
            clock=clock,
            troubles=w.troubles,
            at_once=4,
            alert_after=timedelta(seconds=2),
            money=lambda: (None, None),
            free=True,
        )
        w.pipeline._scorer.model = thinking
        await w.pipeline.start()
        feeds.answers["wire"] = [entry("old", "Company 0 names a chairman", clock.now())]
        await w.until(lambda: w.checked(1) and w.queue.idle)
        feeds.answers["wire"] = [entry("a", "US adds 14 chipmakers to export list", clock.now())]
        await clock.advance(70)
        await w.until(lambda: len(w.cards.order(CardFilter())) == 2)
        await w.until(lambda: _first(w).provisional)
        assert w.cards.alerts_unacknowledged() == []
        await w.later(lambda: bool(w.cards.alerts_unacknowledged()), step_s=1)
        held.let_go.set()
        await w.until(lambda: not _first(w).provisional)
        assert len(w.cards.alerts_unacknowledged()) == 1
        assert not thinking.takes(_backlog(now))


def _first(w: World) -> Card:
    return max(w.cards.cards(w.cards.order(CardFilter())), key=lambda card: card.impact_score or 0.0)


def _backlog(now: datetime) -> Item:
    return Item("i", "s", "S", Tier.NEWSROOM, "t", "", "", Published(), now, "i", backlog=True)
