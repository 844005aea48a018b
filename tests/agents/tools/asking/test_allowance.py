"""What a source grants in an hour or a day: counted, refused in words, granted again when its own day begins."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from agents.tools.asking.allowance import Allowance, OwnAskings
from agents.tools.asking.catalogue import SOURCES, limited
from agents.tools.asking.errors import NotAsked
from agents.tools.asking.request import Reply, Request
from tests.agents.builders import NOW
from tests.fakes.evidence import KEYS, Sources, a_question, sources
from tests.fakes.feed_server import reply


def text(given: Reply) -> str:
    return given.text


async def given(world: Sources, source: str, number: int, now: datetime = NOW) -> str:
    request = Request(source, f"{SOURCES[source].address}/{number}")
    return (await world.access.ask(request, text, now)).value


WORDS = (
    (Allowance(20), NOW, "daily limit of 20 reached, again at 00:00 UTC"),
    (Allowance(20, zone="America/New_York"), NOW, "daily limit of 20 reached, again at 00:00 in New York"),
    (Allowance(90, zone="America/Los_Angeles"), NOW, "daily limit of 90 reached, again at 00:00 in Los Angeles"),
    (Allowance(150, "hour"), NOW, "hourly limit of 150 reached, again at 19:10 UTC"),
)


@pytest.mark.parametrize(("allowance", "now", "words"), WORDS)
def test_a_limit_that_is_reached_says_how_much_it_was_and_when_it_is_over(
    allowance: Allowance, now: datetime, words: str
) -> None:
    again = allowance.again(now, now - timedelta(minutes=20))
    assert allowance.words(allowance.most, again) == words


@pytest.mark.parametrize(
    ("now", "began", "again"),
    [
        ("2026-03-07T12:00Z", "2026-03-07T05:00Z", "2026-03-08T05:00Z"),
        ("2026-03-08T12:00Z", "2026-03-08T05:00Z", "2026-03-09T04:00Z"),
        ("2026-11-01T12:00Z", "2026-11-01T04:00Z", "2026-11-02T05:00Z"),
    ],
)
def test_a_day_is_the_sources_own_also_where_it_has_23_or_25_hours(now: str, began: str, again: str) -> None:
    allowance, at = Allowance(20, zone="America/New_York"), datetime.fromisoformat(now)
    assert allowance.began(at).astimezone(UTC) == datetime.fromisoformat(began)
    assert allowance.again(at, at).astimezone(UTC) == datetime.fromisoformat(again)


async def test_a_program_alone_counts_what_lies_within_the_span() -> None:
    own = OwnAskings()
    hour = timedelta(hours=1)
    moments = [NOW + timedelta(minutes=20 * number) for number in range(6)]
    taken = [await own.take("bis", 3, at - hour, at) for at in moments]
    assert [one.granted for one in taken] == [True] * 3 + [True] * 3
    assert not (await own.take("bis", 3, moments[-1] - hour, moments[-1])).granted
    assert (await own.take("ecb", 3, NOW, NOW)).granted, "another source has its own"


async def test_a_source_whose_day_is_spent_is_not_asked_and_stands_as_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async with sources() as world:
        limited = replace(SOURCES["bis"], allowance=Allowance(2, zone="America/New_York"))
        monkeypatch.setattr(world.access._health["bis"], "info", limited)
        world.server.script("*", reply(200, b"yes"))
        for number in range(2):
            await given(world, "bis", number)
        for number in range(2, 5):
            with pytest.raises(NotAsked, match="daily limit of 2 reached, again at 00:00 in New York"):
                await given(world, "bis", number)
        assert world.asked("bis") == 2
        state = world.access.states()["bis"]
        assert (state.standing, state.used, state.most) == ("used up", 2, 2)
        assert state.reason == "daily limit of 2 reached, again at 00:00 in New York"
        assert state.next_try_s == 9.5 * 3600
        assert await given(world, "bis", 0) == "yes", "what is remembered is given all the same"
        world.clock.seconds += 9.5 * 3600
        assert await given(world, "bis", 9, NOW + timedelta(hours=9.5)) == "yes"
        assert world.access.states()["bis"].standing == "answering"


async def test_a_key_widens_the_limit() -> None:
    async with sources(keys=KEYS) as world:
        assert world.access.states()["bls"].most == 450
    async with sources() as world:
        assert world.access.states()["bls"].most == 20


async def test_a_tool_whose_source_is_used_up_falls_on_to_the_next_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async with sources() as world:
        spent = replace(SOURCES["stocktwits"], allowance=Allowance(0, "hour"))
        monkeypatch.setattr(world.access._health["stocktwits"], "info", spent)
        evidence = await world.ask("stocktwits_ratio", a_question())
        assert evidence.status == "unavailable"
        assert "Stocktwits: hourly limit of 0 reached" in evidence.detail
        monkeypatch.setattr(world.access._health["bls"], "info", replace(SOURCES["bls"], allowance=Allowance(0)))
        monthly = "\n".join(f"{2024 + n // 12}-{n % 12 + 1:02d}-01,{300 + n},{300 + n}" for n in range(25))
        world.server.serve("/fred/graph/fredgraph.csv", f"observation_date,CPIAUCNS,CPIAUCSL\n{monthly}\n")
        evidence = await world.ask("cpi", a_question())
        assert (evidence.status, evidence.source) == ("ok", "FRED (open series)")
        assert "BLS: daily limit of 0 reached, again at 00:00 UTC" in evidence.detail
        assert world.asked("stocktwits") == world.asked("bls") == 0


async def test_an_old_answer_stands_in_where_the_limit_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    async with sources() as world:
        first = await world.ask("stocktwits_ratio", a_question())
        world.clock.seconds += SOURCES["stocktwits"].lifetime_s
        spent = replace(SOURCES["stocktwits"], allowance=Allowance(0, "hour"))
        monkeypatch.setattr(world.access._health["stocktwits"], "info", spent)
        again = await world.ask("stocktwits_ratio", a_question())
        assert (first.status, again.status) == ("ok", "stale")
        assert "because Stocktwits: hourly limit of 0 reached" in again.detail


def test_the_users_own_number_stands_for_the_built_in_one_with_or_without_a_key() -> None:
    raised = limited(SOURCES["bls"], {"bls": 7})
    assert raised.allowance is not None
    assert (raised.allowance.limit(key=True), raised.allowance.limit(key=False)) == (7, 7)
    assert raised.allowance.zone == "America/New_York"
    assert limited(SOURCES["stocktwits"], {"bls": 7}) is SOURCES["stocktwits"]
    fresh = limited(SOURCES["ecb"], {"ecb": 3}).allowance
    assert fresh == Allowance(3)
