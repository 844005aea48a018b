from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from agents.investigation.errors import NoSeries
from agents.investigation.models import AssetKind
from agents.investigation.moves.series import Series
from agents.investigation.moves.timeline import find_onset
from agents.prices import Bar
from tests.agents.investigation.builders import HOUR, ONSET, a_case, a_series, at, bars


def test_the_onset_its_size_and_its_precision() -> None:
    anchor = find_onset(a_series(), a_case(when=None))
    assert (anchor.onset_at, anchor.ends_at, anchor.precision_s) == (ONSET, ONSET + HOUR, 3600)
    assert (anchor.change_pct, anchor.direction, anchor.unusual) == (-2.0, "down", True)
    assert anchor.lead_from == ONSET - 2 * HOUR
    assert anchor.mads > 20


@pytest.mark.parametrize(
    ("symbol", "onset", "homes"),
    [
        ("USDJPY", "2024-04-29T04:00", ["Japanese"]),
        ("USDJPY", "2024-07-04T04:00", ["US"]),
        ("EURGBP", "2024-04-01T09:00", ["Euro area", "UK"]),
        ("USDJPY", "2024-05-14T06:00", []),
    ],
)
def test_a_holiday_in_a_currencys_home_is_noted(symbol: str, onset: str, homes: list[str]) -> None:
    shift = at(onset) - ONSET
    given = [replace(bar, at=bar.at + shift) for bar in bars()]
    notes = find_onset(a_series(given, symbol=symbol), a_case(symbol, when=at(onset))).notes
    assert notes[-len(homes) :] == tuple(f"a {home} holiday: fewer people trade" for home in homes)[-len(homes) :]
    assert sum("holiday" in note for note in notes) == len(homes)


def test_only_the_newest_bars_are_looked_at_without_a_time_and_that_is_said() -> None:
    long = a_series(bars(700, onset=60))
    last = find_onset(long, a_case(when=None))
    assert last.notes[0] == "only the newest 500 of 700 bars were looked at; name a time for an earlier move"
    assert not any("newest" in note for note in find_onset(long, a_case(when=ONSET)).notes)


@pytest.mark.parametrize(("hours", "told"), [(0, None), (2, None), (5, "5 h"), (10, "10 h")])
def test_a_time_in_a_gap_means_the_nearest_move_and_says_how_far(hours: int, told: str | None) -> None:
    open_hours = [bar for bar in bars() if not ONSET - 24 * HOUR <= bar.at < ONSET]
    anchor = find_onset(a_series(open_hours), a_case(when=ONSET - hours * HOUR))
    assert anchor.onset_at == ONSET
    found = next((note for note in anchor.notes if note.startswith("the time asked for")), None)
    assert found == (told and f"the time asked for lies {told} before this move, the nearest one in the series")


@pytest.mark.parametrize(
    ("change", "split"),
    [(-50.4, "2-for-1"), (-90.1, "10-for-1"), (900.0, "1-for-10"), (-45.0, ""), (-7.0, "")],
)
def test_a_days_change_of_the_ratio_of_a_split_is_noted(change: float, split: str) -> None:
    day = timedelta(days=1)
    given = [replace(bar, at=bar.at.replace(hour=0)) for bar in bars(100, width=day, size=-change / 100)]
    series = Series("ACME", tuple(given), day, "prices.csv")
    notes = find_onset(series, a_case("ACME", "stock", None)).notes
    assert [note.split()[6] for note in notes if " split: " in note] == ([split] if split else [])


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


@pytest.mark.parametrize(
    ("symbol", "kind", "begins", "ends"),
    [
        ("BTCUSD", "other", "2024-05-14T00:00", "2024-05-15T00:00"),
        ("GC=F", "other", "2024-05-13T21:00", "2024-05-14T21:00"),
        ("^GSPC", "other", "2024-05-14T13:30", "2024-05-14T20:00"),
        ("AAPL", "stock", "2024-05-14T13:30", "2024-05-14T20:00"),
        ("USDJPY", "currency", "2024-05-13T21:00", "2024-05-14T21:00"),
    ],
)
def test_a_daily_bar_covers_the_day_of_its_market(symbol: str, kind: AssetKind, begins: str, ends: str) -> None:
    midnight = at("2024-05-14T00:00")
    days = [replace(bar, at=midnight + (n - 60) * 24 * HOUR) for n, bar in enumerate(bars())]
    anchor = find_onset(a_series(days, symbol=symbol, width=24 * HOUR), a_case(symbol, kind, when=midnight + 14 * HOUR))
    assert (anchor.onset_at, anchor.ends_at) == (at(begins), at(ends))
