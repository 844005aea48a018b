"""When to ask a source again, and how. Pure: states and outcomes in, states out; `now` and the dice are arguments.

The rules, in the order they bind:
- never sooner than the source's interval, nor than what the server asked for with Retry-After (at most 24 hours);
- a failing source is asked less and less often, never less than every 15 minutes, and comes back by itself; one that
  could not be reached is tried again within seconds the first time, since nobody was bothered;
- a fresh answer is not asked for again while it is fresh, but for at most 5 minutes: news does not wait for a cache;
- when the whole network is away, nobody's fault is counted and the next try comes within seconds;
- a clock that jumps can bring a check forward, never put it off.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import TypeAlias

from feeds.errors import FeedError, HttpStatus, ParseError, Refused, TimedOut, Unreachable
from feeds.models import PollState, Source, Validators
from feeds.network.outcomes import Fetched, NotModified

BACK_OFF_CAP_S = 900.0
FRESH_CAP_S = 300.0
GONE_S = 86_400.0
LONGEST_WAIT_S = 86_400.0
OFFLINE_RETRY_S = 15.0
FULL_EVERY = timedelta(days=1)
LEARN_REDIRECT_AFTER = timedelta(days=7)

_JITTER = 0.1
_CLOCK_SLACK = timedelta(minutes=1)
_GONE = 410
_UNREACHED = (Unreachable, TimedOut)

Outcome: TypeAlias = Fetched | NotModified | FeedError


def due(state: PollState, now: datetime) -> bool:
    """True when the source is to be checked now.

    A last check in the future, or a wait longer than any rule gives, means that the clock was wrong then: due.
    """
    if state.next_check_at is None or state.next_check_at <= now:
        return True
    if state.last_checked_at is not None and state.last_checked_at > now + _CLOCK_SLACK:
        return True
    return state.next_check_at > now + timedelta(seconds=LONGEST_WAIT_S * (1 + _JITTER))


def request(source: Source, state: PollState, now: datetime) -> tuple[Source, Validators]:
    """What to ask: `source` with the address to use, and the validators to send.

    The validators are empty once a day, so that a server which answers 304 for ever is found out. The address is the
    target of a permanent redirect once that has been the same for seven days.
    """
    full = state.last_full_at is None or not timedelta() <= now - state.last_full_at + _CLOCK_SLACK <= FULL_EVERY
    learned = _learned_url(state, now)
    return (replace(source, url=learned) if learned else source), (Validators() if full else state.validators)


def after(
    source: Source, state: PollState, outcome: Outcome, now: datetime, rng: Random, *, offline: bool = False
) -> PollState:
    """The state after a check that ended with `outcome`.

    For a document that came but could not be parsed the outcome is the ParseError; its validators are not kept, or
    the next answer would be "not modified" for ever. `offline` says that nothing can be reached at all.
    """
    if isinstance(outcome, FeedError):
        return _after_failure(source, state, outcome, now, rng, offline)
    fresh_s = min(outcome.fresh_for_s or 0.0, FRESH_CAP_S)
    wait_s = max(source.interval_s, fresh_s) * (1 + rng.random() * _JITTER)
    fetched = isinstance(outcome, Fetched)
    redirect_url, redirect_since = _redirect(state, outcome, now)
    return replace(
        state,
        status="ok" if fetched else "unchanged",
        validators=outcome.validators,
        next_check_at=now + timedelta(seconds=wait_s),
        last_checked_at=now,
        last_ok_at=now,
        last_full_at=now if fetched else state.last_full_at,
        failures=0,
        last_error="",
        redirect_url=redirect_url,
        redirect_since=redirect_since,
        latency_ms=outcome.elapsed_ms,
    )


def _after_failure(
    source: Source, state: PollState, error: FeedError, now: datetime, rng: Random, offline: bool
) -> PollState:
    if offline and isinstance(error, _UNREACHED):
        return replace(
            state,
            next_check_at=now + timedelta(seconds=_soon_s(rng)),
            last_checked_at=now,
            last_error="no network: nothing can be reached",
        )
    failures = state.failures + 1
    lost = _learned_url(state, now) is not None and not isinstance(error, ParseError)
    return replace(
        state,
        status="failing",
        next_check_at=now + timedelta(seconds=_back_off_s(source, error, failures, rng)),
        last_checked_at=now,
        failures=failures,
        last_error=str(error),
        redirect_url="" if lost else state.redirect_url,
        redirect_since=None if lost else state.redirect_since,
    )


def _back_off_s(source: Source, error: FeedError, failures: int, rng: Random) -> float:
    if failures == 1 and isinstance(error, Unreachable):
        return _soon_s(rng)
    cap = max(BACK_OFF_CAP_S, float(source.interval_s))
    doubled = min(source.interval_s * 2.0 ** min(failures - 1, 16), cap)
    wait = max(doubled * (1 - rng.random() * _JITTER), float(source.interval_s))
    if isinstance(error, HttpStatus):
        if error.status == _GONE:
            wait = GONE_S
        if error.retry_after_s is not None:
            wait = max(wait, error.retry_after_s * (1 + rng.random() * _JITTER))
    return min(wait, LONGEST_WAIT_S * (1 + _JITTER))


def _soon_s(rng: Random) -> float:
    return OFFLINE_RETRY_S * (1 + rng.random())


def _learned_url(state: PollState, now: datetime) -> str | None:
    if not state.redirect_url or state.redirect_since is None:
        return None
    return state.redirect_url if now - state.redirect_since >= LEARN_REDIRECT_AFTER else None


def _redirect(state: PollState, outcome: Fetched | NotModified, now: datetime) -> tuple[str, datetime | None]:
    """What to remember of a permanent redirect: since when it has been the same; at a learned address, as it is."""
    if outcome.permanent_url is None:
        at_learned = _learned_url(state, now) is not None and outcome.final_url == state.redirect_url
        return (state.redirect_url, state.redirect_since) if at_learned else ("", None)
    if outcome.permanent_url == state.redirect_url and state.redirect_since is not None:
        return state.redirect_url, min(state.redirect_since, now)
    return outcome.permanent_url, now


class Outage:
    """Tells a dead network from dead feeds.

    The network is away when at least three hosts could not be reached within the last minute and none has answered.
    """

    _HOSTS = 3
    _WINDOW = timedelta(minutes=1)

    def __init__(self) -> None:
        self._unreached: dict[str, datetime] = {}

    def seen(self, host: str, outcome: Outcome, now: datetime) -> None:
        """Takes note of a check at `host`. Any answer proves that there is a network; our own refusal says nothing."""
        if isinstance(outcome, _UNREACHED):
            self._unreached[host] = now
        elif not isinstance(outcome, Refused):
            self._unreached.clear()

    def offline(self, now: datetime) -> bool:
        """True while nothing can be reached."""
        recent = [at for at in self._unreached.values() if abs(now - at) <= self._WINDOW]
        return len(recent) >= self._HOSTS
