"""The part of the monitor that leads to the investigations, and tells what a re-check of an earlier one found."""

from __future__ import annotations

from datetime import tzinfo
from typing import TYPE_CHECKING

from app.clock import Clock
from app.ui.control import Cards, Control
from app.ui.line import said
from app.ui.screens.reading import ReadingScreen

if TYPE_CHECKING:
    from app.investigation.asking import Investigator, Wanted
    from storage.investigations import PastInvestigation


SETTLED_S = 60.0
"""The first look at confirmation dates waits until the screen has settled."""


class InvestigatingScreen(ReadingScreen):
    """A screen whose cards can be investigated, once an investigator is there. Its parts load with the first use."""

    def __init__(self, cards: Cards, control: Control, clock: Clock, zone: tzinfo | None) -> None:
        super().__init__(cards, control, clock, zone)
        self.investigator: Investigator | None = None

    def watch_dates(self) -> None:
        """Begins to re-check what awaits information, as long as the screen lives."""
        if self.investigator is not None:
            self.run_worker(self._watch_dates(self.investigator), exit_on_error=False)

    async def _watch_dates(self, investigator: Investigator) -> None:
        await self._clock.sleep(SETTLED_S)
        await investigator.watch_dates(self._tell)

    def _tell(self, past: PastInvestigation) -> None:
        told = said(f"{past.case.symbol}: {past.changed}", limit=200)
        self.notify(f"{told}; I opens the list", title="investigation", markup=False)

    def action_investigate(self) -> None:
        from app.investigation.asking import Wanted

        card = self._selected
        if card is None:
            self.notify("no card is selected", markup=False, timeout=4)
        elif not card.tickers:
            self.notify("this card links to no ticker; press I and name one", markup=False, timeout=4)
        else:
            self._investigate(Wanted(card.tickers[0].symbol, card.at, card.title))

    def action_investigations(self) -> None:
        self._investigate(None)

    def _investigate(self, wanted: Wanted | None) -> None:
        if self.investigator is not None:
            from app.ui.screens.investigation import InvestigationScreen

            self.app.push_screen(InvestigationScreen(self.investigator, self._clock, self._zone, wanted))
