"""An investigation over the public sources (a loopback server stands for them all) and the monitor's own database."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agents.investigation.ports import NodeEvent
from app.clock import SteppedClock
from app.investigation.asking import Wanted
from app.wiring.inquiries import Inquiries
from storage.database import Database
from storage.investigations import PastInvestigation
from storage.items import Items
from tests.agents.investigation.builders import bars
from tests.app.program import run
from tests.fakes.evidence import Sources, sources
from tests.fakes.feed_server import FeedServer, reply
from tests.storage.samples import WIRE, entry

NOW = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
ONSET = NOW - timedelta(hours=10)
MINUTES = timedelta(minutes=5)


def chart() -> str:
    given = bars(400, onset=300, width=MINUTES)
    shift = ONSET - given[300].at
    quote = {name: [getattr(bar, name) for bar in given] for name in ("open", "high", "low", "close")}
    result = {
        "meta": {"currency": "JPY", "instrumentType": "CURRENCY", "exchangeTimezoneName": "UTC"},
        "timestamp": [int((bar.at + shift).timestamp()) for bar in given],
        "indicators": {"quote": [{**quote, "volume": [0] * len(given)}]},
    }
    return json.dumps({"chart": {"result": [result], "error": None}})


def feed(*entries: tuple[str, datetime]) -> str:
    items = "".join(
        f"<item><title>{title}</title><link>https://news.google.com/rss/articles/{n}</link><source>Reuters</source>"
        f"<pubDate>{at:%a, %d %b %Y %H:%M:%S} GMT</pubDate></item>"
        for n, (title, at) in enumerate(entries)
    )
    return f'<rss version="2.0"><channel><title>Bank</title>{items}</channel></rss>'


OLD = ("An older statement", ONSET - timedelta(days=9))
FEEDS = {
    "/fed/feeds/press_monetary.xml": feed(("Federal Reserve announces a staff change", ONSET), OLD),
    "/boj_news/en/rss/whatsnew.xml": feed(("Statement on Monetary Policy: policy rate raised", ONSET - MINUTES), OLD),
    "/bls_news/feed/bls_latest.rss": feed(OLD),
    "/google_news/rss/search": feed(("Yen leaps after Bank of Japan raises rates", ONSET + MINUTES / 5)),
}
MOF = (
    "財務省,,,,,,,,\n実施年月日,,,Intervention Date,,,,,\n"
    "年,月,日,Year,Month,Day,金額(amount),売買通貨,Currency pairs\n"
    "平成3年,5月,13日,1991,May,13,139,米ドル売り・日本円買い,the US dollar (sold) the Japanese yen (bought)\n"
)


def answering(server: FeedServer) -> None:
    for symbol in ("USDJPY=X", "EURUSD=X", "GBPUSD=X", "EURJPY=X", "GBPJPY=X", "JPY=X"):
        server.serve(f"/yahoo/v8/finance/chart/{symbol}", chart(), content_type="application/json")
    for path, body in FEEDS.items():
        server.serve(path, body, content_type="application/rss+xml")
    table = "/mof/policy/international_policy/reference/feio/foreign_exchange_intervention_operations.csv"
    server.serve(table, MOF.encode("cp932"), content_type="text/csv")


async def command(home: Path, server: FeedServer, *arguments: str) -> dict[str, Any]:
    config = home / "config.toml"
    config.write_text(f'[tools]\nbase_urls = {{ default = "{server.url("").rstrip("/")}" }}\n')
    done = await run(home, "why", "USDJPY", "--json", "--config", str(config), *arguments)
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def states(found: dict[str, Any]) -> dict[str, str]:
    return {line["source"]: line["state"] for line in found["coverage"]}


async def test_the_whole_checklist_over_the_network(tmp_path: Path) -> None:
    async with FeedServer() as server:
        answering(server)
        found = await command(tmp_path, server)
    assert found["anchor"]["onset_at"] == f"{ONSET:%Y-%m-%dT%H:%M:%SZ}"
    assert states(found) == {
        "intervention records": "nothing",
        "Bank of Japan current account projections": "down",
        "Federal Reserve decisions": "found",
        "Bank of Japan decisions": "found",
        "statistical releases": "nothing",
        "other official records": "down",
        "price series": "found",
        "other pairs of either currency": "found",
        "own database of first-seen times": "nothing",
        "news search": "found",
    }
    best = found["hypotheses"][0]
    assert (best["cause_type"], best["certainty"], found["verdict"]) == ("policy_change", "high", "cause_found")
    assert [one["rank"] for one in best["evidence"]] == ["A", "C"]
    assert found["decomposition"] is not None
    assert found["used"]["calls"] <= found["bound"]["calls"]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("/boj_news/en/rss/whatsnew.xml", "Bank of Japan decisions"),
        ("/fed/feeds/press_monetary.xml", "Federal Reserve decisions"),
        ("/google_news/rss/search", "news search"),
        ("/bls_news/feed/bls_latest.rss", "statistical releases"),
        (
            "/mof/policy/international_policy/reference/feio/foreign_exchange_intervention_operations.csv",
            "intervention records",
        ),
        ("", "other pairs of either currency"),
    ],
)
async def test_each_source_that_fails_is_named_when_nothing_is_found(path: str, source: str, tmp_path: Path) -> None:
    async with sources(answering=answering) as world, Database.open(tmp_path / "t.db", now=NOW) as database:
        quiet = feed(("Nothing of note", ONSET), OLD)
        for one in FEEDS:
            world.server.serve(one, quiet, content_type="application/rss+xml")
        if path:
            world.server.script(path, reply(500))
        else:
            for symbol in ("EURUSD=X", "GBPUSD=X", "EURJPY=X", "GBPJPY=X"):
                world.server.script(f"/yahoo/v8/finance/chart/{symbol}", reply(500))
        asked = Inquiries(database, SteppedClock(NOW), lambda: world.access)
        found = await asked.ask(Wanted("USDJPY"), lambda event: None)
    assert found.answer.verdict == "unknown"
    assert source in found.answer.unknown_because


async def one_answer(world: Sources, database: Database, clock: SteppedClock) -> tuple[Inquiries, str]:
    asked = Inquiries(database, clock, lambda: world.access)
    found = await asked.ask(Wanted("USDJPY", ONSET, "Yen jumps"), lambda event: None)
    assert found.sighted is not None
    return asked, found.answer.case.id


async def test_the_own_database_is_the_first_source_of_the_narrative(tmp_path: Path) -> None:
    async with sources(answering=answering) as world, Database.open(tmp_path / "t.db", now=NOW) as database:
        await Items(database).ingest(WIRE, [entry("Yen vaults; dealers point at Tokyo")], now=ONSET + MINUTES)
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
        told: asyncio.Queue[PastInvestigation] = asyncio.Queue()
        watching = asyncio.create_task(asked.watch_dates(told.put_nowait))
        clock.step(line.recheck_at + timedelta(seconds=1))
        changed = await asyncio.wait_for(told.get(), 10)
        watching.cancel()
    assert changed.changed
    assert changed.rechecked_at is not None


async def test_an_interrupted_case_goes_on_when_it_is_opened(tmp_path: Path) -> None:
    async with sources(answering=answering) as world, Database.open(tmp_path / "t.db", now=NOW) as database:
        asked = Inquiries(database, SteppedClock(NOW), lambda: world.access)
        reached = asyncio.Event()

        def watch(event: NodeEvent) -> None:
            if event.state == "done":
                reached.set()

        task = asyncio.create_task(asked.ask(Wanted("USDJPY"), watch))
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
