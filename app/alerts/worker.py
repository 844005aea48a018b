"""Empties the outbox of one channel: at least once, in order, politely, and never during the user's quiet.

Every attempt is written down before it is made. A failure that the service answered for is tried again with a growing,
jittered pause; one without an answer is repeated as the same message; what can never arrive becomes a dead letter.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from random import Random
from typing import Final

from app.alerts.channels.protocol import Channel, Pace
from app.alerts.errors import ChannelGone, Rejected, SendError, Unanswered
from app.alerts.grouping import Group, grouped
from app.alerts.pacing import NOW, Bucket, Patience
from app.alerts.quiet import QuietHours, holding
from app.alerts.text import compose
from app.clock import Clock
from app.pipeline.trouble import Troubles
from app.pipeline.write_pause import WritePause
from storage.alerts import AlertDue
from storage.mutes import Mutes
from storage.outbox import Outbox

log = logging.getLogger(__name__)

TICK_S: Final = 15.0
"""The wall clock is looked at so often: neither a suspended machine nor a corrected clock delays an alert by more."""
AT_ONCE: Final = 1_000
AT_ONCE_SINGLY: Final = 50
"""So many waiting alerts are looked at together; fewer where none of them can become a digest."""
REFUSALS: Final = 3
"""A channel that refuses everything is asked so often before it is given up until the next start: a hotel's login page
refuses too."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What the workers of all channels share."""

    outbox: Outbox
    mutes: Mutes
    clock: Clock
    pause: WritePause
    troubles: Troubles
    dice: Random
    quiet: QuietHours | None = None
    zone: tzinfo = UTC


