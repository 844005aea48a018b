"""Which cards a filter wants, in screen order, as SQL: each question is answered from a covering index where it can."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from agents.models import Urgency
from storage import search
from storage.encoding import RANK
from storage.models import CardFilter

NEWEST_HITS: Final = 1_000
"""A question for a few cards looks at so many of the newest items that match before it looks at all."""


@dataclass(frozen=True, slots=True)
class Query:
    """A statement and its values. `bounded` says that older matches may have been left out."""

    sql: str
    values: tuple[Any, ...] = ()
    bounded: bool = False


def order_query(wanted: CardFilter, limit: int | None = None, *, newest: int | None = None, full_text: bool) -> Query:
    """The keys in screen order: newest first, ties by key; FYI and unscored after the others where asked.

    `newest` bounds the items that are looked at for each thing searched for.
    """
    chosen = _chosen(wanted, newest, full_text=full_text)
    order = "section, at DESC, key DESC" if wanted.fyi_last else "at DESC, key DESC"
    sql = f"SELECT card.key {chosen.sql} ORDER BY {order} LIMIT ?"
    return Query(sql, (*chosen.values, -1 if limit is None else limit), chosen.bounded)


def loud_query(wanted: CardFilter, *, full_text: bool) -> Query:
    """How many cards of the filter stand above the FYI rule."""
    chosen = _chosen(wanted, None, full_text=full_text)
    return Query(f"SELECT count(*) {chosen.sql} AND section = 0", chosen.values)


def _chosen(wanted: CardFilter, newest: int | None, *, full_text: bool) -> Query:
    """FROM and WHERE of the cards a filter wants; what was searched for comes first, its cards are looked up."""
    found: list[Query] = []
    if terms := search.terms(wanted.text):
        found.append(_saying(terms, newest) if full_text else _saying_slowly(terms))
    if wanted.tickers:
        found.append(_linked(sorted(wanted.tickers), newest))
    sql = "FROM card"
    values: list[Any] = []
    if found:
        sql = f"FROM (SELECT DISTINCT card FROM ({found[0].sql})) AS found CROSS JOIN card ON card.key = found.card"
        values += found[0].values
    parts = ["1"]
    for more in found[1:]:
        parts.append(f"card.key IN ({more.sql})")
        values += more.values
    ranks = sorted(RANK[urgency] or 0 for urgency in wanted.urgencies)
    if len(ranks) == len(Urgency):
        parts.append("urgency IS NOT NULL")
    elif ranks:
        parts.append(f"+urgency IN ({_marks(ranks)})")
        values += ranks
    parts += ["unread = 1"] * wanted.unread_only + ["starred = 1"] * wanted.starred_only
    return Query(f"{sql} WHERE {' AND '.join(parts)}", tuple(values), bounded=bool(found) and newest is not None)


def _saying(terms: tuple[search.Term, ...], newest: int | None) -> Query:
    """The cards of the newest items whose text holds all the terms."""
    hits = "SELECT rowid AS item FROM item_text WHERE item_text MATCH ? ORDER BY rowid DESC LIMIT ?"
    sql = f"SELECT scoring.card FROM ({hits}) AS hit CROSS JOIN scoring ON scoring.item = hit.item"
    return Query(sql, (search.expression(terms), -1 if newest is None else newest))


def _saying_slowly(terms: tuple[search.Term, ...]) -> Query:
    """The same where SQLite has no FTS5."""
    condition, values = search.like(terms)
    return Query(f"SELECT item.card FROM item JOIN scoring ON scoring.item = item.id WHERE {condition}", tuple(values))


def _linked(symbols: list[str], newest: int | None) -> Query:
    """The cards of the newest items that touch any of the symbols."""
    each = "SELECT card FROM (SELECT card FROM ticker WHERE symbol = ? ORDER BY first_seen_at DESC, item DESC LIMIT ?)"
    values = tuple(value for symbol in symbols for value in (symbol, -1 if newest is None else newest))
    return Query(" UNION ".join([each] * len(symbols)), values)


def _marks(values: list[Any]) -> str:
    return ", ".join("?" * len(values))
