"""Quiet hours begin and end once a night, whatever the clocks do; FLASH passes, a snooze holds all."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from agents.models import Urgency
from app.alerts.quiet import QuietHours, holding
from storage.alerts import Mute

NEW_YORK, BERLIN, SYDNEY = (ZoneInfo(name) for name in ("America/New_York", "Europe/Berlin", "Australia/Sydney"))


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def hours(text: str, zone: ZoneInfo) -> QuietHours:
    read = QuietHours.read(text, zone)
    assert read is not None
    return read


@pytest.mark.parametrize(
    ("text", "now", "until"),
    [
        ("22:00-06:30", "2026-01-15 02:59", None),  # 21:59 in New York
        ("22:00-06:30", "2026-01-15 03:00", "2026-01-15 11:30"),
        ("22:00-06:30", "2026-01-15 11:29", "2026-01-15 11:30"),
        ("22:00-06:30", "2026-01-15 11:30", None),
        ("12:00-13:00", "2026-01-15 17:30", "2026-01-15 18:00"),
        ("12:00-13:00", "2026-01-15 16:59", None),
        ("00:00-00:00", "2026-01-15 12:00", "2026-01-16 05:00"),
    ],
)
def test_on_an_ordinary_day(text: str, now: str, until: str | None) -> None:
    assert hours(text, NEW_YORK).until(utc(now)) == (utc(until) if until else None)


@pytest.mark.parametrize(
    ("zone", "text", "evening", "begins", "ends"),
    [
        (NEW_YORK, "22:00-06:30", "2026-03-07", "2026-03-08 03:00", "2026-03-08 10:30"),  # an hour shorter
        (NEW_YORK, "22:00-06:30", "2025-11-01", "2025-11-02 02:00", "2025-11-02 11:30"),  # an hour longer
        (BERLIN, "22:00-06:30", "2026-03-28", "2026-03-28 21:00", "2026-03-29 04:30"),
        (SYDNEY, "22:00-06:30", "2026-04-04", "2026-04-04 11:00", "2026-04-04 20:30"),
        (
            NEW_YORK,
            "22:00-02:30",
            "2026-03-07",
            "2026-03-08 03:00",
            "2026-03-08 07:00",
        ),  # it ends in the hour that is skipped
        (NEW_YORK, "02:30-06:00", "2026-03-08", "2026-03-08 07:00", "2026-03-08 10:00"),  # it begins there
        (
            NEW_YORK,
            "22:00-01:30",
            "2025-11-01",
            "2025-11-02 02:00",
            "2025-11-02 06:30",
        ),  # it ends in the hour that comes twice
        (NEW_YORK, "01:30-06:00", "2025-11-02", "2025-11-02 05:30", "2025-11-02 11:00"),  # it begins there
    ],
)
def test_the_nights_in_which_clocks_change_have_one_beginning_and_one_end(
    zone: ZoneInfo, text: str, evening: str, begins: str, ends: str
) -> None:
    quiet = hours(text, zone)
    minute, changes = utc(begins) - timedelta(hours=3), []
    before = quiet.until(minute) is not None
    while minute < utc(ends) + timedelta(hours=3):
        minute += timedelta(minutes=1)
        if (now := quiet.until(minute) is not None) != before:
            changes.append((minute, now))
            before = now
    assert changes == [(utc(begins), True), (utc(ends), False)]
    assert quiet.until(utc(begins)) == utc(ends)
    assert time.fromisoformat(text[:5]) == quiet.start


def test_no_hours_are_never_quiet() -> None:
    assert QuietHours.read("", BERLIN) is None


def test_flash_passes_quiet_hours_but_not_a_snooze() -> None:
    quiet, now = hours("22:00-06:30", BERLIN), utc("2026-01-15 23:00")
    assert holding(now, Urgency.FLASH, quiet, ()) is None
    held = holding(now, Urgency.ALERT, quiet, ())
    assert held is not None
    assert (held.why, held.until) == ("quiet hours", utc("2026-01-16 05:30"))
    snooze = Mute(1, "all", "", "", now, now + timedelta(minutes=30))
    held = holding(now, Urgency.FLASH, quiet, [snooze])
    assert held is not None
    assert (held.why, held.until) == ("snooze", now + timedelta(minutes=30))
    assert holding(now + timedelta(minutes=30), Urgency.FLASH, quiet, [snooze]) is None


def test_a_clock_that_is_set_back_before_the_snooze_does_not_stretch_it() -> None:
    now = utc("2026-01-15 12:00")
    snooze = Mute(1, "all", "", "", now, now + timedelta(minutes=30))
    assert holding(now - timedelta(hours=5), Urgency.FLASH, None, [snooze]) is None
