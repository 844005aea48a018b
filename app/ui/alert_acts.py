"""What a person does about alerts and cards: mute, snooze, note, star, read; and the way back."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Protocol

from app.alerts.book import AlertBook, Undo
from app.alerts.mutes import muting, subject_of_card
from app.clock import Clock
from app.ui.format import span_of
from app.ui.guarded import guarded
from app.ui.line import said
from app.ui.undo import Done, UndoStack
from storage.alerts import Mute, MuteKind
from storage.models import Card


class Acted(Protocol):
    """The screen on which a person acts."""

    @property
    def run_worker(self) -> Any: ...

    @property
    def notify(self) -> Any: ...

    def acted(self, keys: Sequence[int]) -> None: ...

    def shown_keys(self) -> Sequence[int]: ...


SNOOZE = timedelta(minutes=30)


class AlertActs:
    """The acts of one screen, each in the background: the screen never waits, and a refusal is said."""

    def __init__(self, screen: Acted, clock: Clock, book: AlertBook) -> None:
        self._screen = screen
        self._clock = clock
        self.book = book
        self._undo = UndoStack()
        self._mutes: tuple[Mute, ...] = ()

    # -- acts

    def mute(self, kind: MuteKind, value: str, shown: str, length: timedelta) -> None:
        """Silences something."""
        what = "everything" if kind == "all" else f"{kind} {said(shown, limit=60)}"
        self._act(self.book.mute(kind, value, shown, length), f"{what} is silent for {span_of(length.total_seconds())}")

    def snooze(self) -> None:
        """Silences everything for half an hour; ends a snooze that is in force."""
        if asleep := [one for one in self._mutes if one.kind == "all"]:
            self.lift(asleep, "the snooze is over")
        else:
            self.mute("all", "", "", SNOOZE)

    def lift(self, mutes: Sequence[Mute], told: str = "lifted") -> None:
        """Lifts mutes."""
        self._act(self.book.lift(mutes), told)

    def note(self, card: Card, text: str) -> None:
        """Writes the note of a card."""
        self._act(self.book.write_note(card.key, text), "noted" if text else "the note is gone", (card.key,))

    def star(self, card: Card) -> None:
        """Stars a card or takes its star off."""
        self._act(self.book.star(card.key, not card.starred), "", (card.key,), "the star")

    def read(self, cards: Sequence[int], *, read: bool) -> None:
        """Marks cards as read or unread."""

        async def mark() -> Undo:
            changed, undo = await self.book.mark_read(cards, read=read)
            if len(cards) > 1:
                self._tell(f"{len(changed):,} marked as read, U takes it back")
            return undo

        self._act(mark(), "", tuple(cards), f"marked as {'read' if read else 'unread'}")

    def undo(self) -> None:
        """Takes the last act back."""
        done = self._undo.pop()
        if done is None:
            self._tell("nothing to undo")
            return

        async def take_back() -> None:
            await done.undo()
            self._refresh(done.cards)
            self._tell(f"undone: {done.told}")

        self._screen.run_worker(guarded(self._screen, take_back()), exit_on_error=False)

    # -- mutes

    def look(self) -> None:
        """Takes in mutes that began or ended, also those made on a command line."""
        mutes = tuple(self.book.mutes())
        if mutes != self._mutes:
            self._mutes = mutes
            self._refresh(())

    def marked(self, card: Card) -> Card:
        """The card, marked where a mute covers it."""
        if not self._mutes:
            return card
        silent = bool(muting(subject_of_card(card), self._mutes, self._clock.now()))
        return replace(card, muted=silent) if silent != card.muted else card

    @property
    def asleep(self) -> bool:
        """Whether a snooze is in force."""
        return any(one.kind == "all" for one in self._mutes)

    # -- how

    def _act(self, act: Coroutine[Any, Any, Undo], told: str, cards: tuple[int, ...] = (), undone: str = "") -> None:
        async def run() -> None:
            undo = await act
            self._undo.push(Done(undone or told, undo, cards))
            self._refresh(cards)
            if told:
                self._tell(f"{told}, U takes it back")

        self._screen.run_worker(guarded(self._screen, run()), exit_on_error=False)

    def _tell(self, told: str) -> None:
        self._screen.notify(told, markup=False, timeout=4)

    def _refresh(self, cards: Sequence[int]) -> None:
        self._mutes = tuple(self.book.mutes())
        self._screen.acted(cards or self._screen.shown_keys())
