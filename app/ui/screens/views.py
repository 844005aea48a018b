"""The saved views: recall one, keep the filter in force as another, take one away."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from app.clock import Clock
from app.records import Records
from app.ui.filter_words import filter_words
from app.ui.guarded import guarded
from app.ui.keys import VIEWS_KEYS
from app.ui.line import Span, fit, left, said
from app.ui.pages.page import GAP, Row, View, paragraph
from app.ui.widgets.bars import KeyLine
from app.ui.widgets.prompt_line import PromptLine
from app.ui.widgets.row_list import RowList
from storage.models import CardFilter
from storage.views import NAME_LIMIT, SavedView

NAME = 18


def view_rows(views: Sequence[SavedView], now: CardFilter, watchlist: frozenset[str], view: View) -> list[Row]:
    """The views with what each shows; a row opens as the name of its view."""
    rows = [Row((Span("Views", "title"), Span("  a digit or enter shows one", "muted"))), GAP]
    for one in views:
        told = _told(one.wanted(watchlist, view.now), view)
        rows.append(
            Row(
                (
                    Span(f"{one.place}  ", "key"),
                    Span(left(said(one.name), NAME) + "  ", "text"),
                    Span(fit(told, max(view.cells - NAME - 5, 8)), "muted"),
                ),
                opens=one.name,
            )
        )
    if not views:
        rows.append(Row((Span("none is saved yet", "text"),)))
    rows.append(GAP)
    told = f"n saves what is shown now: {_told(now, view)}" if now != CardFilter() else _HOW
    return [*rows, *paragraph(told, view, "muted", limit=3)]


_HOW = "Choose what to show with 1-4, w, F or /; then n here saves it under a name."


def _told(filter: CardFilter, view: View) -> str:
    return " · ".join(filter_words(filter, view.now, view.zone)) or "everything"


class ViewsScreen(ModalScreen[CardFilter | None]):
    """The views; it ends with the filter to show, or with None."""

    BINDINGS = VIEWS_KEYS

    def __init__(self, records: Records, filter: CardFilter, clock: Clock, zone: tzinfo | None) -> None:
        super().__init__()
        self._records = records
        self._filter = filter
        self._clock = clock
        self._zone = zone
        self._views: list[SavedView] = []

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield RowList(id="choices")
            yield PromptLine()
            yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(RowList).focus()
        self.run_worker(guarded(self, self._read()))

    async def _read(self) -> None:
        self._views = await self._records.views()
        self.on_row_list_resized()

    def on_row_list_resized(self) -> None:
        rows = self.query_one(RowList)
        view = View(rows.cells, self._clock.now(), self._zone)
        rows.set_rows(view_rows(self._views, self._filter, frozenset(self._records.watchlist), view))
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if isinstance(self.focused, Input):
            return action == "leave"
        return bool(self._views) if action == "remove" else True

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        self._show(next((one for one in self._views if one.name == message.row.opens), None))

    def _show(self, view: SavedView | None) -> None:
        if view is not None:
            self.dismiss(view.wanted(frozenset(self._records.watchlist), self._clock.now()))

    def action_recall(self, place: int) -> None:
        self._show(next((one for one in self._views if one.place == place), None))

    def action_save(self) -> None:
        self.query_one(PromptLine).open("name", f"at most {NAME_LIMIT} letters; a name that exists is replaced")

    def on_prompt_line_entered(self, message: PromptLine.Entered) -> None:
        self.query_one(RowList).focus()
        self.run_worker(guarded(self, self._save(message.text)))

    async def _save(self, name: str) -> None:
        place = await self._records.save_view(name, self._filter)
        await self._read()
        self.notify(f"saved; v {place} shows it again", markup=False)

    def action_remove(self) -> None:
        row = self.query_one(RowList).current
        if row is not None:
            self.run_worker(guarded(self, self._remove(str(row.opens))))

    async def _remove(self, name: str) -> None:
        taken = await self._records.remove_view(name)
        await self._read()
        if taken is not None:
            self.notify(f"{said(taken.name)} is taken away", markup=False)

    def action_leave(self) -> None:
        prompt = self.query_one(PromptLine)
        if prompt.is_open:
            prompt.close()
            self.query_one(RowList).focus()
        else:
            self.dismiss(None)
