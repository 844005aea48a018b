"""The investigations of the monitor, loaded with the first question: the first paint does without them."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from app.clock import Clock
from storage.database import Database
from storage.rechecks import any_due

if TYPE_CHECKING:
    from agents.investigation.models import Bound
    from agents.investigation.ports import Watcher
    from agents.tools.asking.access import Access
    from app.config.config import Config
    from app.investigation.asking import Found, Wanted
    from app.wiring.claude import Claude
    from app.wiring.inquiries import Inquiries
    from storage.investigations import PastInvestigation


CHECK_EVERY_S = 300.0
"""How often it is looked whether a confirmation date has passed, in seconds."""


class LazyInquiries:
    """Stands for `app.wiring.inquiries.Inquiries` until it is needed (`app.investigation.asking.Investigator`)."""

    def __init__(self, database: Database, clock: Clock, config: Config) -> None:
        self._database = database
        self._clock = clock
        self._config = config
        self._access: Callable[[], Access | None] = lambda: None
        self._claude: Callable[[], Claude | None] = lambda: None
        self._made: Inquiries | None = None

    def reach(self, access: Callable[[], Access | None], claude: Callable[[], Claude | None]) -> None:
        """Gives the way to the network and to the model service, once there is one."""
        self._access = access
        self._claude = claude

    @property
    def bound(self) -> Bound:
        """The worst case of one investigation."""
        from app.wiring.reading import reading_of

        return reading_of(self._config).caps.worst_case()

    async def ask(self, wanted: Wanted, watch: Watcher) -> Found:
        """Looks into a move and keeps the answer."""
        return await (await self._inquiries()).ask(wanted, watch)

    async def past(self, text: str = "") -> Sequence[PastInvestigation]:
        """Earlier investigations that hold `text`, the newest first."""
        return await (await self._inquiries()).past(text)

    async def found(self, case_id: str) -> Found | None:
        """The answer of an earlier one with its prices."""
        return await (await self._inquiries()).found(case_id)

    async def look_again(self, case_id: str, watch: Watcher) -> Found:
        """Runs an earlier case anew and keeps what changed."""
        return await (await self._inquiries()).look_again(case_id, watch)

    async def watch_dates(self, told: Callable[[PastInvestigation], None]) -> None:
        """Re-checks each case whose confirmation date has passed; until there is one nothing is loaded for it."""
        while True:
            if await any_due(self._database, self._clock.now()):
                await (await self._inquiries()).recheck_due(told)
            await self._clock.sleep(CHECK_EVERY_S)

    async def _inquiries(self) -> Inquiries:
        if self._made is None:
            module = await asyncio.to_thread(importlib.import_module, "app.wiring.inquiries")
            reading = module.reading_of(self._config, lambda: self._claude())
            self._made = module.Inquiries(self._database, self._clock, lambda: self._access(), reading)
        return self._made
