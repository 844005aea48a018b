"""What one poll adds to the tables, gathered first and written with a few statements."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from storage import search
from storage.connection import insert_rows


@dataclass(slots=True)
class NewItem:
    """A new item before it is written. `at` is when its card is sorted where it opens one, else None; `outlet` is
    empty where it adds none to its card; `columns` stand in the order of the table, from `published_at` on."""

    number: int
    item_id: str
    card: int
    at: int | None
    outlet: str
    columns: tuple[Any, ...]
    keys: list[str]


def write_new(
    connection: sqlite3.Connection, source: tuple[int, str], new: Sequence[NewItem], due_at: int, *, full_text: bool
) -> None:
    """Writes new items of a source (row number and name) with their cards, keys and places in line for scoring."""
    if not new:
        return
    key, name = source
    items = [(one.number, one.item_id, key, name, one.card, *one.columns, " ".join(one.keys)) for one in new]
    insert_rows(connection, _INTO_ITEM, items)
    opened = {one.number: one.at for one in new if one.at is not None}
    outlets = dict.fromkeys((one.card, one.outlet) for one in new if one.outlet)
    told = Counter(card for card, _ in outlets if card in opened)
    cards = [(card, card, at, told[card]) for card, at in opened.items()]
    if cards:
        insert_rows(connection, "INSERT INTO card (key, item, at, outlets)", cards)
    fresh = [(card, outlet) for card, outlet in outlets if card in opened]
    if fresh:
        insert_rows(connection, "INSERT INTO card_outlet (card, outlet)", fresh)
    for card, outlet in outlets:
        if card not in opened:
            _add_outlet(connection, card, outlet)
    insert_rows(
        connection,
        "INSERT INTO scoring (item, card, state, retry_at)",
        [(one.number, one.card, "pending", due_at) for one in new],
    )
    known_by = [(key, known, one.number) for one in new for known in one.keys]
    if known_by:
        insert_rows(connection, INTO_IDENTITY, known_by)
    if full_text:
        search.fresh(connection, [one.number for one in new])


def _add_outlet(connection: sqlite3.Connection, card: int, outlet: str) -> None:
    """Counts one more independent outlet of a card that was there before."""
    added = connection.execute("INSERT OR IGNORE INTO card_outlet (card, outlet) VALUES (?, ?)", (card, outlet))
    if added.rowcount:
        connection.execute("UPDATE card SET outlets = outlets + 1 WHERE key = ?", (card,))


INTO_IDENTITY: Final = "INSERT OR IGNORE INTO identity (source, key, item)"
_INTO_ITEM: Final = (
    "INSERT INTO item (id, item_id, source, source_name, card, published_at, precision, doubt, first_seen_at, change,"
    " backlog, syndicated, new_fact, outlet, tickers, url, title, summary, content_hash, keys)"
)
