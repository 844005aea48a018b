"""Old news raises no alert; a time in doubt is not held against it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.alerts.rule import too_old
from feeds.models import Item, Precision, Published, Tier, TimeDoubt

MAX_AGE = timedelta(minutes=30)


def item(seen: datetime, published: Published, *, backlog: bool = False) -> Item:
    return Item("i", "s", "S", Tier.NEWSROOM, "t", "", "", published, seen, "i", backlog=backlog)


def ask(now: datetime, it: Item, *, later: timedelta = timedelta(0)) -> str | None:
    return too_old(it, accepted_at=now, now=now + later, max_age=MAX_AGE)


@pytest.mark.parametrize(
    ("minutes", "precision", "doubt", "alerts"),
    [
        (29, "second", None, True),
        (30, "second", None, True),
        (31, "second", None, False),
        (31, "minute", None, True),
        (89, "hour", None, True),
        (91, "hour", None, False),
        (24 * 60, "day", None, True),
        (25 * 60, "day", None, False),
        (600, "second", TimeDoubt.ZONE_UNKNOWN, True),
        (-600, "second", TimeDoubt.FUTURE, True),
    ],
)
def test_old_news_does_not_alert(
    now: datetime, minutes: int, precision: Precision, doubt: TimeDoubt | None, alerts: bool
) -> None:
    it = item(now, Published(now - timedelta(minutes=minutes), precision, doubt))
    assert (ask(now, it) is None) is alerts


def test_an_undated_item_alerts_unless_the_feed_held_it_already(now: datetime) -> None:
    undated = item(now, Published())
    assert ask(now, undated) is None
    assert ask(now, replace(undated, backlog=True)) == "the feed held it already when it was first read"


def test_what_waited_too_long_to_be_scored_does_not_alert(now: datetime) -> None:
    it = item(now, Published(now, "second", None))
    assert ask(now, it, later=timedelta(minutes=30)) is None
    assert ask(now, it, later=timedelta(minutes=31)) == "it waited 31 min to be scored, longer than 30 min"


def test_the_last_year_of_the_calendar_is_no_error(now: datetime) -> None:
    far = Published(datetime.max.replace(tzinfo=now.tzinfo), "month", None)
    assert ask(now, item(now, far)) is None
