"""The desktop's notifications: words as arguments, never a shell; the terminal where there is no desktop."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

import pytest

from app.alerts.channels.desktop import Desktop, command, desktop_way
from app.alerts.errors import NotSent, Rejected
from app.alerts.text import Message, compose
from tests.app.alerts.outboxes import due


def message(now: datetime, title: str = "US adds 14 chipmakers") -> Message:
    one = due(title=title)
    return compose([one], one.key, now=now)


def program(folder: Path, name: str, code: int = 0) -> Path:
    file = folder / name
    file.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {folder}/said\nexit {code}\n')
    file.chmod(0o755)
    return file


@pytest.mark.parametrize(
    ("more", "platform", "way"),
    [
        ({"DBUS_SESSION_BUS_ADDRESS": "unix:x", "DISPLAY": ":0"}, "linux", "notify-send"),
        ({"DBUS_SESSION_BUS_ADDRESS": "unix:x", "WAYLAND_DISPLAY": "w"}, "linux", "notify-send"),
        ({"DISPLAY": ":0"}, "linux", "terminal"),
        ({"DBUS_SESSION_BUS_ADDRESS": "unix:x", "DISPLAY": ":0", "SSH_CONNECTION": "1"}, "linux", "terminal"),
        ({}, "darwin", "osascript"),
        ({"SSH_CONNECTION": "1"}, "darwin", "terminal"),
    ],
)
def test_the_way_of_a_machine(tmp_path: Path, more: dict[str, str], platform: str, way: str) -> None:
    for name in ("notify-send", "osascript"):
        program(tmp_path, name)
    assert desktop_way({"PATH": str(tmp_path), **more}, platform) == way
    assert desktop_way({"PATH": "/nowhere", **more}, platform) == "terminal"


def test_news_cannot_be_an_option_a_script_or_markup(now: datetime) -> None:
    hostile = message(now, '--help"; do shell script "id" & <b>x</b> AT&T')
    linux, mac = command("notify-send", hostile), command("osascript", hostile)
    assert linux[:4] == ["notify-send", "--app-name=tapewatch", "--urgency=critical", "--"]
    assert all("id" not in part for part in mac[:7])
    assert mac[-2].startswith('FLASH --help"; do shell script')
    assert "<b>" not in linux[-1]


async def test_it_is_shown_by_a_program_of_its_own(
    tmp_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "notify-send")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    await Desktop("notify-send").send(message(now, "$(touch owned) `id`"))
    assert "FLASH $(touch owned) `id`" in (tmp_path / "said").read_text().splitlines()
    assert not Path("owned").exists()


async def test_a_program_that_fails_or_is_not_there_is_said(
    tmp_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "notify-send", code=3)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(NotSent, match="notify-send ended with 3"):
        await Desktop("notify-send").send(message(now))
    with pytest.raises(Rejected, match="cannot be started"):
        await Desktop("osascript").send(message(now))
    assert sys.platform
