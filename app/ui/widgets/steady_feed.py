"""What makes the list hold still while a person reads, however much arrives.

Until a person selects something the list is live: the newest card is on top and under the cursor. From then on it is
held: arrivals move neither the selected card nor the view, and wait above the edge until the list is made live again.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import tzinfo

from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from app.clock import Clock
from app.ui.feed_model import FeedModel
from app.ui.order import CARD_LINES
from app.ui.widgets.feed_canvas import FeedCanvas
from storage.models import CardFilter


class SteadyFeed(FeedCanvas):
    """A list that takes cards in. Posts `Selected` for another card under the cursor, `Moved` for another view."""

    class Selected(Message, namespace="feed"):
        """Another card is under the cursor; None where the list is empty."""

        def __init__(self, key: int | None) -> None:
            super().__init__()
            self.key = key

    class Moved(Message, namespace="feed"):
        """The list, the view or what waits above it has changed."""

    def __init__(self, model: FeedModel, clock: Clock, zone: tzinfo | None, *, id: str | None = None) -> None:
        super().__init__(model, clock, zone, id=id)
        self.held = False
        self.waiting = 0
        self._steering = False
        self._row: int | None = None
        """The line of the screen on which the selected card begins, as a person left it; no resize changes it."""
        self._laid_out = Size(0, 0)

    def show(self, filter: CardFilter) -> None:
        """Applies a filter. The selected card stays selected and in its place on the screen while the list has it."""
        anchor = self._anchor() if self.held else None
        self.model.load(filter)
        self._strips.clear()
        if self.held and (self.cursor is None or self.model.order.index(self.cursor) is None):
            self.held, anchor = False, None
        self.waiting = 0
        self._settle(anchor)

    def changed(self, keys: Iterable[int]) -> None:
        """Takes in a batch of new and changed cards with one repaint."""
        keys, size = set(keys), len(self.model.order)
        anchor = self._anchor() if self.held else None
        top = self.model.order.first_from(self.scroll_offset.y)
        edge = self.model.order.keys[top] if self.model.order.keys else None
        window = self._window()
        placed = self.model.apply(keys)
        if not placed and len(self.model.order) == size:
            for key in keys:
                self._repaint(key)
            return
        if self.held and placed and edge is not None and (seat := self.model.order.index(edge)) is not None:
            above = set(self.model.order.keys[:seat])
            self.waiting += sum(key in above for key in placed)
        self._settle(anchor, repaint=False)
        if self._window() != window:
            self.refresh()
            return
        for key in keys:
            self._repaint(key)

    async def complete(self) -> None:
        """Adds the rest of a long list, read in a thread, without moving the view."""
        if await self.model.load_rest():
            self._settle(self._anchor() if self.held else None)

    def _anchor(self) -> tuple[int, int] | None:
        """A key and its distance from the upper edge: the selected card if in view, else the first in view."""
        order, top = self.model.order, self.scroll_offset.y
        if not order.keys:
            return None
        selected = order.index(self.cursor) if self.cursor is not None else None
        if selected is not None and top - CARD_LINES < order.line(selected) < top + self.view_height:
            return order.keys[selected], order.line(selected) - top
        first = order.first_from(top)
        return order.keys[first], order.line(first) - top

    def _window(self) -> tuple[int | None, ...]:
        """What is in view: the line of the first card that is, its key and those after it, None for the rule."""
        order, top = self.model.order, self.scroll_offset.y
        lines = range(top, top + self.view_height + CARD_LINES, CARD_LINES)
        found = [order.at(line) for line in lines]
        return (top - order.line(order.first_from(top)), *(order.keys[one[0]] if one else None for one in found))

    def _settle(self, anchor: tuple[int, int] | None, *, repaint: bool = True) -> None:
        order = self.model.order
        seat = order.index(anchor[0]) if anchor else None
        line = max(order.line(seat) - anchor[1], 0) if anchor and seat is not None else 0
        if not self.held:
            self._select(order.keys[0] if order.keys else None)
        elif self.cursor is not None and order.index(self.cursor) is None:
            self._select(order.keys[order.first_from(line)] if order.keys else None)
        self._steer(line)
        if repaint:
            self.refresh()
        self.post_message(self.Moved())

    def _steer(self, line: int) -> None:
        """Scrolls to `line`; a held list may end in empty lines rather than move."""
        height = max(self.model.order.height, line + self.view_height if self.held else 0)
        self._steering = True
        try:
            if (size := Size(self.cells, height)) != self.virtual_size:
                self.set_reactive(Widget.virtual_size, size)  # by itself it would lay out the whole screen
                self._scroll_update(size)
            self.scroll_to(y=line, animate=False, force=True, immediate=True)
        finally:
            self._steering = False
        self._row = self._row_now()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        if self._steering:
            self.vertical_scrollbar.position = new_value
            return
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) == round(new_value) or self.size != self._laid_out:
            return
        self._row = self._row_now()
        self.held = self.held or new_value > 0
        self.waiting = min(self.waiting, self.model.order.first_from(round(new_value)))
        self.post_message(self.Moved())

    def on_resize(self) -> None:
        """Another size, or a banner above: the selected card stays on its line of the screen while it fits there."""
        self._strips.clear()
        self._laid_out = self.size
        order, row = self.model.order, self._row
        seat = order.index(self.cursor) if self.held and self.cursor is not None else None
        line = self.scroll_offset.y
        if seat is not None and row is not None:
            first = order.line(seat)
            line = min(max(first - (row - self.region.y), first + CARD_LINES - 1 - self.view_height, 0), first)
        self._steer(line)
        self.refresh()
        self._row = row

    def _row_now(self) -> int | None:
        """Where on the screen the selected card begins; None where it is out of sight."""
        order, top = self.model.order, self.scroll_offset.y
        seat = order.index(self.cursor) if self.cursor is not None else None
        if seat is None or not top - CARD_LINES < order.line(seat) < top + self.view_height:
            return None
        return self.region.y + order.line(seat) - top

    def hold(self) -> None:
        """Stops following what arrives: somebody reads."""
        if not self.held:
            self.held = True
            self.post_message(self.Moved())

    def _select(self, key: int | None) -> None:
        if key != self.cursor:
            before, self.cursor = self.cursor, key
            self._repaint(before)
            self._repaint(key)
            self.post_message(self.Selected(key))
