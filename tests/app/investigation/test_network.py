"""An investigation over the public sources (a loopback server stands for them all) and the monitor's own database."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from agents.investigation.ports import NodeEvent
from app.clock import SteppedClock
from app.config.config import Config
from app.investigation.asking import Wanted
from app.wiring.inquiries import Inquiries
from app.wiring.lazy_inquiries import LazyInquiries
from storage.database import Database
from storage.investigations import Investigations, PastInvestigation
from storage.items import Items
from tests.fakes.evidence import Sources, sources
from tests.fakes.feed_server import FeedServer
from tests.fakes.public_world import STEP, currency_world, recent_move, rss, serve
from tests.storage.samples import WIRE, entry

NOW = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
ONSET = recent_move(NOW, 6)
SPOKEN = {
    "/boj_news/en/rss/whatsnew.xml": rss(
        "", ("Statement on Monetary Policy: policy rate raised", ONSET - STEP), ("An older notice", ONSET - STEP * 3000)
    ),
    "/google_news/rss/search": rss("", ("Yen leaps after Bank of Japan raises rates", ONSET + STEP / 5)),
}


def answering(server: FeedServer) -> None:
    """The world of a rate rise that the bank states and the wires report."""
    serve(server, {**currency_world(ONSET), **SPOKEN})


async def test_the_whole_checklist_over_the_network(tmp_path: Path) -> None:
    async with sources(answering=answering) as world, Database.open(tmp_path / "t.db", now=NOW) as database:
        asked = Inquiries(database, SteppedClock(NOW), lambda: world.access)
        found = (await asked.ask(Wanted("USDJPY", ONSET), lambda event: None)).answer
    assert found.anchor is not None
    assert found.anchor.onset_at == ONSET
    assert {line.source: line.state for line in found.coverage} == {
        "intervention records": "nothing",
        "Bank of Japan current account projections": "found",
        "Federal Reserve decisions": "nothing",
        "Bank of Japan decisions": "found",
        "US statistics (BLS, BEA)": "nothing",
        "Japanese consumer prices (Statistics Bureau)": "nothing",
        "US presidential documents": "nothing",
        "price series": "found",
        "other pairs of either currency": "found",
        "own database of first-seen times": "nothing",
        "news search": "found",
    }
    best = found.hypotheses[0]
    assert (best.cause_type, best.certainty, found.verdict) == ("policy_change", "high", "cause_found")
    assert [one.rank for one in best.evidence] == ["A", "C"]
    assert found.decomposition is not None
    assert found.used.calls <= found.bound.calls


async def one_answer(world: Sources, database: Database, clock: SteppedClock) -> tuple[Inquiries, str]:
    asked = Inquiries(database, clock, lambda: world.access)
    found = await asked.ask(Wanted("USDJPY", ONSET, "Yen jumps"), lambda event: None)
    assert found.sighted is not None
    return asked, found.answer.case.id


async def test_the_own_database_is_the_first_source_of_the_narrative(tmp_path: Path) -> None:
    async with sources(answering=answering) as world, Database.open(tmp_path / "t.db", now=NOW) as database:
        await Items(database).ingest(WIRE, [entry("Yen vaults; dealers point at Tokyo")], now=ONSET + STEP)
        asked, case_id = await one_answer(world, database, SteppedClock(NOW))
        found = await asked.found(case_id)
    assert found is not None
    line = next(line for line in found.answer.coverage if line.source.startswith("own database"))
    assert (line.state, line.detail) == ("found", "1 record")
    assert any(one.key == "fx_intervention/jpy" for one in found.answer.hypotheses)


async def test_when_a_date_has_passed_the_case_is_asked_again_and_what_changed_is_told(tmp_path: Path) -> None:
    clock = SteppedClock(NOW)
    async with sources(answering=answering) as world, Database.open(tmp_path / "t.db", now=NOW) as database:
        asked, case_id = await one_answer(world, database, clock)
        (line,) = await asked.past("yen jumps")
        assert line.case.id == case_id
        assert line.recheck_at is not None
        told: list[PastInvestigation] = []
        await asked.recheck_due(told.append)
        assert told == []
        clock.step(line.recheck_at + timedelta(seconds=1))
        await asked.recheck_due(told.append)
        (changed,) = told
        assert changed.changed
        assert changed.rechecked_at == clock.now()


async def test_nothing_is_loaded_to_watch_dates_until_one_has_passed(tmp_path: Path) -> None:
    clock = SteppedClock(NOW)
    async with sources(answering=answering) as world, Database.open(tmp_path / "t.db", now=NOW) as database:
        asked, _ = await one_answer(world, database, clock)
        (line,) = await asked.past()
        assert line.recheck_at is not None
        lazy = LazyInquiries(database, clock, Config())
        lazy.reach(lambda: world.access, lambda: None)
        told: asyncio.Queue[PastInvestigation] = asyncio.Queue()
        watching = asyncio.create_task(lazy.watch_dates(told.put_nowait))
        await asyncio.sleep(0.05)
        assert (lazy._made, told.empty()) == (None, True)
        clock.step(line.recheck_at + timedelta(seconds=1))
        assert (await asyncio.wait_for(told.get(), 10)).rechecked_at == clock.now()
        watching.cancel()


async def test_a_case_that_fails_is_put_off_and_the_others_are_asked(tmp_path: Path) -> None:
    clock = SteppedClock(NOW)
    async with sources(answering=answering) as world, Database.open(tmp_path / "t.db", now=NOW) as database:
        asked, case_id = await one_answer(world, database, clock)
        (line,) = await asked.past()
        assert line.recheck_at is not None
        broken = replace(line.case, id="broken", symbol="EURUSD", asked_at=line.case.asked_at - timedelta(days=1))
        kept = Investigations(database, clock.now)
        await kept.begin(broken)
        await kept.postpone("broken", NOW)  # without an answer, and no line of the list that goes back so far
        clock.step(line.recheck_at + timedelta(seconds=1))
        told: list[PastInvestigation] = []
        await asked.recheck_due(told.append)
        assert case_id in [one.case.id for one in told]


async def test_an_interrupted_case_goes_on_when_it_is_opened(tmp_path: Path) -> None:
    async with sources(answering=answering) as world, Database.open(tmp_path / "t.db", now=NOW) as database:
        asked = Inquiries(database, SteppedClock(NOW), lambda: world.access)
        reached = asyncio.Event()

        def watch(event: NodeEvent) -> None:
            if event.state == "done":
                reached.set()

        task = asyncio.create_task(asked.ask(Wanted("USDJPY", ONSET), watch))
        await reached.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        (line,) = await asked.past()
        assert (line.verdict, await asked.found(line.case.id)) == (None, None)
        events: list[NodeEvent] = []
        found = await asked.look_again(line.case.id, events.append)
    assert found.answer.verdict == "cause_found"
    assert ("Timeline", "kept") in [(event.node, event.state) for event in events]


async def test_without_the_network_only_the_database_is_asked(tmp_path: Path) -> None:
    async with Database.open(tmp_path / "t.db", now=NOW) as database:
        asked = Inquiries(database, SteppedClock(NOW), lambda: None)
        found = await asked.ask(Wanted("USDJPY"), lambda event: None)
    assert (found.answer.verdict, found.answer.unknown_because) == ("unknown", ("price series",))


async def test_gold_is_searched_by_its_name_and_has_no_company_behind_it(tmp_path: Path) -> None:
    def answering_of_gold(server: FeedServer) -> None:
        given = currency_world(ONSET)
        chart = given["/yahoo/v8/finance/chart/USDJPY=X"]
        report = rss("", ("Gold slides after Fed raises interest rates", ONSET + STEP / 5))
        serve(server, {**given, "/yahoo/v8/finance/chart/GC=F": chart, "/google_news/rss/search": report})

    async with sources(answering=answering_of_gold) as world, Database.open(tmp_path / "t.db", now=NOW) as database:
        asked = Inquiries(database, SteppedClock(NOW), lambda: world.access)
        found = (await asked.ask(Wanted("GOLD", ONSET), lambda event: None)).answer
    assert found.case.names == ("gold",)
    assert found.verdict == "no_public_cause"
    assert found.hypotheses[0].key == "policy_change/fed"
    assert {line.source: line.state for line in found.coverage} == {
        "Federal Reserve decisions": "nothing",
        "US statistics (BLS, BEA)": "nothing",
        "US presidential documents": "nothing",
        "price series": "found",
        "own database of first-seen times": "nothing",
        "news search": "found",
    }
