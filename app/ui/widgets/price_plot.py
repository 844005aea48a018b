"""A price as dots in text cells: two by four to a cell, with its scale at the left and the onset marked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from agents.investigation.models import Evidence, Rank, Sighted
from agents.prices import Bar
from app.ui.line import Line, Role, Span, right

HEIGHT = 6
SCALE = 10
"""Cells of the scale at the left."""
BEFORE, AFTER = 14, 22
"""Bars shown before and after the onset."""
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_RANK_ROLE: dict[Rank, Role] = {"A": "good", "B": "blue", "C": "symbol", "D": "note", "E": "muted"}


def plot(sighted: Sighted, evidence: Sequence[Evidence], cells: int, zone: tzinfo | None) -> list[Line]:
    """The bars around the onset side by side, the ranks of the evidence under the time it was published, the hours.

    A gap in trading takes no room. What was published outside the bars shown is not marked.
    """
    bars = _around(sighted)
    width = cells - SCALE - 2
    low, high = min((bar.low for bar in bars), default=0.0), max((bar.high for bar in bars), default=0.0)
    if len(bars) < 2 or width < 16 or low == high:
        return []
    axis = Axis(bars, timedelta(seconds=sighted.width_s), width)
    onset = axis.column(bars[_onset(sighted, bars)].at) or 0
    lines = []
    for row, dots_of_row in enumerate(_drawn(bars, low, high, width)):
        label = {0: _price(high), HEIGHT - 1: _price(low)}.get(row, "")
        spans = [Span(right(label, SCALE) + " ", "muted")]
        for column, dots in enumerate(dots_of_row):
            if dots:
                spans.append(Span(chr(0x2800 + dots), "strong" if column >= onset else "soft"))
            else:
                spans.append(Span("│" if column == onset else " ", "faint"))
        lines.append(tuple(spans))
    return [*lines, _marks(evidence, axis), _hours(sighted, bars, axis, onset, zone)]


@dataclass(frozen=True, slots=True)
class Axis:
    """Bars side by side over so many cells."""

    bars: Sequence[Bar]
    step: timedelta
    cells: int

    def column(self, at: datetime) -> int | None:
        """The cell of a time; what falls into a gap stands at its end. None outside the bars."""
        if not self.bars[0].at <= at < self.bars[-1].at + self.step:
            return None
        place = bisect_right(self.bars, at, key=lambda bar: bar.at) - 1
        part = min((at - self.bars[place].at) / self.step, 0.999)
        return int((place + part) / len(self.bars) * self.cells)


def _onset(sighted: Sighted, bars: Sequence[Bar]) -> int:
    onset = sighted.anchor.onset_at
    if sighted.anchor.daily:
        return next((n for n, bar in enumerate(bars) if bar.at.date() >= onset.date()), 0)
    return next((n for n, bar in enumerate(bars) if bar.at >= onset), 0)


def _around(sighted: Sighted) -> tuple[Bar, ...]:
    place = _onset(sighted, sighted.bars)
    return sighted.bars[max(0, place - BEFORE) : place + AFTER]


def _drawn(bars: Sequence[Bar], low: float, high: float, width: int) -> list[list[int]]:
    """Each bar from its open to its close, with a stroke from its low to its high in the middle."""
    canvas = [[0] * width for _ in range(HEIGHT)]
    last = HEIGHT * 4 - 1

    def line_of(price: float) -> int:
        return int((high - price) / (high - low) * last + 0.5)

    struck: set[int] = set()
    before = line_of(bars[0].open)
    for x in range(width * 2):
        place, part = divmod((x + 0.5) / (width * 2) * len(bars), 1)
        bar = bars[int(place)]
        here = line_of(bar.open + (bar.close - bar.open) * part)
        top, bottom = min(before, here), max(before, here)
        if part >= 0.5 and int(place) not in struck:
            struck.add(int(place))
            top, bottom = min(top, line_of(bar.high)), max(bottom, line_of(bar.low))
        for y in range(top, bottom + 1):
            canvas[y // 4][x // 2] |= _DOTS[y % 4][x % 2]
        before = here
    return canvas


def _marks(evidence: Sequence[Evidence], axis: Axis) -> Line:
    """The best rank published in each column."""
    best: dict[int, Rank] = {}
    for one in evidence:
        column = axis.column(one.published_at) if one.published_at and one.precision != "day" else None
        if one.supports and column is not None:
            best[column] = min(best.get(column, "E"), one.rank)
    spans = [Span(right("evidence", SCALE) + " ", "muted")]
    spans += [Span(best[n], _RANK_ROLE[best[n]]) if n in best else Span(" ") for n in range(axis.cells)]
    return tuple(spans)


def _hours(sighted: Sighted, bars: Sequence[Bar], axis: Axis, onset: int, zone: tzinfo | None) -> Line:
    """The first and last time shown and the onset, which goes before where there is no room for all."""
    pattern = "%d %b" if sighted.anchor.daily else "%H:%M"
    here = f"▲ onset {sighted.anchor.onset_at.astimezone(zone).strftime(pattern)}"
    first = bars[0].at.astimezone(zone).strftime(pattern)
    last = (bars[-1].at + axis.step).astimezone(zone).strftime(pattern)
    line = [" "] * axis.cells
    start = min(onset, axis.cells - len(here))
    line[start : start + len(here)] = here
    if len(first) + 1 <= start:
        line[: len(first)] = first
    if start + len(here) + 1 <= axis.cells - len(last):
        line[axis.cells - len(last) :] = last
    return (Span(" " * (SCALE + 1)), Span("".join(line), "muted"))


def _price(value: float) -> str:
    return f"{value:.4f}" if value < 10 else f"{value:.2f}"
