from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from agents.investigation.dates import calendar
from agents.investigation.dates.holidays import (
    Calendar,
    business_day,
    easter,
    holidays,
    is_business_day,
    nth_business_day,
)
from agents.investigation.dates.schedules import employment_report, meetings, releases


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
        (date(2022, 8, 29), "2022-08-31T10:00", "2022-11-07T23:50"),
        (date(2022, 9, 29), "2022-10-31T10:00", "2022-11-07T23:50"),
        (date(2024, 4, 26), "2024-05-31T10:00", "2024-08-06T23:50"),
        (date(2025, 11, 26), "2025-11-28T10:00", "2026-02-05T23:50"),
        (date(2026, 5, 6), "2026-05-29T10:00", "2026-08-06T23:50"),
        (date(2026, 8, 26), "2026-08-28T10:00", "2026-11-08T23:50"),  # not the last business day, the 31st
        (date(2026, 8, 27), "2026-09-30T10:00", "2026-11-08T23:50"),
    ],
)
def test_the_ministrys_monthly_and_quarterly_records(operation: date, monthly: str, daily: str) -> None:
    assert calendar.intervention_month(operation).when == utc(monthly)
    assert calendar.intervention_days(operation).when == utc(daily)


def test_a_total_that_came_out_is_a_fact_and_one_to_come_is_expected() -> None:
    assert not calendar.intervention_month(date(2026, 8, 5)).expected
    assert calendar.intervention_month(date(2026, 11, 5)).expected


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
        ("boe", "2026-11-30T00:00", "2026-12-17T12:00"),
        ("boe", "2027-06-01T00:00", "2027-06-17T11:00"),
        ("snb", "2026-11-30T00:00", "2026-12-10T08:30"),
        ("boc", "2026-11-30T00:00", "2026-12-09T14:45"),
        ("boj", "2026-12-20T00:00", "2027-01-22T03:00"),
        ("ecb", "2026-12-20T00:00", "2027-02-04T13:15"),
        ("rba", "2026-12-20T00:00", "2027-02-09T03:30"),
    ],
)
def test_decisions_come_at_the_banks_own_local_time(bank: str, moment: str, when: str) -> None:
    found = calendar.meeting(bank, utc(moment))
    assert found is not None
    assert found.when == utc(when)


@pytest.mark.parametrize(
    ("bank", "moment", "usual"),
    [
        ("ecb", "2027-12-20T00:00", "usually early February"),
        ("boj", "2027-12-20T00:00", "usually late January"),
        ("boj", "2028-02-01T00:00", "usually mid-March"),
        ("rba", "2031-01-01T00:00", "usually early February"),
    ],
)
def test_beyond_its_last_announced_day_a_bank_has_a_usual_part_of_a_month_and_no_date(
    bank: str, moment: str, usual: str
) -> None:
    found = calendar.meeting(bank, utc(moment))
    assert found is not None
    assert found.when is None
    assert found.what.endswith(f", not yet announced, {usual}")


def test_before_the_first_day_of_a_list_the_answer_says_that_it_does_not_know() -> None:
    found = calendar.meeting("boj", utc("1999-01-01T00:00"))
    assert found is not None
    assert (found.when, found.what) == (
        None,
        "BOJ statement on monetary policy, the dates of that time are not known here",
    )
    assert calendar.meeting("pboc", utc("2026-01-01T00:00")) is None


@pytest.mark.parametrize(("moment", "expected"), [("2026-11-30T00:00", False), ("2026-12-20T00:00", True)])
def test_days_that_their_publisher_calls_tentative_are_expected(moment: str, expected: bool) -> None:
    found = calendar.meeting("fed", utc(moment))
    assert found is not None
    assert found.expected is expected


def test_minutes_follow_a_meeting_by_three_weeks() -> None:
    assert calendar.fomc_minutes(utc("2025-04-01T00:00")).when == utc("2025-04-09T18:00")


@pytest.mark.parametrize(
    ("series", "moment", "when", "expected"),
    [
        ("us_cpi", "2026-11-30T00:00", "2026-12-10T13:30", False),
        ("us_cpi", "2025-09-20T00:00", "2025-10-24T12:30", False),
        ("us_cpi", "2025-11-01T00:00", "2025-12-18T13:30", False),  # a month without a publication
        ("us_cpi", "2027-02-01T00:00", "2027-02-12T13:30", True),
        ("us_cpi", "2021-05-01T00:00", "2021-05-12T12:30", True),
        ("us_jobs", "2026-11-30T00:00", "2026-12-04T13:30", False),
        ("us_jobs", "2025-06-10T00:00", "2025-07-03T12:30", False),
        ("us_jobs", "2026-12-20T00:00", "2027-01-08T13:30", True),
        ("us_gdp", "2026-11-01T00:00", "2026-11-26T13:30", True),
        ("jp_cpi", "2026-12-25T00:00", "2027-01-21T23:30", True),
        ("jp_cpi", "2026-10-01T00:00", "2026-10-22T23:30", True),
        ("uk_cpi", "2026-11-30T00:00", "2026-12-16T07:00", False),
        ("uk_cpi", "2026-12-20T00:00", "2027-01-20T07:00", True),
    ],
)
def test_statistics_come_out_on_announced_days_or_are_expected_by_rule(
    series: str, moment: str, when: str, expected: bool
) -> None:
    found = calendar.release(series, utc(moment))
    assert found is not None
    assert (found.when, found.expected) == (utc(when), expected)


