"""Marks: read and starred, each change told so that it can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.cards import CardReader
from storage.database import Database
from storage.items import Items
from storage.marks import Marks
from tests.storage.samples import NOW, WIRE, entry


@pytest.fixture
async def keys(database: Database) -> tuple[int, ...]:
    titles = ("Velkor names a new head", "Amberline recalls oats", "Tessaly opens a mine")
    return (await Items(database).ingest(WIRE, [entry(title) for title in titles], now=NOW)).cards


async def test_reading_tells_what_it_changed_and_that_undoes_it(
    database: Database, keys: tuple[int, ...], path: Path
) -> None:
    marks = Marks(database)
    assert await marks.read([keys[0]]) == (keys[0],)
    changed = await marks.read([*keys, 999])
    assert changed == keys[1:]
    with CardReader(path) as reader:
        assert [card.read for card in reader.cards(keys)] == [True, True, True]
        assert await marks.unread(changed) == changed
        assert [card.read for card in reader.cards(keys)] == [True, False, False]


async def test_a_star_is_put_on_and_taken_off(database: Database, keys: tuple[int, ...], path: Path) -> None:
    marks = Marks(database)
    assert [await marks.star(keys[1], on) for on in (True, True, False, False)] == [True, False, True, False]
    await marks.star(keys[2], True)
    with CardReader(path) as reader:
        assert [card.starred for card in reader.cards(keys)] == [False, False, True]
    assert not await marks.star(999, True)
