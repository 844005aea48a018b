"""The whole graph with a model that reads: the Adjudicator's one question, prices, money, and resuming."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from agents.analysts.claude.prices import PRICES
from agents.budget import nano_usd
from agents.investigation.claude.limits import claude_caps
from agents.investigation.errors import NoSeries
from agents.investigation.memory_rows import MemoryRows
from agents.investigation.models import Gathered
from agents.investigation.moves.files import FileSeries
from agents.investigation.moves.series import Series
from agents.investigation.ports import NodeResult, Related
from app.investigation.inquiry import World
from tests.agents.analysts.claude.ledgers import MODEL, Shelf, office
from tests.agents.investigation.builders import ONSET, a_case, a_record, a_series, bars
from tests.agents.investigation.claude.readers import (
    RECORD,
    REPORT,
    STATEMENT,
    SUSPICION,
    Inquest,
    answers,
    by_role,
    by_words,
    outside,
    reading,
    role_of,
    said,
    second,
)
from tests.agents.investigation.worlds import Library
from tests.fakes.messages_api import MessagesApi, error, fails, says

BOJ, TOKYO = "policy_change/boj", "fx_intervention/jpy"
WORDS = {"monetary policy": BOJ, "bank of japan": BOJ, "intervention": TOKYO}
GOOD = answers(by_words(WORDS))
NOTHING = says(json.dumps(said()))


async def test_a_model_finds_the_cause_and_code_ranks_and_times_it() -> None:
    async with MessagesApi(GOOD) as api, office(api) as o:
        answer = await Inquest(o).ask(STATEMENT, REPORT, SUSPICION)
    best, other = answer.hypotheses
    assert (best.key, best.certainty, best.status, best.derivation.formula) == (
        BOJ,
        "high",
        "supported",
        "A x lead = 1.00",
    )
    assert (other.key, other.status) == (TOKYO, "suspected")
    assert (answer.verdict, answer.engine, answer.model) == ("cause_found", "claude", MODEL)


async def test_an_intervention_is_a_fact_by_the_ministrys_row_alone() -> None:
    async with MessagesApi(GOOD) as api, office(api) as o:
        before = await Inquest(o).ask(SUSPICION)
        after = await Inquest(o).ask(SUSPICION, RECORD)
    assert (before.hypotheses[0].status, before.hypotheses[0].certainty) == ("suspected", "low")
    assert (after.hypotheses[0].status, after.hypotheses[0].certainty) == ("confirmed", "high")


async def test_every_call_is_kept_and_the_cost_is_what_the_ledger_says() -> None:
    async with MessagesApi(GOOD) as api, office(api) as o:
        answer = await Inquest(o).ask(STATEMENT, REPORT)
        kept = [(call.item_id, call.revision, call.agent, call.stage, call.cause) for call in o.book.calls]
    assert sorted(kept, key=str) == [
        ("c1", 1, "Adjudicator", "adjudicate", None),
        ("c1", 1, "Narrative", "read", None),
        ("c1", 1, "PrimarySource", "read", None),
    ]
    assert nano_usd(answer.used.usd) == o.purse.total == sum(call.cost_nano or 0 for call in o.book.calls)
    assert answer.used.tokens == sum(call.usage.total for call in o.book.calls)
    assert o.purse.open == {}


async def test_what_the_model_may_cost_is_reserved_and_the_daily_cap_holds() -> None:
    async with MessagesApi(GOOD) as api, office(api, cap_usd=0.000001) as o:
        answer = await Inquest(o).ask(STATEMENT, REPORT)
        assert api.asked == []
    assert answer.verdict == "unknown"
    assert answer.unknown_because == ("reading of PrimarySource by claude", "reading of Narrative by claude")
    assert any("budget: today's model budget" in note for note in answer.notes)
    assert answer.used.usd == 0.0


async def test_the_model_is_not_asked_where_there_is_nothing_to_read() -> None:
    async with MessagesApi(GOOD) as api, office(api) as o:
        answer = await Inquest(o).ask()
    assert api.asked == []
    assert (answer.verdict, answer.used.usd) == ("no_public_cause", 0.0)


async def test_all_read_and_nothing_found_is_no_public_cause() -> None:
    async with MessagesApi(by_role(NOTHING, Adjudicator=says(json.dumps(second())))) as api, office(api) as o:
        answer = await Inquest(o).ask(STATEMENT, REPORT)
    assert answer.verdict == "no_public_cause"


async def test_without_a_series_nothing_is_read() -> None:
    async with MessagesApi(GOOD) as api, office(api) as o:
        world = World(Nothing(), (STATEMENT,))
        answer = await Inquest(o).ask(world=world)
    assert (answer.verdict, answer.unknown_because, api.asked) == ("unknown", ("price series",), [])


class Nothing:
    """No series at all."""

    name = "nothing"

    async def series(self, symbol: str, around: object, *, daily: bool | None = None) -> Series:
        raise NoSeries("no prices")


# The Adjudicator


def open_world(*records: Any) -> World:
    """A world whose news search answers and may hold more, and whose other sources are down."""
    return World(FileSeries(a_series()), None, {"news_search": Library("news", records, exhaustive=False)})


@pytest.mark.parametrize("worth", [True, False])
async def test_the_model_may_call_another_look_idle_and_nothing_more(worth: bool) -> None:
    mood = by_role(GOOD, Adjudicator=says(json.dumps(second(another_look=worth))))
    async with MessagesApi(mood) as api, office(api) as o:
        answer = await Inquest(o).ask(world=open_world(REPORT))
    asked = [outside(one)["another_look_for"] for one in api.asked if role_of(one) == "Adjudicator"]
    assert answer.rounds == (2 if worth else 1)
    assert asked[0].endswith("did not answer")
    assert asked[1:] == ([""] if worth else []), "the last round has no way back, whatever it says"


async def test_a_second_reading_that_fails_is_said_and_ends_the_work() -> None:
    mood = by_role(GOOD, Adjudicator=fails(error(400, "invalid_request_error")))
    async with MessagesApi(mood) as api, office(api) as o:
        answer = await Inquest(o).ask(world=open_world(REPORT))
    assert answer.rounds == 1
    assert any(note.startswith("Adjudicator: no second reading by claude: error") for note in answer.notes)
    assert answer.hypotheses[0].key == BOJ


def refutes(hypothesis: str, claim: str) -> Any:
    """An Adjudicator that turns the evidence of this claim against a hypothesis."""

    def reads(asked: Any, given: dict[str, Any]) -> Mapping[str, Any]:
        number = next(one["n"] for one in given["evidence"] if one["claim"] == claim)
        return second(refuting=[{"evidence": number, "hypothesis": hypothesis, "reason": "that was the Bank"}])

    return answers(reads)


async def test_evidence_turned_against_another_hypothesis_is_shown_and_does_not_rank_above_its_words() -> None:
    mood = by_role(GOOD, Adjudicator=refutes(TOKYO, STATEMENT.title))
    async with MessagesApi(mood) as api, office(api) as o:
        state = await Inquest(o).state(STATEMENT, SUSPICION)
    tokyo = next(one for one in state.judged[-1].hypotheses if one.key == TOKYO)
    (against,) = [one for one in tokyo.evidence if not one.supports]
    assert (against.claim, against.rank, against.why) == (STATEMENT.title, "C", "that was the Bank")
    assert tokyo.status == "suspected"
    assert state.judged[-1].refuting == (against,)


async def test_a_denial_read_against_its_hypothesis_caps_it() -> None:
    denial = a_record(
        "Ministry of Finance: Japan has not intervened in the currency market",
        source="Ministry of Finance Japan",
        url="https://www.mof.go.jp/4.html",
        when="14 06:40",
    )
    early = replace(SUSPICION, published_at=ONSET - timedelta(hours=1))

    def reads(asked: Any, given: dict[str, Any]) -> Mapping[str, Any]:
        if role_of(asked) == "Adjudicator":
            return second()
        effect = "refutes" if role_of(asked) == "PrimarySource" else "supports"
        return said(*(reading(one["n"], TOKYO, effect=effect) for one in given["records"]))

    async with MessagesApi(answers(reads)) as api, office(api) as o:
        alone = await Inquest(o).ask(early)
        denied = await Inquest(o).ask(early, denial)
    assert (alone.hypotheses[0].certainty, alone.hypotheses[0].status) == ("medium", "suspected")
    assert (denied.hypotheses[0].certainty, denied.hypotheses[0].derivation.capped) == ("low", True)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"evidence": 9, "hypothesis": BOJ, "reason": ""}, "there is no such thing"),
        ({"evidence": 1, "hypothesis": "policy_change/mars", "reason": ""}, "there is no such thing"),
        ({"evidence": 1, "hypothesis": BOJ, "reason": ""}, "already read for"),
    ],
)
async def test_a_second_reading_of_what_is_not_there_is_dropped(entry: dict[str, Any], why: str) -> None:
    mood = by_role(GOOD, Adjudicator=says(json.dumps(second(refuting=[entry]))))
    async with MessagesApi(mood) as api, office(api) as o:
        state = await Inquest(o).state(REPORT)
    assert state.judged[-1].refuting == ()
    assert [why in one for one in state.judged[-1].dropped] == [True]


# Prices


def cross(symbol: str, size: float) -> Series:
    """A pair that falls by `size` (a part of its price) in the onset bar."""
    return a_series(bars(size=size), symbol=symbol)


@dataclass
class Board:
    """Series by symbol."""

    held: dict[str, Series]
    name: str = "board"

    async def series(self, symbol: str, around: object, *, daily: bool | None = None) -> Series:
        if symbol not in self.held:
            raise NoSeries(f"{symbol}: none")
        return self.held[symbol]


def board(*, yen: float, dollar: float) -> World:
    """A fall of USDJPY in which either currency moved so much against the euro (parts of the price)."""
    held = {"USDJPY": a_series(), "EURJPY": cross("EURJPY", yen), "EURUSD": cross("EURUSD", dollar)}
    return World(Board(held), (), related=Related(crosses=("EURJPY", "EURUSD")))


MARKET = [
    ("the yen alone moved, which fits its own cause", 0.02, 0.0, TOKYO, "supports", True),
    ("the yen alone moved, which speaks against the dollar's", 0.02, 0.0, "macro_event/usd_cpi", "refutes", True),
    ("the yen alone moved, so the dollar's does not fit", 0.02, 0.0, "macro_event/usd_cpi", "supports", False),
    ("the yen alone moved, so nothing speaks against it", 0.02, 0.0, TOKYO, "refutes", False),
    ("the dollar alone moved, so the yen's does not fit", 0.0, -0.02, TOKYO, "supports", False),
    ("prices cannot tell of the whole world", 0.02, 0.0, "macro_event/shock", "supports", False),
]


@pytest.mark.parametrize(("yen", "dollar", "key", "effect", "counts"), [row[1:] for row in MARKET])
async def test_what_the_model_concludes_from_prices_is_held_to_the_decomposition(
    yen: float, dollar: float, key: str, effect: str, counts: bool
) -> None:
    one = reading(1, key, effect=effect, states=True)
    mood = by_role(NOTHING, MarketStructure=says(json.dumps(said(one))), Adjudicator=says(json.dumps(second())))
    async with MessagesApi(mood) as api, office(api) as o:
        state = await Inquest(o).state(world=board(yen=yen, dollar=dollar))
        shown = next(outside(one)["records"] for one in api.asked if role_of(one) == "MarketStructure")
    market = next(one for one in state.gathered if one.collector == "MarketStructure")
    assert any("against others" in one["title"] for one in shown)
    concluded = [one for one in market.evidence if one.cause_type != "market_move"]  # code measures that itself
    found = [(one.hypothesis, one.rank, one.timing, one.supports, one.act) for one in concluded]
    assert found == ([(key, "B", "overlap", effect == "supports", False)] if counts else [])
    assert bool(market.dropped) != counts
    assert market.decomposition is not None


async def test_prices_stay_measured_where_their_reading_fails() -> None:
    mood = by_role(NOTHING, MarketStructure=says("no", stop="refusal"))
    async with MessagesApi(mood) as api, office(api) as o:
        answer = await Inquest(o).ask(world=board(yen=0.02, dollar=0.0))
    assert [role_of(one) for one in api.asked].count("MarketStructure") == 2, "it is tried again alone"
    assert answer.decomposition is not None
    assert answer.unknown_because == ("reading of MarketStructure by claude",)


# Resuming


class Killed(BaseException):
    """The end of the process."""


@dataclass
class Dying:
    """Rows of a process that dies once `lives` results are kept."""

    lives: int
    kept: MemoryRows = field(default_factory=MemoryRows)

    async def results(self, case_id: str) -> Mapping[tuple[str, int], NodeResult]:
        return await self.kept.results(case_id)

    async def keep(self, case_id: str, node: str, round_: int, result: NodeResult) -> None:
        if not self.lives:
            raise Killed
        self.lives -= 1
        await self.kept.keep(case_id, node, round_, result)


@pytest.mark.parametrize("lives", [1, 2, 3, 4])
async def test_an_interrupted_run_asks_the_model_only_for_what_is_missing(lives: int) -> None:
    rows = Dying(lives)
    async with MessagesApi(GOOD) as api:
        async with office(api) as o:
            with pytest.raises(Killed):
                await Inquest(o, rows=rows).ask(STATEMENT, REPORT)
        held = {node for node, _ in await rows.results("c1")}
        before = len(api.asked)
        async with office(api, shelf=Shelf()) as o:
            answer = await Inquest(o, rows=rows.kept).ask(STATEMENT, REPORT)
        asked = {role_of(one) for one in api.asked[before:]}
    assert asked == {"PrimarySource", "Narrative", "Adjudicator"} - held
    assert answer.hypotheses[0].key == BOJ
    assert answer.used.tokens > 0


async def test_the_reading_of_a_collector_that_failed_is_made_up_by_the_next_run() -> None:
    rows = MemoryRows()
    async with MessagesApi(by_role(GOOD, Narrative=says("no", stop="refusal"))) as api:
        async with office(api) as o:
            await Inquest(o, rows=rows).ask(STATEMENT, REPORT)
        assert ("Narrative", 1) not in await rows.results("c1")
        gathered = (await rows.results("c1"))[("PrimarySource", 1)]
    assert isinstance(gathered, Gathered)
    assert gathered.tokens > 0


def test_the_worst_case_is_the_product_of_the_configured_caps() -> None:
    caps = claude_caps(None, 2, 45)
    assert (caps.worst_case().usd, caps.worst_case().calls) == (0.0, 16 + 3 * (16 + 4) * 2 + 2)
    assert caps.worst_case().tokens == 26 * (58_000 + 6_000)
    assert claude_caps(None, 10, 45).model_calls == 6, "no configuration allows more than four questions"
    priced = claude_caps(PRICES[MODEL], 2, 45).worst_case().usd
    assert priced == pytest.approx(26 * (58_000 * 0.125 + 6_000 * 0.5) / 1e6)


async def test_a_stock_move_without_a_record_that_names_the_company_has_no_named_cause() -> None:
    case = a_case("AAPL", "stock")
    peer = a_record("Dell cuts its outlook after weak orders", key="peer", when="14 05:30")
    own = a_record("Apple cuts its outlook after weak orders", key="own", when="14 05:30")
    words = {"outlook": "guidance/aapl"}
    async with MessagesApi(answers(by_words(words))) as api, office(api) as o:
        without = await Inquest(o).ask(peer, case=case)
        named = await Inquest(o).ask(peer, own, case=case)
    assert (without.verdict, without.hypotheses) == ("no_public_cause", ())
    assert [one.record for one in named.hypotheses[0].evidence] == ["own"]
    assert (named.verdict, named.hypotheses[0].certainty) == ("cause_found", "medium")
