"""The investigations of the monitor: over its database and its access to the sources."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from agents.investigation.bound import Caps
from agents.investigation.models import Bound, Case, Sighted
from agents.investigation.ports import Watcher
from agents.investigation.rules_thinker import RulesThinker
from agents.tools.access import Access
from app.clock import Clock
from app.investigation.asking import Found, Wanted
from app.investigation.inquiry import Inquirer, case_of
from app.investigation.recheck import recheck_at, what_changed
from app.wiring.investigation import build_world, names_of
from feeds.symbols.table import SymbolTable
from storage.database import Database
from storage.investigations import Investigations, PastInvestigation, PastInvestigations

CHECK_EVERY: timedelta = timedelta(minutes=5)
"""How often the program looks whether a confirmation date has passed."""


class Inquiries:
    """Runs investigations in the monitor (`app.investigation.asking.Investigator`). `access` gives the way to the
    network once there is one; without it only the database is asked."""

    def __init__(self, database: Database, clock: Clock, access: Callable[[], Access | None]) -> None:
        self._database = database
        self._clock = clock
        self._access = access
        self._kept = Investigations(database, clock.now)
        self._past = PastInvestigations(database)
        self._caps = Caps()

    @property
    def bound(self) -> Bound:
        """The worst case of one investigation."""
        return self._caps.worst_case()

    async def ask(self, wanted: Wanted, watch: Watcher) -> Found:
        """Looks into a move and keeps the answer."""
        now = self._clock.now()
        case = case_of(wanted.symbol, asked_at=now, at=wanted.at, question=wanted.question)
        return await self._run(await self._kept.begin(case), watch)

    async def past(self, text: str = "") -> Sequence[PastInvestigation]:
        """Earlier investigations that hold `text`, the newest first."""
        return await self._past.recent(text)

    async def found(self, case_id: str) -> Found | None:
        """The answer of an earlier one with its prices."""
        answer = await self._past.answer(case_id)
        return None if answer is None else Found(answer, await self._sighted(case_id))

    async def look_again(self, case_id: str, watch: Watcher) -> Found:
        """Runs an earlier case anew and keeps what changed."""
        before = await self._past.answer(case_id)
        if before is None:
            known = next(one for one in await self._past.recent() if one.case.id == case_id)
            return await self._run(known.case, watch)
        await self._kept.forget_nodes(case_id)
        inquirer, case = await self._inquirer(before.case)
        after = await inquirer.ask(case, self._clock.now, watch)
        await self._kept.finish(after, recheck_at(after, self._clock.now()), changed=what_changed(before, after))
        return Found(after, await self._sighted(case_id))

    async def watch_dates(self, told: Callable[[PastInvestigation], None]) -> None:
        """Re-checks each case whose confirmation date has passed, for as long as the monitor runs."""
        while True:
            for due in await self._past.due(self._clock.now()):
                await self.look_again(due.case.id, lambda event: None)
                line = next((one for one in await self._past.recent() if one.case.id == due.case.id), None)
                if line is not None:
                    told(line)
            await self._clock.sleep(CHECK_EVERY.total_seconds())

    async def _run(self, case: Case, watch: Watcher) -> Found:
        inquirer, case = await self._inquirer(case)
        answer = await inquirer.ask(case, self._clock.now, watch)
        await self._kept.finish(answer, recheck_at(answer, self._clock.now()))
        return Found(answer, await self._sighted(case.id))

    async def _inquirer(self, case: Case) -> tuple[Inquirer, Case]:
        table = await asyncio.to_thread(SymbolTable.load)
        case = replace(case, names=case.names or names_of(case, table))
        world = build_world(case, table, self._access(), self._database, self._clock.now, None)
        return Inquirer(world, RulesThinker(table), self._kept, self._caps), case

    async def _sighted(self, case_id: str) -> Sighted | None:
        result = (await self._kept.results(case_id)).get(("Timeline", 1))
        return result if isinstance(result, Sighted) else None
