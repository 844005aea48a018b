"""Rows of a page on the screen: a cursor that stops at what can be opened, and scrolls where nothing can."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from app.ui.keys import ROW_KEYS
from app.ui.line import BLANK, Span
from app.ui.pages.page import Row
from app.ui.widgets.painted import Painted

MARGIN = 2
"""Cells at the left, where the cursor shows its mark."""


class RowList(Painted, ScrollView, can_focus=True):
    """A list of rows. Posts `Opened` on enter, double click, or a click on the row under the cursor."""

    BINDINGS = ROW_KEYS

    class Opened(Message):
        """A row was opened."""

        def __init__(self, rows: RowList, row: Row) -> None:
            super().__init__()
            self.rows = rows
            self.row = row

    class Resized(Message):
        """The list has another width; rows that wrap must be made anew."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: Sequence[Row] = ()
        self.cursor: int | None = None

    @property
    def cells(self) -> int:
        """The width of a row's text."""
        return max(self.scrollable_content_region.width - MARGIN, 0)

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        return self.rows[self.cursor] if self.cursor is not None else None

    def set_rows(self, rows: Sequence[Row], *, cursor: int | None = None, top: int = 0) -> None:
        """Shows `rows` from line `top`. Without a cursor it stands at the first row that opens."""
        before, was, from_top, led = self.rows, self.cursor, self.scroll_offset.y, self.cursor is not None
        self.rows = rows
        openable = self._openable()
        if led != bool(openable):
            self.screen.refresh_bindings()
        self.cursor = cursor if cursor in openable else next(iter(openable), None)
        self.virtual_size = Size(self.scrollable_content_region.width, len(rows))
        self.scroll_to(y=top, animate=False, force=True, immediate=True)
        if self.scroll_offset.y != from_top:
            self.refresh()
            return
        for index, (old, new) in enumerate(zip_longest(before, rows)):
            if old != new or (index in (was, self.cursor) and was != self.cursor):
                self.refresh_lines(index)

    def render_line(self, y: int) -> Strip:
        cells, index = self.scrollable_content_region.width, y + self.scroll_offset.y
        if index >= len(self.rows):
            return self.painter.strip(BLANK, cells)
        here = index == self.cursor and self.has_focus
        mark = Span("› " if here else "  ", "strong")
        return self.painter.strip((mark, *self.rows[index].line), cells, lifted=here)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.cursor is not None if action == "open" else True

    def _openable(self) -> list[int]:
        return [index for index, row in enumerate(self.rows) if row.opens is not None]

    def action_move(self, by: int) -> None:
        top, height = self.scroll_offset.y, max(self.scrollable_content_region.height, 1)
        here = self.cursor if self.cursor is not None else -1
        if not top <= here < top + height:
            here = top - 1 if by > 0 else top + height
        ahead = [index for index in self._openable() if (index - here) * by > 0]
        target = (ahead[0] if by > 0 else ahead[-1]) if ahead else None
        if target is not None and top - height // 2 <= target < top + height + height // 2:
            self._put(target)
        else:
            self.scroll_to(y=top + by * max(height // 4, 1), animate=False, force=True, immediate=True)

    def _put(self, index: int) -> None:
        self.cursor = index
        top, height = self.scroll_offset.y, max(self.scrollable_content_region.height, 1)
        if index < top or index >= top + height:
            line = index - height // 3 if index < top else index - height + height // 3
            self.scroll_to(y=max(line, 0), animate=False, force=True, immediate=True)
        self.refresh()

    def action_page(self, by: int) -> None:
        height = max(self.scrollable_content_region.height, 1)
        self.scroll_to(y=self.scroll_offset.y + by * height, animate=False, force=True, immediate=True)
        top = self.scroll_offset.y
        seen = [index for index in self._openable() if top <= index < top + height]
        if seen:
            self.cursor = seen[0]
            self.refresh()

    def action_edge(self, end: int) -> None:
        openable = self._openable()
        self.scroll_to(y=len(self.rows) if end else 0, animate=False, force=True, immediate=True)
        if openable:
            self.cursor = openable[-1 if end else 0]
            self.refresh()

    def action_open(self) -> None:
        if self.current is not None:
            self.post_message(self.Opened(self, self.current))

    def on_click(self, event: events.Click) -> None:
        index = event.y + self.scroll_offset.y
        if index >= len(self.rows) or self.rows[index].opens is None:
            return
        again = index == self.cursor
        self.cursor = index
        self.refresh()
        if again or event.chain == 2:
            self.action_open()

    def on_focus(self) -> None:
        self.refresh()

    on_blur = on_focus

    def on_resize(self) -> None:
        self.post_message(self.Resized())
