"""The line a search is typed into. It searches while one types; enter keeps the result."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Label

SEARCH_AFTER_S = 0.12
"""A pause this long in typing starts the search."""
PRINTABLE = r"[^\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]*"


class SearchLine(Horizontal):
    """Hidden until it is opened. Posts `Searched` with the words, `final` once enter was pressed."""

    class Searched(Message):
        """The words to search for."""

        def __init__(self, text: str, *, final: bool) -> None:
            super().__init__()
            self.text = text
            self.final = final

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._pause: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Label("search", markup=False)
        yield Input(placeholder="words, a company or a ticker", compact=True, restrict=PRINTABLE)

    @property
    def is_open(self) -> bool:
        """Whether the line is in sight."""
        return self.has_class("-open")

    def open(self) -> None:
        """Shows the line and takes the keyboard."""
        self.add_class("-open")
        self.query_one(Input).focus()

    def close(self) -> None:
        """Hides the line and forgets its words."""
        self.remove_class("-open")
        with self.prevent(Input.Changed):
            self.query_one(Input).clear()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        text = event.value.strip()
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(SEARCH_AFTER_S, lambda: self._search(text))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._pause is not None:
            self._pause.stop()
        self.post_message(self.Searched(event.value.strip(), final=True))

    def _search(self, text: str) -> None:
        if self.is_open:
            self.post_message(self.Searched(text, final=False))
