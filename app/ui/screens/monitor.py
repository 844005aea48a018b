"""The monitor: the list on the left, the card opened on the right; on a narrow terminal one at a time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import tzinfo

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from app.clock import Clock
from app.ui.control import Cards, Control
from app.ui.feed_model import FeedModel
from app.ui.keys import MONITOR_KEYS
from app.ui.screens.alerting import ALERT_ACTIONS, AlertingScreen
from app.ui.screens.empty import empty_lines
from app.ui.screens.viewing import VIEW_ACTIONS
from app.ui.widgets.bars import FilterLine, KeyLine, StatusBar
from app.ui.widgets.detail import Detail
from app.ui.widgets.feed import Feed
from app.ui.widgets.flash_banner import FlashBanner
from app.ui.widgets.painted import Palette
from app.ui.widgets.search_line import SearchLine

WIDE_FROM = 120
TALL_FROM = 30
_WIDTHS = [(0, "-narrow"), (WIDE_FROM, "-wide")]
_HEIGHTS = [(0, "-short"), (TALL_FROM, "-tall")]


class MonitorScreen(AlertingScreen):
    """The main screen."""

    HORIZONTAL_BREAKPOINTS = _WIDTHS
    VERTICAL_BREAKPOINTS = _HEIGHTS
    BINDINGS = MONITOR_KEYS

    def __init__(self, cards: Cards, control: Control, clock: Clock, zone: tzinfo | None) -> None:
        super().__init__(cards, control, clock, zone)
        self._control = control

    def compose(self) -> ComposeResult:
        self._take_shape()
        yield Palette()
        yield StatusBar(self._clock, self._zone, id="status")
        yield FlashBanner(self._clock, self._zone, id="banner")
        with Horizontal(id="body"):
            with Vertical(id="list"):
                yield FilterLine(self._clock, self._zone, id="filter")
                yield Feed(FeedModel(self._cards), self._clock, self._zone, id="feed")
            yield Detail(self._clock, self._zone, id="detail")
        yield SearchLine(id="search")
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        self.mark_muted()
        self.feed.watchlist = self.watchlist
        self.feed.show(self.filter)
        self.tick()
        self.set_interval(1.0, self.tick)
        self.show_alerts()
        self.feed.focus()

    def _take_shape(self) -> None:
        """Sets the classes of the breakpoints while nothing is styled yet; Textual does it after the first paint."""
        width, height = self.app.size
        self.set_class(width >= WIDE_FROM, "-wide").set_class(width < WIDE_FROM, "-narrow")
        self.set_class(height >= TALL_FROM, "-tall").set_class(height < TALL_FROM, "-short")

    def tick(self) -> None:
        """Once a second: the status, the counts, and what an empty list says."""
        bar = self.query_one(StatusBar)
        bar.status = self._control.status()
        bar.look()
        self.query_one(FlashBanner).look()
        self.query_one(FilterLine).asleep = self.look_at_mutes()
        self._count()
        self.feed.look_at_the_day()
        if not self.feed.model.order.keys:
            self._say_why_empty()

    def _say_why_empty(self) -> None:
        said = empty_lines(self.filter, self._control.status(), self._clock.now(), self._zone)
        if said != self.feed.empty:
            self.feed.empty = said
            self.feed.refresh()

    def _count(self) -> None:
        line = self.query_one(FilterLine)
        line.counts = self._cards.counts()
        line.look()

    def changed(self, keys: Iterable[int]) -> None:
        """Cards that are new or differ."""
        keys = set(keys)
        self.feed.changed(keys)
        self._count()
        shown = self.detail.detail
        if shown is not None and shown.card.key in keys:
            self.detail.show(self._cards.detail(shown.card.key))
        banner = self.query_one(FlashBanner).card
        if banner is not None and banner.key in keys:
            self.show_alerts()

    def acted(self, keys: Iterable[int]) -> None:
        self.changed(keys)
        self.show_alerts()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if isinstance(self.focused, Input) and action != "back":
            return False
        if action in ("investigate", "investigations"):
            return self.investigator is not None
        if action in ALERT_ACTIONS:
            return self.acts is not None
        if action in VIEW_ACTIONS:
            return self.records is not None
        if action == "turn":
            return self.has_class("-wide") or self.has_class("-reading")
        if action in ("acknowledge", "open_flash"):
            return self.query_one(FlashBanner).card is not None
        if action == "back":
            return self.can_go_back
        return True

    def action_open_flash(self) -> None:
        card = self.query_one(FlashBanner).card
        if card is not None:
            self.feed.select(card.key)
            self.open_card(card.key)
            self.detail.turn_to("overview")

    def on_flash_banner_chosen(self, message: FlashBanner.Chosen) -> None:
        self.action_open_flash()

    def on_feed_opened(self, message: Feed.Opened) -> None:
        self.open_card(message.key)

    def on_feed_moved(self) -> None:
        line, feed = self.query_one(FilterLine), self.feed
        if line.held != feed.held:
            self.refresh_bindings()
        line.filter, line.waiting, line.held = self.filter, feed.waiting, feed.held
        line.found = len(feed.model.order) if feed.model.complete else None
        line.look()
        if not feed.model.order.keys:
            self._say_why_empty()
