"""What a mute covers: never more than the person meant."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.alerts.mutes import Subject, duration, muting
from storage.alerts import Mute, MuteKind

NOW = datetime(2026, 3, 10, 18, 30, tzinfo=UTC)


def subject(*tickers: tuple[str, str], source: str = "harbour wire", events: tuple[str, ...] = ("tariffs",)) -> Subject:
    return Subject("story", frozenset({source}), tickers, frozenset(events))


def mutes(*wanted: tuple[MuteKind, str], minutes: int = 60) -> list[Mute]:
    until = NOW + timedelta(minutes=minutes)
    return [Mute(number, kind, value, value, NOW, until) for number, (kind, value) in enumerate(wanted, 1)]


NVDA, AMD = ("NVDA", "direct"), ("AMD", "direct")


@pytest.mark.parametrize(
    ("about", "silent", "by"),
    [
        (subject(NVDA), mutes(("ticker", "NVDA")), [1]),
        (subject(AMD), mutes(("ticker", "NVDA")), []),
        (subject(NVDA, AMD), mutes(("ticker", "NVDA")), []),
        (subject(NVDA, AMD), mutes(("ticker", "NVDA"), ("ticker", "AMD")), [2, 1]),
        (subject(NVDA, ("AMD", "sector")), mutes(("ticker", "NVDA")), [1]),
        (subject(("NVDA", "sector"), ("AMD", "chain")), mutes(("ticker", "NVDA")), []),
        (subject(), mutes(("ticker", "NVDA")), []),
        (subject(NVDA), mutes(("source", "Harbour Wire")), [1]),
        (subject(NVDA), mutes(("source", "Harbour")), []),
        (subject(NVDA), mutes(("story", "story")), [1]),
        (subject(NVDA), mutes(("story", "other")), []),
        (subject(NVDA), mutes(("event", "tariffs")), [1]),
        (subject(NVDA), mutes(("event", "sanctions")), []),
        (subject(NVDA), mutes(("all", "")), []),
        (subject(NVDA), mutes(("ticker", "NVDA"), minutes=0), []),
    ],
)
def test_what_is_silent(about: Subject, silent: list[Mute], by: list[int]) -> None:
    assert [one.id for one in muting(about, silent, NOW)] == by


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("90", 90), ("30m", 30), ("2h", 120), ("1h30m", 90), ("3d", 4_320), ("0m", None), ("40d", None), ("soon", None)],
)
def test_how_long_a_person_means(text: str, minutes: int | None) -> None:
    assert duration(text) == (None if minutes is None else timedelta(minutes=minutes))
