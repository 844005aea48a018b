"""Where a move began and how large it was, by code alone.

A bar belongs to a move when its return or its true range lies beyond `THRESHOLD` median absolute deviations of the
baseline: a whipsaw that closes where it opened is a move too. A move begins where such a bar follows an ordinary one,
or one not half as strong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from statistics import fmean, median
from typing import Final

from agents.investigation.dates.holidays import Calendar, is_business_day
from agents.investigation.dates.timing import NEW_YORK, Interval, lead_window, market_day
from agents.investigation.errors import NoSeries
from agents.investigation.models import Anchor, AssetKind, Case, Direction
from agents.investigation.moves.currencies import pair
from agents.investigation.moves.instruments import instrument
from agents.investigation.moves.series import DAILY_FROM, Series
from agents.prices import Bar

THRESHOLD: Final = 8.0
"""Median absolute deviations from which a bar is no ordinary one."""
BASELINE: Final = 500
"""So many bars around the asked time make the baseline."""
TRAILING_AT_LEAST: Final = 20
"""From so many bars before the onset on, the size is measured against them alone."""
THIN: Final = 12
"""Fewer bars than this cannot tell a move from noise."""
NEAR_BARS: Final = 2
"""Within so many bars of the asked time the strongest onset is meant; farther away, and for days, the nearest."""
STRONGEST: Final = 999.9
WHIPSAW: Final = 0.25
"""A bar that closes within this part of its range from where it opened went both ways."""
OPENS, CLOSES = time(9, 30), time(16, 0)
"""The session of a daily stock bar, New York."""


@dataclass(frozen=True, slots=True)
class Move:
    """One bar's return and true range in percent of the price before it."""

    change: float
    spread: float


def find_onset(series: Series, case: Case) -> Anchor:
    """The onset that is meant; raises NoSeries where the series does not reach it or is too thin."""
    bars = _in_view(series, case.at)
    if len(bars) < THIN:
        raise NoSeries(f"{case.symbol}: only {len(bars)} bars, too few to tell a move from noise")
    moves = [_move(bars, place) for place in range(len(bars))]
    strengths = _strengths(moves, moves)
    place = _meant(bars, strengths, series.width, case.at)
    before = moves[1:place] if place > TRAILING_AT_LEAST else moves
    strength = _strengths([moves[place]], before)[0]
    anchor = _anchor(series, case, bars, place, moves[place], strength, len(before))
    return replace(anchor, notes=(*_of_search(series, case.at, anchor), *anchor.notes))


def _of_search(series: Series, at: datetime | None, anchor: Anchor) -> list[str]:
    """What a person has to know of where the move was looked for."""
    if at is None:
        unseen = len(series.bars) - BASELINE
        newest = (
            f"only the newest {BASELINE} of {len(series.bars):,} bars were looked at; name a time for an earlier move"
        )
        return [newest] if unseen > 0 else []
    away = max(anchor.onset_at - at, at - anchor.ends_at)
    if away <= (timedelta(0) if series.daily else NEAR_BARS * series.width):
        return []
    hours = away.total_seconds() / 3600
    told = f"{hours / 24:.0f} days" if hours >= 48 else f"{hours:.0f} h" if hours >= 2 else f"{hours * 60:.0f} min"
    side = "before" if at < anchor.onset_at else "after"
    return [f"the time asked for lies {told} {side} this move, the nearest one in the series"]


