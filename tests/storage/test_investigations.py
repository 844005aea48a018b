"""Investigations are kept node by node; an interrupted one goes on, a finished one is found again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from agents.investigation.models import Bound, Case, Coverage, Derivation, Gathered, Hypothesis, Judged
from agents.investigation.ports import NodeResult
from agents.investigation.state import Answer
from storage.database import Database
from storage.investigation_rows import dump_case, load_case, load_result
from storage.investigations import Investigations, PastInvestigations
from tests.agents.investigation.builders import NOW as ASKED
from tests.agents.investigation.builders import a_case, a_sighting, an_evidence
from tests.storage.samples import NOW

ROOT = Path(__file__).resolve().parents[2]
CASE = a_case()


def a_hypothesis() -> Hypothesis:
    evidence = (an_evidence("C", "lead"), an_evidence("E", "overlap", when=None, record="r2"))
    return Hypothesis(
        key="policy_change/boj",
        cause_type="policy_change",
        title="Bank of Japan: monetary policy",
        statement="It came before the move.",
        certainty="medium",
        score=0.5,
        status="supported",
        derivation=Derivation("C", "lead", 0.5),
        evidence=evidence,
        outlets=2,
    )


def an_answer(case: Case = CASE) -> Answer:
    return Answer(
        case=case,
        anchor=a_sighting().anchor,
        verdict="cause_found",
        unknown_because=(),
        hypotheses=(a_hypothesis(),),
        coverage=(Coverage("Narrative", "news search", "found", "1 record"),),
        decomposition=None,
        rounds=1,
        bound=Bound(112, 0, 0.0),
        used=Bound(8, 0, 0.0),
        notes=("thin",),
    )


async def test_every_nodes_result_comes_back_as_it_was(database: Database) -> None:
    rows = Investigations(database, lambda: NOW)
    await rows.begin(CASE)
    results: dict[tuple[str, int], NodeResult] = {
        ("Timeline", 1): a_sighting(),
        ("Narrative", 1): Gathered("Narrative", 1, (an_evidence(),), (), source_calls=2, cut="cut"),
        ("Adjudicator", 1): Judged(1, (a_hypothesis(),), retry=True, reason="one was down"),
    }
    for (node, round_), result in results.items():
        await rows.keep(CASE.id, node, round_, result)
    assert await rows.results(CASE.id) == results


async def test_a_like_question_that_was_interrupted_goes_on_under_its_own_id(database: Database) -> None:
    rows = Investigations(database, lambda: NOW)
    await rows.begin(CASE)
    again = replace(CASE, id="c2", asked_at=ASKED + timedelta(minutes=5))
    assert (await rows.begin(again)).id == CASE.id
    assert (await rows.begin(replace(again, symbol="EURJPY"))).id == "c2"
    await rows.finish(an_answer(), None)
    later = replace(CASE, id="c3", asked_at=ASKED + timedelta(minutes=6))
    assert (await rows.begin(later)).id == "c3"


async def test_an_interruption_long_ago_is_not_taken_up(database: Database) -> None:
    rows = Investigations(database, lambda: NOW)
    await rows.begin(CASE)
    assert (await rows.begin(replace(CASE, id="c2", asked_at=ASKED + timedelta(days=1)))).id == "c2"


async def test_past_investigations_are_listed_newest_first_and_searched(database: Database) -> None:
    rows, past = Investigations(database, lambda: NOW), PastInvestigations(database)
    other = replace(CASE, id="c2", symbol="AAPL", question="What moved AAPL?", asked_at=ASKED + timedelta(hours=7))
    await rows.begin(CASE)
    await rows.begin(other)
    await rows.finish(an_answer(), NOW + timedelta(days=30))
    assert [one.case.symbol for one in await past.recent()] == ["AAPL", "USDJPY"]
    assert [one.case.symbol for one in await past.recent("monetary")] == ["USDJPY"]
    assert [one.case.symbol for one in await past.recent("aapl")] == ["AAPL"]
    assert list(await past.recent("100%")) == []
    await rows.finish(an_answer(), None, changed="suspected is now confirmed")
    assert [one.changed for one in await past.recent("NOW CONFIRMED")] == ["suspected is now confirmed"]
    found = await past.one(CASE.id)
    assert found is not None
    assert (found.changed, found.recheck_at) == ("suspected is now confirmed", None)
    assert await past.one("c9") is None
    first, second = await past.recent()
    assert (first.verdict, first.answered_at) == (None, None)
    assert (second.verdict, second.headline) == ("cause_found", "Bank of Japan: monetary policy: supported, medium")
    assert await past.answer(CASE.id) == an_answer()
    assert await past.answer("c2") is None


async def test_a_case_is_due_when_its_next_information_is_out(database: Database) -> None:
    rows, past = Investigations(database, lambda: NOW), PastInvestigations(database)
    await rows.begin(CASE)
    await rows.finish(an_answer(), NOW + timedelta(days=30))
    assert list(await past.due(NOW + timedelta(days=29))) == []
    (due,) = await past.due(NOW + timedelta(days=30))
    await rows.forget_nodes(due.case.id)
    await rows.finish(an_answer(), None, changed="suspected, low is now confirmed, high")
    assert list(await past.due(NOW + timedelta(days=99))) == []
    (line,) = await past.recent()
    assert (line.changed, line.rechecked_at) == ("suspected, low is now confirmed, high", NOW)


VICTIM = """
import asyncio, json, sys
from pathlib import Path
from typing import Any
from agents.investigation.ports import NodeResult
from storage.database import Database
from storage.investigations import Investigations
from tests.agents.investigation.builders import NOW, a_case, a_sighting
from tests.agents.investigation.test_graph import World

