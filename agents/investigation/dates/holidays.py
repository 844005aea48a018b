"""Days on which a market or an office is closed, by rule: no list of years that runs out.

Japan by the Act on National Holidays (substitute days and days between holidays included), the US federal calendar,
the New York Stock Exchange, TARGET, and the banks of England and Wales. One-off closures (a day of mourning) are not
known in advance and not here, but for those of the United Kingdom that were proclaimed.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from typing import Final, Literal

Calendar = Literal["japan", "us_federal", "nyse", "target", "uk"]

MONDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = 0, 2, 3, 4, 5, 6
_DAY: Final = timedelta(days=1)


def is_business_day(day: date, calendar: Calendar) -> bool:
    """Whether `day` is neither on a weekend nor a holiday of `calendar`."""
    return day.weekday() < SATURDAY and day not in holidays(day.year, calendar)


def business_day(start: date, count: int, calendar: Calendar) -> date:
    """The day that lies `count` business days after (before, where negative) `start`; 0 is `start` or the next one."""
    step = _DAY if count >= 0 else -_DAY
    day, left = start, abs(count)
    if count == 0:
        while not is_business_day(day, calendar):
            day += step
        return day
    while left:
        day += step
        left -= is_business_day(day, calendar)
    return day


def nth_business_day(year: int, month: int, nth: int, calendar: Calendar) -> date:
    """The `nth` business day of a month, counted from 1; from the end where negative."""
    if nth > 0:
        return business_day(date(year, month, 1) - _DAY, nth, calendar)
    first_of_next = date(year + month // 12, month % 12 + 1, 1)
    return business_day(first_of_next, nth, calendar)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """The `nth` Monday (0) ... Sunday (6) of a month; the last one for -1."""
    if nth < 0:
        last = date(year + month // 12, month % 12 + 1, 1) - _DAY
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))


@cache
def holidays(year: int, calendar: Calendar) -> frozenset[date]:
    """The holidays of a year that may fall on a weekday."""
    return _RULES[calendar](year)


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the anonymous computus)."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    i = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * i) // 451
    month, day = divmod(h + i - 7 * m + 114, 31)
    return date(year, month, day + 1)


def _us_federal(year: int) -> frozenset[date]:
    days = {
        _observed(date(year, 1, 1)),
        nth_weekday(year, 1, MONDAY, 3),
        nth_weekday(year, 2, MONDAY, 3),
        nth_weekday(year, 5, MONDAY, -1),
        _observed(date(year, 7, 4)),
        nth_weekday(year, 9, MONDAY, 1),
        nth_weekday(year, 10, MONDAY, 2),
        _observed(date(year, 11, 11)),
        nth_weekday(year, 11, THURSDAY, 4),
        _observed(date(year, 12, 25)),
    }
    if year >= 2021:
        days.add(_observed(date(year, 6, 19)))
    if date(year + 1, 1, 1).weekday() == SATURDAY:
        days.add(date(year, 12, 31))
    return frozenset(days)


def _nyse(year: int) -> frozenset[date]:
    """The exchange keeps Good Friday, trades on Columbus and Veterans Day, and never closes on 31 December for it."""
    days = {
        nth_weekday(year, 1, MONDAY, 3),
        nth_weekday(year, 2, MONDAY, 3),
        easter(year) - timedelta(days=2),
        nth_weekday(year, 5, MONDAY, -1),
        _observed(date(year, 7, 4)),
        nth_weekday(year, 9, MONDAY, 1),
        nth_weekday(year, 11, THURSDAY, 4),
        _observed(date(year, 12, 25)),
    }
    if (new_year := date(year, 1, 1)).weekday() != SATURDAY:
        days.add(_observed(new_year))
    if year >= 2022:
        days.add(_observed(date(year, 6, 19)))
    return frozenset(days)


def _observed(day: date) -> date:
    """A US holiday on a Saturday is kept on Friday, on a Sunday on Monday."""
    return day - _DAY if day.weekday() == SATURDAY else day + _DAY if day.weekday() == SUNDAY else day


def _target(year: int) -> frozenset[date]:
    sunday = easter(year)
    fixed = {date(year, month, day) for month, day in ((1, 1), (5, 1), (12, 25), (12, 26))}
    return frozenset(fixed | {sunday - timedelta(days=2), sunday + _DAY})


def _uk(year: int) -> frozenset[date]:
    """Bank holidays of England and Wales; those on a weekend are kept on the next days that are free."""
    sunday = easter(year)
    days = {
        sunday - timedelta(days=2),
        sunday + _DAY,
        date(2020, 5, 8) if year == 2020 else nth_weekday(year, 5, MONDAY, 1),
        date(2022, 6, 2) if year == 2022 else nth_weekday(year, 5, MONDAY, -1),
        nth_weekday(year, 8, MONDAY, -1),
    }
    for fixed in (date(year, 1, 1), date(year, 12, 25), date(year, 12, 26)):
        kept = fixed
        while kept.weekday() >= SATURDAY or kept in days:
            kept += _DAY
        days.add(kept)
    return frozenset(days | {day for day in _PROCLAIMED if day.year == year})


_PROCLAIMED: Final = (date(2022, 6, 3), date(2022, 9, 19), date(2023, 5, 8))
"""Jubilee, funeral and coronation."""


def _japan(year: int) -> frozenset[date]:
    """National holidays, with the days on which banks are closed besides (31 December to 3 January)."""
    named = _japan_named(year)
    days = set(named)
    for day in sorted(named):
        if day.weekday() == SUNDAY:
            substitute = day + _DAY
            while substitute in named:
                substitute += _DAY
            days.add(substitute)
    for day in named:
        between = day + _DAY
        if between + _DAY in named and between not in named and between.weekday() != SUNDAY:
            days.add(between)
    return frozenset(days | {date(year, 1, 2), date(year, 1, 3), date(year, 12, 31)})


def _japan_named(year: int) -> set[date]:
    days = {
        date(year, month, day) for month, day in ((1, 1), (2, 11), (4, 29), (5, 3), (5, 4), (5, 5), (11, 3), (11, 23))
    }
    days |= {nth_weekday(year, 1, MONDAY, 2), nth_weekday(year, 9, MONDAY, 3), *_equinoxes(year)}
    if year >= 2020:
        days.add(date(year, 2, 23))
    elif year <= 2018:
        days.add(date(year, 12, 23))
    if year == 2019:
        days |= {date(2019, 5, 1), date(2019, 10, 22)}
    moved = _OLYMPIC.get(year)
    if moved:
        return days | set(moved)
    days |= {nth_weekday(year, 7, MONDAY, 3), nth_weekday(year, 10, MONDAY, 2)}
    if year >= 2016:
        days.add(date(year, 8, 11))
    return days


_OLYMPIC: Final = {
    2020: (date(2020, 7, 23), date(2020, 7, 24), date(2020, 8, 10)),
    2021: (date(2021, 7, 22), date(2021, 7, 23), date(2021, 8, 8)),
}
"""Marine, Sports and Mountain Day, moved by law for the Games."""


def _equinoxes(year: int) -> tuple[date, date]:
    """Vernal and autumnal equinox in Japan, by the usual formula, good for 1980 to 2099."""
    past = year - 1980
    spring = int(20.8431 + 0.242194 * past - past // 4)
    autumn = int(23.2488 + 0.242194 * past - past // 4)
    return date(year, 3, spring), date(year, 9, autumn)


_RULES: Final[dict[Calendar, Callable[[int], frozenset[date]]]] = {
    "japan": _japan,
    "us_federal": _us_federal,
    "nyse": _nyse,
    "target": _target,
    "uk": _uk,
}
