"""What the terminal itself is told: notifications for alerts, and in its title how many are unseen."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import App

from app.alerts.osc import KEEP_TITLE, notification, title_sequence
from app.alerts.rule import LOUD
from app.ui.alerting import toast_text
from app.ui.line import said
from storage.models import AlertRow, Card, CardCounts


class AlertVoice:
    """Speaks to the terminal of `app` in escape sequences; silent where there is none.

    A burst is one notification; `notifies` False keeps to the title.
    """

    def __init__(self, app: App[None], *, notifies: bool) -> None:
        self._app = app
        self._notifies = notifies
        self._titled = ""

    def announce(self, rows: Sequence[AlertRow], card: Card | None) -> None:
        """One notification for these alerts; `card` is that of the first."""
        if not self._notifies or not rows or card is None:
            return
        loudest = rows[0].urgency
        if len(rows) == 1:
            title, _, body = toast_text(card).partition("\n")
            self._write(notification(f"{loudest} {title}", body))
        else:
            self._write(notification(f"{len(rows)} alerts", f"{loudest} {said(card.title, limit=200)}"))

    def unseen(self, counts: CardCounts) -> None:
        """Puts the number of unread alerts into the title of the terminal."""
        number = sum(counts.unread_by_urgency.get(urgency, 0) for urgency in LOUD)
        title = f"({number}) tapewatch" if number else "tapewatch"
        if title != self._titled:
            self._write(("" if self._titled else KEEP_TITLE) + title_sequence(title))
            self._titled = title

    def end(self) -> None:
        """Gives the terminal its title back."""
        if self._titled:
            self._write(title_sequence(""))
            self._titled = ""

    def _write(self, sequence: str) -> None:
        driver = self._app._driver  # Textual has no public way to write a sequence of one's own
        if sequence and driver is not None and not self._app.is_headless:
            driver.write(sequence)
            driver.flush()
