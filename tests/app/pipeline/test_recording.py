from __future__ import annotations

import io
import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from app.demo import day
from app.errors import UsageError
from app.lines.items import Broken
from app.pipeline.recording import Recorded, read_recording
from feeds.models import Tier, TimeDoubt


def read(*rows: object) -> tuple[list[Recorded], list[Broken]]:
    broken: list[Broken] = []
    data = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
    return read_recording(io.BytesIO(data.encode()), broken.append), broken


def at(hour: int) -> str:
    return f"2026-03-10T{hour:02d}:00:00Z"


def test_items_come_in_order_of_receipt_whatever_their_order_in_the_file() -> None:
    found, _ = read({"title": "b", "at": at(9)}, {"title": "a", "at": at(8)}, {"title": "c", "at": at(9)})
    assert [one.entry.title for one in found] == ["a", "b", "c"]
    assert found[0].at == datetime(2026, 3, 10, 8, tzinfo=UTC)


def test_receipt_is_at_then_published_then_the_line_before() -> None:
    found, _ = read(
        {"title": "a", "published_at": at(7), "at": at(8)}, {"title": "b", "published_at": at(9)}, {"title": "c"}
    )
    assert [one.at.hour for one in found] == [8, 9, 9]
    assert found[2].entry.published.doubt is TimeDoubt.UNDATED


def test_what_cannot_be_placed_in_time_is_named() -> None:
    found, broken = read({"title": "no time"}, "{", {"title": "a", "at": at(8)}, {"title": "x", "at": at(8), "tier": 9})
    assert [one.entry.title for one in found] == ["a"]
    assert [(line.number, line.reason.partition(":")[0]) for line in broken] == [
        (1, "no time of receipt, and no line before it has one"),
        (2, "not JSON"),
        (4, "tier must be text"),
    ]


def test_nothing_to_play_is_refused() -> None:
    with pytest.raises(UsageError, match="holds no item with a time"):
        read({"title": "x"})


def test_each_source_is_one_source_with_its_tier() -> None:
    found, _ = read(
        {"title": "a", "at": at(8), "source": "Börse Süd", "tier": 1},
        {"title": "b", "at": at(8), "source": "Börse Süd", "tier": 1},
        {"title": "c", "at": at(8), "source": "市況"},
        {"title": "d", "at": at(8)},
    )
    assert found[0].source == found[1].source
    assert (found[0].source.name, found[0].source.tier) == ("Börse Süd", Tier.OFFICIAL)
    assert len({one.source.id for one in found}) == 3


def test_the_day_of_the_demo_is_whole_and_offline() -> None:
    broken: list[Broken] = []
    found = read_recording(io.BytesIO(day()), broken.append)
    assert broken == []
    assert len(found) >= 40
    assert timedelta(hours=8) < found[-1].at - found[0].at < timedelta(hours=10)
    gaps = [after.at - before.at for before, after in pairwise(found)]
    assert max(gaps) < timedelta(minutes=25)
    assert all(one.entry.url.split("/")[2].endswith(".example") for one in found)
