"""The machine: what the terminal can show, and whether the clock is right."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from app.doctor import machine
from app.doctor.finding import Finding
from app.ui.screens.too_small import LEAST_CELLS, LEAST_LINES

NOW = datetime(2026, 3, 10, 18, 30, tzinfo=UTC)
WIDE = (120, 40)


def of(found: list[Finding], name: str) -> Finding:
    (one,) = [one for one in found if one.name == name]
    return one


def terminal(**environment: str) -> list[Finding]:
    return sized(WIDE, **environment)


def sized(size: tuple[int, int], **environment: str) -> list[Finding]:
    return list(machine.terminal({"TERM": "xterm-256color", "PATH": "", **environment}, is_terminal=True, size=size))


def test_python_is_named() -> None:
    assert of(list(machine.python()), "Python").level == "ok"


@pytest.mark.parametrize(
    ("size", "level"), [((120, 40), "ok"), ((80, 24), "ok"), ((79, 24), "warn"), ((49, 24), "bad"), ((80, 9), "bad")]
)
def test_the_size_is_judged_as_the_screen_judges_it(size: tuple[int, int], level: str) -> None:
    assert (machine.LEAST_CELLS, machine.LEAST_LINES) == (LEAST_CELLS, LEAST_LINES)
    found = of(sized(size), "size")
    assert found.level == level
    assert f"{size[0]} by {size[1]}" in found.words


@pytest.mark.parametrize(
    ("environment", "words", "level"),
    [
        ({}, "256", "ok"),
        ({"COLORTERM": "truecolor"}, "16 million", "ok"),
        ({"TERM": "xterm"}, "16", "warn"),
        ({"NO_COLOR": "1"}, "none, since NO_COLOR is set", "ok"),
    ],
)
def test_colours_are_told(environment: dict[str, str], words: str, level: str) -> None:
    found = of(terminal(**environment), "colours")
    assert found.words.startswith(words)
    assert found.level == level


def test_where_the_program_runs_inside_another_is_told() -> None:
    found = of(terminal(TMUX="/tmp/x,1,0", SSH_CONNECTION="1"), "kind")
    assert found.words == "xterm-256color, inside tmux and ssh"


@pytest.mark.parametrize("term", ["", "dumb"])
def test_a_terminal_that_cannot_be_painted_on_is_bad_and_says_what_else_works(term: str) -> None:
    found = of(terminal(TERM=term), "kind")
    assert found.level == "bad"
    assert "--headless" in found.fix


def test_without_a_terminal_nothing_is_said_of_one() -> None:
    found = list(machine.terminal({}, is_terminal=False, size=(80, 24)))
    assert [(one.name, one.level) for one in found] == [("kind", "ok")]


def test_a_tmux_that_swallows_notifications_is_named_with_the_command_that_helps(tmp_path: Path) -> None:
    program = tmp_path / "tmux"
    program.write_text("#!/bin/sh\necho off\n")
    program.chmod(0o755)
    found = of(terminal(TMUX="/tmp/x,1,0", PATH=str(tmp_path)), "notifications")
    assert (found.level, found.fix) == ("warn", "tmux set -g allow-passthrough on")
    program.write_text("#!/bin/sh\necho on\n")
    assert of(terminal(TMUX="/tmp/x,1,0", PATH=str(tmp_path)), "notifications").level == "ok"
    program.write_text("#!/bin/sh\nexit 1\n")
    assert of(terminal(TMUX="/tmp/x,1,0", PATH=str(tmp_path)), "notifications").level == "ok"


@pytest.mark.parametrize(
    ("skews", "level", "words"),
    [
        ([], "ok", "not yet compared"),
        ([0.4, -0.2, 900.0], "ok", "agrees with 3 others within 1 s"),
        ([40.0], "warn", "40 s behind 1 other"),
        ([-600.0, -601.0], "bad", "10 min ahead of 2 others"),
    ],
)
def test_the_clock_is_compared_with_those_of_the_sources(skews: list[float], level: str, words: str) -> None:
    found = of(list(machine.clock(NOW, UTC, "UTC", skews)), "time")
    assert found.level == level
    assert words in found.words


def test_a_time_that_cannot_be_and_a_zone_without_a_name_are_told() -> None:
    long_ago = datetime(1970, 1, 2, tzinfo=UTC)
    assert of(list(machine.clock(long_ago, UTC, "UTC", [])), "time").level == "bad"
    fixed = timezone(timedelta(hours=1))
    found = of(list(machine.clock(NOW, fixed, "local", [])), "zone")
    assert found.level == "warn"
    assert "timezone = " in found.fix
    found = of(list(machine.clock(NOW, ZoneInfo("Europe/Berlin"), "local", [])), "zone")
    assert (found.level, found.words) == ("ok", "Europe/Berlin, UTC+0100, now 2026-03-10 19:30:00")