async def main(path, slow):
    async with Database.open(Path(path), now=NOW) as database:
        world = World(rows=Investigations(database, lambda: NOW))
        await world.rows.begin(a_case())
        if slow:
            world.nodes["Narrative"].delay_s = 30
        def told(event):
            if event.state in ("done", "kept", "running"):
                print(json.dumps([event.node, event.state]), flush=True)
        world.events = type("Told", (), {"append": staticmethod(told)})()
        await world.run()

asyncio.run(main(sys.argv[1], sys.argv[2] == "slow"))
"""


def start(path: Path, how: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", VICTIM, str(path), how], cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_after_a_kill_only_what_is_missing_runs_again(path: Path) -> None:
    with start(path, "slow") as victim:
        assert victim.stdout is not None
        done = 0
        while done < 3:
            done += json.loads(victim.stdout.readline())[1] == "done"
        os.kill(victim.pid, signal.SIGKILL)
    with start(path, "quick") as heir:
        assert heir.stdout is not None
        told = [tuple(json.loads(line)) for line in heir.stdout]
    assert {node for node, state in told if state == "kept"} == {"Timeline", "PrimarySource", "MarketStructure"}
    assert {node for node, state in told if state == "running"} == {"Narrative", "Adjudicator"}


@pytest.mark.parametrize("text", ["", "\\", "'", "%_"])
async def test_any_words_can_be_searched_for(database: Database, text: str) -> None:
    assert list(await PastInvestigations(database).recent(text)) == []


@pytest.mark.parametrize("change", [{"engine": "claude"}, {"window_s": 3600}])
async def test_an_interrupted_run_of_another_engine_or_window_is_not_taken_up(
    database: Database, change: dict[str, Any]
) -> None:
    kept = Investigations(database, lambda: ASKED)
    first = replace(a_case(), id="first")
    await kept.begin(first)
    other = replace(first, id="other", **change)
    assert await kept.begin(other) == other
    assert await kept.begin(replace(first, id="again")) == first
    assert await kept.begin(replace(other, id="once more")) == other


async def test_what_an_earlier_program_kept_can_still_be_read(database: Database) -> None:
    kept = Investigations(database, lambda: ASKED)
    await kept.begin(CASE)
    await kept.keep(CASE.id, "Narrative", 1, Gathered("Narrative", 1, (), (), cut="x"))
    async with database.read() as connection:
        rows = list(await connection.execute_fetchall("SELECT result FROM investigation_node"))
    held = json.loads(rows[0][0])
    for name in ("tokens", "nano", "dropped"):
        del held[name]
    assert load_result("Narrative", json.dumps(held)) == Gathered("Narrative", 1, (), (), cut="x")
    case = json.loads(dump_case(CASE))
    del case["engine"]
    assert load_case(json.dumps(case)) == CASE
