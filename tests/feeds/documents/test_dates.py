"""Publication times: the right instant, or a doubt, never a guess."""

from __future__ import annotations

import json
import locale
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.documents.dates import read_date
from feeds.models import TimeDoubt

NOW = datetime(2026, 3, 10, 18, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mon, 21 Apr 2025 06:00:00 GMT", "2025-04-21T06:00:00"),
        ("Mon,21 Apr 2025 06:00:00 GMT", "2025-04-21T06:00:00"),
        ("Mon, 21  Apr  2025  06:00:00  GMT", "2025-04-21T06:00:00"),
        ("Tue, 21 Apr 2025 06:00:00 GMT", "2025-04-21T06:00:00"),
        ("21 April 2025 06:00:00 GMT", "2025-04-21T06:00:00"),
        ("Mon, 21 Apr 15 06:00:00 GMT", "2015-04-21T06:00:00"),
        ("Wed, 21 Apr 99 06:00:00 GMT", "1999-04-21T06:00:00"),
        ("Monday, 21-Apr-25 06:00:00 GMT", "2025-04-21T06:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 EDT", "2025-04-21T10:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 EST", "2025-04-21T11:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 PDT", "2025-04-21T13:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 CET", "2025-04-21T05:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 CEST", "2025-04-21T04:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 BST", "2025-04-21T05:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 JST", "2025-04-20T21:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 AEST", "2025-04-20T20:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 A", "2025-04-21T07:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 UTC+2", "2025-04-21T04:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 GMT+0200", "2025-04-21T04:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 +0200", "2025-04-21T04:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 +02:00", "2025-04-21T04:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 +0200 (CEST)", "2025-04-21T04:00:00"),
        ("Mon, 21 Apr 2025 06:00:00 -0330", "2025-04-21T09:30:00"),
        ("2025-04-21T06:00:00Z", "2025-04-21T06:00:00"),
        ("20250421T060000Z", "2025-04-21T06:00:00"),
        ("2025-04-21 06:00:00 +0000", "2025-04-21T06:00:00"),
        ("2025-04-21T06:00:00-04:00", "2025-04-21T10:00:00"),
        ("2025-04-21T24:00:00Z", "2025-04-22T00:00:00"),
        ("2025-11-02T01:30:00-04:00", "2025-11-02T05:30:00"),
        ("1745215200", "2025-04-21T06:00:00"),
        ("1745215200000", "2025-04-21T06:00:00"),
        ("April 21, 2025 6:00:00 AM EDT", "2025-04-21T10:00:00"),
        ("Apr. 21, 2025, 12:00:00 pm UTC", "2025-04-21T12:00:00"),
        ("2025/04/21 06:00:00 JST", "2025-04-20T21:00:00"),
        ("\u200eMon, 21 Apr 2025 06:00:00 GMT", "2025-04-21T06:00:00"),
    ],
)
def test_an_exact_time(text: str, expected: str) -> None:
    published = read_date(text, now=NOW)
    assert published.at == datetime.fromisoformat(expected).replace(tzinfo=UTC)
    assert (published.precision, published.doubt) == ("second", None)


@pytest.mark.parametrize(
    ("text", "at", "precision"),
    [
        ("2025-04-21T06:00Z", "2025-04-21T06:00", "minute"),
        ("2025-04-21T06Z", "2025-04-21T06:00", "hour"),
        ("2025-04-21", "2025-04-21", "day"),
        ("20250421", "2025-04-21", "day"),
        ("Mon, 21 Apr 2025", "2025-04-21", "day"),
        ("April 21, 2025", "2025-04-21", "day"),
        ("2025-W17-1", "2025-04-21", "day"),
        ("2025-111", "2025-04-21", "day"),
        ("2025年4月21日", "2025-04-21", "day"),
        ("令和7年4月21日", "2025-04-21", "day"),
        ("令和元年5月", "2019-05-01", "month"),
        ("2025年4月21日（月） 8時50分", "2025-04-20T23:50", "minute"),
        ("2025-04", "2025-04-01", "month"),
    ],
)
def test_a_time_is_no_more_precise_than_it_was_written(text: str, at: str, precision: str) -> None:
    published = read_date(text, now=NOW)
    assert published.at == datetime.fromisoformat(at).replace(tzinfo=UTC)
    assert (published.precision, published.doubt) == (precision, None)


@pytest.mark.parametrize(
    "text",
    [
        "Mon, 21 Apr 2025 06:00:00",
        "2025-04-21T06:00:00",
        "2025-04-21 06:00:00",
        "Mon, 21 Apr 2025 06:00:00 IST",
        "Mon, 21 Apr 2025 06:00:00 Mars/Olympus",
    ],
)
def test_an_unknown_zone_is_marked(text: str) -> None:
    published = read_date(text, now=NOW)
    assert published.at == datetime(2025, 4, 21, 6, tzinfo=UTC)
    assert published.doubt is TimeDoubt.ZONE_UNKNOWN