@pytest.mark.parametrize(
    "month",
    ["2026-01-09", "2026-03-06", "2026-04-03", "2026-05-08", "2026-06-05", "2026-07-02", "2026-08-07", "2025-07-03"],
)
def test_the_rule_of_the_employment_report_gives_the_days_it_came_out(month: str) -> None:
    day = date.fromisoformat(month)
    assert employment_report(day.year, day.month) == day


def test_index_changes_are_announced_on_the_first_friday_of_a_quarters_last_month() -> None:
    assert calendar.index_announcement(utc("2026-11-30T00:00")).when == utc("2026-12-04T22:15")
    assert calendar.index_announcement(utc("2026-12-20T00:00")).when == utc("2027-03-05T22:15")


HOLIDAYS: list[tuple[Calendar, int, set[str]]] = [
    ("nyse", 2026, {"01-01", "01-19", "02-16", "04-03", "05-25", "06-19", "07-03", "09-07", "11-26", "12-25"}),
    ("nyse", 2022, {"01-17", "02-21", "04-15", "05-30", "06-20", "07-04", "09-05", "11-24", "12-26"}),
    ("nyse", 2027, {"01-01", "01-18", "02-15", "03-26", "05-31", "06-18", "07-05", "09-06", "11-25", "12-24"}),
    ("nyse", 2028, {"01-17", "02-21", "04-14", "05-29", "06-19", "07-04", "09-04", "11-23", "12-25"}),
    (
        "us_federal",
        2027,
        {"01-01", "01-18", "02-15", "05-31", "06-18", "07-05", "09-06", "10-11", "11-11", "11-25", "12-24", "12-31"},
    ),
    ("target", 2026, {"01-01", "04-03", "04-06", "05-01", "12-25", "12-26"}),
    ("target", 2027, {"01-01", "03-26", "03-29", "05-01", "12-25", "12-26"}),
    ("target", 2028, {"01-01", "04-14", "04-17", "05-01", "12-25", "12-26"}),
    ("uk", 2026, {"01-01", "04-03", "04-06", "05-04", "05-25", "08-31", "12-25", "12-28"}),
    ("uk", 2027, {"01-01", "03-26", "03-29", "05-03", "05-31", "08-30", "12-27", "12-28"}),
    ("uk", 2028, {"01-03", "04-14", "04-17", "05-01", "05-29", "08-28", "12-25", "12-26"}),
    ("uk", 2022, {"01-03", "04-15", "04-18", "05-02", "06-02", "06-03", "08-29", "09-19", "12-26", "12-27"}),
]
JAPAN = {
    2026: (
        "01-01 01-02 01-12 02-11 02-23 03-20 04-29 05-04 05-05 05-06"
        " 07-20 08-11 09-21 09-22 09-23 10-12 11-03 11-23 12-31"
    ),
    2027: "01-01 01-11 02-11 02-23 03-22 04-29 05-03 05-04 05-05 07-19 08-11 09-20 09-23 10-11 11-03 11-23 12-31",
    2028: "01-03 01-10 02-11 02-23 03-20 05-03 05-04 05-05 07-17 08-11 09-18 09-22 10-09 11-03 11-23",
}


@pytest.mark.parametrize(("name", "year", "expected"), HOLIDAYS)
def test_market_holidays(name: Calendar, year: int, expected: set[str]) -> None:
    assert {f"{day:%m-%d}" for day in holidays(year, name)} == expected


@pytest.mark.parametrize("year", JAPAN)
def test_japanese_holidays_on_weekdays(year: int) -> None:
    found = {f"{day:%m-%d}" for day in holidays(year, "japan") if day.weekday() < 5}
    assert found == set(JAPAN[year].split())


def test_no_announced_day_lies_on_a_weekend_or_twice_in_a_list() -> None:
    for schedule in (*meetings().values(), *releases().values()):
        assert len(set(schedule.days)) == len(schedule.days)
        assert [day for day in schedule.days if day.weekday() > 4] == []


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
