"""When a card is sorted: history never floods the top, and a live item is never buried by a vague date."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from feeds.models import Precision, Published, TimeDoubt
from storage.stories import card_time
from tests.storage.samples import NOW

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
DAY_BACK = NOW - DAY


@pytest.mark.parametrize(
    ("at", "precision", "doubt", "live", "history"),
    [
        (NOW - HOUR, "second", None, NOW - HOUR, NOW - HOUR),
        (NOW, "second", None, NOW, NOW),
        (NOW - 30 * DAY, "minute", None, NOW - 30 * DAY, NOW - 30 * DAY),
        (NOW + HOUR, "second", None, NOW, DAY_BACK),
        (NOW + HOUR, "second", TimeDoubt.FUTURE, NOW, DAY_BACK),
        (NOW - HOUR, "second", TimeDoubt.ZONE_UNKNOWN, NOW, DAY_BACK),
        (None, "unknown", TimeDoubt.UNDATED, NOW, DAY_BACK),
        (None, "unknown", TimeDoubt.UNREADABLE, NOW, DAY_BACK),
        (NOW - 18 * HOUR, "day", None, NOW, NOW - 18 * HOUR),
        (NOW - 36 * HOUR, "day", None, NOW - 36 * HOUR, NOW - 36 * HOUR),
        (NOW - 5 * DAY, "day", None, NOW - 5 * DAY, NOW - 5 * DAY),
        (NOW - 9 * DAY, "month", None, NOW, NOW - 9 * DAY),
        (NOW - 40 * DAY, "month", None, NOW - 40 * DAY, NOW - 40 * DAY),
    ],
)
def test_the_time_of_a_card(
    at: datetime | None, precision: Precision, doubt: TimeDoubt | None, live: datetime, history: datetime
) -> None:
    when = Published(at, precision, doubt)
    assert card_time(when, NOW, backlog=False) == live
    assert card_time(when, NOW, backlog=True) == history
