"""The monitor on a real pseudo-terminal: what reaches it, and how it is left."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from pathlib import Path

import pytest

from tests.app.ui.terminal import SEQUENCE, Terminal

PLAY = "tests.app.ui.play"
FIRST = "US adds 14 chipmakers"
OWN = re.compile(
    rb"\x1b(?:\[[0-9;]*[mHK]"  # colours, cursor, erase
    rb"|\[\?[0-9;]+(?:[hl]|\$p)|\[[<>=?][0-9;]*u|\[[0-9;]*t"  # modes, keyboard, size
    rb"|\]22;[a-z-]*(?:\x07|\x1b\\)|[78=>]|\[[0-9]* q"
    rb"|\]2;(?:\([0-9]+\) )?tapewatch\x1b\\)"  # the title, which never holds a text from outside
)
CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae\x8b-\x8f]")


def _foreign(seen: bytes) -> set[bytes]:
    """Escape sequences and controls that are not the screen's own."""
    found = {one for one in SEQUENCE.findall(seen) if not OWN.fullmatch(one)}
    rest = SEQUENCE.sub(b"", seen)
    return found | set(CONTROLS.findall(rest.replace(b"\x07", b"", 1)))


def _corpus(shared: Path) -> list[str]:
    names = ("terminal_escapes", "unicode_spoofs", "markup")
    lines = [line for name in names for line in (shared / "hostile" / f"{name}.jsonl").read_text().splitlines()]
    entries = [json.loads(line) for line in lines]
    return [str(entry.get("payload") or entry.get("text")) for entry in entries]


OWN_HOSTILE = [
    "HEAD\x1b]0;owned\x07\x1b]52;c;AAAA\x07\x1b[2J\x9b31m\x9d0;x\x9c\u202eTAIL",
    "HEAD[@click=app.quit]x[/] [/ [bold]TAIL",
    "HEAD\x1bP1$r\x1b\\ \x1b[?1049l \x1b[6n \x0e\x00\x7f\u2028\ud800TAIL",
]


def _show_everything(terminal: Terminal) -> None:
    terminal.wait_for("FYI")
    for key in ("j", "\r", "\t", "\t", "\t", "\x1b", "f", "\x1b", "?", "\x1b", "/x\r"):
        terminal.send(key)
        terminal.read(0.06)
    terminal.send("\x1b")
    for _ in range(40):
        terminal.send(" ")
        terminal.read(0.01)
    terminal.resize(160, 40)
    terminal.read(0.25)
    terminal.send("q")
    terminal.ends_within(3.0)


def test_no_byte_of_a_hostile_text_drives_the_terminal(tmp_path: Path) -> None:
    texts = tmp_path / "texts.json"
    texts.write_text(json.dumps(OWN_HOSTILE))
    with Terminal(PLAY, str(texts)) as terminal:
        _show_everything(terminal)
        assert _foreign(terminal.seen) == set()
        assert b"HEAD[@click=app.quit]x[/] [/ [bold]TAIL" in terminal.seen
        assert terminal.process.returncode == 0


def test_no_byte_of_the_hostile_corpus_drives_the_terminal(shared: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts.json"
    texts.write_text(json.dumps(_corpus(shared)))
    with Terminal(PLAY, str(texts)) as terminal:
        _show_everything(terminal)
        assert _foreign(terminal.seen) == set()
        assert terminal.process.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_a_signal_leaves_the_terminal_clean(number: signal.Signals) -> None:
    with Terminal(PLAY) as terminal:
        terminal.wait_for(FIRST)
        terminal.process.send_signal(number)
        assert terminal.ends_within(2.0) < 1.0
        assert terminal.left_on <= {b"25", b"7"}
        assert terminal.process.returncode == 0


@pytest.mark.parametrize("hup", [True, False], ids=["hangup", "hangup ignored"])
def test_a_closed_terminal_ends_the_monitor(hup: bool) -> None:
    with Terminal(PLAY, hup=hup) as terminal:
        terminal.wait_for(FIRST)
        terminal.close()
        assert terminal.ends_within(3.0) < 1.5


def test_a_hangup_with_its_sigcont_ends_the_monitor() -> None:
    with Terminal(PLAY) as terminal:
        terminal.wait_for(FIRST)
        terminal.close()
        for number in (signal.SIGCONT, signal.SIGHUP, signal.SIGCONT):
            terminal.process.send_signal(number)
        assert terminal.ends_within(3.0) < 1.5


def test_a_monitor_that_was_suspended_is_painted_whole_again() -> None:
    with Terminal(PLAY) as terminal:
        terminal.wait_for(FIRST)
        terminal.process.send_signal(signal.SIGTSTP)
        while os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED | os.WNOHANG) is None:
            terminal.read(0.02)
        terminal.read(0.2)
        assert terminal.left_on <= {b"25", b"7"}
        terminal.seen_from_here()
        terminal.process.send_signal(signal.SIGCONT)
        for part in (FIRST, "acknowledge", "? help"):
            terminal.wait_for(part, 3.0)
        terminal.send("q")
        terminal.ends_within(2.0)
        assert terminal.left_on <= {b"25", b"7"}


