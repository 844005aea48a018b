"""Investigations of the monitor, read by the model that thinks for its agents: one purse, one connection, one book."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agents.investigation.errors import InvestigationError
from app.clock import SteppedClock
from app.config.config import load
from app.investigation.asking import Wanted
from app.wiring.claude import open_claude
from app.wiring.inquiries import Inquiries
from app.wiring.monitor import open_monitor
from app.wiring.reading import reading_of
from storage.calls import Calls
from storage.database import Database
from tests.agents.investigation.claude.readers import answers, by_role, by_words, question, role_of, said
from tests.app.investigation.test_network import NOW, ONSET, answering
from tests.app.program import NO_NETWORK, move_home
from tests.fakes.evidence import sources
from tests.fakes.messages_api import MessagesApi, says

GOOD = answers(by_words({"monetary policy": "policy_change/boj", "bank of japan": "policy_change/boj"}))


@pytest.fixture
async def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MessagesApi]:
    async with MessagesApi(GOOD) as running:
        move_home(tmp_path, monkeypatch)
        monkeypatch.setenv("ANTHROPIC_API_KEY", running.key)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", running.url)
        yield running


def config_file(home: Path) -> Path:
    file = home / "config.toml"
    file.write_text(f"[feeds]\nbuiltin = false\n{NO_NETWORK}")
    return file


async def test_the_whole_checklist_is_read_by_the_model_and_paid_from_one_purse(
    tmp_path: Path, api: MessagesApi
) -> None:
    config = load(config_file(tmp_path))
    async with (
        sources(answering=answering) as world,
        Database.open(tmp_path / "t.db", now=NOW) as database,
        open_claude(config, tmp_path / "usage.db", book=Calls(database)) as claude,
    ):
        reading = reading_of(config, lambda: claude)
        asked = Inquiries(database, SteppedClock(NOW), lambda: world.access, reading)
        found = await asked.ask(Wanted("USDJPY", ONSET), lambda event: None)
        again = await asked.found(found.answer.case.id)
        spent = claude.spent_usd()
    best = found.answer.hypotheses[0]
    assert (best.key, best.status, found.answer.verdict) == ("policy_change/boj", "supported", "cause_found")
    assert (found.answer.engine, found.answer.model) == ("claude", "claude-haiku-5-5")
    assert {call.agent for call in found.calls} == {role_of(one) for one in api.asked}
    assert {call.agent for call in found.calls} >= {"PrimarySource", "MarketStructure", "Narrative", "Adjudicator"}
    assert found.answer.used.usd == pytest.approx(spent)
    assert 0 < found.answer.used.usd <= asked.bound.usd
    assert again == found


async def test_a_further_question_of_the_model_reaches_the_real_source(tmp_path: Path, api: MessagesApi) -> None:
    wanted = said(questions=[question("news_search", "rate rise", 2)])
    api.mood = by_role(GOOD, Narrative=says(json.dumps(wanted), json.dumps(said())))
    config = load(config_file(tmp_path))
    async with (
        sources(answering=answering) as world,
        Database.open(tmp_path / "t.db", now=NOW) as database,
        open_claude(config, tmp_path / "usage.db") as claude,
    ):
        asked = Inquiries(database, SteppedClock(NOW), lambda: world.access, reading_of(config, lambda: claude))
        await asked.ask(Wanted("USDJPY", ONSET), lambda event: None)
        searches = [one.path for one in world.server.requests("/google_news/rss/search")]
    assert any("rate%20rise" in one or "rate+rise" in one for one in searches)


async def test_before_the_service_is_connected_it_says_so(tmp_path: Path, api: MessagesApi) -> None:
    config = load(config_file(tmp_path))
    async with Database.open(tmp_path / "t.db", now=NOW) as database:
        asked = Inquiries(database, SteppedClock(NOW), lambda: None, reading_of(config))
        with pytest.raises(InvestigationError, match="the model service is not connected"):
            await asked.ask(Wanted("USDJPY", ONSET), lambda event: None)


async def test_the_monitor_connects_its_investigations_to_its_own_model(tmp_path: Path, api: MessagesApi) -> None:
    async with open_monitor(load(config_file(tmp_path)), database_file=tmp_path / "t.db") as monitor:
        assert monitor.investigator is not None
        assert monitor.investigator.bound.usd > 0.2
        await monitor.start()
        async with asyncio.timeout(20):
            found = await monitor.investigator.ask(Wanted("USDJPY"), lambda event: None)
    assert (found.answer.engine, found.answer.unknown_because) == ("claude", ("price series",))
