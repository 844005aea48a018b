"""The investigations of the monitor, loaded with the first question: the first paint does without them."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from app.clock import Clock
from storage.database import Database

if TYPE_CHECKING:
    from agents.investigation.models import Bound
    from agents.investigation.ports import Watcher
    from agents.tools.access import Access
    from app.investigation.asking import Found, Wanted
    from app.wiring.inquiries import Inquiries
    from storage.investigations import PastInvestigation


SETTLED_S = 60.0
"""The first look at confirmation dates waits until the monitor has settled."""


class LazyInquiries:
    """Stands for `app.wiring.inquiries.Inquiries` until it is needed (`app.investigation.asking.Investigator`)."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._access: Callable[[], Access | None] = lambda: None
        self._made: Inquiries | None = None

    def reach(self, access: Callable[[], Access | None]) -> None:
        """Gives the way to the network, once there is one."""
        self._access = access

    @property
    def bound(self) -> Bound:
        """The worst case of one investigation."""
        from agents.investigation.bound import Caps

        return Caps().worst_case()

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
        """Re-checks each case whose confirmation date has passed, for as long as the monitor runs."""
        await self._clock.sleep(SETTLED_S)
        await (await self._inquiries()).watch_dates(told)

    async def _inquiries(self) -> Inquiries:
        if self._made is None:
            module = await asyncio.to_thread(importlib.import_module, "app.wiring.inquiries")
            self._made = module.Inquiries(self._database, self._clock, lambda: self._access())
        return self._made
