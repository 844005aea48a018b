"""The part of the monitor that reads a card: beside the list while the cursor rests on it, or opened in its place."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import tzinfo

from textual import events
from textual.timer import Timer

from app.clock import Clock
from app.ui.acting import Acting
from app.ui.control import Cards, Control
from app.ui.links import open_link
from app.ui.screens.viewing import ViewingScreen
from app.ui.widgets.detail import Detail
from app.ui.widgets.feed import Feed
from storage.models import CardFilter

DETAIL_AFTER_S = 0.12
"""The cursor must rest this long before the detail pane reads its card."""
READ_AFTER_S = 1.5
"""A card beside which the cursor rests this long counts as read."""


class ReadingScreen(ViewingScreen):
    """A screen with a list and a detail pane. `-reading` says that a card is open."""

    def __init__(self, cards: Cards, control: Control, clock: Clock, zone: tzinfo | None) -> None:
        super().__init__(cards, clock, zone)
        self._acting = Acting(self, control, self.acted)
        self._waiting: tuple[Timer, ...] = ()

    def acted(self, keys: Iterable[int]) -> None:
        """Shows what a person's act has changed."""
        raise NotImplementedError

    @property
    def detail(self) -> Detail:
        """The pane that shows one card."""
        return self.query_one(Detail)

    def on_feed_selected(self, message: Feed.Selected) -> None:
        for timer in self._waiting:
            timer.stop()
        self._waiting = (
            self.set_timer(DETAIL_AFTER_S, self._show_selected),
            self.set_timer(READ_AFTER_S, self._rested),
        )

    def _show_selected(self) -> None:
        if self.has_class("-narrow") and not self.has_class("-reading"):
            return
        key = self.feed.cursor
        self.detail.show(self._cards.detail(key) if key is not None else None)

    def _rested(self) -> None:
        if self.feed.held and self.feed.has_focus and self.has_class("-wide") and self.app.screen is self:
            self._acting.read(self._selected)

    def open_card(self, key: int) -> None:
        """Opens a card to be read."""
        self.add_class("-reading")
        self.detail.show(self._cards.detail(key))
        self.detail.rows.focus()
        self._acting.read(self.feed.model.cache.get(key))
        self.refresh_bindings()

    @property
    def can_go_back(self) -> bool:
        """Whether escape leads anywhere from here."""
        if not self.feed.has_focus or self.has_class("-reading"):
            return True
        return self.feed.held or self.filter != CardFilter()

    def action_back(self) -> None:
        if self.search.is_open and not self.has_class("-reading"):
            self.clear_search()
        elif not self.feed.has_focus or self.has_class("-reading"):
            if not self.detail.back():
                self.remove_class("-reading")
                self.feed.focus()
        elif self.filter != CardFilter():
            self.set_filter(CardFilter())
        else:
            self.feed.action_top()
        self.refresh_bindings()

    def action_turn(self, by: int) -> None:
        self.detail.turn(by)

    def action_star(self) -> None:
        self._acting.star(self._selected)

    def action_open_link(self) -> None:
        card = self._selected
        url = card.url if card is not None and self.feed.has_focus else self.detail.link
        self.notify(open_link(url), markup=False, timeout=4)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._show_selected)

    def on_descendant_focus(self) -> None:
        if self.feed.has_focus:
            self.remove_class("-reading")
        elif self.detail.rows.has_focus:
            self.feed.hold()
        self.refresh_bindings()
