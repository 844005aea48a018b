"""The demo: an invented day that shows every feature, with FLASH rare, evidence that opens, and nothing live."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from agents.models import Abstention, Report, Urgency
from app.clock import SteppedClock
from app.config.config import Config
from app.demo import beside, day
from app.pipeline.recording import Recorded, read_recording
from app.wiring.monitor import open_monitor
from storage.cards import CardReader
from storage.models import CardDetail, CardFilter

OWN = {"own archive", "offline company table"}
"""What the program itself knows."""
RECORDED: list[Recorded] = read_recording(io.BytesIO(day()), lambda broken: None)


@asynccontextmanager
async def played(path: Path) -> AsyncIterator[dict[str, CardDetail]]:
    """The whole day at once; the cards by their headlines."""
    clock = SteppedClock(RECORDED[0].at)
    config = Config.model_validate({"engine": "rules", "tools": {"enabled": False}})
    file = path / "day.db"
    async with open_monitor(config, database_file=file, clock=clock, recording=RECORDED, told=beside()) as monitor:
        await monitor.start()
        async with asyncio.timeout(20):
            while not monitor.finished:  # noqa: ASYNC110 -- a recording ends by itself, within seconds
                await asyncio.sleep(0.02)
            clock.step(RECORDED[-1].at + timedelta(hours=30))
            with CardReader(file) as cards:
                while True:
                    details = [cards.detail(key) for key in cards.order(CardFilter())]
                    found = {detail.item.title: detail for detail in details if detail}
                    if all(mark.state != "waiting" or mark.reason for one in found.values() for mark in one.prices):
                        break
                    await asyncio.sleep(0.02)
        yield found


async def test_a_day_of_sixty_items_shows_every_feature_and_two_flashes(tmp_path: Path) -> None:
    async with played(tmp_path) as cards:
        assert 55 <= len(RECORDED) <= 65
        loud = {one.item.title: one for one in cards.values() if one.signal and one.signal.urgency is Urgency.FLASH}
        assert len(loud) == 2, sorted(loud)
        counts = {
            urgency: sum(one.signal is not None and one.signal.urgency is urgency for one in cards.values())
            for urgency in Urgency
        }
        assert 3 <= counts[Urgency.ALERT] <= 8
        assert counts[Urgency.FYI] > counts[Urgency.NOTE] > counts[Urgency.ALERT] > counts[Urgency.FLASH]
        assert max(one.card.outlets for one in loud.values()) >= 5
        assert any(one.item.change == "corrected" for one in cards.values())
        assert any(one.item.published.at is None for one in cards.values())
        assert any(one.signal and one.signal.degraded for one in cards.values())
        assert {int(one.item.tier) for one in cards.values()} == {1, 2, 3, 4}
        rumour = next(one for title, one in cards.items() if title.startswith("Heard on the floor"))
        assert rumour.signal
        assert rumour.signal.urgency is Urgency.FYI
        assert any(member.title.startswith("Orrin Foods denies") for member in rumour.members)


async def test_the_evidence_opens_with_source_time_precision_and_raw_answer_and_is_named_as_recorded(
    tmp_path: Path,
) -> None:
    async with played(tmp_path) as cards:
        ban = next(one for title, one in cards.items() if title.startswith("Commerce Department bans"))
        evidence = [one for outcome in ban.outcomes for one in outcome.evidence]
        assert len(evidence) == 16
        assert {one.status for one in evidence} == {"ok", "empty", "unavailable"}
        for one in evidence:
            if one.status == "ok" and one.source not in OWN:
                assert one.source.startswith("recorded, ")
                assert one.raw
                assert all(item.at is None or item.at <= one.fetched_at for item in one.items)
        crowd = next(one for one in ban.outcomes if one.agent == "SentimentPulse")
        assert isinstance(crowd, Report)
        assert crowd.confidence_score < crowd.final.confidence_score, "one of its three tools is down"
        everything = [one for card in cards.values() for outcome in card.outcomes for one in outcome.evidence]
        assert {one.status for one in everything} == {"ok", "empty", "unavailable", "stale"}
        assert {one.source for one in everything if not one.source.startswith("recorded")} == OWN


async def test_a_card_on_which_three_agents_failed_says_which_and_why(tmp_path: Path) -> None:
    async with played(tmp_path) as cards:
        intel = next(one for title, one in cards.items() if title.startswith("Intel lowers"))
        failed = [one for one in intel.outcomes if isinstance(one, Abstention)]
        assert [(one.agent, one.cause) for one in failed] == [
            ("SignalScope", "timeout"), ("MacroMind", "timeout"), ("PolicyRadar", "unavailable"),
        ]  # fmt: skip
        assert intel.signal
        assert (intel.signal.degraded, intel.signal.urgency) == (True, Urgency.NOTE)


async def test_prices_follow_the_news(tmp_path: Path) -> None:
    async with played(tmp_path) as cards:
        ban = next(one for title, one in cards.items() if title.startswith("Commerce Department bans"))
        marks = {(mark.symbol, mark.after): mark for mark in ban.prices}
        five = marks["NVDA", timedelta(minutes=5)]
        assert marks["NVDA", timedelta(0)].price == 183.6
        assert five.change_pct is not None
        assert five.change_pct < -3
        assert five.source == "recorded, invented price"


def test_companies_that_exist_are_told_to_be_invented_and_no_address_is_real() -> None:
    hosts = {one.entry.url.split("/")[2] for one in RECORDED}
    told = beside()
    for answers in told.answers.values():
        for one in answers.values():
            hosts |= {url.split("/")[2] for url in (one.url, *(item.url for item in one.items)) if url}
    assert all(host.endswith(".example") for host in hosts)
    urls = {one.entry.url for one in RECORDED}
    assert {item for item in told.answers if item != "*"} <= urls
    assert {item for item, _ in told.failures} <= urls
