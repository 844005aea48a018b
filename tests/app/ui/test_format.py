from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest

from app.ui.format import (
    ago,
    bar,
    card_time,
    count,
    impact_role,
    moment,
    published,
    score,
    short_score,
    signed,
    span_of,
    until,
    words,
)
from app.ui.line import plain, width
from feeds.models import Precision, Published

NOW = datetime(2026, 3, 10, 18, 2, 11, tzinfo=UTC)
NEW_YORK = ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("value", "shown", "short"),
    [
        (0.0, "0.00", ".00"),
        (0.29, "0.29", ".29"),
        (0.7999, "0.79", ".79"),
        (0.8, "0.80", ".80"),
        (0.1 + 0.2 + 0.5, "0.80", ".80"),
        (1.0, "1.00", "1.0"),
    ],
)
def test_a_score_is_cut_and_never_rounded_over_a_threshold(value: float, shown: str, short: str) -> None:
    assert score(value) == shown
    assert short_score(value) == short


def test_signed_amounts_have_a_true_minus() -> None:
    assert (signed(0.05), signed(-0.08), signed(0.0)) == ("+0.05", "−0.08", "+0.00")


@pytest.mark.parametrize(
    ("impact", "role"),
    [(0.0, "blue"), (0.4499, "blue"), (0.45, "amber"), (0.6999, "amber"), (0.70, "red"), (1.0, "red")],
)
def test_the_impact_bar_changes_colour_at_its_thresholds(impact: float, role: str) -> None:
    assert impact_role(impact) == role


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "──────────"), (0.01, "━─────────"), (0.5, "━━━━━─────"), (0.99, "━━━━━━━━━─"), (1.0, "━━━━━━━━━━")],
)
def test_a_bar_shows_something_above_zero_and_is_full_only_at_one(value: float, shown: str) -> None:
    line = bar(value, 10, "red")
    assert plain(line) == shown
    assert width(line) == 10


@pytest.mark.parametrize(
    ("back", "shown"),
    [
        (timedelta(minutes=4), "13:58"),
        (timedelta(hours=14, minutes=30), "9 Mar"),
        (timedelta(days=120), "10 Nov"),
        (timedelta(days=400), "Feb'25"),
        (timedelta(hours=-1), "15:02"),
    ],
)
def test_a_card_of_today_shows_its_time_and_an_older_one_its_day(back: timedelta, shown: str) -> None:
    assert card_time(NOW - back, NOW, NEW_YORK) == shown


@pytest.mark.parametrize(
    ("precision", "shown"),
    [
        ("second", "14:02:11 EDT"),
        ("minute", "14:02 EDT"),
        ("hour", "14:02 EDT"),
        ("day", "10 Mar"),
        ("month", "March 2026"),
        ("unknown", "14:02 EDT"),
    ],
)
def test_a_moment_is_as_exact_as_it_is_known(precision: Precision, shown: str) -> None:
    assert moment(NOW, NOW, NEW_YORK, precision) == shown


@pytest.mark.parametrize("zone", [NEW_YORK, UTC, ZoneInfo("Asia/Tokyo")])
def test_a_stated_day_is_the_same_everywhere(zone: tzinfo) -> None:
    stated = datetime(2026, 2, 1, tzinfo=UTC)
    assert moment(stated, NOW, zone, "day") == "1 Feb"
    assert moment(stated, NOW, zone, "month") == "February 2026"


def test_another_day_is_named() -> None:
    assert moment(NOW - timedelta(days=1), NOW, NEW_YORK) == "9 Mar 14:02:11 EDT"
    assert moment(NOW - timedelta(days=365), NOW, UTC) == "10 Mar 2025 18:02:11 UTC"


def test_no_publication_time_is_said_and_not_filled() -> None:
    assert published(Published(), NOW, UTC) == "no time given"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.0, "0 ms"),
        (0.38, "380 ms"),
        (1.44, "1.4 s"),
        (9.96, "10 s"),
        (89, "89 s"),
        (90, "2 min"),
        (3600, "60 min"),
        (7200, "2 h"),
        (4e5, "5 d"),
    ],
)
def test_lengths_of_time_in_their_largest_unit(seconds: float, shown: str) -> None:
    assert span_of(seconds) == shown


def test_ages_and_waits() -> None:
    assert ago(None, NOW) == "never"
    assert ago(NOW - timedelta(seconds=2), NOW) == "just now"
    assert ago(NOW - timedelta(minutes=3), NOW) == "3 min ago"
    assert until(None, NOW) == until(NOW, NOW) == "now"
    assert until(NOW + timedelta(seconds=48), NOW) == "in 48 s"


def test_words() -> None:
    assert (words("m_and_a"), words("export_ban")) == ("M&A", "export ban")
    assert (count(1, "item"), count(1200, "item"), count(2, "reply", "replies")) == (
        "1 item",
        "1,200 items",
        "2 replies",
    )
