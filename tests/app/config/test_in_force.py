"""What is in force: every setting with its origin, and no secret among them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.config.config import Config, load
from app.config.in_force import DEFAULT, InForce, in_force

TEXT = """\
timezone = "Europe/Berlin"

[[watchlist]]
symbol = "NVDA"
holding = true

[[watchlist]]
symbol = "TSM"

[network]
contact = "me@desk.example"

[alerts]
flash = ["tgram://123456789:AAtokenAAtokenAA/42"]
bell = false

[[alerts.channel]]
name = "phone"
url = "ntfy://hiddentopic"
"""


def found(tmp_path: Path, text: str | None = TEXT, flags: dict[str, str] | None = None) -> InForce:
    file = tmp_path / "config.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    return in_force(load(file), file, flags=flags or {})


def of(one: InForce, section: str, name: str) -> tuple[str, str]:
    [setting] = [row for row in one.settings if (row.section, row.name) == (section, name)]
    return setting.value, setting.origin


@pytest.mark.parametrize(
    ("section", "name", "value", "origin"),
    [
        ("general", "timezone", '"Europe/Berlin"', "line 1"),
        ("general", "engine", '"auto"', DEFAULT),
        ("watchlist", "1", 'symbol = "NVDA", holding = true', "line 3"),
        ("watchlist", "2", 'symbol = "TSM"', "line 7"),
        ("network", "contact", '"me@desk.example"', "line 11"),
        ("alerts", "bell", "false", "line 15"),
        ("alerts", "desktop", "true", DEFAULT),
        ("claude", "daily_budget_usd", "5.0", DEFAULT),
    ],
)
def test_every_setting_says_where_it_comes_from(
    tmp_path: Path, section: str, name: str, value: str, origin: str
) -> None:
    assert of(found(tmp_path), section, name) == (value, origin)


def test_a_flag_comes_before_the_file(tmp_path: Path) -> None:
    one = found(tmp_path, 'engine = "claude"\n', {"engine": "--engine"})
    assert of(one, "general", "engine") == ('"claude"', "--engine")


def test_no_secret_is_among_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-canary-0123456789")
    text = repr(found(tmp_path))
    for secret in ("AAtoken", "hiddentopic", "canary"):
        assert secret not in text
    assert of(found(tmp_path), "environment", "ANTHROPIC_API_KEY")[1] == "environment"


def test_without_a_file_all_is_default(tmp_path: Path) -> None:
    one = found(tmp_path, None)
    assert not one.written
    assert {row.origin for row in one.settings if row.section != "environment"} == {DEFAULT}


def test_every_key_of_the_configuration_is_there(tmp_path: Path) -> None:
    told = {row.section for row in found(tmp_path).settings} | {row.name for row in found(tmp_path).settings}
    assert set(Config.model_fields) <= told
