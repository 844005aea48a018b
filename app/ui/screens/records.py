"""The screens that show what the program knows of itself: settings, cost and latency, the scorecard."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from typing import TYPE_CHECKING

from app.clock import Clock
from app.pipeline.status import Status
from app.records import Records
from app.ui.guarded import guarded
from app.ui.keys import COSTS_KEYS, SCORECARD_KEYS, SETTINGS_KEYS
from app.ui.pages.costs import cost_rows
from app.ui.pages.page import Row, View
from app.ui.pages.scorecard import scorecard_rows
from app.ui.pages.settings import settings_rows
from app.ui.screens.sheet import SheetScreen

if TYPE_CHECKING:
    from app.scorecard import Scorecard
    from storage.stage_times import StageTimes

READ_EVERY_S = 5.0
"""How often the stages are read again while they are looked at."""


class SettingsScreen(SheetScreen):
    """What is in force and where it comes from. It is read when it is opened."""

    BINDINGS = SETTINGS_KEYS

    def __init__(self, records: Records, clock: Clock, zone: tzinfo | None) -> None:
        super().__init__(clock, zone)
        self._found = records.settings()

    def made(self, view: View) -> list[Row]:
        return settings_rows(self._found, view)


class CostsScreen(SheetScreen):
    """How long each stage takes and what the model costs."""

    BINDINGS = COSTS_KEYS
    every_s = 1.0

    def __init__(self, records: Records, status: Callable[[], Status], clock: Clock, zone: tzinfo | None) -> None:
        super().__init__(clock, zone)
        self._records = records
        self._status = status
        self._times: StageTimes | None = None

    def on_mount(self) -> None:
        self.set_interval(READ_EVERY_S, self._look)
        self._look()

    def made(self, view: View) -> list[Row]:
        return cost_rows(self._times, self._status(), view)

    def _look(self) -> None:
        self.run_worker(guarded(self, self._read()), exclusive=True)

    async def _read(self) -> None:
        self._times = await self._records.times()
        self.refill()


class ScorecardScreen(SheetScreen):
    """Scores against later moves."""

    BINDINGS = SCORECARD_KEYS

    def __init__(self, records: Records, clock: Clock, zone: tzinfo | None) -> None:
        super().__init__(clock, zone)
        self._records = records
        self._card: Scorecard | None = None

    def on_mount(self) -> None:
        self.action_again()

    def made(self, view: View) -> list[Row]:
        return scorecard_rows(self._card, view)

    def action_again(self) -> None:
        self.run_worker(guarded(self, self._read()), exclusive=True)

    async def _read(self) -> None:
        self._card = await self._records.scorecard()
        self.refill()
