"""A start asks for nothing that is still fresh; what is old stands in where a source is down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import pytest

from agents.models import ToolName
from agents.tools.asking.request import Reply, Request
from agents.tools.asking.shelf import KeptReply
from tests.agents.builders import NOW, an_item
from tests.fakes.evidence import KEYS, TITLE, Sources, a_question, serve, sources
from tests.fakes.feed_server import FeedServer, reply

HOUR = timedelta(hours=1)
SLOW = ("bis", "ofac", "un_sanctions", "bls", "edgar", "ecb", "frankfurter", "wikidata", "data_gov_au", "fred")


class ShelfInMemory:
    """A shelf that outlives an access, not the test."""

    def __init__(self) -> None:
        self.held: dict[str, KeptReply] = {}
        self.found = 0

    async def find(self, digest: str) -> KeptReply | None:
        self.found += 1
        return self.held.get(digest)

    async def keep(self, digest: str, source: str, kept: KeptReply) -> None:
        self.held[digest] = kept


@asynccontextmanager
async def run(
    shelf: ShelfInMemory, *, keys: dict[str, str] | None = None, down: bool = False
) -> AsyncIterator[Sources]:
    """One run of the program over the shelf."""

    def answering(server: FeedServer) -> None:
        server.script("*", reply(503)) if down else serve(server)

    async with sources(shelf=shelf, keys=keys, answering=answering) as world:
        yield world
        await world.access.aclose()


async def all_tools(world: Sources, now: datetime = NOW) -> dict[ToolName, str]:
    answers = await asyncio.gather(*(world.ask(name, a_question(now=now)) for name in world.tools))
    return {one.tool: one.status for one in answers}


async def test_a_start_asks_nothing_that_is_still_fresh() -> None:
    shelf = ShelfInMemory()
    async with run(shelf) as first:
        before = await all_tools(first)
        assert all(first.asked(name) for name in SLOW if name not in ("fred", "data_gov_au"))
    async with run(shelf) as second:
        assert await all_tools(second, NOW + HOUR / 4) == before
        asked = {name: second.asked(name) for name in SLOW if second.asked(name)}
        # EDGAR's feeds of releases live a quarter of an hour; its lists and filings a day.
        assert set(asked) <= {"edgar"}
        assert not [one.path for one in second.server.requests("/edgar/files/company_tickers.json")]
        assert second.asked("stocktwits") == 1, "what moves fast is asked again"


async def test_an_answer_keeps_its_own_time_and_is_asked_for_again_when_that_is_over() -> None:
    shelf = ShelfInMemory()
    async with run(shelf) as first:
        await first.ask("policy_rates", a_question())
    async with run(shelf) as second:
        evidence = await second.ask("policy_rates", a_question(now=NOW + 2 * HOUR))
        assert second.asked("bis") == 0
        assert f"{NOW:%Y-%m-%d %H:%M:%S} UTC" in evidence.raw, "it is told when it was fetched"
        second.clock.seconds += 10 * 3600
        await second.ask("policy_rates", a_question(now=NOW + 12 * HOUR))
        assert second.asked("bis") == 1


async def test_an_old_answer_of_an_earlier_run_stands_in_where_the_source_is_down() -> None:
    shelf = ShelfInMemory()
    async with run(shelf) as first:
        await first.ask("oil_gold", a_question())
    async with run(shelf, down=True) as second:
        evidence = await second.ask("oil_gold", a_question(now=NOW + 3 * HOUR))
        assert evidence.status == "stale"
        assert "from 2026-03-10 18:30 UTC, because FRED (open series): has trouble (503)" in evidence.detail
    async with run(shelf, down=True) as third:
        assert (await third.ask("oil_gold", a_question(now=NOW + 30 * HOUR))).status == "unavailable"


async def test_a_burst_at_the_start_reads_the_shelf_once() -> None:
    shelf = ShelfInMemory()
    async with run(shelf) as first:
        await first.ask("policy_rates", a_question())
    shelf.found = 0
    async with run(shelf) as second:
        await asyncio.gather(*(second.ask("policy_rates", a_question()) for _ in range(50)))
        assert shelf.found == len(shelf.held)
        assert second.server.requests() == [] or second.asked("bis") == 0


async def test_a_name_that_the_list_of_an_earlier_run_did_not_hold_is_new() -> None:
    shelf = ShelfInMemory()
    question = a_question("Rostok Marine and Nordstern Chip Trading", event=None)
    async with run(shelf) as first:
        await first.ask("geo_events", question)
    async with run(shelf) as second:
        rows = '101,"NORDSTERN CHIP TRADING LLC",-0- ,"RUSSIA"\n103,"ROSTOK MARINE JSC",-0- ,"RUSSIA"\n'
        second.server.serve("/ofac/api/PublicationPreview/exports/sdn.csv", rows, content_type="text/csv")
        later = a_question("Rostok Marine and Nordstern Chip Trading", event=None, now=NOW + 7 * HOUR)
        evidence = await second.ask("geo_events", later)
        new = {
            item.text.split('"')[1]: dict(item.values).get("new_on_list") for item in evidence.items if '"' in item.text
        }
        assert new == {"NORDSTERN CHIP TRADING LLC": 0.0, "ROSTOK MARINE JSC": 1.0}


async def test_no_secret_and_no_pass_is_kept() -> None:
    shelf = ShelfInMemory()
    async with run(shelf, keys=KEYS) as world:
        await all_tools(world)
    assert shelf.held
    assert "CANARY" not in repr(shelf.held)


async def test_a_secret_answer_is_not_kept_however_long_it_lives() -> None:
    shelf = ShelfInMemory()
    secret = Request("bis", "https://stats.bis.org/one", private=True, lifetime_s=86_400.0)
    async with run(shelf) as world:
        world.server.serve("/bis/one", "the pass", content_type="text/plain")
        await world.access.ask(secret, lambda given: given.text, NOW)
    assert shelf.held == {}


@pytest.mark.parametrize("fault", ["future", "garbage"])
async def test_what_cannot_be_true_or_read_is_asked_for_anew(fault: str) -> None:
    def text(given: Reply) -> str:
        if given.body == b"garbage":
            raise ValueError(given.body)
        return given.text

    one = Request("bis", "https://stats.bis.org/one")
    shelf = ShelfInMemory()
    at = NOW + timedelta(days=30) if fault == "future" else NOW
    async with run(shelf) as first:
        first.server.serve("/bis/one", fault, content_type="text/plain")
        await first.access.ask(one, lambda given: given.text, at)
    async with run(shelf) as second:
        second.server.serve("/bis/one", "fine", content_type="text/plain")
        assert (await second.access.ask(one, text, NOW)).value == "fine"


async def test_switched_off_means_that_not_even_an_old_answer_is_given() -> None:
    shelf = ShelfInMemory()
    async with run(shelf) as first:
        await first.ask("policy_rates", a_question())
    async with sources(shelf=shelf, disabled=["bis", "ecb", "boj", "fred"]) as second:
        evidence = await second.ask("policy_rates", a_question(item=an_item(TITLE)))
        assert evidence.status == "not_configured"
