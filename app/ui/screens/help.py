"""Every key and what it does, made from the bindings themselves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from itertools import groupby

from app.clock import Clock
from app.ui.keys import HELP_KEYS, SECTIONS, bindings, keys_shown
from app.ui.line import Span, left
from app.ui.pages.page import GAP, Row, View, heading
from app.ui.screens.sheet import SheetScreen

KEY_CELLS = 14
SIGN_CELLS = 22
LEGEND = (
    ("FLASH ALERT NOTE FYI", "how loud; a FLASH stays in the banner until acknowledged"),
    ("0.91 ━━━━━━━━──", "impact, the highest of the five: red from 0.70, amber from 0.45, else blue"),
    ("c0.78", "confidence: the mean of the agents"),
    ("×7", "independent outlets that carry the story"),
    ("5/5", "agents that judged it"),
    ("▲ ▼ ?", "direction for a ticker: up, down, unclear"),
    ("◆NVDA ◇TSM", "on your watchlist: held, and watched"),
    ("•  ★", "unread, starred"),
    ("14:01?", "the publisher's time is in doubt; the card says why"),
)


def help_rows(here: Sequence[object] = ()) -> list[Row]:
    """Keys and what they do, group by group, those of `here` first; then the signs on a card."""
    rows: list[Row] = []
    for name, keys in sorted(SECTIONS, key=lambda section: section[1] is not here):
        rows.append(heading(name))
        for told, group in groupby(bindings(keys), key=lambda binding: binding.tooltip):
            shown = " ".join(keys_shown(binding) for binding in group)
            rows.append(Row((Span(left(shown, KEY_CELLS), "key"), Span(told, "text"))))
        rows.append(GAP)
    rows.append(heading("On a card"))
    rows += [Row((Span(left(sign, SIGN_CELLS), "strong"), Span(told, "text"))) for sign, told in LEGEND]
    return rows


class HelpScreen(SheetScreen):
    """The help; the keys of the screen it was asked for on stand first."""

    BINDINGS = HELP_KEYS

    def __init__(self, here: Sequence[object], clock: Clock, zone: tzinfo | None) -> None:
        super().__init__(clock, zone)
        self._here = here

    def made(self, view: View) -> list[Row]:
        return [Row((Span("Keys", "title"),)), GAP, *help_rows(self._here)]
