"""Every key and what it does, made from the bindings themselves."""

from __future__ import annotations

from itertools import groupby

from textual.app import ComposeResult
from textual.screen import Screen

from app.ui.keys import HELP_KEYS, SECTIONS, bindings, keys_shown
from app.ui.line import Span, left
from app.ui.pages.page import GAP, Row, heading
from app.ui.widgets.bars import KeyLine
from app.ui.widgets.row_list import RowList

KEY_CELLS = 14
SIGN_CELLS = 22
LEGEND = (
    ("FLASH ALERT NOTE FYI", "how loud; a FLASH stays in the banner until acknowledged"),
    ("0.91 ━━━━━━━━──", "impact, the highest of the five: red from 0.70, amber from 0.45, else blue"),
    ("c0.78", "confidence: the mean of the agents"),
    ("×7", "independent outlets that carry the story"),
    ("5/5", "agents that judged it"),
    ("▲ ▼ ?", "direction for a ticker: up, down, unclear"),
    ("•  ★", "unread, starred"),
    ("14:01?", "the publisher's time is in doubt; the card says why"),
)


def help_rows() -> list[Row]:
    """Keys and what they do, group by group, then the signs on a card."""
    rows: list[Row] = []
    for name, keys in SECTIONS:
        rows.append(heading(name))
        for told, group in groupby(bindings(keys), key=lambda binding: binding.tooltip):
            shown = " ".join(keys_shown(binding) for binding in group)
            rows.append(Row((Span(left(shown, KEY_CELLS), "key"), Span(told, "text"))))
        rows.append(GAP)
    rows.append(heading("On a card"))
    rows += [Row((Span(left(sign, SIGN_CELLS), "strong"), Span(told, "text"))) for sign, told in LEGEND]
    return rows


class HelpScreen(Screen[None]):
    """The help."""

    BINDINGS = HELP_KEYS

    def compose(self) -> ComposeResult:
        yield RowList(id="sheet")
        yield KeyLine()

    def on_mount(self) -> None:
        rows = self.query_one(RowList)
        rows.set_rows([Row((Span("Keys", "title"),)), GAP, *help_rows()])
        rows.focus()

    def action_leave(self) -> None:
        self.dismiss(None)
