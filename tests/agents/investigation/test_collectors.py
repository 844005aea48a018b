from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from datetime import UTC, date, datetime
from datetime import time as clock

import pytest

from agents.investigation.bound import Caps, NodeMeter
from agents.investigation.checklist import Check, checks_of, from_files, from_sources
from agents.investigation.collectors import AFTER, RecordCollector
from agents.investigation.dates.calendar import intervention_days
from agents.investigation.models import COLLECTORS, Case, Gathered
from agents.investigation.moves.market_structure import MarketStructure
from agents.investigation.ports import RecordSource, Related, Thinker
from agents.investigation.readings.claims import Claims
from feeds.symbols.table import SymbolTable
from tests.agents.investigation.builders import a_case, a_record, a_series, a_state
from tests.agents.investigation.worlds import Echo, Endless, Library, Shelf

CLAIMS = Claims(SymbolTable.load())
CAPS = Caps(source_timeout_s=0.2, collector_timeout_s=0.4)
RECORDS = (a_record("Bank changes course", key="1"), a_record("Ministry says nothing", key="2"))


async def gather(
    *sources: RecordSource,
    thinker: Thinker | None = None,
    caps: Caps = CAPS,
    meter: NodeMeter | None = None,
    case: Case | None = None,
) -> Gathered:
    checks = tuple((Check("Narrative", source.name, source.name, lambda record: True), source) for source in sources)
    collector = RecordCollector("Narrative", checks, thinker or Echo(), CLAIMS, caps)
    return await collector.gather(replace(a_state(), case=case or a_case()), 1, meter or NodeMeter(caps))


def states(gathered: Gathered) -> dict[str, str]:
    return {line.source: line.state for line in gathered.coverage}


async def test_found_nothing_and_down_are_three_different_things() -> None:
    found = await gather(Library("wire", RECORDS), Library("gazette"), Library("echo", failures=9))
    assert states(found) == {"wire": "found", "gazette": "nothing", "echo": "down"}
    assert [one.detail for one in found.coverage] == ["2 records", "searched, nothing there", "echo did not answer"]
    assert len(found.evidence) == 2


async def test_a_source_that_fails_once_is_asked_again_alone() -> None:
    shaky, steady = Library("shaky", RECORDS, failures=1), Library("steady")
    found = await gather(shaky, steady)
    assert states(found)["shaky"] == "found"
    assert (len(shaky.asked), len(steady.asked), found.source_calls) == (2, 1, 3)


async def test_the_sources_are_asked_at_once() -> None:
    started = time.monotonic()
    await gather(*(Library(f"s{n}", delay_s=0.1) for n in range(6)))
    assert time.monotonic() - started < 0.3


@pytest.mark.parametrize("broken", [Library("x", delay_s=5), Library("x", broken=True)], ids=["hangs", "breaks"])
async def test_a_source_that_hangs_or_breaks_is_down_and_its_siblings_answer(broken: Library) -> None:
    caps = replace(CAPS, source_timeout_s=0.05)
    found = await gather(broken, Library("wire", RECORDS), caps=caps)
    assert states(found) == {"x": "down", "wire": "found"}


async def test_a_collector_past_its_time_is_cut_and_says_so() -> None:
    caps = Caps(source_timeout_s=5, collector_timeout_s=0.05)
    found = await gather(Library("slow", delay_s=1), Library("wire", RECORDS), caps=caps)
    assert set(states(found).values()) == {"down"}
    assert found.cut == "cut after 0.05 s, the limit"


async def test_an_engine_that_asks_its_model_for_ever_is_cut_at_the_limit() -> None:
    caps = replace(CAPS, model_calls=3)
    found = await gather(Library("wire", RECORDS), thinker=Endless(), caps=caps)
    assert (found.model_calls, found.cut) == (3, "cut after 3 model calls, the limit")


async def test_an_engine_that_looks_further_for_ever_is_cut_at_the_limit() -> None:
    wire = Library("wire", RECORDS)
    found = await gather(wire, thinker=Endless(look_with="wire"))
    assert (found.source_calls, len(wire.asked)) == (CAPS.source_calls, CAPS.source_calls)
    assert found.cut == f"cut after {CAPS.source_calls} source calls, the limit"


async def test_more_sources_than_calls_leave_the_rest_down_and_named() -> None:
    caps = replace(CAPS, source_calls=3)
    found = await gather(*(Library(f"s{n}", RECORDS[:1]) for n in range(5)), caps=caps)
    assert list(states(found).values()).count("down") == 2
    assert found.source_calls == 3
    assert "the limit" in found.cut


