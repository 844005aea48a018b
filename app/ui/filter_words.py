"""A filter as a person reads it: all that restricts the list, on one line."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, tzinfo

from agents.models import AGENT_NAMES, Urgency
from app.ui.format import moment, span_of, words
from app.ui.line import Line, Span, said
from storage.models import CardFilter, Since

_NAMED = 3
"""So many names of one kind are said; of more, how many."""


def filter_words(filter: CardFilter, now: datetime, zone: tzinfo | None) -> list[str]:
    """What restricts the list, each part in a few words; empty where nothing does."""
    return list(_parts(filter, now, zone))


def filter_line(filter: CardFilter, now: datetime, zone: tzinfo | None) -> Line:
    """The same as a line with quiet dots between."""
    spans: list[Span] = []
    for part in filter_words(filter, now, zone):
        spans += [Span(" · ", "faint")] * bool(spans) + [Span(part, "strong")]
    return tuple(spans)


def _parts(filter: CardFilter, now: datetime, zone: tzinfo | None) -> Iterator[str]:
    if filter.urgencies:
        yield _some([urgency.value for urgency in Urgency if urgency in filter.urgencies])
    if filter.watchlist:
        yield "watchlist"
    if filter.tickers:
        yield _some(sorted(filter.tickers))
    if filter.text:
        yield f"“{said(filter.text, limit=40)}”"
    if filter.kinds:
        yield _some([words(kind) for kind in sorted(filter.kinds)])
    if filter.sources:
        yield f"from {_some(sorted(filter.sources))}"
    if filter.agents:
        yield f"decided by {_some([agent for agent in AGENT_NAMES if agent in filter.agents])}"
    if filter.since:
        yield since_words(filter.since, now, zone)
    if filter.unread_only:
        yield "unread"
    if filter.starred_only:
        yield "starred"
    if not filter.fyi_last:
        yield "by time"


def since_words(since: Since, now: datetime, zone: tzinfo | None) -> str:
    """ "last 4 h, since 14:02 UTC"; the beginning stands still while the list is looked at."""
    return f"last {span_of(since.span.total_seconds())}, since {moment(since.at, now, zone, 'minute')}"


def _some(names: list[str]) -> str:
    shown = ", ".join(said(name, limit=30) for name in names[:_NAMED])
    return f"{shown} +{len(names) - _NAMED}" if len(names) > _NAMED else shown
