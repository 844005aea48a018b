from __future__ import annotations

from agents.tools.asking.health import SourceState
from app.ui.line import plain
from app.ui.screens.feeds import evidence_rows, feed_rows
from tests.app.ui.samples import NOW, sources
from tests.app.ui.stage import NARROW, stage


def test_what_needs_attention_stands_first_with_its_error_in_words() -> None:
    rows = [plain(row.line) for row in feed_rows(sources(), NOW, 100)]
    assert rows[0] == "Feeds  3 of 5 answer  1 failing"
    assert rows[3].startswith("× failing Market wire")
    assert "503 from the server, which asks to wait 8 minutes · 4 times in a row" in rows[4]
    assert rows[5].startswith("· waiting Crowd board")
    assert "in 48 s" in rows[6]


def test_the_columns_line_up() -> None:
    rows = [plain(row.line) for row in feed_rows(sources(), NOW, 100)]
    column = rows[2].index("next check")
    assert [row[column:].strip() for row in rows if row.startswith("● ok") and row.isascii()] == []
    assert rows[3][column:] == "in 8 min"
    assert rows[6][column:] == "in 48 s"


async def test_r_asks_the_source_under_the_cursor_and_shift_r_all() -> None:
    async with stage(size=NARROW) as on:
        await on.press("f")
        assert on.top() == "FeedsScreen"
        await on.press("r", "j", "r", "R")
        assert on.control.checked == ["wire", "crowd", None]
        await on.press("f")
        assert on.top() == "MonitorScreen"


def test_the_evidence_sources_stand_below_with_the_reason_where_one_rests() -> None:
    states = [
        SourceState("bis", "BIS policy rates", "answering", "none needed", "", None, 3, 81.4, NOW),
        SourceState("gdelt", "GDELT", "resting", "none needed", "asks for fewer requests (429)", 240.0, 1),
        SourceState("brave", "Brave Search", "no key", "missing"),
    ]
    rows = [plain(row.line).rstrip() for row in evidence_rows(states, NOW, 100)]
    assert rows[1] == "Evidence  1 of 2 asked answer"
    assert rows[2].split() == ["×", "resting", "GDELT", "never", "asked", "again", "in", "4", "min"]
    assert rows[3].strip() == "asks for fewer requests (429)"
    assert rows[4].split()[:5] == ["●", "answering", "BIS", "policy", "rates"]
    assert rows[5] == "1 no key"
    assert evidence_rows([], NOW, 100) == []
