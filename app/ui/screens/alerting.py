"""The part of the monitor that handles alerts: mute, snooze, note, undo and the log, by key."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from agents.models import Urgency
from app.alerts.book import AlertBook
from app.ui.alert_acts import AlertActs
from app.ui.screens.investigating import InvestigatingScreen
from app.ui.widgets.flash_banner import FlashBanner
from storage.alerts import MuteKind

ALERT_ACTIONS = frozenset({"mute", "snooze", "note", "undo", "alerts", "all_read", "toggle_read"})


class AlertingScreen(InvestigatingScreen):
    """A screen on which alerts can be silenced. Without a book (`keep`) the keys for it are not there."""

    acts: AlertActs | None = None

    def keep(self, book: AlertBook) -> None:
        """Lets a person act through `book`."""
        self.acts = AlertActs(self, self._clock, book)

    def mark_muted(self) -> None:
        """Lets the list mark what is muted; called once there is a list."""
        if self.acts is not None:
            self.feed.model.cache.mark = self.acts.marked

    def look_at_mutes(self) -> bool:
        """Takes in what was muted elsewhere; whether a snooze is in force."""
        if self.acts is None:
            return False
        self.acts.look()
        return self.acts.asleep

    def shown_keys(self) -> Sequence[int]:
        """The cards that were looked at last."""
        return self.feed.model.cache.keys

    def show_alerts(self) -> None:
        """Brings the banner in step with the alerts nobody has acknowledged."""
        rows = [row for row in self._cards.alerts_unacknowledged() if row.urgency is Urgency.FLASH]
        newest = max(rows, key=lambda row: row.created_at, default=None)
        cards = self._cards.cards([newest.card_key]) if newest else []
        more = len({row.card_key for row in rows}) - 1  # a story with a new fact has an alert for each, and one card
        self.query_one(FlashBanner).show(cards[0] if cards else None, more)

    def action_acknowledge(self) -> None:
        self._acting.acknowledge([row.key for row in self._cards.alerts_unacknowledged()])

    def action_mute(self) -> None:
        from app.ui.screens.alerts import MuteScreen  # the first paint does without it

        def chosen(choice: tuple[MuteKind, str, str, timedelta] | None) -> None:
            if choice is not None and self.acts is not None:
                self.acts.mute(*choice)

        self.app.push_screen(MuteScreen(self._selected), chosen)

    def action_snooze(self) -> None:
        if self.acts is not None:
            self.acts.snooze()

    def action_note(self) -> None:
        from app.ui.screens.alerts import NoteScreen

        card, acts = self._selected, self.acts
        if card is None or acts is None:
            return

        def written(text: str | None) -> None:
            if text is not None:
                acts.note(card, text)

        self.app.push_screen(NoteScreen(acts.book.note(card.key)), written)

    def action_undo(self) -> None:
        if self.acts is not None:
            self.acts.undo()

    def action_star(self) -> None:
        card = self._selected
        if self.acts is None:
            super().action_star()
        elif card is not None:
            self.acts.star(card)

    def action_all_read(self) -> None:
        if self.acts is not None:
            self.acts.read(list(self.feed.model.order.keys), read=True)

    def action_toggle_read(self) -> None:
        card = self._selected
        if self.acts is not None and card is not None:
            self.acts.read([card.key], read=not card.read)

    def action_alerts(self) -> None:
        from app.ui.screens.alerts import AlertsScreen

        if self.acts is not None:
            self.app.push_screen(AlertsScreen(self.acts, self._clock, self._zone))
