"""One way to every source: asked once, remembered, limited, rested, and without a key in anything that is kept."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

import pytest

from agents.tools.asking import health
from agents.tools.asking.access import FAILED_S
from agents.tools.asking.catalogue import SOURCES
from agents.tools.asking.errors import NotAnAnswer, NotAsked, SourceError
from agents.tools.asking.request import Reply, Request
from tests.agents.builders import NOW
from tests.fakes.evidence import KEYS, Sources, a_question, sources
from tests.fakes.feed_server import answer, in_turn, raw, reply, silent

ONE = Request("bis", "https://stats.bis.org/one?a=1")
TWO = Request("bis", "https://stats.bis.org/two")


def text(given: Reply) -> str:
    return given.text


async def given(world: Sources, request: Request = ONE) -> str:
    return (await world.access.ask(request, text, NOW)).value


async def test_all_who_ask_the_same_at_once_share_one_request() -> None:
    async with sources() as world:
        world.server.serve("/bis/one", "yes", content_type="text/plain")
        assert await asyncio.gather(*(given(world) for _ in range(50))) == ["yes"] * 50
        assert world.asked("bis") == 1


async def test_who_stops_waiting_leaves_the_answer_to_the_next() -> None:
    async with sources() as world:
        world.server.latency_s = 0.05
        world.server.serve("/bis/one", "yes", content_type="text/plain")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(given(world), 0.01)
        assert await given(world) == "yes"
        assert world.asked("bis") == 1


async def test_an_answer_is_given_again_for_its_lifetime_and_an_empty_one_for_less() -> None:
    async with sources() as world:
        world.server.serve("/bis/one", "yes", content_type="text/plain")
        world.server.serve("/bis/two", "", content_type="text/plain")
        await given(world, ONE)
        await given(world, TWO)
        world.clock.seconds += SOURCES["bis"].empty_s
        await given(world, ONE)
        await given(world, TWO)
        assert [len(world.server.requests(f"/bis/{path}")) for path in ("one", "two")] == [1, 2]
        world.clock.seconds += SOURCES["bis"].lifetime_s
        await given(world, ONE)
        assert len(world.server.requests("/bis/one")) == 2


async def test_a_source_that_is_down_gives_its_old_answer_marked_with_age_and_reason() -> None:
    async with sources() as world:
        world.server.script("/bis/one", in_turn(reply(200, b"yes"), reply(503)))
        await given(world)
        world.clock.seconds += SOURCES["bis"].lifetime_s
        got = await world.access.ask(ONE, text, NOW)
        assert got.value == "yes"
        assert got.stale == "from 2026-03-10 18:30 UTC, because BIS policy rates: has trouble (503)"
        world.clock.seconds += 86_400
        with pytest.raises(SourceError):
            await given(world)


async def test_a_failure_is_remembered_for_a_moment_and_not_for_the_lifetime() -> None:
    async with sources() as world:
        world.server.script("/bis/one", in_turn(reply(404), reply(200, b"yes")))
        for _ in range(3):
            with pytest.raises(SourceError, match="nothing under this address"):
                await given(world)
        assert world.asked("bis") == 1
        world.clock.seconds += FAILED_S
        assert await given(world) == "yes"


async def test_a_failing_source_rests_and_says_so_without_being_asked() -> None:
    async with sources() as world:
        world.server.script("*", reply(500))
        for number in range(10):
            with pytest.raises(SourceError):
                await given(world, replace(ONE, url=f"https://stats.bis.org/{number}"))
        assert world.asked("bis") == 3
        state = world.access.states()["bis"]
        assert (state.standing, state.reason) == ("resting", "has trouble (500)")
        assert state.next_try_s == SOURCES["bis"].rest_s
        world.clock.seconds += SOURCES["bis"].rest_s
        assert world.access.states()["bis"].standing == "on trial"
        world.server.serve("/bis/one", "yes", content_type="text/plain")
        assert await given(world) == "yes"
        assert world.access.states()["bis"].standing == "answering"


async def test_a_429_rests_the_source_as_long_as_it_asks() -> None:
    async with sources() as world:
        world.server.script("/bis/one", reply(429, b"slow down", {"Retry-After": "300"}))
        with pytest.raises(SourceError, match="asks for fewer requests"):
            await given(world)
        assert world.access.states()["bis"].next_try_s == 300.0
        with pytest.raises(NotAsked, match="rests for 300 s more"):
            await given(world, TWO)
        assert world.asked("bis") == 1


@pytest.mark.parametrize("status", [401, 402, 403, 451])
async def test_a_refusal_rests_the_source_at_once(status: int) -> None:
    async with sources() as world:
        world.server.script("/bis/one", reply(status, b"no"))
        with pytest.raises(SourceError, match=str(status)):
            await given(world)
        assert world.access.states()["bis"].standing == "resting"


async def test_what_a_question_gets_wrong_says_nothing_of_the_source() -> None:
    async with sources() as world:
        for number in range(5):
            with pytest.raises(SourceError):
                await given(world, replace(ONE, url=f"https://stats.bis.org/{number}"))
        assert world.asked("bis") == 5
        assert world.access.states()["bis"].standing == "not asked yet"


async def test_who_would_wait_too_long_for_a_turn_is_told_at_once() -> None:
    async with sources() as world:
        world.server.script("*", silent())
        interval = SOURCES["gdelt"].interval_s
        fitting = int(health.LONGEST_QUEUE_S // interval) + 1
        asked = [
            asyncio.create_task(given(world, Request("gdelt", f"https://api.gdeltproject.org/{number}")))
            for number in range(fitting + 3)
        ]
        done, waiting = await asyncio.wait(asked, timeout=0.5)
        assert (len(done), len(waiting)) == (3, fitting)
        for task in done:
            assert isinstance(task.exception(), NotAsked)
        for task in waiting:
            task.cancel()


@pytest.mark.parametrize("body", [b"<!DOCTYPE html><html>no robots</html>", b"\xef\xbb\xbf\n <HTML>challenge</HTML>"])
async def test_a_page_with_status_200_is_no_answer(body: bytes) -> None:
    async with sources() as world:
        world.server.script("/bis/one", reply(200, body, {"Content-Type": "application/json"}))
        with pytest.raises(SourceError, match="a page for people") as failed:
            await given(world)
        assert failed.value.fault == "no_answer"


async def test_whatever_an_answer_does_to_its_reader_it_is_no_answer() -> None:
    def reader(given: Reply) -> str:
        raise KeyError(given.text)

    def refuses(given: Reply) -> str:
        raise NotAnAnswer("says nothing")

    async with sources() as world:
        world.server.script("*", reply(200, b"x"))
        with pytest.raises(SourceError, match=r"could not be read \(KeyError\)"):
            await world.access.ask(ONE, reader, NOW)
        with pytest.raises(SourceError, match="BIS policy rates: says nothing"):
            await world.access.ask(TWO, refuses, NOW)


async def test_an_endless_body_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SOURCES, "bis", replace(SOURCES["bis"], max_bytes=10_000))
    async with sources() as world:
        world.server.script("/bis/one", reply(200, b"x" * 1_000_000))
        with pytest.raises(SourceError):
            await given(world)


async def test_a_long_answer_is_kept_cut_with_its_length_and_clean() -> None:
    async with sources() as world:
        world.server.serve("/bis/one", "a\x1b[31m" + "b" * 20_000, content_type="text/plain")
        raw_text = (await world.access.ask(ONE, text, NOW)).raw
        assert "\x1b" not in raw_text
        assert len(raw_text) < 7_000
        assert raw_text.endswith("(cut: the whole answer has 20006 bytes)")


async def test_a_source_without_its_key_or_switched_off_is_never_asked() -> None:
    async with sources(disabled=["bis"]) as world:
        with pytest.raises(NotAsked, match="switched off"):
            await given(world)
        with pytest.raises(NotAsked, match="needs BRAVE_API_KEY"):
            await given(world, Request("brave", "https://api.search.brave.com/"))
        states = world.access.states()
        assert (states["bis"].standing, states["brave"].standing) == ("switched off", "no key")
        assert world.server.requests() == []


async def test_no_key_shows_in_evidence_errors_states_or_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with sources(keys=KEYS) as world:
        echoed: list[object] = []
        for name in world.tools:
            echoed.append(await world.ask(name, a_question("Fed raises rates", event="rate_surprise")))
        sent = " ".join(f"{one.path} {one.headers} {one.body!r}" for one in world.server.requests())
        for key in ("EIA_API_KEY", "OPENSANCTIONS_API_KEY", "YOUTUBE_API_KEY", "BLS_API_KEY"):
            assert KEYS[key] in sent
        assert "CANARY" not in repr(echoed)
    async with sources(keys=KEYS) as world:

        def echo(status: int) -> bytes:
            return answer(status, " ".join(KEYS.values()).encode())

        for status in (200, 400, 500):
            world.server.script("*", raw(echo(status)))
            world.server._routes = {"*": world.server._routes["*"]}
            echoed += [await world.ask(name, a_question()) for name in world.tools]
            echoed.append(world.access.states())
            world.clock.seconds += 4_000
    assert "CANARY" not in repr(echoed)
    assert "CANARY" not in caplog.text


async def test_a_key_that_an_answer_repeats_is_hidden_and_a_secret_answer_is_not_kept() -> None:
    async with sources(keys=KEYS) as world:
        world.server.serve("/bis/one", f"your key is {KEYS['EIA_API_KEY']}", content_type="text/plain")
        world.server.serve("/bis/two", "the pass", content_type="text/plain")
        assert (await world.access.ask(ONE, text, NOW)).raw == "your key is ***"
        assert (await world.access.ask(replace(TWO, private=True), text, NOW)).raw == ""


async def test_a_source_may_have_an_address_of_its_own_and_those_of_one_family_share_it() -> None:
    async with sources() as world:
        world.access._base_urls = {"reddit": world.server.url("/mirror/"), "bis": world.server.url("")}
        world.server.serve("/mirror/r/x", "yes", content_type="text/plain")
        world.server.serve("/one", "yes", content_type="text/plain")
        assert await given(world, Request("reddit", "https://www.reddit.com/r/x")) == "yes"
        assert await given(world) == "yes"
        assert world.server.requests("/one")[0].path == "/one?a=1"


async def test_what_is_in_the_air_is_ended_with_the_program() -> None:
    async with sources() as world:
        world.server.script("*", silent())
        waiting = asyncio.create_task(given(world))
        await asyncio.sleep(0.02)
        await world.access.aclose()
        with pytest.raises(asyncio.CancelledError):
            await waiting


async def test_a_source_that_an_earlier_run_was_told_to_leave_alone_rests_on() -> None:
    async with sources() as world:
        world.server.serve("/bis/one", "yes", content_type="text/plain")
        world.access.rest({"bis": (200.0, "asks for fewer requests (429)"), "gone": (9.0, "x"), "ecb": (-1.0, "over")})
        state = world.access.states()["bis"]
        assert (state.standing, state.next_try_s, state.reason) == ("resting", 200.0, "asks for fewer requests (429)")
        with pytest.raises(NotAsked, match="rests for 200 s more"):
            await given(world)
        assert world.access.states()["ecb"].standing == "not asked yet"
        world.clock.seconds += 200.0
        assert await given(world) == "yes"
        assert world.access.states()["bis"].standing == "answering"
