"""What is shown where nothing else fits."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.screen import Screen

from app.ui.line import Line, Span, fit
from app.ui.widgets.painted import LineWidget

LEAST_CELLS = 50
LEAST_LINES = 10


class SizeNotice(LineWidget):
    """The size that is needed and the size there is, in the middle of whatever room there is."""

    def lines(self, cells: int) -> list[Line]:
        height = self.size.height
        text = [
            "tapewatch needs more room",
            f"{LEAST_CELLS}×{LEAST_LINES} at least, this is {cells}×{height}",
            "q quit",
        ][: max(height, 0)]
        above: list[Line] = [()] * max((height - len(text)) // 2, 0)
        shown = [fit(one, cells) for one in text]
        return [*above, *(((Span(" " * ((cells - len(one)) // 2) + one, "strong"),)) for one in shown)]


class TooSmall(Screen[None]):
    """Says the size that is needed, and goes away by itself once there is room."""

    def compose(self) -> ComposeResult:
        yield SizeNotice()
