"""The live list of cards with its keys and its mouse."""

from __future__ import annotations

from textual import events
from textual.message import Message

from app.ui.keys import FEED_KEYS
from app.ui.order import CARD_LINES
from app.ui.widgets.steady_feed import SteadyFeed


class Feed(SteadyFeed, can_focus=True):
    """The list of cards. Moving the cursor holds it; `g` makes it live. Posts `Opened` when a card is to be read."""

    BINDINGS = FEED_KEYS

    class Opened(Message):
        """A card was chosen to be read."""

        def __init__(self, key: int) -> None:
            super().__init__()
            self.key = key

    def _go(self, index: int) -> None:
        """Holds the list with the card at `index` selected and wholly in view."""
        order = self.model.order
        if not order.keys:
            return
        index = max(0, min(index, len(order) - 1))
        self.held = True
        self._select(order.keys[index])
        first = 0 if index == 0 else order.line(index)
        top, height = self.scroll_offset.y, self.view_height
        if first < top or height < CARD_LINES:
            self._steer(first)
        elif first + CARD_LINES - 1 > top + height:
            self._steer(first + CARD_LINES - 1 - height)
        if self.scroll_offset.y != top:
            self.refresh()
        self._row = self._row_now()
        self.waiting = min(self.waiting, order.first_from(self.scroll_offset.y))
        self.post_message(self.Moved())

    def select(self, key: int) -> None:
        """Puts the cursor on a card, if the list shows it."""
        index = self.model.order.index(key)
        if index is not None:
            self._go(index)

    def action_move(self, by: int) -> None:
        index = self.model.order.index(self.cursor) if self.cursor is not None else None
        self._go(0 if index is None else index + by)

    def action_page(self, by: int) -> None:
        self.action_move(by * max(self.view_height // CARD_LINES, 1))

    def action_bottom(self) -> None:
        self._go(len(self.model.order) - 1)

    def action_top(self) -> None:
        self.held = False
        self.waiting = 0
        self._settle(None)

    def action_open(self) -> None:
        if self.cursor is not None:
            self.hold()
            self.post_message(self.Opened(self.cursor))

    def on_click(self, event: events.Click) -> None:
        found = self.model.order.at(event.y + self.scroll_offset.y)
        if found is None:
            return
        self._go(found[0])
        if event.chain == 2:
            self.action_open()
