"""The investigation: its graph while it runs, then the answer; without a question the earlier ones and a prompt."""

from __future__ import annotations

from collections.abc import Coroutine
from datetime import UTC, datetime, tzinfo
from typing import Any

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Input

from agents.calls import ModelCall
from agents.investigation.ports import NodeEvent
from app.clock import Clock
from app.errors import UsageError
from app.investigation.asked import is_symbol, read_moment
from app.investigation.asking import Found, Investigator, Wanted
from app.investigation.text import usual
from app.ui.guarded import guarded
from app.ui.keys import INVESTIGATION_KEYS
from app.ui.line import said
from app.ui.links import open_link
from app.ui.pages.calls import whole_call
from app.ui.pages.investigation import LINK, answer_rows, graph_rows, past_rows
from app.ui.pages.page import CallPlace, Row, View
from app.ui.widgets.bars import KeyLine
from app.ui.widgets.prompt_line import PromptLine
from app.ui.widgets.row_list import RowList
from storage.investigations import PastInvestigation


class ShownScreen(Screen[None]):
    """Asks the investigator and shows what it gets: the list, the graph as it runs, an answer."""

    def __init__(
        self, investigator: Investigator, clock: Clock, zone: tzinfo | None, wanted: Wanted | None = None
    ) -> None:
        super().__init__()
        self._investigator = investigator
        self._clock = clock
        self._zone = zone
        self._wanted = wanted
        self._events: list[NodeEvent] = []
        self._found: Found | None = None
        self._call: ModelCall | None = None
        self._past: tuple[PastInvestigation, ...] = ()
        self._question = ""

    def refill(self, *, stay: bool = False) -> None:
        """Makes the rows anew; with `stay` the reader keeps his place."""
        rows = self.query_one(RowList)
        made = self._rows(View(max(rows.cells, 40), self._clock.now(), self._zone))
        cursor = rows.cursor if stay else None
        rows.set_rows(made, cursor=cursor, top=rows.scroll_offset.y if stay else 0)
        self.refresh_bindings()

    def _rows(self, view: View) -> list[Row]:
        if self._question:
            return graph_rows(self._question, self._events, self._investigator.bound, view)
        if self._call is not None:
            return list(whole_call(self._call, view))
        return answer_rows(self._found, view) if self._found else past_rows(self._past, view)

    def on_row_list_resized(self) -> None:
        self.refill(stay=True)

    def _begin(self, wanted: Wanted) -> None:
        self._question = wanted.question or usual(wanted.symbol, wanted.at, self._zone)
        self._events.clear()
        self.refill()
        self._run(self._ask(wanted))

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        """Does one thing at a time; a new one takes the place of what is under way."""
        self.run_worker(guarded(self, work), exclusive=True)

    async def _ask(self, wanted: Wanted) -> None:
        self._show(await self._investigator.ask(wanted, self._watch))

    async def _list(self, text: str = "") -> None:
        self._past = tuple(await self._investigator.past(text))
        self._found, self._question = None, ""
        self.refill()

    async def _open(self, case_id: str) -> None:
        found = await self._investigator.found(case_id)
        if found is not None:
            self._show(found)
        else:
            await self._again(case_id)

    async def _again(self, case_id: str) -> None:
        self._question = "Asking the sources again"
        self._events.clear()
        self.refill()
        self._show(await self._investigator.look_again(case_id, self._watch))

    def _show(self, found: Found) -> None:
        self._found, self._question, self._call = found, "", None
        self.refill()

    def _open_call(self, number: int | None) -> None:
        """Shows one call to the model; None goes back to the answer."""
        self._call = self._found.calls[number] if self._found and number is not None else None
        self.refill()

    def _watch(self, event: NodeEvent) -> None:
        self._events.append(event)
        if self.is_attached:
            self.refill(stay=True)


class InvestigationScreen(ShownScreen):
    """One investigation, or the list of earlier ones."""

    BINDINGS = INVESTIGATION_KEYS

    def compose(self) -> ComposeResult:
        yield RowList(id="sheet")
        yield PromptLine(id="prompt")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(RowList).focus()
        if self._wanted is not None:
            self._begin(self._wanted)
        else:
            self._run(self._list())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if isinstance(self.focused, Input) and action != "leave":
            return False
        return self._found is not None if action == "again" else True

    def action_leave(self) -> None:
        prompt = self.query_one(PromptLine)
        if prompt.is_open:
            prompt.close()
            self.query_one(RowList).focus()
        elif self._call is not None:
            self._open_call(None)
        elif self._wanted is None and (self._found is not None or self._question):
            self._run(self._list())
        else:
            self.dismiss(None)

    def action_new(self) -> None:
        self.query_one(PromptLine).open("why", "a symbol, and a time where you know it: USDJPY 2024-04-29 13:00")

    def action_find(self) -> None:
        self.query_one(PromptLine).open("find", "words of an earlier investigation")

    def action_again(self) -> None:
        if self._found is not None:
            self._run(self._again(self._found.answer.case.id))

    def on_prompt_line_entered(self, message: PromptLine.Entered) -> None:
        self.query_one(RowList).focus()
        if message.label == "find":
            self._run(self._list(message.text))
            return
        try:
            self._begin(read_wanted(message.text, self._zone))
        except UsageError as error:
            self.notify(said(str(error)), severity="error", markup=False)

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        row = message.row
        if isinstance(row.opens, CallPlace):
            self._open_call(row.opens.number)
        elif row.opens == LINK:
            self.notify(open_link(row.link), markup=False, timeout=4)
        elif isinstance(row.opens, str):
            self._run(self._open(row.opens))


def read_wanted(text: str, zone: tzinfo | None) -> Wanted:
    """A symbol and perhaps a time, as a person types them; the time is of the screen's zone unless it names one."""
    symbol, _, when = text.strip().partition(" ")
    if not is_symbol(symbol):
        raise UsageError(f"{symbol[:20]!r} is no symbol; type for example USDJPY or NVDA 2026-11-30 09:30")
    at = read_moment(when, zone or datetime.now().astimezone().tzinfo or UTC) if when.strip() else None
    return Wanted(symbol.upper(), at)
