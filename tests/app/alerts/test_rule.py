from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from agents.models import Signal, Synthesis, Urgency
from app.alerts.rule import alert_reason
from feeds.models import Item, Precision, Published, Tier, TimeDoubt

MAX_AGE = timedelta(minutes=30)


def item(seen: datetime, published: Published, *, backlog: bool = False) -> Item:
    return Item("i", "s", "S", Tier.NEWSROOM, "t", "", "", published, seen, "i", backlog=backlog)


def signal(seen: datetime, urgency: Urgency | None) -> Signal:
    total = Synthesis(0.9, 0.8, "policy_change", "export_ban", (), 1.0, None, 5) if urgency else None
    return Signal("i", 0, (), total, urgency, False, None, 1.0, "rules", seen)


def ask(
    now: datetime, it: Item, urgency: Urgency | None = Urgency.FLASH, *, later: timedelta = timedelta(0)
) -> str | None:
    return alert_reason(it, signal(now, urgency), accepted_at=now, now=now + later, max_age=MAX_AGE)


@pytest.mark.parametrize(
    ("urgency", "alerts"),
    [(Urgency.FLASH, True), (Urgency.ALERT, True), (Urgency.NOTE, False), (Urgency.FYI, False), (None, False)],
)
def test_flash_and_alert_alert(now: datetime, urgency: Urgency | None, alerts: bool) -> None:
    fresh = item(now, Published(now, "second", None))
    assert (ask(now, fresh, urgency) is not None) is alerts


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
    assert (ask(now, it) is not None) is alerts


def test_an_undated_item_alerts_unless_the_feed_held_it_already(now: datetime) -> None:
    undated = item(now, Published())
    assert ask(now, undated) is not None
    assert ask(now, replace(undated, backlog=True)) is None


def test_what_waited_too_long_to_be_scored_does_not_alert(now: datetime) -> None:
    it = item(now, Published(now, "second", None))
    assert ask(now, it, later=timedelta(minutes=30)) is not None
    assert ask(now, it, later=timedelta(minutes=31)) is None


def test_the_last_year_of_the_calendar_is_no_error(now: datetime) -> None:
    far = Published(datetime.max.replace(tzinfo=now.tzinfo), "month", None)
    assert ask(now, item(now, far)) is not None


def test_the_reason_names_the_event_and_the_impact(now: datetime) -> None:
    assert ask(now, item(now, Published())) == "FLASH: export_ban, impact 0.90"
