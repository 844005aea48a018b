"""The sources: which answer, which do not and why, and when each is asked next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, tzinfo

from agents.tools.asking.health import SourceState, Standing
from app.clock import Clock
from app.ui.acting import Acting
from app.ui.control import Cards, Control
from app.ui.format import TIER_WORD, ago, count, span_of, until
from app.ui.keys import FEEDS_KEYS
from app.ui.line import Role, Span, fit, left, right, said
from app.ui.pages.page import GAP, Row, View
from app.ui.screens.sheet import SheetScreen
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
    if not listed:
        return [Row((Span("Feeds", "title"),)), GAP, *_no_feeds(cells)]
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
        left_out = row.state.last_ok_at == row.state.last_checked_at  # the feed answers, and something in it failed
        if row.state.last_error and (row.state.status == "failing" or left_out):
            times = f" · {count(row.state.failures, 'time')} in a row" if row.state.failures > 1 else ""
            rows.append(
                Row((Span(" " * 10), Span(fit(said(row.state.last_error, limit=300) + times, cells - 10), "warn")))
            )
    return rows


def _no_feeds(cells: int) -> Iterator[Row]:
    """What to do where nothing is polled."""
    yield Row((Span("no feed is polled", "text"),))
    yield GAP
    yield Row((Span("tapewatch feeds add URL", "soft"), Span(fit("  adds one of your own", cells - 24), "muted")))
    yield Row(
        (Span("builtin = true", "soft"), Span(fit("  under [feeds] polls the built-in ones", cells - 15), "muted"))
    )


EVIDENCE_STATE: dict[Standing, tuple[str, Role]] = {
    "resting": ("×", "warn"),
    "on trial": ("◌", "note"),
    "used up": ("◌", "note"),
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
        again = f"asked again in {span_of(state.next_try_s)}" if state.next_try_s else _used(state)
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


def _used(state: SourceState) -> str:
    """How much of a limit is gone."""
    return f"{state.used} of {state.most} requests" if state.used is not None and state.most else ""


class FeedsScreen(SheetScreen):
    """The table of sources."""

    BINDINGS = FEEDS_KEYS
    every_s = 1.0

    def __init__(self, cards: Cards, control: Control, clock: Clock, zone: tzinfo | None = None) -> None:
        super().__init__(clock, zone)
        self._cards = cards
        self._status = control.status
        self._acting = Acting(self, control, lambda _: self.refill())

    def made(self, view: View) -> list[Row]:
        sources = feed_rows(self._cards.sources(), view.now, view.cells)
        return [*sources, *evidence_rows(self._status().evidence, view.now, view.cells)]

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        self.action_check()

    def action_check(self) -> None:
        if self.current is not None and isinstance(self.current.opens, str):
            self._ask(self.current.opens)

    def action_check_all(self) -> None:
        self._ask(None)

    def _ask(self, source_id: str | None) -> None:
        self._acting.check(source_id)
        self.notify("asked again" if source_id else "every source is asked again", markup=False, timeout=2)
