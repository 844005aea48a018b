"""Calls to a model come back word for word, and their fixed part is written once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from storage.calls import Calls
from storage.cards import CardReader
from storage.database import Database
from storage.items import Items
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