class Worker:
    """One channel's worker."""

    def __init__(self, channel: Channel, desk: Desk) -> None:
        self.channel = channel
        self._desk = desk
        self._woken = asyncio.Event()
        self._at_once = AT_ONCE_SINGLY if channel.pace.singles is None else AT_ONCE
        self._bucket = Bucket(channel.pace)
        self._patience = Patience(desk.dice)

    @property
    def label(self) -> str:
        """The channel's label."""
        return self.channel.label

    def wake(self) -> None:
        """Says that something may be due."""
        self._woken.set()

    async def run(self) -> None:
        """Works until it is cancelled."""
        while True:
            self._woken.clear()
            rest = await self.turn()
            if rest > timedelta(0):
                await self._wait(rest)

    async def turn(self) -> timedelta:
        """Sends what is due; returns how long nothing more can be done unless it is woken."""
        if (rest := self._patience.left(self._desk.clock.now())) > NOW:
            return rest
        due = await self._gathered(await self._ready())
        for group in grouped(due, singles=self.channel.pace.singles):
            if (rest := self._bucket.take(self._desk.clock.now())) > NOW:
                return rest
            if not await self._deliver(group):
                return self._patience.left(self._desk.clock.now())
        return NOW if len(due) == self._at_once else timedelta(seconds=TICK_S)

    # -- what is due

    async def _ready(self) -> list[AlertDue]:
        """What may go out now: not stale, not held."""
        now = self._desk.clock.now()
        due = await self._desk.outbox.due(self.label, now, limit=self._at_once)
        if not due:
            return []
        life, skips = self.channel.pace.shelf_life, self.channel.pace.skips
        stale = [one for one in due if now - one.content.created_at > life and not (skips and one.held)]
        if stale:
            await self._shelve([one.key for one in stale], now)
        return await self._not_held([one for one in due if one not in stale], now)

    async def _shelve(self, keys: Sequence[str], now: datetime) -> None:
        outbox, label = self._desk.outbox, self.label
        log.info("%s: %d alerts are too old to be told now", label, len(keys))
        if self.channel.pace.skips:
            await self._write(lambda: outbox.skip(keys, "too old to be told", now=now, channel=label))
        else:
            told = f"could not be sent for {self.channel.pace.shelf_life.total_seconds() / 3600:.0f} h"
            await self._write(lambda: outbox.give_up(keys, told, channel=label))

    async def _not_held(self, due: list[AlertDue], now: datetime) -> list[AlertDue]:
        mutes = await self._desk.mutes.active(now)
        holds = {
            urgency: holding(now, urgency, self._desk.quiet, mutes) for urgency in {one.content.urgency for one in due}
        }
        held = [(one, hold.why) for one in due if (hold := holds[one.content.urgency]) is not None]
        for why in {why for one, why in held if one.held != why}:
            keys = [one.key for one, reason in held if reason == why and one.held != why]
            await self._write(partial(self._desk.outbox.hold, keys, why, channel=self.label))
        return [one for one in due if holds[one.content.urgency] is None]

    async def _gathered(self, due: list[AlertDue]) -> list[AlertDue]:
        """Waits a moment for what belongs to the same burst."""
        pace = self.channel.pace
        waited = timedelta(0)
        while due and timedelta(0) < pace.gather and waited < pace.gather_most:
            before = len(due)
            await self._desk.clock.sleep(pace.gather.total_seconds())
            waited += pace.gather
            due = await self._ready()
            if len(due) == before:
                break
        return due

    # -- one message

    async def _deliver(self, group: Group) -> bool:
        """Sends one message and writes down what came of it; False where the channel must rest."""
        outbox, label, keys = self._desk.outbox, self.label, group.keys
        await self._write(lambda: outbox.attempted(keys, channel=label, message=group.key))
        now = self._desk.clock.now()
        message = compose(group.due, group.key, now=now, zone=self._desk.zone, repeat=group.repeat)
        try:
            await self.channel.send(message)
        except SendError as error:
            return await self._settle(group, error)
        except Exception as error:
            # A service's library may raise anything; one channel's fault must not stop it or the others.
            log.exception("alerts to %s: the channel failed", label)
            return await self._settle(group, Unanswered(f"the channel failed ({type(error).__name__})"))
        await self._write(lambda: outbox.delivered(keys, now=self._desk.clock.now(), channel=label))
        self._patience.succeeded()
        self._desk.troubles.clear(self._topic)
        return True

    async def _settle(self, group: Group, error: SendError) -> bool:
        outbox, label, told = self._desk.outbox, self.label, str(error)
        log.warning("alerts to %s: %s (%d in the message)", label, told, len(group.keys))
        answered = not isinstance(error, Unanswered)
        await self._write(lambda: outbox.failed(group.keys, told, channel=label, answered=answered))
        now = self._desk.clock.now()
        if not isinstance(error, Rejected):
            self._patience.failed(error, now)
        if lost := hopeless(group, error, self.channel.pace, refusals=self._patience.refusals):
            await self._write(lambda: outbox.give_up(group.keys, f"{told}; {lost}", channel=label))
            self._desk.troubles.raise_(self._topic, f"alerts to {label}: {told}; the alerts screen shows what was lost")
        elif self._patience.failures > 1 or isinstance(error, ChannelGone):
            self._desk.troubles.raise_(self._topic, f"alerts to {label} wait: {told}")
        return isinstance(error, Rejected)

    # -- pauses

    async def _wait(self, rest: timedelta) -> None:
        """Until the time is over, at most a tick, or something is said to be due; at rest only the time counts."""
        sleeping = asyncio.ensure_future(self._desk.clock.sleep(min(rest.total_seconds(), TICK_S)))
        resting = self._patience.left(self._desk.clock.now()) > NOW
        waking = None if resting else asyncio.ensure_future(self._woken.wait())
        tasks = [task for task in (sleeping, waking) if task is not None]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def _topic(self) -> str:
        return f"alerts {self.label}"

    async def _write(self, write: Callable[[], Awaitable[None]]) -> None:
        await self._desk.pause.through(write)


def hopeless(group: Group, error: SendError, pace: Pace, *, refusals: int) -> str:
    """Why it makes no sense to try a message again after `error`; empty where it does."""
    if isinstance(error, Rejected):
        return "refused for good"
    if isinstance(error, ChannelGone):
        return "the channel refuses everything" if refusals >= REFUSALS else ""
    if isinstance(error, Unanswered) and max(one.unanswered for one in group.due) + 1 >= pace.limit_unanswered:
        return "never answered, it may have arrived"
    attempts = max(one.attempts for one in group.due) + 1
    if pace.limit_attempts is not None and attempts >= pace.limit_attempts:
        return f"given up after {attempts} attempts"
    return ""
