"""A paste reaches the program as one text, however hostile it is and however it is cut into chunks."""

from __future__ import annotations

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.message import Message

from app.ui.paste import END, START, PasteGuard

PASTES = [
    ("hello", "hello"),
    ("two\nlines", "two\nlines"),
    ("a\x1bqb", "aqb"),
    ("x\x1b]0;owned\x07y", "x]0;ownedy"),
    ("red \x1b[31mq", "red [31mq"),
    ("up\x1b[Aq", "up[Aq"),
    ("end\x1b", "end"),
    ("ctrl \x03\x9b\x7f", "ctrl "),
    (f"early{END}q", "earlyq"),
    (f"again{START}q", "againq"),
]


def told(text: str, size: int) -> tuple[list[str], list[str]]:
    """What is pasted and which keys are pressed when `text` is read in chunks of that size."""
    guard, parser = PasteGuard(), XTermParser(False)
    found: list[Message] = []
    for start in range(0, len(text), size):
        if seen := guard.clean(text[start : start + size]):
            found += list(parser.feed(seen))
    pasted = [event.text for event in found if isinstance(event, events.Paste)]
    return pasted, [event.key for event in found if isinstance(event, events.Key)]


@pytest.mark.parametrize(("sent", "seen"), PASTES)
def test_nothing_in_a_paste_is_a_key(sent: str, seen: str) -> None:
    assert told(f"j{START}{sent}{END}k", 4096) == ([seen], ["j", "k"])


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7])
@pytest.mark.parametrize(("sent", "seen"), PASTES[:8])
def test_chunks_change_nothing(sent: str, seen: str, size: int) -> None:
    assert told(f"j{START}{sent}{END}k", size) == ([seen], ["j", "k"])


def test_two_pastes_after_each_other_are_both_there() -> None:
    assert told(f"{START}a{END}j", 4096) == (["a"], ["j"])
    assert told(f"{START}a{END}{START}b{END}", 7) == (["a", "b"], [])


def test_keys_outside_a_paste_are_left_alone_at_once() -> None:
    guard = PasteGuard()
    for keys in ("\x1b", "\x1b[A", "q", "\x1b[200", "x"):
        assert guard.clean(keys) == keys
    assert not guard.inside


def test_a_paste_that_is_never_ended_ends_by_itself() -> None:
    guard = PasteGuard()
    assert guard.end() == ""
    assert guard.clean(f"{START}abc") == f"{START}abc"
    assert guard.end() == END
    assert guard.clean("q") == "q"
