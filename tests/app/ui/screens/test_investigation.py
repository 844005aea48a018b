"""The investigation on the screen: the graph while it runs, the answer, earlier ones, and the prompt."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from agents.investigation.bound import Caps
from agents.investigation.models import Bound, Case, Coverage, Decomposition
from agents.investigation.ports import NodeEvent, Watcher
from app.clock import SteppedClock
from app.errors import UsageError
from app.events import Bus
from app.investigation.asking import Found, Wanted
from app.ui.line import plain
from app.ui.line import width as cells_of
from app.ui.pages.investigation import answer_rows, graph_rows, past_rows
from app.ui.pages.page import View
from app.ui.screens.investigation import read_wanted
from app.ui.widgets.price_plot import plot
from storage.investigations import PastInvestigation
from tests.agents.investigation.builders import ONSET, a_case, a_sighting, an_evidence
from tests.app.ui.cards_in_memory import MemoryCards, MemoryControl, Tape
from tests.app.ui.samples import NOW, day, sources
from tests.app.ui.stage import NARROW, WIDE, RungApp, Stage
from tests.storage.test_investigations import a_hypothesis, an_answer

LATE = timedelta(days=30)


def found(**more: object) -> Found:
    refuted = replace(
        a_hypothesis(), key="x", title="Federal Reserve: monetary policy", status="refuted", score=0.3, certainty="low"
    )
    evidence = (*a_hypothesis().evidence, an_evidence("A", "overlap", when="14 06:12", outlet="Bank of Japan"))
    strong = replace(a_hypothesis(), evidence=evidence)
    answer = replace(
        an_answer(),
        hypotheses=(strong, refuted),
        coverage=(
            Coverage("PrimarySource", "intervention records", "nothing", "searched, nothing there"),
            Coverage("Narrative", "news search", "down", "no answer within 15 s"),
        ),
        decomposition=Decomposition(-2.0, -0.4, None, -1.6, 0.0, ("USD against others -0.40%",)),
        **more,  # type: ignore[arg-type]
    )
    return Found(answer, a_sighting())


def past(case: Case | None = None, **more: object) -> PastInvestigation:
    fields = {
        "verdict": "no_public_cause",
        "headline": "Currency intervention: suspected, low",
        "onset_at": ONSET,
        "answered_at": NOW,
        "recheck_at": None,
        "rechecked_at": None,
        "changed": "",
    } | more
    return PastInvestigation(case or a_case(), **fields)  # type: ignore[arg-type]


@dataclass
class Oracle:
    """An investigator with one answer, which comes when it is let go."""

    answer: Found = field(default_factory=found)
    earlier: Sequence[PastInvestigation] = ()
    asked: list[Wanted] = field(default_factory=list)
    searched: list[str] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    watch: Watcher | None = None

    @property
    def bound(self) -> Bound:
        return Caps().worst_case()

    async def ask(self, wanted: Wanted, watch: Watcher) -> Found:
        self.asked.append(wanted)
        self.watch = watch
        watch(NodeEvent("Timeline", 1, "done", "-2.00% at 2024-05-14 06:00 UTC", 1))
        watch(NodeEvent("PrimarySource", 1, "running"))
        await self.gate.wait()
        return self.answer

    async def past(self, text: str = "") -> Sequence[PastInvestigation]:
        self.searched.append(text)
        return self.earlier

    async def found(self, case_id: str) -> Found | None:
        return self.answer

    async def look_again(self, case_id: str, watch: Watcher) -> Found:
        self.again.append(case_id)
        return self.answer

    async def watch_dates(self, told: Callable[[PastInvestigation], None]) -> None:
        return


@asynccontextmanager
async def stage_with(oracle: Oracle, size: tuple[int, int] = WIDE) -> AsyncIterator[Stage]:
    cards = MemoryCards(day(), sources())
    bus = Bus()
    control = MemoryControl(cards, NOW, None)
    clock = SteppedClock(NOW)
    app = RungApp(cards, bus, control, clock, UTC, investigator=oracle)
    async with app.run_test(size=size, notifications=True) as pilot:
        on = Stage(app, pilot, cards, control, Tape(cards, bus), clock)
        await on.done()
        yield on


def view(cells: int) -> View:
    return View(cells, NOW, UTC)


@pytest.mark.parametrize("cells", [76, 120, 156])
def test_every_row_fits_the_screen(cells: int) -> None:
    listed = past_rows([past(), past(recheck_at=NOW + LATE), past(changed="suspected is now confirmed")], view(cells))
    rows = [*answer_rows(found(), view(cells)), *graph_rows("What?", [], Caps().worst_case(), view(cells)), *listed]
    assert max(cells_of(row.line) for row in rows) <= cells


def test_what_evidence_says_is_never_cut() -> None:
    claim = (
        "Bank of Japan doubles leeway for long-term yields in a move that nobody had pencilled in, sending the yen up"
    )
    given = found()
    best = given.answer.hypotheses[0]
    long = replace(best, evidence=tuple(replace(one, claim=claim) for one in best.evidence))
    given = replace(given, answer=replace(given.answer, hypotheses=(long,)))
    for width in (76, 156):
        rows = answer_rows(given, view(width))
        assert " ".join("".join(plain(row.line) for row in rows).split()).count(claim) == len(best.evidence)
        assert max(cells_of(row.line) for row in rows) <= width


def test_the_answer_reads_from_verdict_to_what_was_used() -> None:
    text = "\n".join(plain(row.line).rstrip() for row in answer_rows(found(), view(120)))
    places = [
        text.index(words)
        for words in (
            "What moved USDJPY?",
            "cause found: ",
            "▼ -2.00% in the hour from",
            "▲ onset 06:00",
            "0.50 ━━━━━─────",
            "C x lead = 0.50 · 2 outlets · policy_change",
            "Set aside",
            "Federal Reserve: monetary policy",
            "What was searched",
            "○ nothing  intervention records",
            "× down     news search: no answer within 15 s",
            "market -0.40%, currency -1.60%, residual +0.00%",
            "1 round, 8 of at most 112 calls",
        )
    ]
    assert places == sorted(places)


def test_the_plot_marks_the_onset_and_the_ranks_under_their_times() -> None:
    evidence = [an_evidence("A", when="14 06:12"), an_evidence("C", when="14 12:00"), an_evidence("E", when=None)]
    lines = [plain(line) for line in plot(a_sighting(), evidence, 90, UTC)]
    assert len(lines) == 8
    onset = lines[-1].index("▲")
    assert abs(lines[-2].index("A") - onset) <= 1
    assert lines[-2].index("C") > onset
    assert "E" not in lines[-2]
    assert any("│" in line for line in lines[:6])
    assert plot(a_sighting(), evidence, 20, UTC) == []


def test_the_graph_shows_every_node_and_what_is_used() -> None:
    events = [
        NodeEvent("Timeline", 1, "done", "-2.00%", 1),
        NodeEvent("PrimarySource", 1, "done", "3 evidence", 6),
        NodeEvent("PrimarySource", 2, "running"),
        NodeEvent("Narrative", 1, "failed", "no answer", 2),
    ]
    text = "\n".join(plain(row.line) for row in graph_rows("What?", events, Caps().worst_case(), view(100)))
    assert "Timeline         ● done" in text
    assert "PrimarySource    ◌ running · round 2" in text
    assert "MarketStructure  · waiting" in text
    assert "Narrative        × failed" in text
    assert "round 2 of at most 2 · 9 of at most 112 calls" in text


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_i_on_a_card_shows_the_graph_and_then_the_answer(size: tuple[int, int]) -> None:
    oracle = Oracle()
    async with stage_with(oracle, size) as on:
        card = on.cards.cards([on.feed.cursor or 0])[0]
        on.app.simulate_key("i")
        await on.pilot.pause()
        await on.pilot.pause()
        assert on.top() == "InvestigationScreen"
        assert oracle.asked == [Wanted(card.tickers[0].symbol, card.at, card.title)]
        assert "PrimarySource    ◌ running" in on.text()
        oracle.gate.set()
        await on.done()
        assert "cause found" in on.text()
        await on.press("r")
        assert oracle.again == [oracle.answer.answer.case.id]
        await on.press("escape")
        assert on.top() == "MonitorScreen"


async def test_the_list_of_earlier_ones_opens_and_is_searched() -> None:
    oracle = Oracle(earlier=[past()])
    async with stage_with(oracle) as on:
        await on.press("I")
        assert "Currency intervention: suspected, low" in on.text()
        await on.press("enter")
        assert "cause found" in on.text()
        await on.press("escape")
        assert "Investigations" in on.text()
        await on.press("slash", *"yen", "enter")
        assert oracle.searched[-1] == "yen"
        await on.press("escape")
        assert on.top() == "MonitorScreen"


async def test_n_asks_for_any_symbol_and_time() -> None:
    oracle = Oracle()
    oracle.gate.set()
    async with stage_with(oracle) as on:
        await on.press("I", "n", *"usdjpy 2024-04-29 13:00", "enter")
        assert oracle.asked == [Wanted("USDJPY", datetime(2024, 4, 29, 13, tzinfo=UTC))]
        assert "cause found" in on.text()
        await on.press("n", *"!!", "enter")
        assert any("is no symbol" in toast for toast in on.toasts)


async def test_without_an_investigator_the_keys_are_not_offered() -> None:
    cards = MemoryCards(day(), sources())
    app = RungApp(cards, Bus(), MemoryControl(cards, NOW, None), SteppedClock(NOW), UTC)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("i", "I")
        assert type(app.screen).__name__ == "MonitorScreen"


@pytest.mark.parametrize(("text", "said"), [("!!", "is no symbol"), ("USDJPY soon", "not a time")])
def test_what_cannot_be_asked_is_said(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_wanted(text, UTC)


def test_a_typed_time_is_of_the_screens_zone_unless_it_names_one() -> None:
    assert read_wanted("nvda", UTC) == Wanted("NVDA", None)
    assert read_wanted("EURUSD 2026-03-10T14:30+01:00", UTC).at == datetime(2026, 3, 10, 13, 30, tzinfo=UTC)