@pytest.mark.parametrize("text", ["", "   ", "\u200e"])
def test_no_time_is_undated(text: str) -> None:
    published = read_date(text, now=NOW)
    assert (published.at, published.doubt) == (None, TimeDoubt.UNDATED)


@pytest.mark.parametrize(
    "text",
    [
        "Now",
        "-1",
        "0",
        "P1D",
        "04/21/2025 06:00",
        "21.04.2025 06:00",
        "Mo, 21 Mai 2025 06:00:00 +0200",
        "mar., 21 avr. 2025 06:00:00 +0200",
        "Пн, 21 апр 2025 06:00:00 +0300",
        "Mon, 31 Apr 2025 06:00:00 GMT",
        "Mon, 21 Apr 2025 25:61:00 GMT",
        "Mon, 21 Apr 2025 23:59:60 GMT",
        "Mon, 21 Apr 2025 06:00:00 +9999",
        "Mon, 21 Apr 2025 13:00:00 PM GMT",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "Mon, 01 Jan 0001 00:00:00 GMT",
        "2025-366",
        "2025-04-21 tomorrow",
        "9999-12-31T23:59:59-14:00",
        "9" * 200,
    ],
)
def test_what_nobody_can_read_is_unreadable_and_has_no_time(text: str) -> None:
    published = read_date(text, now=NOW)
    assert (published.at, published.doubt) == (None, TimeDoubt.UNREADABLE)


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ((NOW + timedelta(minutes=9)).isoformat(), None),
        ((NOW + timedelta(minutes=11)).isoformat(), TimeDoubt.FUTURE),
        ("2026-03-11", None),
        ("2026-03-13", TimeDoubt.FUTURE),
        ("2026-03-11T05:00:00", TimeDoubt.ZONE_UNKNOWN),
        ("2026-03-12T05:00:00", TimeDoubt.FUTURE),
        ("Fri, 31 Dec 9999 23:59:59 GMT", TimeDoubt.FUTURE),
    ],
)
def test_a_future_time_is_kept_and_marked(text: str, doubt: TimeDoubt | None) -> None:
    published = read_date(text, now=NOW)
    assert published.at is not None
    assert published.doubt is doubt


def test_the_locale_has_no_effect() -> None:
    before = locale.setlocale(locale.LC_TIME)
    for name in ("pl_PL.UTF-8", "de_DE.UTF-8", "C.UTF-8", "C"):
        try:
            locale.setlocale(locale.LC_TIME, name)
        except locale.Error:
            continue
        try:
            assert read_date("Mon, 21 May 2025 06:00:00 GMT", now=NOW).at == datetime(2025, 5, 21, 6, tzinfo=UTC)
        finally:
            locale.setlocale(locale.LC_TIME, before)


def test_the_hostile_dates(shared: Path) -> None:
    """A row that expects no date also accepts the right instant: two of them are good dates in rare spelling."""
    for line in (shared / "hostile/dates.jsonl").read_text().splitlines():
        row = json.loads(line)
        published = read_date(row["value"], now=NOW)
        at, expected = published.at, row["expected"]
        right = at is not None and expected.startswith((f"{at:%Y-%m-%dT%H:%M:%SZ}", f"{at:%Y-%m-%d} "))
        none = at is None and ("no date" in expected)
        rare = at == datetime(2025, 4, 21, 6, tzinfo=UTC) and row["value"].endswith("GMT")
        assert right or none or rare, (row, published)
        assert at is not None or published.doubt is not None
        if "flagged" in expected and not rare:
            assert published.doubt is not None, row


DATE_LIKE = st.from_regex(r"\A([A-Z][a-z]{2}, )?\d{1,4}[ /.-][A-Za-z0-9]{1,9}[ /.-]\d{1,4}( [0-9:.]{1,9})?( .{0,6})?\Z")


@given(st.text(max_size=60) | DATE_LIKE)
def test_read_date_never_raises_and_never_takes_the_time_of_reading(text: str) -> None:
    published = read_date(text, now=NOW)
    assert (published.at is None) <= (published.doubt is not None)
    assert published.at != NOW
    assert published.at is None or published.at.utcoffset() == timedelta()
    assert read_date(text, now=NOW + timedelta(days=1)).at == published.at


@given(st.integers(631_200_000, int(NOW.timestamp())))
def test_what_is_written_is_read(seconds: int) -> None:
    at = datetime.fromtimestamp(seconds, UTC)
    for text in (at.isoformat(), at.strftime("%Y%m%dT%H%M%SZ"), str(seconds)):
        assert read_date(text, now=NOW).at == at