async def test_records_nobody_brought_are_dropped() -> None:
    invented = a_record("Made up by a model", key="9")
    altered = a_record("Bank changes course, in other words", key="1")
    found = await gather(Library("wire", RECORDS), thinker=Echo(invented=(invented, altered)))
    assert [one.record for one in found.evidence] == ["1", "2"]


async def test_attempts_share_one_count() -> None:
    meter = NodeMeter(CAPS)
    await gather(Library("wire", RECORDS), meter=meter)
    await gather(Library("wire", RECORDS), meter=meter)
    assert meter.source_calls == 2


@pytest.mark.parametrize("symbol", ["USDJPY", "EURUSD", "AAPL", "^GSPC"])
def test_every_kind_of_symbol_has_its_fixed_checklist(symbol: str) -> None:
    case = a_case(symbol, "currency" if len(symbol) == 6 else "stock" if symbol == "AAPL" else "other")
    names = [check.name for check in checks_of(case)]
    assert len(names) == len(set(names))
    assert {check.collector for check in checks_of(case)} == set(COLLECTORS) - {"MarketStructure"}
    asked = [check.name for check, _ in from_sources(case, {})]
    assert asked == [name for name in names if name != "government"]
    assert [check.name for check, _ in from_files(case, ())] == [name for name in names if name != "first_seen"]


def test_what_does_not_apply_to_a_symbol_is_not_on_its_checklist() -> None:
    def asked(symbol: str) -> set[str]:
        return {check.name for check in checks_of(a_case(symbol)) if not check.files_only}

    assert {"current_account", "interventions", "statistics_jpy", "president"} <= asked("USDJPY")
    assert not {"current_account", "statistics_jpy", "president"} & asked("EURGBP")
    assert {"bank_ecb", "bank_boe", "statistics_eur", "statistics_gbp"} <= asked("EURGBP")


async def test_a_check_without_a_source_is_down() -> None:
    checks = from_sources(a_case(), {"news_search": Library("news", RECORDS)})
    primary = tuple(one for one in checks if one[0].collector == "PrimarySource")
    found = await RecordCollector("PrimarySource", primary, Echo(), CLAIMS, CAPS).gather(a_state(), 1, NodeMeter(CAPS))
    assert {(line.state, line.detail) for line in found.coverage} == {("down", "no source is set up")}


def test_each_record_of_a_file_belongs_to_one_check() -> None:
    statement = a_record("Statement", source="Bank of Japan", url="https://www.boj.or.jp/1", key="a")
    count = a_record("Area declares", source="Electoral Commission", url="https://www.electoralcommission.org.uk/1")
    report = a_record("Yen jumps", key="c")
    bound = from_files(a_case(), [statement, count, report])
    held = {check.name: list(source.records) for check, source in bound if getattr(source, "records", ())}  # type: ignore[attr-defined]
    assert held == {"bank_boj": [statement], "government": [count], "news_search": [report]}


async def test_market_structure_without_other_series_says_so() -> None:
    found = await MarketStructure(None, Related(), CAPS).gather(a_state(), 1, NodeMeter(CAPS))
    assert {line.source: line.state for line in found.coverage} == {
        "price series": "found",
        "other pairs of either currency": "nothing",
    }
    assert found.decomposition is None


async def test_a_series_that_does_not_answer_is_down_and_named() -> None:
    shelf = Shelf({"EURJPY": a_series(symbol="EURJPY")}, fails=frozenset({"EURUSD"}))
    related = Related(crosses=("EURUSD",))
    found = await MarketStructure(shelf, related, CAPS).gather(a_state(), 1, NodeMeter(CAPS))
    line = next(line for line in found.coverage if line.source.startswith("other pairs"))
    assert (line.state, line.detail) == ("down", "EURUSD: no answer")
    assert shelf.asked == ["EURUSD", "EURUSD"]


async def test_cancelling_a_collector_ends_its_questions() -> None:
    task = asyncio.create_task(gather(Library("slow", delay_s=0.15)))
    await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("first", [date(2023, 10, 1), date(2024, 1, 1), date(2024, 4, 1), date(2024, 7, 1)])
def test_records_are_looked_for_until_the_quarter_of_the_first_day_is_out(first: date) -> None:
    out = intervention_days(first).when
    assert out is not None
    assert out - datetime.combine(first, clock(0), UTC) < AFTER


async def test_a_symbol_that_nobody_can_name_rules_nothing_out() -> None:
    found = await gather(case=a_case("ZZZQ", "stock"))
    assert states(found) == {"table of symbols": "down"}
    for case in (a_case(), a_case("GC=F", "other"), a_case("AAPL", "stock")):
        assert not (await gather(case=case)).coverage
    named = replace(a_case("ZZZQ", "stock"), names=("Zirconia Quarries",))
    assert not (await gather(case=named)).coverage
