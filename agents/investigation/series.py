"""A price series of any bar width, and how one is read from a CSV file.

Nothing is filled in: a weekend, a halt and a hole are the absence of bars.
"""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import pairwise
from typing import Final

from agents.investigation.errors import NoSeries, UnreadableTable
from agents.prices import WIDTHS, Bar, PriceSeries

DAILY_FROM: Final = timedelta(hours=20)
"""Bars at least this wide are daily or longer."""
MAX_ROWS: Final = 2_000_000
_TIME_COLUMNS: Final = ("time", "date", "datetime", "timestamp")


@dataclass(frozen=True, slots=True)
class Series:
    """Bars in the order of time. `width` is the usual distance of two bars; `dated` means the times are bare dates."""

    symbol: str
    bars: tuple[Bar, ...]
    width: timedelta
    source: str
    url: str = ""
    dated: bool = False
    notes: tuple[str, ...] = ()

    @property
    def daily(self) -> bool:
        """Whether one bar is a day or more."""
        return self.width >= DAILY_FROM

    @classmethod
    def of(cls, prices: PriceSeries) -> Series:
        """The series a price tool returned."""
        notes = (prices.stale,) if prices.stale else ()
        return cls(prices.symbol, prices.bars, WIDTHS[prices.width], prices.source, prices.url, notes=notes)


def read_table(text: str, *, symbol: str, zone: tzinfo | None, source: str) -> Series:
    """The series of a CSV text with the columns time, close and, where there are any, open, high, low, volume.

    Times with an offset are taken as they are; `zone` is that of times without one; a bare date is a day. Raises
    UnreadableTable naming the line, NoSeries for fewer than two bars.
    """
    rows = _rows(text, source)
    bars: dict[datetime, Bar] = {}
    skipped, dated, last = 0, True, None
    for number, row in rows:
        if not _value(row, "close"):
            skipped += 1
            continue
        at, is_date = _moment(row["time"], zone, last, f"{source}: line {number}")
        dated = dated and is_date
        bars[at] = _bar(at, row, f"{source}: line {number}")
        last = at
    if len(bars) < 2:
        raise NoSeries(f"{source}: fewer than two bars, no move can be measured")
    ordered = tuple(bars[at] for at in sorted(bars))
    notes = (f"{skipped} rows without a price left out",) if skipped else ()
    return Series(symbol, ordered, usual_width(ordered), source, dated=dated, notes=notes)


def usual_width(bars: Sequence[Bar]) -> timedelta:
    """The most frequent distance of two bars; the shortest of them where several are as frequent."""
    steps = Counter(after.at - before.at for before, after in pairwise(bars))
    return min(steps, key=lambda step: (-steps[step], step))


def _rows(text: str, source: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    head = text.lstrip("\ufeff").lstrip()
    delimiter = max(",;\t", key=head.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(head), delimiter=delimiter)
    try:
        columns = [name.strip().lower() for name in next(reader, [])]
        columns = ["time" if name in _TIME_COLUMNS else name for name in columns]
        if "time" not in columns or "close" not in columns:
            raise UnreadableTable(f"{source}: the first line must name the columns time,open,high,low,close")
        for count, row in enumerate(reader):
            if count >= MAX_ROWS:
                raise UnreadableTable(f"{source}: more than {MAX_ROWS:,} rows")
            if any(cell.strip() for cell in row):
                yield reader.line_num, dict(zip(columns, (cell.strip() for cell in row), strict=False))
    except csv.Error as error:
        raise UnreadableTable(f"{source}: line {reader.line_num}: {error}") from None


def _value(row: Mapping[str, str], name: str) -> str:
    value = row.get(name, "")
    return "" if value.lower() in ("", "nan", "null", "none", "-", ".") else value


def _bar(at: datetime, row: Mapping[str, str], where: str) -> Bar:
    close = _number(_value(row, "close"), where)
    opened = _number(_value(row, "open") or str(close), where)
    high = _number(_value(row, "high") or str(max(opened, close)), where)
    low = _number(_value(row, "low") or str(min(opened, close)), where)
    if not low <= min(opened, close) <= max(opened, close) <= high:
        raise UnreadableTable(f"{where}: open and close do not lie between low and high")
    volume = _value(row, "volume")
    return Bar(at, opened, high, low, close, _number(volume, where, least=0.0) if volume else None)


def _number(text: str, where: str, *, least: float = 1e-12) -> float:
    try:
        value = float(text)
    except ValueError:
        raise UnreadableTable(f"{where}: not a number: {text[:30]!r}") from None
    if not math.isfinite(value) or value < least:
        raise UnreadableTable(f"{where}: not a price: {text[:30]!r}")
    return value


def _moment(text: str, zone: tzinfo | None, last: datetime | None, where: str) -> tuple[datetime, bool]:
    """(the time in UTC, whether it is a bare date). In the hour that occurs twice the later one follows the earlier."""
    try:
        if len(text) == 10:
            day = date.fromisoformat(text)
            return datetime(day.year, day.month, day.day, tzinfo=UTC), True
        at = datetime.fromisoformat(text)
    except ValueError:
        raise UnreadableTable(f"{where}: not a time like 2024-04-29T13:00+09:00: {text[:30]!r}") from None
    if at.tzinfo is not None:
        return at.astimezone(UTC), False
    if zone is None:
        raise UnreadableTable(f"{where}: the time has no zone; name it with --tz, for example --tz Europe/Athens")
    first = at.replace(tzinfo=zone).astimezone(UTC)
    if last is not None and first <= last:
        second = at.replace(tzinfo=zone, fold=1).astimezone(UTC)
        return (second if second > last else first), False
    return first, False