def test_bytes_that_are_no_text_are_survived() -> None:
    with Terminal(PLAY) as terminal:
        terminal.wait_for(FIRST)
        terminal.send_bytes(b"\x9b31m\xff\xfe/")
        terminal.wait_for("words, a company")
        terminal.send_bytes(b"\x1b[200~x\xffy\x1b]0;owned\x07\x1b[201~\xe2\x80")
        terminal.send_bytes(b"\x1b")
        terminal.read(0.3)
        terminal.send("q")
        terminal.ends_within(2.0)
        assert terminal.process.returncode == 0


def test_a_terminal_that_reads_nothing_holds_nothing_up() -> None:
    with Terminal(PLAY) as terminal:
        terminal.wait_for(FIRST)
        for columns in range(200, 280):  # each one a whole screen nobody reads
            terminal.resize(columns, 60)
            time.sleep(0.005)
        terminal.process.send_signal(signal.SIGTERM)
        start = time.monotonic()
        while terminal.process.poll() is None:
            assert time.monotonic() - start < 4.0, "the process waits for the terminal"
            time.sleep(0.01)


def test_quitting_leaves_the_terminal_clean() -> None:
    with Terminal(PLAY) as terminal:
        terminal.wait_for(FIRST)
        terminal.send("q")
        assert terminal.ends_within(2.0) < 1.0
        assert terminal.left_on <= {b"25", b"7"}
        after = terminal.seen.rsplit(b"\x1b[?1049l", 1)[1]
        assert SEQUENCE.sub(b"", after) == b""


def test_a_burst_of_flash_is_one_bell() -> None:
    with Terminal(PLAY) as terminal:
        terminal.wait_for("acknowledge")
        terminal.read(0.6)
        rest = SEQUENCE.sub(b"", terminal.seen)
        assert rest.count(b"\x07") == 1


@pytest.mark.parametrize(
    "env",
    [{"NO_COLOR": "1"}, {"TERM": "linux", "COLORTERM": ""}],
    ids=["no colour", "16 colours"],
)
def test_words_and_signs_say_it_without_colour(env: dict[str, str]) -> None:
    with Terminal(PLAY, env=env) as terminal:
        terminal.wait_for("? help")
        terminal.wait_for("▲.72")
        text = terminal.text()
        for part in ("FLASH", "ALERT", "0.91", "▼", "▲", "×7", "5/5"):
            assert part in text


def test_a_storm_of_sizes_is_survived() -> None:
    with Terminal(PLAY) as terminal:
        terminal.wait_for(FIRST)
        for columns, lines in [(1, 1), (200, 60), (0, 0), (49, 9), (3, 50), (300, 2), (80, 24), (2, 2), (120, 10)] * 3:
            terminal.resize(columns, lines)
            terminal.read(0.01)
        terminal.resize(100, 30)
        terminal.read(0.4)
        terminal.send("q")
        terminal.ends_within(2.0)
        assert terminal.process.returncode == 0


def test_a_failure_of_the_screen_shows_no_variable() -> None:
    with Terminal("tests.app.ui.play_broken") as terminal:
        terminal.wait_for("canary-in-a-cell")
        terminal.send("j")
        terminal.ends_within(3.0)
        rest = SEQUENCE.sub(b"", terminal.seen.rsplit(b"\x1b[?1049l", 1)[1]).decode()
        assert "RuntimeError: it broke" in rest
        assert "canary-in-a-local" not in rest
        assert terminal.left_on <= {b"25", b"7"}


def test_ctrl_z_puts_the_monitor_into_the_background() -> None:
    with Terminal(PLAY) as terminal:
        terminal.wait_for(FIRST)
        terminal.send("\x1a")
        while os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED | os.WNOHANG) is None:
            terminal.read(0.02)
        terminal.read(0.2)
        assert terminal.left_on <= {b"25", b"7"}
        terminal.process.send_signal(signal.SIGCONT)
        terminal.wait_for("? help", 3.0)
        terminal.send("q")
        terminal.ends_within(2.0)


def test_what_is_pasted_presses_no_key() -> None:
    with Terminal(PLAY) as terminal:
        terminal.wait_for(FIRST)
        terminal.send("\x1b[200~one\x1bqq\x1b\x03\x1b[201~")
        terminal.read(0.4)
        terminal.send("/")
        terminal.wait_for("words, a company")
        terminal.send("\x1b[200~mae\x1b]0;q\x07rsk\x1b[201~")
        terminal.wait_for("mae]0;qrsk")
        assert terminal.process.poll() is None
