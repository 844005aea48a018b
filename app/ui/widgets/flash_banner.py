"""The FLASH that nobody has acknowledged yet: one banner, however many there are."""

from __future__ import annotations

from datetime import tzinfo

from textual.message import Message

from app.clock import Clock
from app.ui.format import DIRECTION_SIGN
from app.ui.line import Line, Span, fit, said, spread, width
from app.ui.widgets.card_lines import time_of
from app.ui.widgets.painted import LineWidget
from storage.models import Card


class FlashBanner(LineWidget):
    """Shows the newest unacknowledged FLASH and how many wait behind it; hidden while there is none."""

    class Chosen(Message):
        """The banner was clicked."""

        def __init__(self, key: int) -> None:
            super().__init__()
            self.key = key

    def __init__(self, clock: Clock, zone: tzinfo | None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._clock = clock
        self._zone = zone
        self.card: Card | None = None
        self._more = 0

    def show(self, card: Card | None, more: int) -> None:
        """Shows `card`, and that `more` wait behind it; None hides the banner."""
        self.card, self._more = card, more
        self.set_class(card is not None, "-raised")
        self.look()

    def lines(self, cells: int) -> list[Line]:
        card = self.card
        if card is None:
            return []
        start = Span(f" FLASH {time_of(card, self._clock.now(), self._zone)}  ", "banner")
        more = Span(f"  +{self._more} more" if self._more else "", "banner")
        tickers = Span(
            "".join(f"  {said(t.symbol, limit=20)} {DIRECTION_SIGN[t.direction]}" for t in card.tickers[:3]), "banner"
        )
        keys = Span("  a acknowledge  ! open " if cells >= 100 else "  a ack ", "banner")
        fixed = width((start, more, keys))
        shown = (tickers,) if fixed + width((tickers,)) + 30 <= cells else ()
        room = cells - fixed - width(shown)
        return [spread((start, Span(fit(said(card.title), room), "banner"), *shown, more), (keys,), cells, gap=0)]

    def on_click(self) -> None:
        if self.card is not None:
            self.post_message(self.Chosen(self.card.key))
