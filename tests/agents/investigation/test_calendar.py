from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from agents.investigation import calendar
from agents.investigation.holidays import Calendar, business_day, easter, holidays, is_business_day, nth_business_day


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("operation", "monthly", "daily"),
    [
        (date(2022, 9, 22), "2022-09-30T10:00", "2022-11-07T23:50"),
        (date(2024, 4, 29), "2024-05-31T10:00", "2024-08-06T23:50"),
        (date(2024, 4, 25), "2024-04-30T10:00", "2024-08-06T23:50"),
        (date(2024, 7, 11), "2024-07-31T10:00", "2024-11-07T23:50"),
        (date(2023, 12, 29), "2024-01-31T10:00", "2024-02-06T23:50"),
    ],
)
def test_the_ministrys_monthly_and_quarterly_records(operation: date, monthly: str, daily: str) -> None:
    assert calendar.intervention_month(operation).when == utc(monthly)
    assert calendar.intervention_days(operation).when == utc(daily)


@pytest.mark.parametrize(
    ("trade", "published"),
    [(date(2022, 9, 22), "2022-09-26T09:00"), (date(2024, 4, 29), "2024-04-30T09:00")],
)
def test_the_projection_for_the_settlement_day_comes_out_the_evening_before(trade: date, published: str) -> None:
    assert calendar.current_account(trade).when == utc(published)


@pytest.mark.parametrize(
    ("event", "due"),
    [
        (date(2025, 7, 3), "2025-07-11T02:00"),  # Independence Day is none of the four days
        (date(2025, 6, 16), "2025-06-24T02:00"),  # nor is Juneteenth
        (date(2026, 1, 15), "2026-01-23T03:00"),
    ],
)
def test_an_8k_is_due_within_four_business_days(event: date, due: str) -> None:
    assert calendar.filing(event).when == utc(due)


@pytest.mark.parametrize(
    ("bank", "moment", "when"),
    [
        ("fed", "2026-11-30T00:00", "2026-12-09T19:00"),
        ("fed", "2026-07-01T00:00", "2026-07-29T18:00"),
        ("ecb", "2026-03-28T00:00", "2026-04-30T12:15"),
        ("ecb", "2026-01-10T00:00", "2026-02-05T13:15"),
        ("boj", "2026-11-30T00:00", "2026-12-18T03:00"),
        ("rba", "2026-11-30T00:00", "2026-12-08T03:30"),
        ("rba", "2026-05-01T00:00", "2026-05-05T04:30"),
    ],
)
def test_decisions_come_at_the_banks_own_local_time(bank: str, moment: str, when: str) -> None:
    found = calendar.meeting(bank, utc(moment))
    assert found is not None
    assert found.when == utc(when)


def test_a_time_outside_the_announced_lists_has_no_date_rather_than_a_guess() -> None:
    for moment in ("1999-01-01T00:00", "2031-01-01T00:00"):
        found = calendar.meeting("boj", utc(moment))
        assert found is not None
        assert found.when is None
    assert calendar.meeting("boc", utc("2026-01-01T00:00")) is None


def test_minutes_follow_a_meeting_by_three_weeks() -> None:
    assert calendar.fomc_minutes(utc("2025-04-01T00:00")).when == utc("2025-04-09T18:00")


@pytest.mark.parametrize(
    ("series", "moment", "when"),
    [
        ("us_cpi", "2026-11-30T00:00", "2026-12-10T13:30"),
        ("us_jobs", "2026-11-30T00:00", "2026-12-04T13:30"),
        ("us_jobs", "2025-06-10T00:00", "2025-07-11T12:30"),
    ],
)
def test_statistics_come_out_at_half_past_eight_in_washington(series: str, moment: str, when: str) -> None:
    found = calendar.release(series, utc(moment))
    assert found is not None
    assert found.when == utc(when)


def test_index_changes_are_announced_on_the_first_friday_of_a_quarters_last_month() -> None:
    assert calendar.index_announcement(utc("2026-11-30T00:00")).when == utc("2026-12-04T22:15")
    assert calendar.index_announcement(utc("2026-12-20T00:00")).when == utc("2027-03-05T22:15")


HOLIDAYS: list[tuple[Calendar, int, set[str]]] = [
    ("nyse", 2026, {"01-01", "01-19", "02-16", "04-03", "05-25", "06-19", "07-03", "09-07", "11-26", "12-25"}),
    ("nyse", 2022, {"01-17", "02-21", "04-15", "05-30", "06-20", "07-04", "09-05", "11-24", "12-26"}),
    ("target", 2026, {"01-01", "04-03", "04-06", "05-01", "12-25", "12-26"}),
]


@pytest.mark.parametrize(("name", "year", "expected"), HOLIDAYS)
def test_market_holidays(name: Calendar, year: int, expected: set[str]) -> None:
    assert {f"{day:%m-%d}" for day in holidays(year, name)} == expected


@pytest.mark.parametrize(
    "day",
    [
        "2024-02-12",  # a Sunday holiday is kept on Monday
        "2024-05-06",  # after three holidays in a row
        "2026-09-22",  # between two holidays
        "2019-04-30",  # between two holidays, once
        "2021-08-09",  # moved for the Games, then to Monday
        "2024-03-20",
        "2022-09-23",
        "2024-12-31",  # banks
        "2023-02-23",
    ],
)
def test_japanese_holidays(day: str) -> None:
    assert not is_business_day(date.fromisoformat(day), "japan")


@pytest.mark.parametrize("day", ["2024-04-30", "2018-02-23", "2015-08-11", "2021-07-19", "2024-12-23"])
def test_japanese_business_days(day: str) -> None:
    assert is_business_day(date.fromisoformat(day), "japan")


def test_business_days_are_counted_both_ways() -> None:
    assert business_day(date(2024, 4, 30), -2, "japan") == date(2024, 4, 25)
    assert business_day(date(2024, 5, 4), 0, "japan") == date(2024, 5, 7)
    assert nth_business_day(2022, 11, 5, "japan") == date(2022, 11, 8)
    assert nth_business_day(2024, 12, -1, "us_federal") == date(2024, 12, 31)


@pytest.mark.parametrize(("year", "day"), [(2024, "03-31"), (2025, "04-20"), (2026, "04-05"), (2038, "04-25")])
def test_easter(year: int, day: str) -> None:
    assert f"{easter(year):%m-%d}" == day
