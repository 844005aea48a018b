from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.ui.links import open_link


@pytest.fixture
def opener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A desktop opener that writes down each of its arguments."""
    log = tmp_path / "opened"
    os.mkfifo(log)
    program = tmp_path / "xdg-open"
    program.write_text(f'#!/bin/sh\nprintf "%s|" "$#" "$@" > {log}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return log


def test_a_link_is_one_argument_and_meets_no_shell(opener: Path) -> None:
    url = "https://news.example/a?b=1&c=$(touch%20x);d"
    assert open_link(url).startswith("opened https://news.example/a")
    number, address, _ = opener.read_text().split("|")
    assert number == "1"
    assert address.startswith("https://news.example/a?b=1&c=")


@pytest.mark.parametrize(
    "url",
    ["", "file:///etc/passwd", "javascript:alert(1)", "ssh://host", "-oProxyCommand=x", "https://", "data:text/html,x"],
)
def test_nothing_but_http_and_https_is_opened(url: str) -> None:
    assert open_link(url) == "there is no http or https link here"


def test_without_a_browser_the_address_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert open_link("https://news.example/a") == "no browser opener here; the address is https://news.example/a"
