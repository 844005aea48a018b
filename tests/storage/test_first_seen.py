"""Our own items around a move, with the times they were first seen."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from agents.investigation.errors import SourceDown
from agents.investigation.ports import Inquiry
from storage.database import Database
from storage.first_seen import FirstSeen, asked_signal
from storage.items import Items
from storage.signals import Signals
from tests.agents.investigation.builders import HOUR, a_case, an_anchor
from tests.storage.samples import NOW, WIRE, entry, signal


def an_inquiry(*names: str, symbol: str = "USDJPY") -> Inquiry:
    anchor = replace(an_anchor(symbol=symbol), onset_at=NOW, ends_at=NOW + HOUR)
    case = replace(a_case(symbol), names=names)
    return Inquiry(case, anchor, NOW - timedelta(days=1), NOW + timedelta(days=1))


async def test_items_whose_text_holds_a_name_are_found_with_their_tier(database: Database) -> None:
    titles = ("Yen vaults in minutes", "Oats recalled", "Dealers watch the YEN")
    await Items(database).ingest(WIRE, [entry(title) for title in titles], now=NOW)
    found = await FirstSeen(database).find(an_inquiry("yen", "Bank of Japan"))
    assert {one.title for one in found} == {"Yen vaults in minutes", "Dealers watch the YEN"}
    assert {one.tier for one in found} == {WIRE.tier}


async def test_outside_the_span_nothing_is_found(database: Database) -> None:
    await Items(database).ingest(WIRE, [entry("Yen vaults in minutes")], now=NOW - timedelta(days=3))
    assert list(await FirstSeen(database).find(an_inquiry("yen"))) == []


async def test_a_signal_is_asked_about_by_its_id(database: Database) -> None:
    taken = await Items(database).ingest(WIRE, [entry("Nordia Steel halts its mill")], now=NOW)
    (item_id,) = taken.new
    await Signals(database).save(signal(item_id, at=NOW), alert=None)
    asked = await asked_signal(database, item_id)
    assert asked is not None
    symbol, title, _ = asked
    assert title == "Nordia Steel halts its mill"
    assert symbol
    assert await asked_signal(database, "nobody") is None


async def test_a_database_that_cannot_be_read_is_down(database: Database) -> None:
    await database.write(lambda connection: connection.execute("DROP TABLE ticker").rowcount)
    with pytest.raises(SourceDown):
        await FirstSeen(database).find(an_inquiry("yen"))
