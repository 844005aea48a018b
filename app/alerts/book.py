"""Alerts as a person handles them: the log and its reasons, mutes, notes, read marks; every change can be undone."""

from __future__ import annotations

import os
import socket
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

from app.clock import Clock
from storage.alert_log import AlertReader
from storage.alerts import Decision, LoggedAlert, Mute, MuteKind
from storage.database import Database
from storage.marks import Marks
from storage.mutes import Mutes, requeueing
from storage.notes import Notes

Undo = Callable[[], Awaitable[object]]


class AlertBook:
    """Reads at once, changes in the database; `changed` is called after each change that may let an alert go."""

    def __init__(self, database: Database, reader: AlertReader, clock: Clock) -> None:
        self._database = database
        self._reader = reader
        self._clock = clock
        self._mutes = Mutes(database)
        self._notes = Notes(database)
        self._marks = Marks(database)
        self.changed: Callable[[], None] = lambda: None

    def log(self, *, limit: int = 200, dead_only: bool = False) -> list[LoggedAlert]:
        """The newest alerts first."""
        return self._reader.log(limit=limit, dead_only=dead_only)

    def decisions(self, name: str) -> list[Decision]:
        """Why an item or an alert was decided on as it was."""
        return self._reader.decisions(name)

    def mutes(self) -> list[Mute]:
        """What is silent now."""
        return self._reader.mutes(self._clock.now())

    def note(self, card: int) -> str:
        """What stands in the note of a story."""
        return self._reader.note(card)

    async def mute(self, kind: MuteKind, value: str, shown: str, length: timedelta) -> Undo:
        """Silences something for so long."""
        now = self._clock.now()
        number = await self._mutes.add(kind, value, shown, until=now + length, now=now, by=this_terminal())
        return lambda: self._lift([number])

    async def lift(self, mutes: Sequence[Mute]) -> Undo:
        """Lifts mutes; undoing it silences them until their old end."""
        await self._lift([one.id for one in mutes])

        async def undo() -> None:
            now = self._clock.now()
            for one in mutes:
                if one.until > now:
                    await self._mutes.add(one.kind, one.value, one.shown, until=one.until, now=now, by=one.made_by)

        return undo

    async def write_note(self, card: int, text: str) -> Undo:
        """Writes the note of a story; empty takes it away."""
        before = await self._notes.write(card, text, self._clock.now())
        return lambda: self._notes.write(card, before, self._clock.now())

    async def mark_read(self, cards: Sequence[int], *, read: bool = True) -> tuple[tuple[int, ...], Undo]:
        """Marks stories as read, or as unread; returns which of them that changed, and how to undo it."""
        there, back = (self._marks.read, self._marks.unread) if read else (self._marks.unread, self._marks.read)
        changed = await there(cards)
        return changed, lambda: back(changed)

    async def star(self, card: int, on: bool) -> Undo:
        """Stars a story or takes its star off."""
        await self._marks.star(card, on)
        return lambda: self._marks.star(card, not on)

    async def retry(self) -> int:
        """Lets dead letters wait again; returns how many."""
        count = await self._database.write(requeueing(None), durable=True)
        self.changed()
        return count

    async def _lift(self, ids: Sequence[int]) -> None:
        await self._mutes.lift(ids, self._clock.now())
        self.changed()


def this_terminal() -> str:
    """Who acts here, as it is written down: this machine and this terminal."""
    try:
        name = os.ttyname(0).removeprefix("/dev/")
    except OSError:
        name = "no terminal"
    return f"{socket.gethostname()} {name}"
