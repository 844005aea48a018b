"""The rules' score shows at once, the model's replaces it, and an alert waits for it, but not for ever."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agents.analysts.protocol import Brief, Revision
from agents.desk import Desk
from agents.errors import AnalystFailed
from agents.models import AGENT_NAMES, AbstentionCause, AgentName, Assessment, Engine, Report, Urgency
from app.pipeline.thinking import BACKLOG_REASON, Thinking
from storage.models import Card, CardFilter
from storage.signals import Signals
from tests.app.pipeline.world import LOUD, QUIET, Feeds, World, entry, world
from tests.fakes.analysts import GoodAnalyst
from tests.fakes.clock import ManualClock
from tests.fakes.companies import Companies

WAIT = timedelta(seconds=60)
NEWS = "US adds 14 chipmakers to export list"


@dataclass
class Model:
    """A model that answers when it is let go; agents in `fails` abstain, `rest` is why nobody may ask it."""

    says: Assessment = LOUD
    fails: dict[AgentName, AbstentionCause] = field(default_factory=dict)
    rest: str | None = None
    let_go: asyncio.Event = field(default_factory=asyncio.Event)
    held: Sequence[AgentName] = AGENT_NAMES
    asked: list[AgentName] = field(default_factory=list)
    engine: Engine = "claude"
    model: str | None = "claude-haiku-5-5"

    async def draft(self, agent: AgentName, brief: Brief) -> Assessment:
        self.asked.append(agent)
        if agent in self.held:
            await self.let_go.wait()
        if agent in self.fails:
            raise AnalystFailed(self.fails[agent], "as told: mend it")
        brief.bill.add(1_000_000)
        return self.says

    async def revise(self, agent: AgentName, brief: Brief, draft: Assessment) -> Revision:
        return Revision((), draft)

    async def rests(self) -> str | None:
        return self.rest

    async def prepare(self) -> None:
        """Nothing to load."""


@dataclass
class Scene:
    """A world whose final scores come from a model."""

    w: World
    model: Model
    spent: float = 0.0

    def card(self) -> Card | None:
        """The card of the news."""
        cards = self.w.cards.cards(self.w.cards.order(CardFilter()))
        return next((card for card in cards if card.title == NEWS), None)

    def shown(self) -> Card:
        card = self.card()
        assert card is not None
        return card

    @property
    def alerts(self) -> int:
        return len(self.w.cards.alerts_unacknowledged())


@asynccontextmanager
async def scene(
    path: Path, now: datetime, model: Model, *, rules: Assessment = LOUD, primed: bool = True, spent: float = 0.0
) -> AsyncIterator[Scene]:
    """The pipeline with a model; news has come in and its provisional card stands."""
    feeds, clock = Feeds(), ManualClock(now)
    async with world(path, clock, feeds, analyst=GoodAnalyst(rules), start=False) as w:
        made = Scene(w, model, spent)
        w.pipeline._scorer.model = Thinking(
            desk=Desk(model, {}, Companies(), {}),
            model=model,
            signals=Signals(w.database),
            queue=w.queue,
            pause=w.pipeline._scorer._pause,
            clock=clock,
            troubles=w.troubles,
            at_once=3,
            alert_after=WAIT,
            money=lambda: (made.spent, 5.0),
        )
        await w.pipeline.start()
        if primed:
            await w.until(lambda: w.checked(1))
        feeds.answers["wire"] = [entry("a", NEWS, clock.now())]
        if primed:
            await clock.advance(70)
        await w.until(lambda: made.card() is not None and made.shown().urgency is not None)
        yield made


async def test_the_rules_score_stands_at_once_marked_and_the_models_replaces_it(tmp_path: Path, now: datetime) -> None:
    async with scene(tmp_path / "db", now, Model(QUIET)) as s:
        before = s.shown()
        assert (before.provisional, before.urgency, before.impact_score) == (True, Urgency.FLASH, 0.9)
        assert len(s.w.queue) == 1
        s.model.let_go.set()
        await s.w.until(lambda: not s.shown().provisional)
        detail = s.w.cards.detail(s.shown().key)
        assert detail is not None
        assert detail.signal is not None
        assert (detail.signal.engine, detail.card.impact_score, detail.card.urgency) == ("claude", 0.5, Urgency.NOTE)
        assert detail.signal.cost_usd == pytest.approx(0.005)
        assert detail.history == (), "what was only provisional is no history"
        await s.w.until(lambda: s.w.queue.idle)


async def test_the_final_score_alone_reaches_scripts(tmp_path: Path, now: datetime) -> None:
    async with scene(tmp_path / "db", now, Model(QUIET)) as s:
        assert s.w.saved == []
        s.model.let_go.set()
        await s.w.until(lambda: len(s.w.saved) == 1)
        assert s.w.saved[0][1].engine == "claude"


async def test_no_alert_for_a_score_the_model_does_not_share(tmp_path: Path, now: datetime) -> None:
    async with scene(tmp_path / "db", now, Model(QUIET)) as s:
        s.model.let_go.set()
        await s.w.until(lambda: s.w.queue.idle)
        assert s.alerts == 0


async def test_the_alert_comes_with_the_final_score(tmp_path: Path, now: datetime) -> None:
    async with scene(tmp_path / "db", now, Model(LOUD), rules=QUIET) as s:
        assert s.alerts == 0
        s.model.let_go.set()
        await s.w.until(lambda: s.alerts == 1)


async def test_an_alert_that_has_waited_long_enough_goes_with_what_is_there(tmp_path: Path, now: datetime) -> None:
    async with scene(tmp_path / "db", now, Model(LOUD)) as s:
        await s.w.later(lambda: s.alerts == 1, step_s=5)
        assert s.w.clock.now() - s.shown().first_seen_at <= WAIT + timedelta(seconds=30)
        assert s.shown().provisional
        s.model.let_go.set()
        await s.w.until(lambda: not s.shown().provisional)
        assert s.alerts == 1, "once"


async def test_what_is_there_is_the_models_own_once_three_agents_have_answered(tmp_path: Path, now: datetime) -> None:
    async with scene(tmp_path / "db", now, Model(LOUD, held=AGENT_NAMES[3:]), rules=QUIET) as s:
        await s.w.until(lambda: len(s.model.asked) == 5)
        await s.w.later(lambda: s.alerts == 1, step_s=5)
        assert (s.shown().impact_score, s.shown().agents_ok, s.shown().provisional) == (0.9, 3, True)


async def test_where_every_agent_failed_the_provisional_score_stays_and_alerts_at_once(
    tmp_path: Path, now: datetime
) -> None:
    model = Model(fails=dict.fromkeys(AGENT_NAMES, "unavailable"), held=())
    async with scene(tmp_path / "db", now, model) as s:
        await s.w.until(lambda: s.alerts == 1)
        await s.w.until(lambda: s.w.queue.idle)
        assert (s.shown().provisional, s.shown().urgency) == (True, Urgency.FLASH)
        assert s.w.saved == []
        model.fails.clear()
        await s.w.later(lambda: not s.shown().provisional, step_s=20)
        assert s.alerts == 1


async def test_a_spent_budget_is_said_and_the_rules_score_becomes_the_final_one(tmp_path: Path, now: datetime) -> None:
    reason = "today's model budget is spent"
    async with scene(tmp_path / "db", now, Model(rest=reason)) as s:
        await s.w.until(lambda: len(s.w.saved) == 1 and s.alerts == 1)
        status = s.w.pipeline.status()
        assert (status.trouble, status.engine, status.budget_usd) == (reason, "rules", 5.0)
        assert s.w.saved[0][1].notes == (f"scored by rules: {reason}",)
        assert s.w.saved[0][1].engine == "rules"
        assert (s.model.asked, s.alerts) == ([], 1)


@pytest.mark.parametrize("cause", ["budget", "authentication"])
async def test_an_item_that_runs_dry_half_way_is_finished_by_rules(
    tmp_path: Path, now: datetime, cause: AbstentionCause
) -> None:
    model = Model(QUIET, fails=dict.fromkeys(AGENT_NAMES[2:], cause), held=())
    async with scene(tmp_path / "db", now, model) as s:
        await s.w.until(lambda: not s.shown().provisional)
        assert s.shown().impact_score == 0.9
        assert "as told: mend it" in s.w.pipeline.status().trouble


async def test_agents_that_answered_before_an_interruption_are_not_asked_again(tmp_path: Path, now: datetime) -> None:
    path = tmp_path / "db"
    async with scene(path, now, Model(QUIET, held=AGENT_NAMES[3:])) as s:
        await s.w.until(lambda: len(s.model.asked) == 5)
        await s.w.until(lambda: _landed(s) == 3)
    async with scene(path, now + timedelta(minutes=5), Model(QUIET), primed=False) as s:
        s.model.let_go.set()
        await s.w.later(lambda: not s.shown().provisional, step_s=5)
        assert set(s.model.asked) == set(AGENT_NAMES[3:])
        detail = s.w.cards.detail(s.shown().key)
        assert detail is not None
        assert {outcome.engine for outcome in detail.outcomes} == {"claude"}


def _landed(s: Scene) -> int:
    detail = s.w.cards.detail(s.shown().key)
    reports = detail.outcomes if detail else ()
    return sum(isinstance(one, Report) and one.engine == "claude" for one in reports)


@pytest.mark.parametrize(("spent", "engine"), [(2.4, "claude"), (2.5, "rules")])
async def test_history_is_left_to_the_rules_once_half_the_budget_is_gone(
    tmp_path: Path, now: datetime, spent: float, engine: Engine
) -> None:
    async with scene(tmp_path / "db", now, Model(QUIET, held=()), primed=False, spent=spent) as s:
        await s.w.until(lambda: len(s.w.saved) == 1)
        (saved,) = s.w.saved
        assert (saved[0].backlog, saved[1].engine) == (True, engine)
        assert saved[1].notes == ((f"scored by rules: {BACKLOG_REASON}",) if engine == "rules" else ())
        assert s.w.pipeline.status().trouble == ""
