"""The bars around the list: status above, the filter line, the keys below."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo

from textual.timer import Timer

from agents.models import Urgency
from app.clock import Clock
from app.pipeline.status import Status
from app.ui.filter_words import filter_line
from app.ui.format import URGENCY_ROLE, count, span_of, zone_name
from app.ui.keys import keys_shown
from app.ui.line import Line, Role, Span, said, spread, width
from app.ui.widgets.painted import LineWidget
from storage.models import CardCounts, CardFilter

MARGIN = Span("   ")
_MOST = 0.8
"""While this share of the feeds answers, the monitor sees the market."""


class StatusBar(LineWidget):
    """How the monitor is doing, and the time. Trouble is said in words and takes the place of the finer figures."""

    def __init__(self, clock: Clock, zone: tzinfo | None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._clock = clock
        self._zone = zone
        self.status = Status()

    def lines(self, cells: int) -> list[Line]:
        now = self._clock.now()
        local = now.astimezone(self._zone)
        clock = (Span(f"{local:%H:%M:%S} ", "text"), Span(f"{zone_name(now, self._zone)} ", "muted"))
        gap = Span("   " if cells >= 100 else "  ")
        line: list[Span] = [Span(" tapewatch", "key")]
        for part in self._parts():
            if width((*line, gap, *part)) + width(clock) + 2 <= cells:
                line += [gap, *part]
        return [spread(tuple(line), clock, cells)]

    def _parts(self) -> list[Line]:
        """What there is to say, the most telling first."""
        status = self.status
        well: Role = "good" if status.feeds_ok >= status.feeds_total * _MOST else "warn"
        parts: list[Line] = [
            (Span("feeds ", "muted"), Span(str(status.feeds_ok), well), Span(f"/{status.feeds_total}", "muted")),
        ]
        if status.trouble:
            parts.append((Span(f"! {said(status.trouble, limit=200)}", "warn"),))
        parts.append((Span("queue ", "muted"), Span(str(status.queue), "text" if status.queue else "muted")))
        parts.append((Span(said(status.model or status.engine, limit=40), "muted"),))
        if status.spent_usd is not None:
            of = f" of ${status.budget_usd:.2f}" if status.budget_usd is not None else ""
            parts.append((Span(f"${status.spent_usd:.2f}", "text"), Span(f"{of} today", "muted")))
        if status.lag_p50_s is not None and status.lag_p95_s is not None:
            parts.append(
                (
                    Span("seen→card ", "muted"),
                    Span(span_of(status.lag_p50_s), "text"),
                    Span(f" p95 {span_of(status.lag_p95_s)}", "muted"),
                )
            )
        return parts


class FilterLine(LineWidget):
    """What the list shows: how many cards of each urgency, what restricts it, and what waits above its edge.

    In two lines the second one names the filter; in one line the filter takes the place of the counts.
    """

    def __init__(self, clock: Clock, zone: tzinfo | None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._clock = clock
        self._zone = zone
        self.filter = CardFilter()
        self.counts: CardCounts | None = None
        self.found: int | None = None
        self.waiting = 0
        self.held = False
        self.asleep = False

    def lines(self, cells: int) -> list[Line]:
        counts, named = (MARGIN, *self._counts(cells)), self._named()
        edge = self._edge()
        if self.size.height > 1:
            return [spread(counts, edge, cells - 1), (MARGIN, *named)]
        return [spread((MARGIN, *named) if named else counts, edge, cells - 1)]

    def _counts(self, cells: int) -> Iterator[Span]:
        for urgency in Urgency:
            on = not self.filter.urgencies or urgency in self.filter.urgencies
            number = self.counts.of(urgency) if self.counts else 0
            role: Role = URGENCY_ROLE[urgency] if on and number else "faint"
            yield Span(f"{urgency.value} {number:,}" if on else f"{urgency.value} off", role)
            yield Span("  " if cells < 60 else "   ")

    def _named(self) -> Line:
        line = filter_line(self.filter, self._clock.now(), self._zone)
        found: Line = ()
        if self.filter != CardFilter(fyi_last=self.filter.fyi_last) and self.found is not None:
            found = (Span(f"  {count(self.found, 'card')}", "muted"),)
        return (*line, *found)

    def _edge(self) -> Line:
        asleep = (Span("snoozed  ", "warn"),) if self.asleep else ()
        if self.waiting:
            return (*asleep, Span(f"+{self.waiting:,} new  ", "alert"), Span("g", "key"))
        if self.held:
            return (*asleep, Span("held  ", "muted"), Span("g", "key"), Span(" live", "muted"))
        return (*asleep, Span("● ", "good"), Span("live", "muted"))


class KeyLine(LineWidget):
    """The keys that work here, made from the bindings in force; for a moment what has just happened stands there.

    Help stays in sight at any width.
    """

    _told: Line = ()
    _clearing: Timer | None = None

    def lines(self, cells: int) -> list[Line]:
        keys, help = self._keys(cells)
        return [spread((Span(" "), *(self._told or keys)), help, cells)]

    def tell(self, line: Line, seconds: float) -> None:
        """Says something in place of the keys, for so long."""
        self._told = line
        self.look()
        if self._clearing is not None:
            self._clearing.stop()
        self._clearing = self.set_timer(seconds, self._clear)

    @property
    def told(self) -> Line:
        """What is said now; empty where the keys stand there."""
        return self._told

    def _clear(self) -> None:
        self._told = ()
        self.look()

    def _keys(self, cells: int) -> tuple[Line, Line]:
        line: list[Span] = []
        help: Line = ()
        seen: set[str] = set()
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if not binding.show or not binding.id or binding.id in seen or not active.enabled:
                continue
            seen.add(binding.id)
            shown = (Span(binding.key_display or keys_shown(binding), "key"), Span(f" {binding.description}", "muted"))
            if binding.id == "app.help":
                help = (*shown, Span(" "))
            elif width((*line, *shown)) + 13 <= cells:
                line += [*shown, Span("  ")]
        return tuple(line), help

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.look(), immediate=True)
