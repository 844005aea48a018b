"""Times in headers: both forms, every kind of junk, no error."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.network.header_times import RETRY_AFTER_CEILING_S, fresh_for_s, http_date, retry_after_s

DATE = "Tue, 10 Mar 2026 18:30:00 GMT"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("120", 120.0),
        (" 120 ", 120.0),
        ("0", 0.0),
        ("-5", 0.0),
        ("1.5", 1.5),
        ("1000000000", RETRY_AFTER_CEILING_S),
        ("99999999999999", RETRY_AFTER_CEILING_S),
        ("9" * 30, None),
        ("Tue, 10 Mar 2026 18:32:00 GMT", 120.0),
        ("Tue, 10 Mar 2026 19:32:00 +0100", 120.0),
        ("Tuesday, 10-Mar-26 18:32:00 GMT", 120.0),
        ("Tue Mar 10 18:32:00 2026", 120.0),
        ("Tue, 10 Mar 2020 18:30:00 GMT", 0.0),
        ("Tue, 10 Mar 2099 18:30:00 GMT", RETRY_AFTER_CEILING_S),
        ("Fri, 31 Dec 9999 23:59:59 GMT", RETRY_AFTER_CEILING_S),
        ("soon", None),
        ("1e9", None),
        ("nan", None),
        ("Tue, 99 Mar 2026 18:32:00 GMT", None),
        ("١٢٠", None),
        ("", None),
    ],
)
def test_retry_after(text: str, seconds: float | None) -> None:
    assert retry_after_s({"retry-after": text, "date": DATE}) == seconds


def test_a_date_is_read_against_the_servers_own_clock(now: datetime) -> None:
    headers = {"retry-after": "Tue, 10 Mar 2026 18:32:00 GMT"}
    assert retry_after_s(headers) is None
    assert retry_after_s(headers, now) == 120.0
    assert retry_after_s({**headers, "date": "Tue, 10 Mar 2026 18:31:00 GMT"}, now) == 60.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"cache-control": "max-age=300"}, 300.0),
        ({"cache-control": 'public, MAX-AGE = "300"'}, 300.0),
        ({"cache-control": "public, max-age=300", "age": "100"}, 200.0),
        ({"cache-control": "max-age=300", "age": "junk"}, 300.0),
        ({"cache-control": "max-age=300", "age": "400"}, None),
        ({"cache-control": "s-maxage=300"}, None),
        ({"cache-control": "max-age=0"}, None),
        ({"cache-control": "max-age=-5"}, None),
        ({"cache-control": "no-cache, max-age=300"}, None),
        ({"cache-control": "no-store"}, None),
        ({"expires": "Tue, 10 Mar 2026 18:35:00 GMT"}, 300.0),
        ({"expires": "Tue, 10 Mar 2020 18:35:00 GMT"}, None),
        ({"expires": "0"}, None),
        ({"expires": "-1"}, None),
        ({"expires": "Thu, 32 Foo 2026"}, None),
        ({"cache-control": "max-age=60", "expires": "Tue, 10 Mar 2026 19:30:00 GMT"}, 60.0),
        ({}, None),
    ],
)
def test_freshness(headers: dict[str, str], seconds: float | None) -> None:
    assert fresh_for_s({"date": DATE, **headers}) == seconds


def test_a_date_without_a_zone_is_gmt() -> None:
    assert http_date("Tue, 10 Mar 2026 18:30:00") == datetime(2026, 3, 10, 18, 30, tzinfo=UTC)


@given(st.text(max_size=60))
def test_no_text_is_an_error(text: str) -> None:
    headers = {"retry-after": text, "expires": text, "cache-control": text, "age": text, "date": text}
    wait, fresh = retry_after_s(headers), fresh_for_s(headers)
    assert wait is None or 0 <= wait <= RETRY_AFTER_CEILING_S
    assert fresh is None or fresh > 0
