"""Which news is too old to alert, and which urgencies alert at all. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

from agents.models import Urgency
from feeds.models import Item, Precision, Published

LOUD = frozenset({Urgency.FLASH, Urgency.ALERT})
_SPAN: dict[Precision, timedelta] = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "month": timedelta(days=31),
}


def too_old(item: Item, *, accepted_at: datetime, now: datetime, max_age: timedelta) -> str | None:
    """Why an item is history and not news, in words; None where it may alert.

    History is what a feed already held when it was first read, and what is older than `max_age` when it is first seen
    or, after a stop of the program, when it is scored. A time that is in doubt is not held against an item.
    """
    if item.backlog:
        return "the feed held it already when it was first read"
    if now - accepted_at > max_age:
        return f"it waited {_told(now - accepted_at)} to be scored, longer than {_told(max_age)}"
    latest = _latest(item.published)
    if latest is not None and accepted_at - latest > max_age:
        return f"it was published {_told(accepted_at - latest)} before it was seen, more than {_told(max_age)}"
    return None


def _told(span: timedelta) -> str:
    minutes = int(span.total_seconds() // 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h"


def _latest(published: Published) -> datetime | None:
    """The latest moment the publisher can mean; None where its time cannot be trusted."""
    if published.at is None or published.doubt is not None:
        return None
    try:
        return published.at + _SPAN.get(published.precision, timedelta(0))
    except OverflowError:
        return published.at
