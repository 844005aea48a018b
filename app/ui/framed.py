"""The application's way to the terminal: through a frame that knows what stands there."""

from __future__ import annotations

from typing import Any

from rich.console import Console, RenderableType
from textual import events
from textual._compositor import CompositorUpdate
from textual.app import App
from textual.geometry import Offset
from textual.screen import Screen

from app.ui.frame import Frame


class Written(CompositorUpdate):
    """An update that is a sequence already."""

    def __init__(self, sequence: str) -> None:
        self._sequence = sequence

    def render_segments(self, console: Console) -> str:
        return self._sequence


class FramedApp(App[None]):
    """An application that writes to the terminal only what differs from what stands there."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.frame = Frame()
        self._cursor_at: Offset | None = None

    def paint_anew(self) -> None:
        """Writes the whole screen again, whatever stands on the terminal."""
        self.frame.forget()
        self.refresh(layout=True)

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        if isinstance(renderable, CompositorUpdate) and not self.is_headless and not self._batch_count:
            sequence = self.frame.sequence(renderable, self.console)
            if sequence == "" and self._cursor_at == self.cursor_position:
                return
            self._cursor_at = self.cursor_position
            renderable = renderable if sequence is None else Written(sequence)
        super()._display(screen, renderable)

    def _fatal_error(self) -> None:
        """Leaves without Textual's traceback, which shows the value of every variable, a secret's too."""
        self._close_messages_no_wait()

    def on_resize(self, event: events.Resize) -> None:
        self.frame.forget()
