"""Tools answered by the program's own database: what came before, and what silence means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from agents.models import Evidence
from agents.tools.archive import EarlierNews, SourceNews
from agents.tools.protocol import EarlierItem, Question, SourceHealth
from feeds.models import Published, Tier, TimeDoubt
from tests.agents.builders import NOW, an_item
from tests.fakes.archive import MemoryArchive

ITEM = an_item("Lehman Brothers files for bankruptcy")
QUESTION = Question(ITEM, ("LEH",), "bankruptcy", NOW)


def minutes(count: float) -> datetime:
    """So many minutes before the item came."""
    return NOW - timedelta(minutes=count)


def earlier(
    item_id: str = "e1",
    *,
    seen: datetime | None = None,
    published: Published | None = None,
    source_id: str = "sec-litigation",
    why: str = "same story",
) -> EarlierItem:
    at = seen or minutes(10)
    return EarlierItem(
        item_id=item_id,
        title="Lehman seeks a buyer",
        url=f"https://wire.example/{item_id}",
        source_id=source_id,
        source_name="Wire",
        tier=Tier.NEWSROOM,
        published=published or Published(at, "second", None),
        first_seen_at=at,
        why=why,
    )


async def rss_search(archive: MemoryArchive) -> Evidence:
    return await EarlierNews(archive).ask(QUESTION)


async def enforcement(
    archive: MemoryArchive, source_ids: Sequence[str] = ("sec-litigation", "sec-press"), now: datetime = NOW
) -> Evidence:
    tool = SourceNews("sec_enforcement", archive, tuple(source_ids), "feeds of the SEC")
    return await tool.ask(replace(QUESTION, now=now))


async def test_it_asks_for_the_story_the_symbols_and_the_event_before_the_item_came() -> None:
    archive = MemoryArchive()
    await EarlierNews(archive).ask(replace(QUESTION, now=NOW + timedelta(hours=2)))
    assert archive.asked == [{"symbols": ("LEH",), "event_type": "bankruptcy", "before": NOW, "source_ids": ()}]


async def test_earlier_items_are_found_with_time_source_tier_and_why() -> None:
    evidence = await rss_search(MemoryArchive([earlier(), earlier("e2", why="LEH")]))
    assert (evidence.status, evidence.tool, evidence.source) == ("ok", "rss_search", "own archive")
    first, second = evidence.items
    assert first.text == "Lehman seeks a buyer · same story"
    assert (first.at, first.precision, first.time_kind) == (minutes(10), "second", "published")
    assert (first.url, first.source) == ("https://wire.example/e1", "Wire")
    assert dict(first.values) == {"tier": 2.0, "same_story": 1.0}
    assert dict(second.values) == {"tier": 2.0, "same_story": 0.0}
    assert '"item_id": "e1"' in evidence.raw
    assert len(evidence.raw.splitlines()) == 2


@pytest.mark.parametrize(
    "published",
    [
        pytest.param(Published(), id="undated"),
        pytest.param(Published(minutes(5), "minute", TimeDoubt.ZONE_UNKNOWN), id="zone unknown"),
    ],
)
async def test_where_the_publication_time_is_in_doubt_the_time_it_was_seen_is_given(published: Published) -> None:
    (found,) = (await rss_search(MemoryArchive([earlier(published=published)]))).items
    assert (found.at, found.time_kind) == (minutes(10), "first_seen")


@pytest.mark.parametrize(
    "newer",
    [
        pytest.param(earlier(seen=minutes(-1)), id="seen after the item"),
        pytest.param(earlier(seen=NOW), id="seen at the same moment"),
        pytest.param(
            earlier(seen=minutes(1), published=Published(minutes(-1), "second", None)), id="published after the item"
        ),
        pytest.param(earlier(ITEM.id), id="the item itself"),
    ],
)
async def test_nothing_newer_than_the_item_is_looked_at(newer: EarlierItem) -> None:
    assert (await rss_search(MemoryArchive([newer]))).status == "empty"
    health = [SourceHealth("sec-litigation", NOW, 60)]
    assert (await enforcement(MemoryArchive([newer], health))).status == "empty"


async def test_nothing_earlier_is_empty() -> None:
    evidence = await rss_search(MemoryArchive())
    assert (evidence.status, evidence.detail) == ("empty", "no earlier item on this story, its companies or its event")


async def test_a_database_that_cannot_be_read_is_unavailable() -> None:
    archive = MemoryArchive(fails=OSError("database is locked"))
    for evidence in (await rss_search(archive), await enforcement(archive)):
        assert evidence.status == "unavailable"
        assert evidence.detail == "the database could not be read: database is locked"


@pytest.mark.parametrize(
    ("health", "holds", "status", "detail"),
    [
        pytest.param([], [], "not_configured", "feeds of the SEC would answer this; none is subscribed", id="none"),
        pytest.param([("sec-litigation", 0)], [earlier()], "ok", "", id="answers and has it"),
        pytest.param(
            [("sec-litigation", 0)],
            [],
            "empty",
            "nothing on this story, its companies or its event",
            id="answers and has nothing",
        ),
        pytest.param([("sec-litigation", 3)], [], "empty", None, id="exactly three intervals are not silence"),
        pytest.param(
            [("sec-litigation", 3.1)],
            [],
            "unavailable",
            "sec-litigation last answered 2026-03-10 18:26:54 UTC",
            id="silent",
        ),
        pytest.param([("sec-litigation", None)], [], "unavailable", "sec-litigation has never answered", id="never"),
        pytest.param(
            [("sec-litigation", None)],
            [earlier()],
            "stale",
            "sec-litigation has never answered",
            id="silent, with items from before",
        ),
        pytest.param(
            [("sec-litigation", None), ("sec-press", 1)],
            [],
            "empty",
            "sec-litigation has never answered",
            id="one of two is silent",
        ),
        pytest.param(
            [("sec-litigation", None), ("sec-press", 1)],
            [earlier()],
            "ok",
            "sec-litigation has never answered",
            id="one of two is silent, something is there",
        ),
        pytest.param(
            [("sec-litigation", None), ("sec-press", 9)],
            [],
            "unavailable",
            "sec-litigation has never answered; sec-press last answered 2026-03-10 18:21:00 UTC",
            id="both are silent",
        ),
        pytest.param([("sec-litigation", -60)], [], "empty", None, id="a clock set back is not silence"),
    ],
)
async def test_silence_of_the_publishers_is_told_from_their_having_nothing(
    health: list[tuple[str, float | None]], holds: list[EarlierItem], status: str, detail: str | None
) -> None:
    """`health`: each source polled every 60 s with the minutes since its last answer."""
    sources = [SourceHealth(name, None if age is None else minutes(age), 60) for name, age in health]
    evidence = await enforcement(MemoryArchive(holds, sources))
    assert evidence.status == status
    assert detail is None or evidence.detail == detail


async def test_only_the_subscribed_ones_of_its_sources_are_asked() -> None:
    archive = MemoryArchive([earlier(source_id="wire")], [SourceHealth("sec-press", NOW, 60)])
    evidence = await enforcement(archive)
    assert archive.asked[0]["source_ids"] == ("sec-press",)
    assert (evidence.status, evidence.source) == ("empty", "sec-press")


async def test_silence_is_measured_at_the_time_of_the_question() -> None:
    archive = MemoryArchive((), [SourceHealth("sec-press", NOW, 60)])
    assert (await enforcement(archive, now=NOW + timedelta(minutes=2))).status == "empty"
    assert (await enforcement(archive, now=NOW + timedelta(minutes=4))).status == "unavailable"


async def test_a_tool_for_which_no_source_is_known_is_not_configured() -> None:
    assert (await enforcement(MemoryArchive(), source_ids=())).status == "not_configured"
