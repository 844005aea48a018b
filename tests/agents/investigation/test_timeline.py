from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from agents.investigation.errors import NoSeries
from agents.investigation.series import Series
from agents.investigation.timeline import find_onset
from agents.prices import Bar
from tests.agents.investigation.builders import HOUR, ONSET, a_case, a_series, bars


def test_the_onset_its_size_and_its_precision() -> None:
    anchor = find_onset(a_series(), a_case(when=None))
    assert (anchor.onset_at, anchor.ends_at, anchor.precision_s) == (ONSET, ONSET + HOUR, 3600)
    assert (anchor.change_pct, anchor.direction, anchor.unusual) == (-2.0, "down", True)
    assert anchor.lead_from == ONSET - 2 * HOUR
    assert anchor.mads > 20


@pytest.mark.parametrize("minutes", [-119, -30, 0, 30, 59, 170])
def test_with_a_time_the_move_near_to_it_is_meant(minutes: int) -> None:
    assert find_onset(a_series(), a_case(when=ONSET + timedelta(minutes=minutes))).onset_at == ONSET


def test_of_two_moves_the_near_one_is_meant_not_the_larger() -> None:
    given = list(bars(100, onset=60, size=0.05))
    small = given[40]
    given[40] = replace(small, high=small.high * 1.02)
    anchor = find_onset(a_series(given), a_case(when=given[40].at))
    assert anchor.onset_at == given[40].at
    assert find_onset(a_series(given), a_case(when=None)).onset_at == ONSET


def test_a_whipsaw_that_closes_where_it_opened_is_a_move() -> None:
    given = list(bars(size=0.0))
    bar = given[60]
    given[60] = replace(bar, high=bar.open * 1.01, low=bar.open * 0.99, close=bar.open)
    anchor = find_onset(a_series(given), a_case(when=None))
    assert (anchor.onset_at, anchor.direction, anchor.unusual) == (ONSET, "both", True)
    assert anchor.range_pct > 1.9


def test_a_move_that_grows_begins_with_its_first_bar_unless_the_next_is_twice_as_strong() -> None:
    given = list(bars(size=0.01))
    bar = given[61]
    given[61] = replace(bar, open=bar.open, low=bar.low * 0.992, close=bar.open * 0.993)
    assert find_onset(a_series(given), a_case(when=None)).onset_at == ONSET


def test_a_quiet_series_has_no_unusual_move_and_says_so() -> None:
    anchor = find_onset(a_series(bars(size=0.0004)), a_case())
    assert not anchor.unusual
    assert any("no unusual move" in note for note in anchor.notes)


def test_a_weekend_before_the_onset_widens_the_lead_window_to_the_last_price() -> None:
    friday = datetime(2024, 5, 10, 21, tzinfo=UTC)
    sunday = datetime(2024, 5, 12, 21, tzinfo=UTC)
    given = list(bars(62, onset=61))
    moved = [replace(bar, at=friday - (59 - place) * HOUR) for place, bar in enumerate(given[:60])]
    moved += [replace(given[61], at=sunday, open=given[59].close * 0.985, high=given[59].close * 0.986)]
    anchor = find_onset(a_series(moved), a_case(when=None))
    assert (anchor.onset_at, anchor.lead_from) == (sunday, friday + HOUR)
    assert any("47 h before the onset (weekend)" in note for note in anchor.notes)
    assert anchor.change_pct == pytest.approx(100 * (moved[-1].close / moved[-2].close - 1), abs=0.001)


def test_a_halt_is_a_hole_and_is_named() -> None:
    minute = timedelta(minutes=1)
    given = list(bars(80, onset=60, width=minute))
    halted = given[:55] + [replace(bar, at=bar.at) for bar in given[60:]]
    anchor = find_onset(a_series(halted, width=minute), a_case(when=None))
    assert anchor.onset_at == ONSET
    assert any("no prices for 5 min before the onset" in note for note in anchor.notes)


def test_a_thin_series_that_mostly_stands_still_still_shows_its_move() -> None:
    flat = [Bar(ONSET + (place - 60) * HOUR, 100, 100, 100, 100) for place in range(60)]
    moved = [*flat, Bar(ONSET, 100, 100, 97, 97)]
    anchor = find_onset(a_series(moved), a_case(when=None))
    assert (anchor.onset_at, anchor.unusual) == (ONSET, True)


@pytest.mark.parametrize("count", [2, 11])
def test_too_few_bars_are_no_series(count: int) -> None:
    with pytest.raises(NoSeries, match="too few"):
        find_onset(a_series(bars(count, onset=1)), a_case(when=None))


def test_a_time_outside_the_series_is_said_with_what_it_holds() -> None:
    with pytest.raises(NoSeries, match=r"prices.csv holds 2024-05-11 18:00 to 2024-05-15 01:00 UTC, not 2023"):
        find_onset(a_series(), a_case(when=datetime(2023, 5, 14, tzinfo=UTC)))


def test_a_daily_stock_bar_is_a_session_and_leads_from_the_previous_close() -> None:
    days = [datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=n) for n in range(140)]
    days = [day for day in days if day.weekday() < 5]
    given = tuple(replace(bar, at=day) for bar, day in zip(bars(len(days)), days, strict=True))
    series = Series("ACME", given, timedelta(days=1), "p.csv", dated=True)
    asked = replace(a_case("ACME", "stock"), at=given[60].at + timedelta(hours=12))
    anchor = find_onset(series, asked)
    assert anchor.daily
    assert anchor.onset_at == given[60].at.replace(hour=13, minute=30)
    assert anchor.ends_at.hour == 20
    assert anchor.lead_from == given[59].at.replace(hour=20)


def test_a_day_that_is_asked_for_is_meant_whatever_moved_beside_it() -> None:
    days = [datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=n) for n in range(100)]
    given = tuple(replace(bar, at=day) for bar, day in zip(bars(100), days, strict=True))
    series = Series("ACME", given, timedelta(days=1), "p.csv", dated=True)
    asked = replace(a_case("ACME", "stock"), at=given[61].at + timedelta(hours=12))
    assert find_onset(series, asked).onset_at.date() == given[61].at.date()
