"""The README says what the program does: its keys, commands and settings are those of the code."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from app.cli import COMMANDS
from app.config.config import Config
from app.ui.keys import SECTIONS, bindings, keys_shown

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text below a heading, up to the next heading of the same level."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", README, re.DOTALL | re.MULTILINE)
    assert found, f"README.md has no section {title!r}"
    return found.group(1)


def test_there_are_two_set_up_commands_each_one_line() -> None:
    fences = re.findall(r"^```sh\n(.*?)^```$", section("Set up"), re.DOTALL | re.MULTILINE)
    assert [fence.count("\n") for fence in fences] == [1, 1]
    assert fences[1].rstrip().endswith("python -m pytest")


def key_rows() -> list[str]:
    """A row of the table for each thing that keys do in a section, with all its keys."""
    rows = []
    for _, keys in SECTIONS:
        does: dict[str, list[str]] = {}
        for binding in bindings(keys):
            does.setdefault(binding.tooltip, []).extend(keys_shown(binding).split())
        rows += [f"| {' '.join(f'`{key}`' for key in found)} | {what} |" for what, found in does.items()]
    return rows


def test_every_key_stands_in_the_table_with_what_it_does() -> None:
    assert [row for row in key_rows() if row not in section("Keys")] == []


def test_the_table_names_no_key_that_does_nothing() -> None:
    assert set(re.findall(r"^\| `.*$", section("Keys"), re.MULTILINE)) - set(key_rows()) == set()


def test_every_command_is_named_and_no_other() -> None:
    named = set(re.findall(r"^\| `tapewatch ([a-z]+)", section("Commands"), re.MULTILINE))
    assert named == set(COMMANDS)


def test_the_configuration_shown_is_accepted() -> None:
    shown = re.search(r"^```toml\n(.*?)^```$", section("Configuration"), re.DOTALL | re.MULTILINE)
    assert shown
    loaded = Config.model_validate(tomllib.loads(shown.group(1)))
    assert loaded.watchlist
    assert loaded.alerts.quiet_hours


def test_the_picture_is_there() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert pictures
    assert all((ROOT / picture).is_file() for picture in pictures)
