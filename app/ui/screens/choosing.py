"""What the list is to show, chosen part by part; the list behind follows at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen

from app.clock import Clock
from app.ui.keys import CHOOSING_KEYS
from app.ui.pages.choices import PARTS, Offer, Part, choice_rows, choices, part_rows, toggled
from app.ui.pages.page import View
from app.ui.widgets.bars import KeyLine
from app.ui.widgets.row_list import RowList
from storage.models import CardFilter


class ChoosingScreen(ModalScreen[None]):
    """The parts of the filter, then the choices of one. `apply` is called with each new filter."""

    BINDINGS = CHOOSING_KEYS

    def __init__(
        self, filter: CardFilter, offer: Offer, apply: Callable[[CardFilter], object], clock: Clock, zone: tzinfo | None
    ) -> None:
        super().__init__()
        self._filter = filter
        self._offer = offer
        self._apply = apply
        self._clock = clock
        self._zone = zone
        self._part: Part | None = None

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield RowList(id="choices")
            yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(RowList).focus()

    def _fill(self, opened: str | None = None) -> None:
        rows = self.query_one(RowList)
        view = View(rows.cells, self._clock.now(), self._zone)
        made = (
            part_rows(self._filter, view)
            if self._part is None
            else choice_rows(self._part, self._filter, self._offer, view)
        )
        cursor = next((index for index, row in enumerate(made) if opened and row.opens == opened), None)
        rows.set_rows(made, cursor=cursor, top=rows.scroll_offset.y if cursor is not None else 0)

    def on_row_list_resized(self) -> None:
        row = self.query_one(RowList).current
        self._fill(str(row.opens) if row else None)

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        opens = str(message.row.opens)
        if opens in PARTS:
            self._part = next(part for part in PARTS if part == opens)
            self._fill()
            return
        if self._part is None:  # a second enter may come with a row of the page before
            return
        one = choices(self._part, self._filter, self._offer)[int(opens)]
        self._change(toggled(self._filter, self._part, one, self._clock.now()))
        place = choices(self._part, self._filter, self._offer).index(one)
        self._fill(str(place))

    def _change(self, filter: CardFilter) -> None:
        self._filter = filter
        self._apply(filter)

    def action_clear(self) -> None:
        self._change(CardFilter(fyi_last=self._filter.fyi_last))
        self._fill(self._part)

    def action_leave(self) -> None:
        if self._part is None:
            self.dismiss(None)
        else:
            opened, self._part = self._part, None
            self._fill(opened)
