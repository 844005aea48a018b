"""Which signals raise an alert. Pure; that a story alerts once is kept by the outbox."""

from __future__ import annotations

from datetime import datetime, timedelta

from agents.models import Signal, Urgency
from feeds.models import Item, Precision, Published

LOUD = frozenset({Urgency.FLASH, Urgency.ALERT})
_SPAN: dict[Precision, timedelta] = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "month": timedelta(days=31),
}


def alert_reason(item: Item, signal: Signal, *, accepted_at: datetime, now: datetime, max_age: timedelta) -> str | None:
    """Why `signal` is worth an alert, in words; None where it is not.

    Never for what a feed already held when it was first read, nor for news older than `max_age` when it was first
    seen or, after a stop of the program, when it is scored. A time that is in doubt is not held against an item.
    """
    if signal.urgency not in LOUD or signal.synthesis is None or item.backlog:
        return None
    if now - accepted_at > max_age:
        return None
    latest = _latest(item.published)
    if latest is not None and accepted_at - latest > max_age:
        return None
    what = signal.synthesis.event_type or signal.synthesis.signal_type
    return f"{signal.urgency}: {what}, impact {signal.synthesis.impact_score:.2f}"


def _latest(published: Published) -> datetime | None:
    """The latest moment the publisher can mean; None where its time cannot be trusted."""
    if published.at is None or published.doubt is not None:
        return None
    try:
        return published.at + _SPAN.get(published.precision, timedelta(0))
    except OverflowError:
        return published.at
