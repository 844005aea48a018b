"""The screens about alerts: the log with its dead letters, what to mute, a note."""

from __future__ import annotations

from datetime import timedelta, tzinfo

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from app.clock import Clock
from app.ui.alert_acts import AlertActs
from app.ui.format import span_of, words
from app.ui.guarded import guarded
from app.ui.keys import ALERTS_KEYS, MUTE_KEYS, NOTE_KEYS
from app.ui.line import Span, said
from app.ui.pages.alerts import ALERT, MUTE, alert_rows
from app.ui.pages.page import GAP, Row, View
from app.ui.screens.sheet import SheetScreen
from app.ui.widgets.bars import KeyLine
from app.ui.widgets.row_list import RowList
from app.ui.widgets.search_line import PRINTABLE
from storage.alerts import Decision, MuteKind
from storage.models import Card
from storage.notes import NOTE_LIMIT

LENGTHS = tuple(timedelta(minutes=minutes) for minutes in (30, 120, 480, 1_440, 10_080))
"""How long something may be muted by key."""
USUAL = 2


class AlertsScreen(SheetScreen):
    """The log of alerts. It reads the database again every second, and the cursor stays where it is."""

    BINDINGS = ALERTS_KEYS
    every_s = 1.0

    def __init__(self, acts: AlertActs, clock: Clock, zone: tzinfo | None) -> None:
        super().__init__(clock, zone)
        self._acts = acts
        self._book = acts.book
        self._dead_only = False
        self._opened: dict[str, list[Decision]] = {}

    def made(self, view: View) -> list[Row]:
        log = self._book.log(dead_only=self._dead_only)
        return alert_rows(log, self._book.mutes(), self._opened, view, dead_only=self._dead_only)

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        opens = message.row.opens
        if isinstance(opens, str) and opens.startswith(ALERT):
            key = opens.removeprefix(ALERT)
            if self._opened.pop(key, None) is None:
                self._opened[key] = self._book.decisions(key)
            self.refill()

    def action_dead(self) -> None:
        self._dead_only = not self._dead_only
        self.refill()

    def action_lift(self) -> None:
        row = self.current
        if row is not None and isinstance(row.opens, str) and row.opens.startswith(MUTE):
            number = int(row.opens.removeprefix(MUTE))
            mutes = [one for one in self._book.mutes() if one.id == number]
            self._acts.lift(mutes)

    def action_retry(self) -> None:
        self.run_worker(guarded(self, self._retry()))

    async def _retry(self) -> None:
        count = await self._book.retry()
        self.notify(f"{count} of the dead letters wait again" if count else "there are no dead letters", markup=False)
        self.refill()


class MuteScreen(ModalScreen[tuple[MuteKind, str, str, timedelta] | None]):
    """What to mute of a card, and for how long."""

    BINDINGS = MUTE_KEYS

    def __init__(self, card: Card | None) -> None:
        super().__init__()
        self._choices = mute_choices(card)
        self._length = USUAL

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield RowList(id="choices")
            yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(RowList).focus()
        self._fill()

    def _fill(self) -> None:
        rows = self.query_one(RowList)
        lengths = [
            Span(f" {span_of(one.total_seconds())} ", "tab" if place == self._length else "muted")
            for place, one in enumerate(LENGTHS)
        ]
        made = [Row((Span("Mute for ", "title"), *lengths)), GAP]
        for place, (kind, _, shown) in enumerate(self._choices):
            label = "everything (snooze)" if kind == "all" else f"{kind:<7} {said(shown, limit=80)}"
            made.append(Row((Span(label, "text"),), opens=str(place)))
        rows.set_rows(made, cursor=rows.cursor)

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        self.dismiss((*self._choices[int(str(message.row.opens))], LENGTHS[self._length]))

    def action_length(self, by: int) -> None:
        self._length = max(0, min(self._length + by, len(LENGTHS) - 1))
        self._fill()

    def action_leave(self) -> None:
        self.dismiss(None)


def mute_choices(card: Card | None) -> list[tuple[MuteKind, str, str]]:
    """What of a card may be muted: its tickers, its story, its source, its kind of event; and everything."""
    found: list[tuple[MuteKind, str, str]] = []
    if card is not None:
        found += [("ticker", one.symbol, one.symbol) for one in card.tickers[:5]]
        found.append(("story", card.story_id, card.title))
        found.append(("source", card.source_name, card.source_name))
        kind = card.event_type or card.signal_type
        if kind:
            found.append(("event", kind, words(kind)))
    return [*found, ("all", "", "")]


class NoteScreen(ModalScreen[str | None]):
    """One line to write about a story."""

    BINDINGS = NOTE_KEYS

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Label("Note", markup=False)
            yield Input(self._text, compact=True, restrict=PRINTABLE, max_length=NOTE_LIMIT)
            yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        self.dismiss(None)
