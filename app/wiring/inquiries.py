"""The investigations of the monitor: over its database and its access to the sources."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from agents.investigation.models import Bound, Case, Sighted
from agents.investigation.ports import Watcher
from agents.investigation.state import Answer
from agents.tools.asking.access import Access
from app.clock import Clock
from app.investigation.asking import Found, Wanted
from app.investigation.inquiry import Inquirer, case_of
from app.investigation.recheck import AGAIN, recheck_at, rechecked
from app.wiring.investigation import build_world, names_of
from app.wiring.reading import BY_RULES, Reading, reading_of
from feeds.symbols.table import SymbolTable
from storage.database import Database
from storage.investigations import Investigations, PastInvestigation, PastInvestigations

__all__ = ["Inquiries", "reading_of"]

log = logging.getLogger(__name__)


class Inquiries:
    """Runs investigations in the monitor, behind `app.wiring.lazy_inquiries`. `access` gives the way to the network
    once there is one; without it only the database is asked. `reading` is who reads the records."""

    def __init__(
        self, database: Database, clock: Clock, access: Callable[[], Access | None], reading: Reading = BY_RULES
    ) -> None:
        self._database = database
        self._clock = clock
        self._access = access
        self._kept = Investigations(database, clock.now)
        self._past = PastInvestigations(database)
        self._reading = reading

    @property
    def bound(self) -> Bound:
        """The worst case of one investigation."""
        return self._reading.caps.worst_case()

    async def ask(self, wanted: Wanted, watch: Watcher) -> Found:
        """Looks into a move and keeps the answer."""
        now = self._clock.now()
        case = case_of(wanted.symbol, asked_at=now, at=wanted.at, question=wanted.question)
        case = replace(case, engine=self._reading.engine)
        return await self._run(await self._kept.begin(case), watch)

    async def past(self, text: str = "") -> Sequence[PastInvestigation]:
        """Earlier investigations that hold `text`, the newest first."""
        return await self._past.recent(text)

    async def found(self, case_id: str) -> Found | None:
        """The answer of an earlier one with its prices."""
        answer = await self._past.answer(case_id)
        return None if answer is None else await self._found(answer)

    async def look_again(self, case_id: str, watch: Watcher) -> Found:
        """Runs an earlier case anew and keeps what changed."""
        before = await self._past.answer(case_id)
        if before is None:
            known = next(one for one in await self._past.recent() if one.case.id == case_id)
            return await self._run(known.case, watch)
        await self._kept.forget_nodes(case_id)
        inquirer, case = await self._inquirer(before.case)
        after = await inquirer.ask(case, self._clock.now, watch)
        outcome = rechecked(before, after, self._clock.now())
        await self._kept.finish(outcome.answer, outcome.again_at, changed=outcome.changed)
        return await self._found(outcome.answer)

    async def recheck_due(self, told: Callable[[PastInvestigation], None]) -> None:
        """Asks again whatever awaits information that has come out; one that fails is put off."""
        for due in await self._past.due(self._clock.now()):
            try:
                await self.look_again(due.case.id, lambda event: None)
            except Exception as error:  # noqa: BLE001 -- one case's fault must not end the watch over the others
                log.warning("the re-check of %s failed: %s", due.case.symbol, error)
                await self._kept.postpone(due.case.id, self._clock.now() + AGAIN)
                continue
            line = await self._past.one(due.case.id)
            if line is not None:
                told(line)

    async def _run(self, case: Case, watch: Watcher) -> Found:
        inquirer, case = await self._inquirer(case)
        answer = await inquirer.ask(case, self._clock.now, watch)
        await self._kept.finish(answer, recheck_at(answer, self._clock.now()))
        return await self._found(answer)

    async def _inquirer(self, case: Case) -> tuple[Inquirer, Case]:
        table = await asyncio.to_thread(SymbolTable.load)
        case = replace(case, names=case.names or names_of(case, table), engine=self._reading.engine)
        world = build_world(case, table, self._access(), self._database, self._clock.now, None)
        return Inquirer(world, self._reading.thinker(table), self._kept, table, self._reading.caps), case

    async def _found(self, answer: Answer) -> Found:
        case_id = answer.case.id
        return Found(answer, await self._sighted(case_id), await self._past.calls(case_id))

    async def _sighted(self, case_id: str) -> Sighted | None:
        result = (await self._kept.results(case_id)).get(("Timeline", 1))
        return result if isinstance(result, Sighted) else None
