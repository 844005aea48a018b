"""What the list says when there is nothing in it."""

from __future__ import annotations

from datetime import datetime, tzinfo

from app.pipeline.status import Status
from app.ui.filter_words import filter_line
from app.ui.line import Line, Span, said
from storage.models import CardFilter


def empty_lines(filter: CardFilter, status: Status, now: datetime, zone: tzinfo | None) -> tuple[Line, ...]:
    """Why the list is empty, and what to do about it."""
    if filter == CardFilter(fyi_last=filter.fyi_last, text=filter.text) and filter.text:
        return (
            (Span(f"no card says “{said(filter.text, limit=60)}”", "text"),),
            (),
            (Span("esc", "key"), Span(" clears the search", "muted")),
        )
    if filter != CardFilter(fyi_last=filter.fyi_last):
        return (
            (Span("no card passes", "text"),),
            filter_line(filter, now, zone),
            (),
            (Span("esc", "key"), Span(" shows everything", "muted")),
        )
    if not status.feeds_total:
        return ((Span("waiting for the first cards …", "text"),),)
    if status.feeds_ok < status.feeds_total:
        told = f"waiting for the first feeds … {status.feeds_ok} of {status.feeds_total} answered"
    else:
        told = "every feed answered; the first card appears as soon as it is scored"
    return (
        (Span(told, "text"),),
        (),
        (Span("name your tickers under [[watchlist]] in the configuration file", "muted"),),
        (Span("tapewatch config init", "soft"), Span(" writes one with every setting explained", "muted")),
    )
