"""How the list of cards is painted: line by line, so that 100,000 cards cost what one screen of them costs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import tzinfo

from textual.scroll_view import ScrollView
from textual.strip import Strip

from app.clock import Clock
from app.ui.card_cache import Recent
from app.ui.feed_model import FeedModel
from app.ui.format import count
from app.ui.line import BLANK, Line, Span, width
from app.ui.order import CARD_LINES
from app.ui.widgets.card_lines import card_lines
from app.ui.widgets.painted import Painted
from storage.models import Card


class FeedCanvas(Painted, ScrollView):
    """The cards of `model` in its order, `cursor` lifted, or the lines of `empty` where there are none."""

    def __init__(self, model: FeedModel, clock: Clock, zone: tzinfo | None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.model = model
        self.cursor: int | None = None
        self.empty: tuple[Line, ...] = ()
        self._clock = clock
        self._zone = zone
        self.watchlist: Mapping[str, bool] = {}
        """Watched symbols, and of each whether it is held."""
        self._day = clock.now().astimezone(zone).date()
        self._strips: Recent[tuple[object, ...], tuple[Card, tuple[Strip, ...]]] = Recent(512)

    @property
    def cells(self) -> int:
        """The width a card has."""
        return self.scrollable_content_region.width

    @property
    def view_height(self) -> int:
        """The lines in view."""
        return self.scrollable_content_region.height

    def render_line(self, y: int) -> Strip:
        cells, order = self.cells, self.model.order
        line = y + self.scroll_offset.y
        if not order.keys:
            return self._empty_line(y, cells)
        found = order.at(line)
        if found is None:
            return self.painter.strip(self._rule(line, cells), cells)
        index, within = found
        card = self.model.cache.near(order.keys, index)
        if card is None or within >= CARD_LINES - 1:
            return self.painter.strip(BLANK, cells)
        return self._card_strips(card, cells)[within]

    def _card_strips(self, card: Card, cells: int) -> tuple[Strip, ...]:
        now, lifted = self._clock.now(), card.key == self.cursor
        key = (card.key, cells, lifted, now.astimezone(self._zone).date())
        held = self._strips.get(key)
        if held is not None and held[0] is card:
            return held[1]
        lines = card_lines(card, cells, now, self._zone, selected=lifted, watchlist=self.watchlist)
        strips = tuple(self.painter.strip(line, cells, lifted=lifted) for line in lines)
        self._strips.put(key, (card, strips))
        return strips

    def _rule(self, line: int, cells: int) -> Line:
        order = self.model.order
        if not order.has_rule or line != order.loud * CARD_LINES:
            return BLANK
        label = f" FYI · {count(len(order) - order.loud, 'card')} " if self.model.complete else " FYI "
        start = (Span("── ", "track"), Span(label.strip(), "muted"), Span(" ", "track"))
        return (*start, Span("─" * max(cells - width(start) - 1, 0), "track"))

    def _empty_line(self, y: int, cells: int) -> Strip:
        index = y - max(self.view_height // 3 - 1, 0)
        line = self.empty[index] if 0 <= index < len(self.empty) else BLANK
        pad = max((cells - width(line)) // 2, 0)
        return self.painter.strip((Span(" " * pad), *line), cells)

    def look_at_the_day(self) -> None:
        """Paints the cards anew once their day has turned: a time without a date is a time of today."""
        today = self._clock.now().astimezone(self._zone).date()
        if today != self._day:
            self._day = today
            self.refresh()

    def notify_style_update(self) -> None:
        self._strips.clear()
        super().notify_style_update()

    def _repaint(self, key: int | None) -> None:
        """Repaints one card, if it is in the list."""
        index = self.model.order.index(key) if key is not None else None
        if index is not None:
            self.refresh_lines(self.model.order.line(index), CARD_LINES)
