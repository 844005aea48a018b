"""The part of the monitor that chooses what the list shows: urgency, marks, order and search."""

from __future__ import annotations

from dataclasses import replace

from textual.screen import Screen

from agents.models import Urgency
from app.ui.widgets.feed import Feed
from app.ui.widgets.search_line import SearchLine
from storage.models import CardFilter


class FilteringScreen(Screen[None]):
    """A screen with a list and a search line. `filter` is what the list shows now."""

    filter = CardFilter()

    @property
    def feed(self) -> Feed:
        """The list of cards."""
        return self.query_one(Feed)

    @property
    def search(self) -> SearchLine:
        """The line a search is typed into."""
        return self.query_one(SearchLine)

    def set_filter(self, wanted: CardFilter) -> None:
        """Shows what passes `wanted`; the rest of a long list follows from a thread."""
        if wanted != self.filter:
            self.filter = wanted
            self.refresh_bindings()
            self.feed.show(wanted)
            self.load_rest()

    def load_rest(self) -> None:
        """Reads what the first keys left out, in a thread."""
        if not self.feed.model.complete:
            self.run_worker(self.feed.complete(), exclusive=True, group="rest", exit_on_error=False)

    def clear_search(self) -> None:
        """Closes the search line and shows again what was shown before it."""
        self.search.close()
        self.feed.focus()
        self.set_filter(replace(self.filter, text=""))

    def on_search_line_searched(self, message: SearchLine.Searched) -> None:
        self.set_filter(replace(self.filter, text=message.text))
        if message.final:
            self.feed.focus()
            if not message.text:
                self.search.close()

    def action_search(self) -> None:
        self.search.open()

    def action_urgency(self, name: str) -> None:
        self.set_filter(replace(self.filter, urgencies=self.filter.urgencies ^ {Urgency(name)}))

    def action_unread(self) -> None:
        self.set_filter(replace(self.filter, unread_only=not self.filter.unread_only))

    def action_starred(self) -> None:
        self.set_filter(replace(self.filter, starred_only=not self.filter.starred_only))

    def action_time_order(self) -> None:
        self.set_filter(replace(self.filter, fyi_last=not self.filter.fyi_last))
