"""The part of the monitor that shows the watchlist, a filter made part by part, and the saved views."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import tzinfo
from typing import TYPE_CHECKING

from app.clock import Clock
from app.ui.control import Cards
from app.ui.guarded import guarded
from app.ui.screens.filtering import FilteringScreen
from storage.models import Card, CardFilter

if TYPE_CHECKING:
    from app.records import Records
    from storage.views import SavedView

VIEW_ACTIONS = frozenset({"views"})
NO_WATCHLIST = "no watchlist yet: tapewatch config init writes the file for it"
HINT_S = 20.0
"""How long a first start says what a watchlist would do."""


class ViewingScreen(FilteringScreen):
    """A screen whose list can be looked at in many ways. Without records there are no saved views."""

    records: Records | None = None

    def __init__(self, cards: Cards, clock: Clock, zone: tzinfo | None) -> None:
        super().__init__(id="monitor")
        self._cards = cards
        self._clock = clock
        self._zone = zone

    @property
    def _selected(self) -> Card | None:
        key = self.feed.cursor
        return self.feed.model.cache.get(key) if key is not None else None

    @property
    def watchlist(self) -> Mapping[str, bool]:
        """The watched symbols, and of each whether it is held."""
        return self.records.watchlist if self.records is not None else {}

    def begin(self) -> None:
        """Reads the views for the palette; says on a first start, without a configuration, how tickers are named."""
        if self.records is None:
            return
        self.run_worker(guarded(self, self.records.views()))
        settings = self.records.settings()
        if settings is not None and not settings.written and not self.watchlist:
            self.notify(NO_WATCHLIST, markup=False, timeout=HINT_S)

    def recall(self, view: SavedView) -> None:
        """Shows the list as a view wants it, as of now."""
        self.set_filter(view.wanted(frozenset(self.watchlist), self._clock.now()))

    def action_watchlist(self) -> None:
        if not self.watchlist:
            self.notify(NO_WATCHLIST, markup=False)
        else:
            wanted = frozenset[str]() if self.filter.watchlist else frozenset(self.watchlist)
            self.set_filter(replace(self.filter, watchlist=wanted))

    def action_choose(self) -> None:
        from app.ui.pages.choices import Offer  # the first paint does without them
        from app.ui.screens.choosing import ChoosingScreen

        sources = sorted({row.source.name for row in self._cards.sources()}, key=str.casefold)
        offer = Offer(self._selected, sources, self.watchlist)
        self.app.push_screen(ChoosingScreen(self.filter, offer, self.set_filter, self._clock, self._zone))

    def action_views(self) -> None:
        from app.ui.screens.views import ViewsScreen

        def chosen(wanted: CardFilter | None) -> None:
            if wanted is not None:
                self.set_filter(wanted)

        if self.records is not None:
            self.app.push_screen(ViewsScreen(self.records, self.filter, self._clock, self._zone), chosen)
