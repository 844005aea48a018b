"""What the screens beside the list show: saved views, the stages of the work, the track record, the settings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from app.clock import Clock
from storage.database import Database
from storage.models import CardFilter

if TYPE_CHECKING:
    from app.config.in_force import InForce
    from app.scorecard import Scorecard
    from storage.stage_times import StageTimes
    from storage.views import SavedView


class Records:
    """Reads and keeps beside the list. `watchlist` tells of each watched symbol whether it is held.

    Every question is asked of the database anew, in another thread. Raises StorageError.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        watchlist: Mapping[str, bool],
        settings: Callable[[], InForce] | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self.watchlist = watchlist
        self._settings = settings
        self.known_views: list[SavedView] = []
        """The views as they were last read."""

    def settings(self) -> InForce | None:
        """What is in force and where it comes from; None where nobody said."""
        return self._settings() if self._settings else None

    async def views(self) -> list[SavedView]:
        """The saved views by their place."""
        from storage.views import Views  # the first paint does without it

        self.known_views = await Views(self._database).all()
        return self.known_views

    async def save_view(self, name: str, wanted: CardFilter) -> int:
        """Keeps a filter under a name and returns the digit it is recalled by; raises TooManyViews."""
        from storage.views import Views

        return await Views(self._database).save(name, wanted, self._clock.now())

    async def remove_view(self, name: str) -> SavedView | None:
        """Takes a view away and returns it."""
        from storage.views import Views

        return await Views(self._database).remove(name)

    async def times(self) -> StageTimes:
        """How long the stages of the newest items took."""
        from storage.stage_times import stage_times

        return await stage_times(self._database)

    async def scorecard(self) -> Scorecard:
        """What scores were worth against later prices, over all that is kept."""
        from app.scorecard import scorecard
        from storage.track_record import track_record

        record = await track_record(self._database, since=None, until=None)
        return await asyncio.to_thread(scorecard, record)