def _in_view(series: Series, at: datetime | None) -> Sequence[Bar]:
    """The bars around the asked time, or the last ones; raises NoSeries where the series ends before it."""
    bars = series.bars
    if at is None:
        return bars[-BASELINE:]
    slack = NEAR_BARS * series.width
    if not bars or at < bars[0].at - slack or at > bars[-1].at + series.width + slack:
        span = f"{bars[0].at:%Y-%m-%d %H:%M} to {bars[-1].at:%Y-%m-%d %H:%M} UTC" if bars else "nothing"
        raise NoSeries(f"{series.symbol}: {series.source} holds {span}, not {at:%Y-%m-%d %H:%M} UTC")
    here = next((place for place, bar in enumerate(bars) if bar.at > at), len(bars))
    return bars[max(0, here - BASELINE) : here + BASELINE // 5]


def _move(bars: Sequence[Bar], place: int) -> Move:
    bar = bars[place]
    base = bars[place - 1].close if place else bar.open
    spread = max(bar.high, base) - min(bar.low, base)
    return Move(100 * (bar.close / base - 1), 100 * spread / base)


def _strengths(moves: Sequence[Move], baseline: Sequence[Move]) -> list[float]:
    """How many deviations of the baseline each move is, by its return or by its range, whichever says more."""
    returns = [move.change for move in baseline]
    ranges = [move.spread for move in baseline]
    of_return, of_range = _deviation(returns), _deviation(ranges)
    middle = median(ranges)
    return [
        min(STRONGEST, max(_ratio(abs(move.change), of_return), _ratio(move.spread - middle, of_range)))
        for move in moves
    ]


def _deviation(values: Sequence[float]) -> float:
    """The median absolute deviation; in a series that mostly stands still the mean one, which is not zero."""
    middle = median(values)
    away = [abs(value - middle) for value in values]
    return median(away) or fmean(away)


def _ratio(value: float, unit: float) -> float:
    if value <= 0:
        return 0.0
    return value / unit if unit > 0 else STRONGEST


def _meant(bars: Sequence[Bar], strengths: Sequence[float], width: timedelta, at: datetime | None) -> int:
    """Which bar is the onset: the strongest, or with a time the one that is near to it."""
    onsets = [
        place
        for place in range(1, len(bars))
        if strengths[place] > THRESHOLD
        and (strengths[place - 1] <= THRESHOLD or strengths[place] >= 2 * strengths[place - 1])
    ]
    if at is None:
        return max(onsets or range(1, len(bars)), key=lambda place: strengths[place])
    reach = timedelta(0) if width >= DAILY_FROM else NEAR_BARS * width
    near = [place for place in range(1, len(bars)) if _distance(bars[place], width, at) <= reach]
    if close := [place for place in onsets if place in near]:
        return max(close, key=lambda place: strengths[place])
    if near:
        return max(near, key=lambda place: strengths[place])
    return min(
        onsets if onsets and width < DAILY_FROM else range(1, len(bars)),
        key=lambda place: _distance(bars[place], width, at),
    )


def _distance(bar: Bar, width: timedelta, at: datetime) -> timedelta:
    """How far `at` lies outside the bar."""
    return max(timedelta(0), bar.at - at, at - (bar.at + width))


def _anchor(
    series: Series, case: Case, bars: Sequence[Bar], place: int, move: Move, strength: float, baseline: int
) -> Anchor:
    bar = bars[place]
    span = span_of(bar, series, case.kind)
    previous = span_of(bars[place - 1], series, case.kind).end if place else None
    shut = previous if previous is not None and span.start - previous > timedelta(0) else None
    both = abs(move.change) < WHIPSAW * move.spread
    direction: Direction = "both" if both else "up" if move.change > 0 else "down"
    return Anchor(
        symbol=case.symbol,
        onset_at=span.start,
        ends_at=span.end,
        lead_from=lead_window(span.start, timedelta(0) if series.daily else series.width, shut),
        precision_s=int((span.end - span.start).total_seconds()),
        change_pct=round(move.change, 4),
        range_pct=round(move.spread, 4),
        mads=round(strength, 1),
        direction=direction,
        unusual=strength > THRESHOLD,
        baseline_bars=baseline,
        daily=series.daily,
        notes=(
            *series.notes,
            *_notes(bar, span, move.change, None if series.daily else shut, strength, baseline),
            *_closed(case, span),
        ),
    )


def _closed(case: Case, span: Interval) -> list[str]:
    """The home markets of a pair's currencies that keep a holiday on the day of the move."""
    known = pair(case.symbol) if case.kind == "currency" else None
    if known is None:
        return []
    day = (span.end - timedelta(seconds=1)).astimezone(NEW_YORK).date()
    homes = [(leg, calendar) for leg in known.legs if (calendar := _HOME.get(leg.code))]
    return [
        f"a {leg.adjective} holiday: fewer people trade"
        for leg, calendar in homes
        if day.weekday() < 5 and not is_business_day(day, calendar)
    ]


_HOME: Final[dict[str, Calendar]] = {"JPY": "japan", "USD": "us_federal", "EUR": "target", "GBP": "uk"}


def span_of(bar: Bar, series: Series, kind: AssetKind) -> Interval:
    """The instants a bar covers. A daily bar is its market's day: a session of its exchange, a currency day, or the day
    of what trades round the clock."""
    if not series.daily:
        return Interval(bar.at, bar.at + series.width)
    day = bar.at.date() if bar.at.time() == time(0) else bar.at.astimezone(NEW_YORK).date()
    traded = instrument(series.symbol) if kind == "other" else None
    if traded is not None:
        return Interval(*traded.day(day))
    return market_day(day, kind) if kind == "currency" else session(day)


def session(day: date) -> Interval:
    """The regular session of the New York exchanges on `day`."""
    return Interval(*(datetime.combine(day, one, NEW_YORK).astimezone(UTC) for one in (OPENS, CLOSES)))


def _like_a_split(change: float) -> str:
    """The split whose ratio a change of the price has, within a twentieth; "" for none."""
    ratio = 1 + change / 100
    for parts in _SPLITS:
        for told, price in ((f"{parts}-for-1", 1 / parts), (f"1-for-{parts}", float(parts))):
            if abs(ratio / price - 1) < 0.05:
                return told
    return ""


_SPLITS: Final = (2, 3, 4, 5, 10, 15, 20, 25, 50)


def _notes(bar: Bar, span: Interval, change: float, shut: datetime | None, strength: float, baseline: int) -> list[str]:
    notes = []
    if strength <= THRESHOLD:
        notes.append(f"no unusual move: {strength:.1f} median deviations, unusual is more than {THRESHOLD:.0f}")
    if shut is not None:
        hours = (span.start - shut).total_seconds() / 3600
        named = f"{hours:.0f} h" if hours >= 2 else f"{hours * 60:.0f} min"
        weekend = shut.weekday() == 4 and span.start.weekday() in (6, 0)
        what = "weekend" if weekend else "market shut, halted or a hole in the series"
        notes.append(f"no prices for {named} before the onset ({what}); the change is against the last price before")
    if (split := _like_a_split(change)) and span.end - span.start > timedelta(hours=2):
        notes.append(f"the change is that of a {split} split: the prices may not be adjusted for it")
    if baseline < 2 * TRAILING_AT_LEAST:
        notes.append(f"thin baseline: {baseline} bars")
    if bar.volume == 0:
        notes.append("the source gives no volume here")
    return notes
