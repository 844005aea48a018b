"""When a source is asked again: polite, never too late, and back by itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.errors import FeedError, Garbled, HttpStatus, NotAFeed, Refused, TimedOut, TooLarge, Unreachable
from feeds.models import PollState, Source, Tier, Validators
from feeds.network.outcomes import Fetched, NotModified
from feeds.schedule import LONGEST_WAIT_S, Outage, Outcome, after, due, request

SOURCE = Source("northwind", "Northwind", "https://news.example/rss", Tier.NEWSROOM, interval_s=60)
OLD = Validators('"a"', None)
NEW = Validators('"b"', "Tue, 10 Mar 2026 18:00:00 GMT")
MOVED = "https://new.example/rss"
DAY = timedelta(days=1)


def fetched(*, fresh: float | None = None, moved: str | None = None, final: str = SOURCE.url) -> Fetched:
    return Fetched(b"<rss/>", "application/rss+xml", NEW, moved or final, moved, fresh, 12.5)


def unchanged(*, fresh: float | None = None, moved: str | None = None, final: str = SOURCE.url) -> NotModified:
    return NotModified(NEW, moved or final, moved, fresh, 3.5)


def wait_s(outcome: Outcome, now: datetime, *, source: Source = SOURCE, failures: int = 0, seed: int = 0) -> float:
    state = after(source, PollState(failures=failures), outcome, now, Random(seed))
    assert state.next_check_at is not None
    return (state.next_check_at - now).total_seconds()


def test_a_document_is_kept_in_mind(now: datetime) -> None:
    state = after(SOURCE, PollState(failures=3, status="failing", last_error="x"), fetched(), now, Random(1))
    assert replace(state, next_check_at=None) == PollState(
        status="ok",
        validators=NEW,
        last_checked_at=now,
        last_ok_at=now,
        last_full_at=now,
        latency_ms=12.5,
    )


def test_nothing_new_is_a_success_but_no_full_document(now: datetime) -> None:
    before = PollState(last_full_at=now - timedelta(hours=5), failures=2)
    state = after(SOURCE, before, unchanged(), now, Random(1))
    assert (state.status, state.failures, state.validators) == ("unchanged", 0, NEW)
    assert (state.last_ok_at, state.last_full_at) == (now, now - timedelta(hours=5))


@pytest.mark.parametrize(
    ("outcome", "low", "high"),
    [
        (fetched(), 60, 66),
        (unchanged(), 60, 66),
        (fetched(fresh=10), 60, 66),
        (fetched(fresh=200), 200, 220),
        (unchanged(fresh=200), 200, 220),
        (fetched(fresh=86400), 300, 330),
    ],
)
def test_the_wait_after_success(now: datetime, outcome: Outcome, low: float, high: float) -> None:
    waits = [wait_s(outcome, now, seed=seed) for seed in range(50)]
    assert low <= min(waits) < max(waits) <= high
    assert len(set(waits)) > 40, "jitter spreads them"


@pytest.mark.parametrize(
    ("failures", "low", "high"),
    [(0, 60, 60), (1, 108, 120), (2, 216, 240), (3, 432, 480), (4, 810, 900), (5, 810, 900), (500, 810, 900)],
)
def test_back_off_doubles_up_to_fifteen_minutes(now: datetime, failures: int, low: float, high: float) -> None:
    for error in (HttpStatus("x", 503), TimedOut("x"), NotAFeed("x"), Garbled("x"), TooLarge("x"), Refused("x")):
        waits = [wait_s(error, now, failures=failures, seed=seed) for seed in range(30)]
        assert low <= min(waits) <= max(waits) <= high


def test_a_slow_source_is_never_asked_sooner_than_its_interval(now: datetime) -> None:
    slow = replace(SOURCE, interval_s=3600)
    assert min(wait_s(HttpStatus("x", 500), now, source=slow, failures=9, seed=seed) for seed in range(30)) == 3600


@pytest.mark.parametrize(
    ("status", "retry_after", "failures", "low", "high"),
    [
        (429, 120.0, 0, 120, 132),
        (503, 120.0, 0, 120, 132),
        (429, 0.0, 0, 60, 66),
        (429, None, 0, 60, 66),
        (429, 5.0, 3, 432, 480),
        (429, 86_400.0, 0, 86_400, 95_040),
        (410, None, 0, 86_400, 86_400),
    ],
)
def test_retry_after_is_obeyed_and_never_shortens(
    now: datetime, status: int, retry_after: float | None, failures: int, low: float, high: float
) -> None:
    error = HttpStatus("x", status, retry_after)
    assert all(low <= wait_s(error, now, failures=failures, seed=seed) <= high for seed in range(30))


def test_a_failure_keeps_what_worked(now: datetime) -> None:
    good = after(SOURCE, PollState(), fetched(), now, Random(1))
    bad = after(SOURCE, good, NotAFeed("news.example: a web page, no feed"), now + DAY / 2, Random(1))
    assert (bad.status, bad.failures, bad.last_error) == ("failing", 1, "news.example: a web page, no feed")
    assert (bad.validators, bad.last_ok_at, bad.last_full_at) == (NEW, now, now)
    assert bad.last_checked_at == now + DAY / 2


def test_three_days_of_trouble_end_by_themselves(now: datetime) -> None:
    state, at, checks = PollState(), now, 0
    while at < now + 3 * DAY:
        state = after(SOURCE, state, HttpStatus("news.example: has trouble (503)", 503), at, Random(checks))
        assert state.next_check_at is not None
        at, checks = state.next_check_at, checks + 1
    assert 288 <= checks <= 400
    assert due(state, at)
    assert after(SOURCE, state, fetched(), at, Random(0)).failures == 0


def test_the_first_time_a_host_is_not_reached_it_is_tried_again_within_seconds(now: datetime) -> None:
    assert all(15 <= wait_s(Unreachable("x"), now, seed=seed) <= 30 for seed in range(30))
    assert wait_s(Unreachable("x"), now, failures=1) >= 60


def test_without_a_network_nobody_is_blamed_and_the_retry_is_quick(now: datetime) -> None:
    good = after(SOURCE, PollState(), fetched(), now, Random(1))
    for error in (Unreachable("x"), TimedOut("x")):
        state = after(SOURCE, good, error, now + DAY / 3, Random(1), offline=True)
        assert (state.status, state.failures, state.validators) == ("ok", 0, NEW)
        assert state.last_error == "no network: nothing can be reached"
        assert state.next_check_at is not None
        assert timedelta(seconds=15) <= state.next_check_at - (now + DAY / 3) <= timedelta(seconds=30)
    assert after(SOURCE, good, HttpStatus("x", 500), now, Random(1), offline=True).failures == 1


def test_an_outage_is_three_hosts_away_and_none_there(now: datetime) -> None:
    outage = Outage()
    for host in ("a.example", "b.example", "b.example"):
        outage.seen(host, Unreachable("x"), now)
    assert not outage.offline(now)
    outage.seen("c.example", TimedOut("x"), now)
    outage.seen("d.example", Refused("x"), now)
    assert outage.offline(now + timedelta(seconds=59))
    assert not outage.offline(now + timedelta(seconds=61))
    outage.seen("e.example", HttpStatus("x", 500), now)
    assert not outage.offline(now), "even a refusal of a server proves that there is a network"


def test_a_validator_that_says_unchanged_for_ever_is_found_out_within_a_day(now: datetime) -> None:
    state, at, full = PollState(), now, []
    while at < now + 3 * DAY:
        source, validators = request(SOURCE, state, at)
        assert source is SOURCE
        if validators == Validators():
            full.append(at)
            state = after(SOURCE, state, fetched(), at, Random(1))
        else:
            assert validators == NEW
            state = after(SOURCE, state, unchanged(), at, Random(1))
        at += timedelta(minutes=10)
    assert len(full) == 3
    assert all(DAY <= later - earlier <= DAY + timedelta(minutes=10) for earlier, later in pairwise(full))


def test_a_permanent_redirect_is_learned_after_seven_days_of_the_same_answer(now: datetime) -> None:
    state = after(SOURCE, PollState(), fetched(moved=MOVED), now, Random(1))
    assert (state.redirect_url, state.redirect_since) == (MOVED, now)
    for day in range(1, 7):
        state = after(SOURCE, state, unchanged(moved=MOVED), now + day * DAY, Random(1))
        assert request(SOURCE, state, now + day * DAY)[0].url == SOURCE.url
    week = now + 7 * DAY
    assert request(SOURCE, state, week)[0] == replace(SOURCE, url=MOVED)
    state = after(SOURCE, state, unchanged(final=MOVED), week, Random(1))
    assert request(SOURCE, state, week + DAY)[0].url == MOVED, "and stays learned"


@pytest.mark.parametrize(
    "outcome", [fetched(), unchanged(), fetched(moved="https://portal.example/login"), fetched(final=MOVED)]
)
def test_any_other_answer_begins_the_seven_days_anew(now: datetime, outcome: Outcome) -> None:
    state = after(SOURCE, PollState(), fetched(moved=MOVED), now, Random(1))
    state = after(SOURCE, state, outcome, now + 6 * DAY, Random(1))
    state = after(SOURCE, state, fetched(moved=MOVED), now + 6 * DAY, Random(1))
    assert state.redirect_since == now + 6 * DAY
    assert request(SOURCE, state, now + 8 * DAY)[0].url == SOURCE.url


def test_a_learned_address_that_fails_is_unlearned(now: datetime) -> None:
    learned = PollState(redirect_url=MOVED, redirect_since=now - 8 * DAY)
    assert request(SOURCE, learned, now)[0].url == MOVED
    state = after(SOURCE, learned, HttpStatus("x", 404), now, Random(1))
    assert (request(SOURCE, state, now)[0].url, state.redirect_url) == (SOURCE.url, "")
    waiting = PollState(redirect_url=MOVED, redirect_since=now - 3 * DAY)
    assert after(SOURCE, waiting, HttpStatus("x", 503), now, Random(1)).redirect_since == now - 3 * DAY


def test_due(now: datetime) -> None:
    assert due(PollState(), now)
    assert due(PollState(next_check_at=now, last_checked_at=now - DAY), now)
    assert not due(PollState(next_check_at=now + timedelta(seconds=1), last_checked_at=now), now)


@pytest.mark.parametrize("hours", [-0.1, -8, -100_000, 8])
def test_a_clock_that_jumps_puts_no_check_off(now: datetime, hours: float) -> None:
    state = after(SOURCE, PollState(), fetched(), now, Random(1))
    later = now + timedelta(seconds=30, hours=hours)
    assert due(state, later)
    state = after(SOURCE, state, unchanged(), later, Random(1))
    assert state.next_check_at is not None
    assert state.next_check_at <= later + timedelta(seconds=66)


def test_the_daily_full_document_survives_a_clock_that_went_back(now: datetime) -> None:
    state = replace(after(SOURCE, PollState(), fetched(), now, Random(1)))
    assert request(SOURCE, state, now - timedelta(seconds=30))[1] == NEW
    assert request(SOURCE, state, now - DAY)[1] == Validators()


OUTCOMES = st.one_of(
    st.builds(lambda fresh: fetched(fresh=fresh), st.none() | st.floats(0, 1e9)),
    st.builds(lambda fresh: unchanged(fresh=fresh), st.none() | st.floats(0, 1e9)),
    st.builds(
        lambda status, wait: HttpStatus("x", status, wait), st.integers(300, 599), st.none() | st.floats(0, 86_400)
    ),
    st.sampled_from([Unreachable("x"), TimedOut("x"), NotAFeed("x"), Refused("x")]),
)


@given(st.lists(st.tuples(OUTCOMES, st.booleans()), min_size=1, max_size=8), st.integers(30, 7200), st.integers())
def test_no_history_leads_to_a_burst_or_to_silence(
    history: list[tuple[Outcome, bool]], interval_s: int, seed: int
) -> None:
    source, rng = replace(SOURCE, interval_s=interval_s), Random(seed)
    state, at = PollState(), datetime.fromisoformat("2026-03-10T18:30:00+00:00")
    for outcome, offline in history:
        state = after(source, state, outcome, at, rng, offline=offline)
        assert state.next_check_at is not None
        wait = (state.next_check_at - at).total_seconds()
        reached = not isinstance(outcome, FeedError) or isinstance(outcome, HttpStatus)
        assert (interval_s if reached else 15) <= wait <= LONGEST_WAIT_S * 1.1
        assert not due(state, at)
        assert due(state, state.next_check_at)
        at = state.next_check_at
