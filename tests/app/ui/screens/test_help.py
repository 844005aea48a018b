from __future__ import annotations

from app.ui.keys import SECTIONS, bindings
from app.ui.line import plain
from app.ui.screens.help import help_rows
from tests.app.ui.stage import stage


def test_help_names_every_key() -> None:
    text = "\n".join(plain(row.line) for row in help_rows())
    for _, keys in SECTIONS:
        for binding in bindings(keys):
            assert binding.tooltip in text, binding.id


async def test_help_opens_and_closes_with_the_same_key() -> None:
    async with stage() as on:
        await on.press("question_mark")
        assert on.top() == "HelpScreen"
        assert "To the next card" in on.text()
        await on.press("question_mark")
        assert on.top() == "MonitorScreen"
