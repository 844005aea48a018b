"""What the program says in passing: on the bottom line, where it covers nothing; a toast only where there is room."""

from __future__ import annotations

import os
import signal

from textual.css.query import NoMatches
from textual.notifications import SeverityLevel
from textual.widgets._toast import Toast

from app.ui.framed import FramedApp
from app.ui.line import Role, Span
from app.ui.widgets.bars import KeyLine

SAID_S: dict[SeverityLevel, float] = {"information": 4.0, "warning": 8.0, "error": 8.0}
"""How long something is said, in seconds, by its severity."""
TOASTS_SHOWN = 2
"""More toasts than these would cover what is read; the older ones give way."""
ROOMY_CELLS, ROOMY_LINES = 120, 30
"""A screen of that size has room for a toast."""
_ROLE: dict[SeverityLevel, Role] = {"information": "text", "warning": "alert", "error": "bad"}


class TellingApp(FramedApp):
    """An application whose notifications go to the bottom line of the screen that is on top."""

    @property
    def is_roomy(self) -> bool:
        """Whether a toast leaves enough of the screen in sight."""
        return self.size.width >= ROOMY_CELLS and self.size.height >= ROOMY_LINES

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Says `message` on the bottom line. It is shown as it is: nothing here parses markup."""
        spans = [Span(f"{title}  ", "key")] if title else []
        line = (*spans, Span("  ".join(message.split("\n")), _ROLE[severity]))
        seconds = timeout or SAID_S[severity]
        for screen in reversed(self.screen_stack):
            try:
                screen.query_one(KeyLine).tell(line, seconds)
            except NoMatches:
                continue
            return

    def toast(self, message: str, *, title: str) -> None:
        """Says something loud: in a toast where there is room, else on the bottom line."""
        if self.is_roomy:
            if len(self.screen.query(Toast)) >= TOASTS_SHOWN:
                self.clear_notifications()
            super().notify(message, title=title, severity="warning", markup=False)
        else:
            self.notify(message, title=title, severity="warning", markup=False)

    def action_suspend_process(self) -> None:
        """Puts the program into the background, as a shell does with ctrl+z."""
        if not self.is_headless:
            os.kill(os.getpid(), signal.SIGTSTP)
