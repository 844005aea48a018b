"""A burst of FLASHes on a real terminal: one bell, one notification, one banner, none of them made by a text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.app.ui.terminal import SEQUENCE, Terminal
from tests.app.ui.test_terminal import OWN, OWN_HOSTILE

NOTIFICATION = re.compile(rb"\x1b\]9;tapewatch: [^\x00-\x1f;\x7f]* - [^\x00-\x1f;\x7f]*\x1b\\")


@pytest.mark.parametrize(("number", "shown"), [(1, "FLASH HEAD"), (500, "500 alerts")])
def test_a_burst_is_one_bell_one_notification_and_one_banner(tmp_path: Path, number: int, shown: str) -> None:
    texts = tmp_path / "texts.json"
    texts.write_text(json.dumps([*OWN_HOSTILE, "HEAD\x07\x07\x07TAIL;4;1"]))
    with Terminal("tests.app.ui.play_burst", str(texts), str(number)) as terminal:
        terminal.wait_for(f"+{number - 1} more" if number > 1 else "a acknowledge")
        terminal.read(1.5)
        terminal.send("q")
        terminal.ends_within(5.0)
        seen = terminal.seen
    own = NOTIFICATION.findall(seen)
    assert len(own) == 1
    assert shown.encode() in own[0]
    foreign = {one for one in SEQUENCE.findall(seen) if not OWN.fullmatch(one) and not NOTIFICATION.fullmatch(one)}
    assert foreign == set()
    assert SEQUENCE.sub(b"", seen).count(b"\x07") == 1
    assert f"({number}) tapewatch".encode() in seen
    assert seen.count(b"\x1b[22;2t") == seen.count(b"\x1b[23;2t") == 1
