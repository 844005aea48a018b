"""The part of the application that opens the screens beside the monitor."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from app.clock import Clock
from app.pipeline.status import Status
from app.ui.screens.help import HelpScreen
from app.ui.screens.monitor import MonitorScreen
from app.ui.screens.too_small import TooSmall
from app.ui.telling import TellingApp

if TYPE_CHECKING:
    from app.records import Records

FROM_THE_MONITOR = frozenset({"feeds", "costs", "scorecard", "settings"})
_OF_RECORDS = frozenset({"costs", "scorecard", "settings"})


class RecordsApp(TellingApp):
    """An application with a help and, where there are records, their screens."""

    def __init__(
        self,
        records: Records | None,
        status: Callable[[], Status],
        clock: Clock,
        zone: tzinfo | None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.records = records
        self._status = status
        self._clock = clock
        self._zone = zone

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in _OF_RECORDS and self.records is None:
            return False
        if action == "help":
            return not isinstance(self.screen, HelpScreen | TooSmall)
        return isinstance(self.screen, MonitorScreen) if action in FROM_THE_MONITOR else True

    def action_help(self) -> None:
        self.push_screen(HelpScreen(type(self.screen).BINDINGS, self._clock, self._zone))

    def action_settings(self) -> None:
        from app.ui.screens.records import SettingsScreen  # the first paint does without them

        if self.records is not None:
            self.push_screen(SettingsScreen(self.records, self._clock, self._zone))

    def action_costs(self) -> None:
        from app.ui.screens.records import CostsScreen

        if self.records is not None:
            self.push_screen(CostsScreen(self.records, self._status, self._clock, self._zone))

    def action_scorecard(self) -> None:
        from app.ui.screens.records import ScorecardScreen

        if self.records is not None:
            self.push_screen(ScorecardScreen(self.records, self._clock, self._zone))
