"""A price series of any bar width, and how one is read from a CSV file.

Nothing is filled in: a weekend, a halt and a hole are the absence of bars.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise
from typing import Final

from agents.investigation.errors import NoSeries, UnreadableTable
from agents.prices import WIDTHS, Bar, PriceSeries

DAILY_FROM: Final = timedelta(hours=20)
"""Bars at least this wide are daily or longer."""
MAX_ROWS: Final = 2_000_000
_TIME_COLUMNS: Final = ("time", "date", "datetime", "timestamp")
_PRICES: Final = ("open", "high", "low", "close", "volume")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_EPOCH: Final = re.compile(r"(\d{9,10}(?:\.\d+)?)|(\d{12,13})")
"""Seconds or milliseconds since 1970."""
_DAY: Final = re.compile(r"(\d{4})[./](\d{2})[./](\d{2})(?=\D|$)|(\d{4})(\d{2})(\d{2})(?=\D|$)")
_EARLIEST, _LATEST = 1800, 2200
"""Years outside are a mistake of the file."""


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
    skipped, differing, dated, last, falling = 0, 0, True, None, None
    for number, row in rows:
        if not _value(row, "close"):
            skipped += 1
            continue
        at, is_date = _moment(row.get("time", ""), zone, last, f"{source}: line {number}", newest_first=falling)
        dated = dated and is_date
        bar = _bar(at, row, f"{source}: line {number}")
        differing += bars.setdefault(at, bar) != bar
        bars[at] = bar
        falling = at < last if falling is None and last is not None else falling
        last = at
    if len(bars) < 2:
        raise NoSeries(f"{source}: fewer than two bars, no move can be measured")
    ordered = tuple(bars[at] for at in sorted(bars))
    notes = [f"{skipped} rows without a price left out"] if skipped else []
    if differing:
        notes.append(f"rows that repeat a time with other prices: {differing}; the last one counts")
    return Series(symbol, ordered, usual_width(ordered), source, dated=dated, notes=tuple(notes))


def usual_width(bars: Sequence[Bar]) -> timedelta:
    """The most frequent distance of two bars; the shortest of them where several are as frequent."""
    steps = Counter(after.at - before.at for before, after in pairwise(bars))
    return min(steps, key=lambda step: (-steps[step], step))


def _rows(text: str, source: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    head = text.lstrip("\ufeff").lstrip()
    delimiter = max(",;\t", key=head.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(head), delimiter=delimiter)
    try:
        columns = _columns(next(reader, []))
        if "time" not in columns or "close" not in columns:
            raise UnreadableTable(f"{source}: the first line must name the columns time,open,high,low,close")
        for count, row in enumerate(reader):
            if count >= MAX_ROWS:
                raise UnreadableTable(f"{source}: more than {MAX_ROWS:,} rows")
            if any(cell.strip() for cell in row):
                cells = dict(zip(columns, (cell.strip() for cell in row), strict=False))
                if "day" in cells:
                    cells["time"] = f"{cells['day']} {cells.get('time', '')}".strip()
                if delimiter != ",":
                    cells |= {name: _decimal_point(cells[name]) for name in _PRICES if "," in cells.get(name, "")}
                yield reader.line_num, cells
    except csv.Error as error:
        raise UnreadableTable(f"{source}: line {reader.line_num}: {error}") from None


def _columns(head: Sequence[str]) -> list[str]:
    """The names of the columns: time, and where its day stands in a column of its own, day."""
    columns = [name.strip().strip("<>").lower() for name in head]
    if "date" in columns and "time" in columns:
        return ["day" if name == "date" else name for name in columns]
    return ["time" if name in _TIME_COLUMNS else name for name in columns]


def _decimal_point(text: str) -> str:
    """A price as written where the comma stands before the decimals."""
    if text.rfind(",") > text.rfind("."):
        return text.replace(".", "").replace(",", ".")
    return text


def _value(row: Mapping[str, str], name: str) -> str:
    value = row.get(name, "")
    return "" if value.lower() in ("", "nan", "null", "none", "-", ".") else value


def _bar(at: datetime, row: Mapping[str, str], where: str) -> Bar:
    close = _number(_value(row, "close"), where)
    opened = _number(_value(row, "open") or str(close), where)
    high = _number(_value(row, "high") or str(max(opened, close)), where)
    low = _number(_value(row, "low") or str(min(opened, close)), where)
    if low > high:
        raise UnreadableTable(f"{where}: the low lies above the high")
    high, low = max(high, opened, close), min(low, opened, close)  # feeds round them apart; both were prices too
    volume = _value(row, "volume")
    return Bar(at, opened, high, low, close, _number(volume, where, least=0.0) if volume else None)


def _number(text: str, where: str, *, least: float = 1e-12) -> float:
    try:
        value = float(text.replace(",", "") if _THOUSANDS.fullmatch(text) else text)
    except ValueError:
        raise UnreadableTable(f"{where}: not a number: {text[:30]!r}") from None
    if not math.isfinite(value) or value < least:
        raise UnreadableTable(f"{where}: not a price: {text[:30]!r}")
    return value


def _moment(
    text: str, zone: tzinfo | None, last: datetime | None, where: str, *, newest_first: bool | None
) -> tuple[datetime, bool]:
    """(the time in UTC, whether it is a bare date). In the hour that occurs twice the rows follow each other as in the
    rest of the table."""
    try:
        at, is_date = _stated(text)
        if not _EARLIEST <= at.year <= _LATEST:
            raise ValueError
    except (ValueError, OverflowError):
        raise UnreadableTable(f"{where}: not a time like 2024-04-29T13:00+09:00: {text[:30]!r}") from None
    if is_date:
        return at.replace(tzinfo=UTC), True
    if at.tzinfo is not None:
        return at.astimezone(UTC), False
    if zone is None:
        raise UnreadableTable(f"{where}: the time has no zone; name it with --tz, for example --tz Europe/Athens")
    first, second = (at.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if last is None or first == second:
        return first, False
    if second < last and newest_first is not False:
        return second, False
    return (second if first <= last < second else first), False


def _stated(text: str) -> tuple[datetime, bool]:
    """(the time as it is written, whether it is a bare date). Raises ValueError."""
    if epoch := _EPOCH.fullmatch(text):
        return datetime.fromtimestamp(float(epoch[1]) if epoch[1] else int(epoch[2]) / 1000, UTC), False
    if written := _DAY.match(text):
        text = "-".join(part for part in written.groups() if part) + text[written.end() :]
    return datetime.fromisoformat(text), len(text) == 10
