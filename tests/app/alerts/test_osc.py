"""Notifications of the terminal: the sequence it knows, and nothing of the news in control of it."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest

from app.alerts.osc import dialect, notification, title_sequence

XTERM = {"TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("environment", "spoken"),
    [
        (XTERM, "9"),
        ({**XTERM, "TERM_PROGRAM": "WezTerm"}, "9"),
        ({**XTERM, "TERM_PROGRAM": "ghostty"}, "777"),
        ({"TERM": "foot"}, "777"),
        ({**XTERM, "VTE_VERSION": "7600"}, "777"),
        ({"TERM": "xterm-kitty"}, "99"),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/t", "KITTY_WINDOW_ID": "1"}, "99"),
        ({"TERM": "linux"}, ""),
        ({"TERM": "dumb"}, ""),
        ({}, ""),
    ],
)
def test_the_dialect_of_a_terminal(environment: dict[str, str], spoken: str) -> None:
    assert dialect(environment) == spoken
    assert bool(notification("FLASH x", "y", environment)) is bool(spoken)


def test_the_three_dialects() -> None:
    assert notification("FLASH a", "b", XTERM) == "\x1b]9;tapewatch: FLASH a - b\x1b\\"
    assert notification("FLASH a", "b", {"TERM": "foot"}) == "\x1b]777;notify;FLASH a;b\x1b\\"
    kitty = notification("FLASH ä", "b", {"TERM": "xterm-kitty"})
    title, body = re.findall(r"\x1b\]99;i=tapewatch:[^;]*;([A-Za-z0-9+/=]*)\x1b\\", kitty)
    assert base64.b64decode(title).decode() == "FLASH ä"
    assert base64.b64decode(body).decode() == "b"


def test_separators_of_a_text_separate_nothing() -> None:
    assert notification("a;b\\", "4;1", {"TERM": "foot"}) == "\x1b]777;notify;a,b/;4,1\x1b\\"


def test_in_tmux_it_is_passed_on() -> None:
    wrapped = notification("FLASH a", "b", {**XTERM, "TMUX": "/tmp/t"})
    assert wrapped == "\x1bPtmux;\x1b\x1b]9;tapewatch: FLASH a - b\x1b\x1b\\\x1b\\"


@pytest.mark.parametrize("environment", [XTERM, {"TERM": "foot"}, {"TERM": "xterm-kitty"}])
def test_no_text_from_outside_ends_or_begins_a_sequence(shared: Path, environment: dict[str, str]) -> None:
    lines = (shared / "hostile" / "terminal_escapes.jsonl").read_text().splitlines()
    texts = [str(entry.get("payload") or entry.get("text")) for entry in map(json.loads, lines)]
    empty = len(re.findall(r"[\x00-\x1f\x7f-\x9f]", notification("", "", environment)))
    assert len(texts) > 40
    for text in (*texts, "a;b;4;c\\", "\x07" * 5):
        shown = notification(text, text, environment)
        assert len(re.findall(r"[\x00-\x1f\x7f-\x9f]", shown)) == empty
        if environment["TERM"] == "foot":
            assert shown.count(";") == 3


def test_the_title_is_set_and_given_back() -> None:
    assert title_sequence("(3) tapewatch") == "\x1b]2;(3) tapewatch\x1b\\"
    assert title_sequence("") == "\x1b[23;2t"
