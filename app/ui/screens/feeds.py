"""The sources: which answer, which do not and why, and when each is asked next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from textual.app import ComposeResult
from textual.screen import Screen

from agents.tools.health import SourceState, Standing
from app.clock import Clock
from app.ui.acting import Acting
from app.ui.control import Cards, Control
from app.ui.format import TIER_WORD, ago, count, until
from app.ui.keys import FEEDS_KEYS
from app.ui.line import Role, Span, fit, left, right, said
from app.ui.pages.page import GAP, Row
from app.ui.widgets.bars import KeyLine
from app.ui.widgets.row_list import RowList
from feeds.models import PollStatus
from storage.models import SourceRow

STATE: dict[PollStatus, tuple[str, str, Role]] = {
    "failing": ("×", "failing", "warn"),
    "new": ("·", "waiting", "muted"),
    "ok": ("●", "ok", "good"),
    "unchanged": ("●", "ok", "good"),
}
_RANK: dict[PollStatus, int] = {"failing": 0, "new": 1, "ok": 2, "unchanged": 2}


def _in_order(sources: Iterable[SourceRow]) -> list[SourceRow]:
    """Those that need attention first, then by tier and name."""
    return sorted(sources, key=lambda row: (_RANK[row.state.status], row.source.tier, row.source.name.casefold()))


def feed_rows(sources: Iterable[SourceRow], now: datetime, cells: int) -> list[Row]:
    """The table, columns aligned; an error stands in words under its source."""
    listed = _in_order(sources)
    answered = sum(row.state.status in ("ok", "unchanged") for row in listed)
    failing = sum(row.state.status == "failing" for row in listed)
    told = Span(f"  {failing} failing", "warn") if failing else Span("")
    rows = [Row((Span("Feeds", "title"), Span(f"  {answered} of {len(listed)} answer", "muted"), told)), GAP]
    name_cells = max(min(40, cells - 58), 14)
    wide = cells >= 76
    head = left("", 10) + left("source", name_cells + 2) + (left("tier", 12) if wide else "") + right("items", 7)
    rows.append(Row((Span(head + "  " + left("last answer", 13) + "next check", "muted"),)))
    for row in listed:
        sign, word, role = STATE[row.state.status]
        line = [
            Span(left(f"{sign} {word}", 10), role),
            Span(left(said(row.source.name), name_cells) + "  ", "text"),
            *([Span(left(TIER_WORD[row.source.tier], 12), "muted")] if wide else []),
            Span(right(f"{row.items:,}", 7) + "  ", "soft"),
            Span(left(ago(row.state.last_ok_at, now), 13), "soft"),
            Span(until(row.state.next_check_at, now), "muted"),
        ]
        rows.append(Row(tuple(line), opens=row.source.id, link=row.source.url))
        if row.state.last_error and row.state.status == "failing":
            times = f" · {count(row.state.failures, 'time')} in a row" if row.state.failures > 1 else ""
            rows.append(
                Row((Span(" " * 10), Span(fit(said(row.state.last_error, limit=300) + times, cells - 10), "warn")))
            )
    return rows


EVIDENCE_STATE: dict[Standing, tuple[str, Role]] = {
    "resting": ("×", "warn"),
    "on trial": ("◌", "note"),
    "failing": ("×", "warn"),
    "answering": ("●", "good"),
}
"""The standings that have a row of their own, those that need attention first."""


def evidence_rows(states: Sequence[SourceState], now: datetime, cells: int) -> list[Row]:
    """The public sources of the tools: those that were asked, with the reason where one does not answer."""
    if not states:
        return []
    told: dict[Standing, list[SourceState]] = {}
    for state in states:
        told.setdefault(state.standing, []).append(state)
    asked = [state for standing in EVIDENCE_STATE for state in told.get(standing, ())]
    quiet = [f"{len(some)} {standing}" for standing, some in told.items() if standing not in EVIDENCE_STATE]
    answering = len(told.get("answering", ()))
    rows = [GAP, Row((Span("Evidence", "title"), Span(f"  {answering} of {len(asked)} asked answer", "muted")))]
    name_cells = max(min(26, cells - 46), 14)
    for state in asked:
        sign, role = EVIDENCE_STATE[state.standing]
        latency = "" if state.last_latency_ms is None else f"{state.last_latency_ms:.0f} ms"
        again = f"asked again in {state.next_try_s:.0f} s" if state.next_try_s else ""
        line = (
            Span(left(f"{sign} {state.standing}", 12), role),
            Span(left(state.title, name_cells) + "  ", "text"),
            Span(right(latency, 8) + "  ", "soft"),
            Span(left(ago(state.last_ok_at, now), 13), "soft"),
            Span(again, "muted"),
        )
        rows.append(Row(line))
        if state.reason and state.standing != "answering":
            rows.append(Row((Span(" " * 12), Span(fit(said(state.reason, limit=300), cells - 12), "warn"))))
    if quiet:
        rows.append(Row((Span(fit(", ".join(quiet), cells), "muted"),)))
    return rows


class FeedsScreen(Screen[None]):
    """The table of sources."""

    BINDINGS = FEEDS_KEYS

    def __init__(self, cards: Cards, control: Control, clock: Clock) -> None:
        super().__init__()
        self._cards = cards
        self._status = control.status
        self._acting = Acting(self, control, lambda _: self.refill())
        self._clock = clock

    def compose(self) -> ComposeResult:
        yield RowList(id="sheet")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(RowList).focus()
        self.set_interval(1.0, self.refill)
        self.refill()

    def refill(self) -> None:
        """Reads the sources again; the cursor stays on its source."""
        rows = self.query_one(RowList)
        current = rows.current.opens if rows.current else None
        now, cells = self._clock.now(), max(rows.cells, 40)
        made = [*feed_rows(self._cards.sources(), now, cells), *evidence_rows(self._status().evidence, now, cells)]
        cursor = next((index for index, row in enumerate(made) if current and row.opens == current), None)
        rows.set_rows(made, cursor=cursor, top=rows.scroll_offset.y)

    def on_row_list_resized(self) -> None:
        self.refill()

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        self.action_check()

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_check(self) -> None:
        row = self.query_one(RowList).current
        if row is not None and isinstance(row.opens, str):
            self._ask(row.opens)

    def action_check_all(self) -> None:
        self._ask(None)

    def _ask(self, source_id: str | None) -> None:
        self._acting.check(source_id)
        self.notify("asked again" if source_id else "every source is asked again", markup=False, timeout=2)
