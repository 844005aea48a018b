"""A filter is told whole, in one line of words."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest

from agents.models import Urgency
from app.ui.filter_words import filter_words
from storage.models import CardFilter, Since
from tests.app.ui.samples import NOW

HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("filter", "told"),
    [
        (CardFilter(), []),
        (CardFilter(urgencies=frozenset({Urgency.NOTE, Urgency.FLASH})), ["FLASH, NOTE"]),
        (CardFilter(watchlist=frozenset({"NVDA"})), ["watchlist"]),
        (CardFilter(tickers=frozenset({"TSM", "AMD"}), text="rate cut"), ["AMD, TSM", "“rate cut”"]),
        (CardFilter(kinds=frozenset({"export_ban", "m_and_a"})), ["export ban, M&A"]),
        (CardFilter(sources=frozenset("ABCDE")), ["from A, B, C +2"]),
        (CardFilter(agents=frozenset({"PolicyRadar", "SignalScope"})), ["decided by SignalScope, PolicyRadar"]),
        (CardFilter(since=Since(HOUR, NOW - HOUR)), ["last 60 min, since 17:02 UTC"]),
        (CardFilter(since=Since(24 * HOUR, NOW - 24 * HOUR)), ["last 24 h, since 9 Mar 18:02 UTC"]),
        (CardFilter(unread_only=True, starred_only=True, fyi_last=False), ["unread", "starred", "by time"]),
        (CardFilter(text="\x1b[31mred\u202e"), ["“red”"]),
    ],
)
def test_each_part_has_its_words(filter: CardFilter, told: list[str]) -> None:
    assert filter_words(filter, NOW, UTC) == told
