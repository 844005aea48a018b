"""Calls to a model come back word for word, and their fixed part is written once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from storage.calls import Calls
from storage.cards import CardReader
from storage.database import Database
from storage.investigations import Investigations, PastInvestigations
from storage.items import Items
from tests.agents.investigation.builders import a_case
from tests.storage.samples import NOW, WIRE, entry, model_call


async def _accepted(database: Database) -> str:
    return (await Items(database).ingest(WIRE, [entry("Mill stops work")], now=NOW)).new[0]


async def test_a_call_comes_back_exactly_for_its_item_revision_and_agent(database: Database, path: Path) -> None:
    item_id, calls = await _accepted(database), Calls(database)
    good = model_call(item_id)
    failed = replace(good, cause="refusal", detail="the model refused", cost_nano=None, reply="", attempts=3)
    for one in (good, failed, replace(good, agent="SectorScan"), replace(good, revision=1)):
        await calls.keep(one)
    with CardReader(path) as reader:
        assert reader.calls(item_id, 0, "MacroMind") == (good, failed)
        assert reader.calls(item_id, 1, "MacroMind") == (replace(good, revision=1),)
        assert reader.calls(item_id, 0, "PolicyRadar") == ()


async def test_the_instructions_are_kept_once_however_often_they_are_used(database: Database) -> None:
    item_id, calls = await _accepted(database), Calls(database)
    for number in range(3):
        await calls.keep(replace(model_call(item_id), request_id=f"req_{number}"))
    async with database.read() as connection:
        rows = list(await connection.execute_fetchall("SELECT count(*) FROM prompt"))
    assert rows[0][0] == 1


async def test_a_call_for_a_text_that_is_no_item_is_not_kept(database: Database, path: Path) -> None:
    await _accepted(database)
    await Calls(database).keep(model_call("passing"))
    with CardReader(path) as reader:
        assert reader.calls("passing", 0, "MacroMind") == ()


async def test_a_call_of_an_investigation_comes_back_under_its_case(database: Database) -> None:
    kept, calls = Investigations(database, lambda: NOW), Calls(database)
    case = await kept.begin(replace(a_case(), engine="claude"))
    good = replace(model_call(case.id), revision=1, agent="Narrative", stage="read")
    other = replace(good, agent="Adjudicator", stage="adjudicate", revision=2, cause="refusal", cost_nano=None)
    for one in (good, other, replace(good, item_id="another case")):
        await calls.keep(one)
    past = PastInvestigations(database)
    assert await past.calls(case.id) == (good, other)
    assert await past.calls("another case") == ()


async def test_a_call_on_an_item_is_not_one_of_a_case_with_the_same_name(database: Database, path: Path) -> None:
    item_id, calls = await _accepted(database), Calls(database)
    await Investigations(database, lambda: NOW).begin(replace(a_case(), id=item_id))
    await calls.keep(model_call(item_id))
    assert await PastInvestigations(database).calls(item_id) == ()
    with CardReader(path) as reader:
        assert reader.calls(item_id, 0, "MacroMind") == (model_call(item_id),)
