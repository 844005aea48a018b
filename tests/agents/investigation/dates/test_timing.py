from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.investigation.dates.timing import currency_day, interval, lead_window, market_day, timing, timing_of_effect
from agents.investigation.models import Effective, Timing
from feeds.models import Precision
from tests.agents.investigation.builders import HOUR, ONSET, an_anchor, at

CASES: list[tuple[str, Precision, Timing]] = [
    ("14 05:59", "minute", "lead"),
    ("14 04:00", "minute", "lead"),
    ("14 03:59", "minute", "background"),
    ("14 06:00", "second", "overlap"),
    ("14 06:59", "minute", "overlap"),
    ("14 07:00", "second", "lag"),
    ("14 05:30", "hour", "lead"),
    ("14 06:30", "hour", "overlap"),
    ("14 07:30", "hour", "lag"),
    ("14 00:00", "day", "overlap"),
    ("13 00:00", "day", "background"),
    ("15 00:00", "day", "lag"),
    ("01 00:00", "month", "overlap"),
    ("2024-04-10T00:00", "month", "background"),
    ("2024-06-10T00:00", "month", "lag"),
    ("14 05:00", "unknown", "overlap"),
]


@pytest.mark.parametrize(("when", "precision", "expected"), CASES)
def test_an_hourly_onset_against_every_precision(when: str, precision: Precision, expected: Timing) -> None:
    assert timing(at(when), precision, an_anchor()) == expected


def test_what_has_no_time_cannot_be_ordered() -> None:
    assert timing(None, "unknown", an_anchor()) == "overlap"


@given(
    offset=st.integers(min_value=-10 * 86_400, max_value=10 * 86_400),
    precision=st.sampled_from(["second", "minute", "hour", "day", "month", "unknown"]),
)
def test_nothing_that_may_be_later_than_the_onset_leads(offset: int, precision: Precision) -> None:
    when = ONSET + timedelta(seconds=offset)
    stated = interval(when, precision)
    anchor = an_anchor()
    found = timing(when, precision, anchor)
    if found in ("lead", "background"):
        assert stated is not None
        assert stated.end <= anchor.onset_at
    if found == "lag":
        assert stated is not None
        assert stated.start >= anchor.ends_at


EFFECTS: list[tuple[str, Precision, Timing]] = [
    ("14 00:00", "day", "lead"),
    ("15 00:00", "day", "lag"),
    ("13 00:00", "day", "background"),
    ("14 05:30", "minute", "lead"),
    ("15 04:01", "minute", "lag"),
]


@pytest.mark.parametrize(("when", "precision", "expected"), EFFECTS)
def test_an_act_is_timed_by_the_day_its_record_states(when: str, precision: Precision, expected: Timing) -> None:
    assert timing_of_effect(Effective(at(when), precision), an_anchor(), "currency") == expected


def test_a_currency_day_ends_at_five_in_new_york_in_summer_and_winter() -> None:
    summer, winter = market_day(date(2024, 4, 29), "currency"), market_day(date(2024, 1, 15), "currency")
    assert (summer.start, summer.end) == (
        datetime(2024, 4, 28, 21, tzinfo=UTC),
        datetime(2024, 4, 29, 21, tzinfo=UTC),
    )
    assert winter.end == datetime(2024, 1, 15, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2024-04-29T04:00", date(2024, 4, 29)),
        ("2024-04-29T20:59", date(2024, 4, 29)),
        ("2024-04-29T21:00", date(2024, 4, 30)),
        ("2024-05-03T21:30", date(2024, 5, 6)),  # Friday evening belongs to Monday
        ("2024-05-05T21:30", date(2024, 5, 6)),
        ("2024-01-15T21:30", date(2024, 1, 15)),
        ("2024-01-15T22:30", date(2024, 1, 16)),
    ],
)
def test_the_currency_day_of_a_moment(moment: str, day: date) -> None:
    assert currency_day(at(moment)) == day
    assert at(moment) < market_day(day, "currency").end


def test_a_currency_day_over_the_change_of_clocks_is_an_hour_short() -> None:
    spring = market_day(date(2024, 3, 10), "currency")
    assert spring.end - spring.start == timedelta(hours=23)


@pytest.mark.parametrize(
    ("width", "closed", "expected"),
    [
        (timedelta(minutes=1), None, ONSET - 2 * HOUR),
        (HOUR, None, ONSET - 2 * HOUR),
        (4 * HOUR, None, ONSET - 8 * HOUR),
        (HOUR, ONSET - 49 * HOUR, ONSET - 49 * HOUR),
    ],
)
def test_the_lead_window_is_two_bars_two_hours_or_the_previous_close(
    width: timedelta, closed: datetime | None, expected: datetime
) -> None:
    assert lead_window(ONSET, width, closed) == expected
