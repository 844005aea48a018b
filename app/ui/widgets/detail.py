"""The detail pane: the tabs of a card, and the trail of pages opened from them. Escape goes back exactly one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from app.clock import Clock
from app.ui.line import Line, Span
from app.ui.pages.contents import page, title
from app.ui.pages.page import TABS, EvidencePlace, Place, Tab, View
from app.ui.widgets.painted import LineWidget
from app.ui.widgets.row_list import MARGIN, RowList
from storage.models import CardDetail

_TAB_GAP = "   "


@dataclass(frozen=True, slots=True)
class _Visit:
    """A page that was left, and how it stood."""

    place: Place | Tab
    cursor: int | None
    top: int


class TabBar(LineWidget):
    """The tabs, or the trail while a page is open. A click on a tab posts `Chosen`."""

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, tab: Tab) -> None:
            super().__init__()
            self.tab = tab

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.tab: Tab = "overview"
        self.trail: tuple[str, ...] = ()
        self.counts: dict[Tab, int] = {}

    def lines(self, cells: int) -> list[Line]:
        line: list[Span] = [Span(" " * MARGIN)]
        if self.trail:
            for name in self.trail[:-1]:
                line += [Span(name, "muted"), Span(" › ", "faint")]
            return [(*line, Span(self.trail[-1], "key"))]
        for tab in TABS:
            line += [Span(self._label(tab), "tab" if tab == self.tab else "muted"), Span(_TAB_GAP)]
        return [tuple(line)]

    def _label(self, tab: Tab) -> str:
        number = self.counts.get(tab, 0)
        return f"{tab.capitalize()} {number}" if number else tab.capitalize()

    def on_click(self, event: events.Click) -> None:
        end = MARGIN
        for tab in TABS:
            end += len(self._label(tab)) + len(_TAB_GAP)
            if event.x < end and not self.trail:
                self.post_message(self.Chosen(tab))
                return


class Detail(Vertical):
    """One card opened. It shows what it is given and keeps its place while the card is scored anew."""

    class Turned(Message):
        """Another page is shown."""

    def __init__(self, clock: Clock, zone: tzinfo | None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._clock = clock
        self._zone = zone
        self.detail: CardDetail | None = None
        self.tab: Tab = "overview"
        self._trail: list[_Visit] = []
        self.place: Place | Tab = "overview"

    def compose(self) -> ComposeResult:
        yield TabBar(id="tabs")
        yield RowList(id="page")

    @property
    def rows(self) -> RowList:
        """The list the page is shown in."""
        return self.query_one(RowList)

    def show(self, detail: CardDetail | None) -> None:
        """Shows a card. The same card again keeps page and place; another one begins at the tab that was open."""
        same = self.detail is not None and detail is not None and self.detail.card.key == detail.card.key
        self.detail = detail
        if not same:
            self._trail.clear()
            self.place = self.tab
        self._fill(keep=same)

    def open(self, place: Place | Tab) -> None:
        """Goes one level deeper; a tab is turned to instead."""
        if isinstance(place, str):
            self.turn_to(place)
            return
        self._trail.append(_Visit(self.place, self.rows.cursor, self.rows.scroll_offset.y))
        self.place = place
        self._fill()

    def back(self) -> bool:
        """Goes back one level; False at the outermost."""
        if not self._trail:
            return False
        visit = self._trail.pop()
        self.place = visit.place
        self._fill()
        self.rows.set_rows(self.rows.rows, cursor=visit.cursor, top=visit.top)
        return True

    def turn(self, by: int) -> None:
        """To the tab `by` steps on."""
        self.turn_to(TABS[(TABS.index(self.tab) + by) % len(TABS)])

    def turn_to(self, tab: str) -> None:
        """To a tab, leaving every page that was opened."""
        self.tab = next(one for one in TABS if one == tab)
        self._trail.clear()
        self.place = self.tab
        self._fill()

    @property
    def link(self) -> str:
        """What `o` opens: the link of the row under the cursor, else of the page, else of the item."""
        if self.detail is None:
            return ""
        row = self.rows.current if self.rows.has_focus else None
        if row is not None and row.link:
            return row.link
        inside = isinstance(self.place, EvidencePlace)
        found = next((one.link for one in self.rows.rows if one.link), "") if inside else ""
        return found or self.detail.item.url

    def refill(self) -> None:
        """Makes the page anew for another width, time or theme."""
        self._fill(keep=True)

    def _fill(self, *, keep: bool = False) -> None:
        rows = self.rows
        cursor, top = (rows.cursor, rows.scroll_offset.y) if keep else (None, 0)
        if self.detail is None or rows.cells <= 0:
            rows.set_rows(())
        else:
            view = View(rows.cells - 1, self._clock.now(), self._zone)
            rows.set_rows(page(self.detail, self.place, view), cursor=cursor, top=top)
        self._fill_tabs()
        self.post_message(self.Turned())

    def _fill_tabs(self) -> None:
        bar = self.query_one(TabBar)
        bar.tab = self.tab
        bar.trail = (*(title(visit.place) for visit in self._trail), title(self.place)) if self._trail else ()
        detail = self.detail
        synthesis = detail.signal.synthesis if detail and detail.signal else None
        bar.counts = {
            "evidence": sum(len(one.evidence) for one in detail.outcomes) if detail else 0,
            "tickers": len(synthesis.tickers_linked) if synthesis else 0,
        }
        bar.refresh()

    def on_tab_bar_chosen(self, message: TabBar.Chosen) -> None:
        message.stop()
        self.turn_to(message.tab)

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        message.stop()
        if message.row.opens is not None and self.detail is not None:
            self.open(message.row.opens)  # type: ignore[arg-type]

    def on_row_list_resized(self, message: RowList.Resized) -> None:
        message.stop()
        self.refill()
