"""What the symbols of a signal cost when it became public, and where their prices stood later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import groupby

from app.ui.format import moment
from app.ui.line import Line, Span, left, said
from app.ui.pages.page import GAP, INDENT, Row, View, heading, listed, paragraph
from storage.models import PriceMark

AFTER = {timedelta(minutes=5): "+5 min", timedelta(hours=1): "+1 h", timedelta(days=1): "+1 day"}
SYMBOL_CELLS = 8


def price_rows(marks: tuple[PriceMark, ...], view: View) -> Iterator[Row]:
    """A row for each symbol; a price that is not there says whether it is awaited or why there is none."""
    if not marks:
        return
    yield GAP
    yield heading("prices", Span("  at publication, and changes since", "faint"))
    for symbol, group in groupby(marks, key=lambda mark: mark.symbol):
        first, *later = group
        start: Line = (Span(left(said(symbol), SYMBOL_CELLS), "symbol"),)
        yield from listed([_base(first, view), *_changes(later, view)], view, start=start)
        for reason in dict.fromkeys(mark.reason for mark in (first, *later) if mark.reason):
            yield from paragraph(said(reason), view, "muted", indent=INDENT, limit=2)


def _base(mark: PriceMark, view: View) -> Span:
    if mark.price is None:
        return Span("no price" if mark.state == "none" else "price awaited", "muted")
    at = f" at {moment(mark.traded_at, view.now, view.zone, 'minute')}" if mark.traded_at else ""
    return Span(f"{mark.price:,.6g} {mark.currency}".rstrip() + at, "text")


def _changes(marks: Sequence[PriceMark], view: View) -> Iterator[Span]:
    """The changes since publication. Moments that one later trade answers, since the market was closed, stand together
    with the time of that trade."""
    for _, group in groupby(marks, key=lambda mark: mark.traded_at if _late(mark) else mark.after):
        answered = list(group)
        labels = ", ".join(AFTER.get(mark.after, f"+{mark.after}") for mark in answered)
        yield _change(answered[0], labels, view)


def _late(mark: PriceMark) -> bool:
    return mark.traded_at is not None and mark.traded_at > mark.moment


def _change(mark: PriceMark, label: str, view: View) -> Span:
    if mark.change_pct is None:
        return Span(f"{label} {'no price' if mark.state == 'none' else '…'}", "muted")
    at = mark.traded_at if _late(mark) else None
    opened = f" at next trade {moment(at, view.now, view.zone, 'minute')}" if at else ""
    return Span(
        f"{label} {mark.change_pct:+.2f}%{opened}",
        "good" if mark.change_pct > 0 else "warn" if mark.change_pct < 0 else "text",
    )
