"""What goes into columns and JSON comes back the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.encoding import moment, moment_or_none, stamp, stamp_or_none, storable


@given(st.datetimes(timezones=st.just(UTC)))
def test_every_utc_time_comes_back_to_the_microsecond(at: datetime) -> None:
    assert moment(stamp(at)) == at
    assert moment(stamp(at)).tzinfo is UTC


@pytest.mark.parametrize("at", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_the_ends_of_time_come_back(at: datetime) -> None:
    assert moment(stamp(at)) == at


def test_a_time_in_another_zone_is_the_same_moment() -> None:
    at = datetime(2026, 3, 8, 2, 30, tzinfo=timezone(timedelta(hours=9)))
    assert moment(stamp(at)) == at


def test_none_stays_none() -> None:
    assert stamp_or_none(None) is None
    assert moment_or_none(None) is None


@given(st.text(st.characters(codec="utf-8")))
def test_text_is_kept_as_it_is(text: str) -> None:
    assert storable(text) == text


@given(st.text(st.characters()))
def test_whatever_python_holds_can_be_stored(text: str) -> None:
    storable(text).encode()


def test_half_a_surrogate_becomes_the_replacement_sign_and_a_pair_its_letter() -> None:
    assert storable("a\ud800b") == "a\ufffdb"
    assert storable("\ud83d\ude00") == "😀"
