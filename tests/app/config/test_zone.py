from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from app.config import zone as zones
from app.config.zone import zone


def test_a_named_zone_is_that_zone() -> None:
    assert zone("Asia/Tokyo") == ZoneInfo("Asia/Tokyo")


def test_the_local_zone_knows_its_summer_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", ":America/New_York")
    local = zone("local")
    assert datetime(2026, 1, 1, tzinfo=UTC).astimezone(local).hour == 19
    assert datetime(2026, 7, 1, tzinfo=UTC).astimezone(local).hour == 20


def test_without_TZ_the_link_of_the_system_names_the_zone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TZ", raising=False)
    link = tmp_path / "localtime"
    target = tmp_path / "zoneinfo" / "Europe" / "Berlin"
    target.parent.mkdir(parents=True)
    target.touch()
    link.symlink_to(target)
    monkeypatch.setattr(zones, "LOCALTIME", link)
    assert zone("local") == ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize("value", ["Nowhere/City", "../../etc/passwd", "/etc/passwd", "EST5EDT4,M3.2.0,M11.1.0"])
def test_an_odd_TZ_is_no_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str) -> None:
    monkeypatch.setenv("TZ", value)
    monkeypatch.setattr(zones, "LOCALTIME", tmp_path / "none")
    assert datetime(2026, 1, 1, tzinfo=UTC).astimezone(zone("local")).utcoffset() is not None
