from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from agents.investigation.errors import NoSeries, UnreadableTable
from agents.investigation.moves.series import Series, read_table

HEAD = "time,open,high,low,close\n"
ROW = "2024-05-14T06:00:00Z,1,2,1,2\n2024-05-14T07:00:00Z,2,3,2,3\n"


def read(text: str, zone: str | None = None) -> Series:
    return read_table(text, symbol="USDJPY", zone=ZoneInfo(zone) if zone else None, source="p.csv")


def test_a_table_with_offsets() -> None:
    series = read(HEAD + ROW)
    assert [bar.at for bar in series.bars] == [datetime(2024, 5, 14, hour, tzinfo=UTC) for hour in (6, 7)]
    assert (series.width, series.daily, series.bars[0].volume) == (timedelta(hours=1), False, None)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffTime;Open;High;Low;Close;Volume\n2024-05-14T06:00:00Z;1;2;1;2;9\n2024-05-14T07:00:00Z;2;3;2;3;\n",
        "date\tclose\n2024-05-14\t2\n2024-05-15\t3\n",
        "Date,Adj,close\n2024-05-14,x,2\n2024-05-15,y,3\n",
        "time;close\n2024-05-14;2,0\n2024-05-15;3,0\n",
        '"time","close"\n"2024-05-14","2"\n"2024-05-15","3.0"\n',
        "<DATE>,<TIME>,<CLOSE>\n2024.05.14,06:00Z,2\n2024.05.14,07:00Z,3\n",
        "date,close\n20240514,2\n20240515,3\n",
    ],
)
def test_other_spellings_of_the_same_table(text: str) -> None:
    assert [bar.close for bar in read(text).bars] == [2, 3]


@pytest.mark.parametrize(
    ("cell", "price"),
    [('"1,234.50"', 1234.5), ('"1,234,567"', 1234567.0)],
)
def test_thousands_are_set_apart(cell: str, price: float) -> None:
    assert read(f"time,close\n2024-05-14,{cell}\n2024-05-15,{cell}\n").bars[0].close == price


def test_a_comma_before_the_decimals() -> None:
    text = "time;close\n2024-05-14;1.234,50\n2024-05-15;155,25\n"
    assert [bar.close for bar in read(text).bars] == [1234.5, 155.25]


@pytest.mark.parametrize(
    "stamp",
    ["1715666400", "1715666400000", "2024.05.14 09:00", "2024/05/14 09:00:00", "20240514 090000", "2024-05-14T06:00Z"],
)
def test_other_spellings_of_the_same_time(stamp: str) -> None:
    series = read(f"time,close\n{stamp},1\n2024-05-15 09:00,2\n", "Europe/Athens")
    assert series.bars[0].at == datetime(2024, 5, 14, 6, tzinfo=UTC)


def test_the_newest_row_may_stand_first() -> None:
    hours = ("03:00", "02:00", "01:00", "01:00", "00:00")
    for rows in (hours, hours[1:]):
        text = "time,close\n" + "".join(
            f"2024-11-03T{hour},{n}\n" for n, hour in zip((1, 2, 3, 4, 5), rows, strict=False)
        )
        bars = read(text, "America/New_York").bars
        assert [bar.at.hour for bar in bars] == [4, 5, 6, 7, 8][: len(rows)]
        assert [bar.close for bar in bars] == [*range(len(rows), 0, -1)]


def test_a_time_that_occurs_again_with_another_price_is_said() -> None:
    rows = "2024-05-13,1\n2024-05-14,2\n2024-05-15,3\n"
    assert read(f"time,close\n{rows}{rows}").notes == ()
    series = read(f"time,close\n{rows}2024-05-14,9\n")
    assert series.bars[1].close == 9
    assert series.notes == ("rows that repeat a time with other prices: 1; the last one counts",)


def test_rows_out_of_order_are_sorted_and_empty_prices_left_out_and_said() -> None:
    series = read("time,close\n2024-05-15,3\n2024-05-14,2\n2024-05-16,\n2024-05-17,nan\n")
    assert [bar.close for bar in series.bars] == [2, 3]
    assert series.notes == ("2 rows without a price left out",)


def test_naive_times_are_of_the_zone_that_is_named() -> None:
    naive = HEAD + ROW.replace("Z", "")
    assert read(naive, "Europe/Athens").bars[0].at == datetime(2024, 5, 14, 3, tzinfo=UTC)
    with pytest.raises(UnreadableTable, match=r"line 2: the time has no zone; name it with --tz"):
        read(naive)


def test_the_hour_that_occurs_twice_is_two_hours() -> None:
    text = "time,close\n" + "".join(f"2024-11-03T{hour},1\n" for hour in ("00:00", "01:00", "01:00", "02:00"))
    stamps = [bar.at.hour for bar in read(text, "America/New_York").bars]
    assert stamps == [4, 5, 6, 7]


def test_a_bare_date_needs_no_zone() -> None:
    series = read("time,close\n2024-05-13,1\n2024-05-14,2\n2024-05-15,3\n")
    assert (series.dated, series.daily) == (True, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n", "must name the columns"),
        (HEAD + "yesterday,1,2,1,2\n", "line 2: not a time"),
        (HEAD + "05/14/2024 06:00,1,2,1,2\n", "line 2: not a time"),
        (HEAD + "0001-01-01T00:00:00+14:00,1,2,1,2\n", "line 2: not a time"),
        (HEAD + "9999-12-31T23:00:00Z,1,2,1,2\n", "line 2: not a time"),
        ("time,close\n2024-05-14,15;5\n", "line 2: not a number"),
        ('time,close\n2024-05-14,"15,5"\n', "line 2: not a number"),
        (HEAD + "2024-05-14T06:00Z,1,2,1,two\n", "line 2: not a number"),
        (HEAD + "2024-05-14T06:00Z,1,2,1,-2\n", "line 2: not a price"),
        (HEAD + "2024-05-14T06:00Z,1,2,1,inf\n", "line 2: not a price"),
        (HEAD + "2024-05-14T06:00Z,1,1,1.2,1\n", "line 2: the low lies above the high"),
    ],
)
def test_what_is_no_table_is_refused_with_the_line(text: str, said: str) -> None:
    with pytest.raises(UnreadableTable, match=said):
        read(text)


def test_one_bar_is_no_series() -> None:
    with pytest.raises(NoSeries, match="fewer than two bars"):
        read(HEAD + ROW.splitlines()[0])


def test_an_open_outside_the_range_of_its_bar_widens_it() -> None:
    bar = read(HEAD + "2024-05-14T06:00Z,1.5,1.4,1.0,0.9\n2024-05-14T06:01Z,1,1,1,1\n").bars[0]
    assert (bar.open, bar.high, bar.low, bar.close) == (1.5, 1.5, 0.9, 0.9)
