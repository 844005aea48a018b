"""A screen that is one list of rows: read again while it is open, with the cursor and the view where they were."""

from __future__ import annotations

from datetime import tzinfo

from textual.app import ComposeResult
from textual.screen import Screen

from app.clock import Clock
from app.ui.pages.page import Row, View
from app.ui.widgets.bars import KeyLine
from app.ui.widgets.row_list import RowList

LEAST_CELLS = 40
"""A page is made for at least so many cells; a narrower list cuts it."""


class SheetScreen(Screen[None]):
    """A subclass gives the `made` rows; with `every_s` they are made anew as often."""

    every_s: float | None = None

    def __init__(self, clock: Clock, zone: tzinfo | None) -> None:
        super().__init__()
        self._clock = clock
        self._zone = zone

    def made(self, view: View) -> list[Row]:
        """The rows for a reader, as of this moment."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        yield RowList(id="sheet")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(RowList).focus()
        if self.every_s is not None:
            self.set_interval(self.every_s, self.refill)
        self.refill()

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        return self.query_one(RowList).current

    def refill(self) -> None:
        """Makes the rows anew; the cursor stays on what it was on."""
        rows = self.query_one(RowList)
        here = rows.current.opens if rows.current else None
        made = self.made(View(max(rows.cells, LEAST_CELLS), self._clock.now(), self._zone))
        cursor = next((index for index, row in enumerate(made) if here is not None and row.opens == here), None)
        rows.set_rows(made, cursor=cursor, top=rows.scroll_offset.y)

    def on_row_list_resized(self) -> None:
        self.refill()

    def action_leave(self) -> None:
        self.dismiss(None)
