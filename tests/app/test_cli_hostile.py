"""Whatever is written after a command: an exit code of the contract, and never more than words on stderr."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.cli import main
from tests.app.program import move_home, stay_offline

COMMANDS = (
    ("score", "--no-tools"),
    ("score", "--no-tools", "--json"),
    ("export",),
    ("scorecard",),
    ("rescore", "--no-tools", "--repeat", "1"),
    ("budget",),
    ("feeds", "list"),
    ("feeds", "import"),
    ("feeds", "export"),
    ("feeds", "remove"),
    ("alerts", "list"),
    ("alerts", "mute"),
    ("config", "show"),
    ("config", "path"),
    ("replay", "--headless"),
    ("why", "--dry-run"),
)
WORDS = st.sampled_from(
    (
        "--since", "--until", "--urgency", "--format", "--ticker", "--json", "--db", "--config", "--engine", "--tier",
        "--interval", "--at", "--window", "--tz", "--repeat", "--lines", "--schema", "--own", "--debug=1", "-", "--",
        "-1", "", "NVDA", "USDJPY", "FLASH", "csv", "7d", "yesterday", "2026-13-01", "nan", "1e999", "../..",
        "/dev/null", "/", "a\x00b", "\x1b[2J", "\u202e", "\udc80", "💥" * 50, "%s%n", "$(id)",
        "'; DROP TABLE item; --", "${HOME}",
    )
)  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of its own, in which no evidence source can be reached."""
    home = tmp_path_factory.mktemp("home")
    stay_offline(home)
    return home


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arguments=st.lists(WORDS | st.text(max_size=12), max_size=4))
def test_any_arguments_end_in_words_and_a_code(
    home: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], arguments: list[str]
) -> None:
    move_home(home, monkeypatch)
    monkeypatch.chdir(home)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main([*command, *(one for one in arguments if one != "--debug")])
    said = err.getvalue()
    assert ended.value.code in (0, 1, 2, 3)
    assert "Traceback" not in said
    assert "--debug shows it" not in said, "an exception nobody foresaw"
    assert not any(mark in said for mark in ("\x1b", "\x00", "\u202e")), "a terminal would obey it"
    assert (ended.value.code == 0) or said.startswith("tapewatch: ")
