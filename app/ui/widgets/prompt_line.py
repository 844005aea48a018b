"""A line a person types an answer into; what it asks for stands before it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Label

from app.ui.widgets.search_line import PRINTABLE


class PromptLine(Horizontal):
    """Hidden until it is opened. Posts `Entered` once enter was pressed on more than blanks, and hides again."""

    class Entered(Message):
        """What was typed, and what it was asked for."""

        def __init__(self, label: str, text: str) -> None:
            super().__init__()
            self.label = label
            self.text = text

    _asked = ""

    def compose(self) -> ComposeResult:
        yield Label("", markup=False)
        yield Input(compact=True, restrict=PRINTABLE)

    @property
    def is_open(self) -> bool:
        """Whether the line is in sight."""
        return self.has_class("-open")

    def open(self, label: str, hint: str) -> None:
        """Shows the line and takes the keyboard."""
        self._asked = label
        self.query_one(Label).update(label)
        field = self.query_one(Input)
        field.placeholder = hint
        field.clear()
        self.add_class("-open")
        field.focus()

    def close(self) -> None:
        """Hides the line."""
        self.remove_class("-open")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value.strip()
        if text:
            self.close()
            self.post_message(self.Entered(self._asked, text))
