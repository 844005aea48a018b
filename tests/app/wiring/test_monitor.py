from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agents.models import Urgency
from app.clock import SteppedClock
from app.config import config
from app.monitor import Monitor
from app.pipeline.recording import Recorded
from app.wiring.desk import watchlist
from app.wiring.monitor import open_monitor
from app.wiring.sources import subscribed_sources
from feeds.models import Entry, Published, Source, Tier
from feeds.registry import builtin_sources
from storage.errors import AlreadyInUse
from storage.models import CardFilter
from tests.app.program import call, move_home

WIRE = Source("wire", "Wire", "", Tier.NEWSROOM, 86_400, builtin=False)


def recorded(at: datetime, guid: str, title: str) -> Recorded:
    return Recorded(at, WIRE, Entry(guid, f"https://wire.example/{guid}", title, "", Published(at, "second", None)))


async def finish(monitor: Monitor) -> None:
    async with asyncio.timeout(5):
        while not monitor.finished:  # noqa: ASYNC110 -- no event tells of the end
            await asyncio.sleep(0.01)


async def test_a_monitor_is_readable_before_it_starts_and_works_afterwards(tmp_path: Path, now: datetime) -> None:
    day = [recorded(now, "a", "Sable Ridge Energy files for Chapter 11, owing $3.4 billion")]
    clock = SteppedClock(now)
    async with open_monitor(config.Config(), database_file=tmp_path / "db", clock=clock, recording=day) as monitor:
        assert monitor.cards.order(CardFilter()) == []
        assert (monitor.status().feeds_ok, monitor.status().feeds_total) == (0, 1)
        wish = asyncio.create_task(monitor.check_now())
        await asyncio.sleep(0)
        assert not wish.done()
        await monitor.start()
        await wish
        await finish(monitor)
        (key,) = monitor.cards.order(CardFilter())
        card = monitor.cards.card(key)
        assert card is not None
        assert card.urgency in (Urgency.FLASH, Urgency.ALERT)
        await monitor.star(key, True)
        assert [one.starred for one in monitor.cards.cards([key])] == [True]


async def test_a_database_in_use_is_refused_by_name(tmp_path: Path, now: datetime) -> None:
    async with open_monitor(config.Config(), database_file=tmp_path / "db", recording=[recorded(now, "a", "x")]):
        with pytest.raises(AlreadyInUse):
            async with open_monitor(config.Config(), database_file=tmp_path / "db", recording=[]):
                pass


async def test_scoring_reads_the_items_of_a_running_monitor_as_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    move_home(tmp_path, monkeypatch)
    before = datetime.now(UTC) - timedelta(minutes=5)
    day = [recorded(before, "a", "Nvidia cuts revenue guidance after export rule")]
    async with open_monitor(
        config.Config(), database_file=tmp_path / "db", clock=SteppedClock(before), recording=day
    ) as monitor:
        await monitor.start()
        await finish(monitor)
        done = await asyncio.to_thread(
            call, capsys, "score", "Nvidia shares drop 9% in heavy trade", "--json", "--db", str(tmp_path / "db")
        )
    assert done.code == 0, done.err
    evidence = [one for agent in json.loads(done.out)["agents"] for one in agent["evidence"]]
    (own,) = [one for one in evidence if one["tool"] == "rss_search"]
    assert own["status"] == "ok"
    assert "Nvidia cuts revenue guidance" in own["items"][0]["text"]


def test_the_sources_are_the_builtin_ones_not_left_out_and_the_users() -> None:
    first = builtin_sources()[0].id
    read = config.parse(
        f'[feeds]\ndisabled = ["{first}"]\n[[feeds.source]]\nurl = "https://wire.example/rss"\ntier = 1\n', "c"
    )
    found = {source.id: source for source in subscribed_sources(read)}
    assert first not in found
    assert len(found) == len(builtin_sources())
    (own,) = [source for source in found.values() if not source.builtin]
    assert (own.url, own.tier, own.interval_s) == ("https://wire.example/rss", Tier.OFFICIAL, 300)


def test_the_watchlist_reaches_the_agents_whole() -> None:
    read = config.parse(
        '[[watchlist]]\nsymbol = "NVDA"\nnames = ["Team Green"]\nholding = true\nsuppliers = ["TSM"]\n', "c"
    )
    (holding,) = watchlist(read).values()
    assert (holding.symbol, holding.names, holding.holding, holding.suppliers) == (
        "NVDA",
        ("Team Green",),
        True,
        ("TSM",),
    )
