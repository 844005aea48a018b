"""Which cards a filter wants, in screen order, as SQL: each question is answered from a covering index where it can."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from agents.models import Urgency
from storage import search
from storage.encoding import RANK, stamp
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


def matching_query(wanted: CardFilter, keys: Sequence[int], *, full_text: bool) -> Query:
    """Those of a few cards that the filter wants; costs what these cards cost, however many others match."""
    parts, values = [f"card.key IN ({_marks(keys)})"], list[Any](keys)
    if terms := search.terms(wanted.text):
        said = _said_by_story(terms) if full_text else _saying_slowly(terms)
        parts.append(f"EXISTS ({said.sql} AND item.card = card.key)")
        values += said.values
    for symbols in (wanted.tickers, wanted.watchlist):
        if symbols:
            parts.append(f"EXISTS ({_TOUCHING} AND ticker.symbol IN ({_marks(symbols)}))")
            values += sorted(symbols)
    own, more = _conditions(wanted)
    return Query(f"SELECT card.key FROM card WHERE {' AND '.join([*parts, *own])}", (*values, *more))


def _chosen(wanted: CardFilter, newest: int | None, *, full_text: bool) -> Query:
    """FROM and WHERE of the cards a filter wants; what was searched for comes first, its cards are looked up."""
    found: list[Query] = []
    if terms := search.terms(wanted.text):
        found.append(_saying(terms, newest) if full_text else _saying_slowly(terms))
    found += [_linked(sorted(symbols), newest) for symbols in (wanted.tickers, wanted.watchlist) if symbols]
    sql = "FROM card"
    values: list[Any] = []
    if found:
        sql = f"FROM (SELECT DISTINCT card FROM ({found[0].sql})) AS found CROSS JOIN card ON card.key = found.card"
        values += found[0].values
    elif wanted.looks_inside and newest is not None:
        sql = "FROM (SELECT * FROM card ORDER BY at DESC, key DESC LIMIT ?) AS card"
        values.append(newest)
    parts = ["1"]
    for more in found[1:]:
        parts.append(f"card.key IN ({more.sql})")
        values += more.values
    own, of_own = _conditions(wanted)
    bounded = (bool(found) or wanted.looks_inside) and newest is not None
    return Query(f"{sql} WHERE {' AND '.join([*parts, *own])}", (*values, *of_own), bounded=bounded)


_SIGNAL: Final = (
    "SELECT 1 FROM scoring JOIN signal ON signal.item = scoring.item AND signal.revision = scoring.revision{}"
    " WHERE scoring.item = card.item"
)
_REPORT: Final = " JOIN report ON report.item = signal.item AND report.revision = signal.revision"
_TOUCHING: Final = (
    "SELECT 1 FROM item JOIN ticker ON ticker.first_seen_at = item.first_seen_at AND ticker.item = item.id"
    " WHERE item.card = card.key"
)


def _conditions(wanted: CardFilter) -> tuple[list[str], list[Any]]:
    """What is asked of a card itself and of the signal it shows."""
    parts: list[str] = []
    values: list[Any] = []

    def ask(condition: str, some: Iterable[Any]) -> None:
        kept = sorted(some)
        parts.append(condition.replace("(?)", f"({_marks(kept)})"))
        values.extend(kept)

    ranks = {RANK[urgency] or 0 for urgency in wanted.urgencies}
    if len(ranks) == len(Urgency):
        parts.append("urgency IS NOT NULL")
    elif ranks:
        ask("+urgency IN (?)", ranks)
    parts += ["unread = 1"] * wanted.unread_only + ["starred = 1"] * wanted.starred_only
    if wanted.since is not None:
        parts.append("card.at >= ?")
        values.append(stamp(wanted.since.at))
    if wanted.sources:
        ask("EXISTS (SELECT 1 FROM item WHERE item.card = card.key AND item.source_name IN (?))", wanted.sources)
    if wanted.kinds:
        ask(f"EXISTS ({_SIGNAL.format('')} AND coalesce(signal.event_type, signal.signal_type) IN (?))", wanted.kinds)
    if wanted.agents:
        decided = "json_extract(coalesce(report.final, report.draft), '$.impact') = signal.impact"
        ask(f"EXISTS ({_SIGNAL.format(_REPORT)} AND {decided} AND report.agent IN (?))", wanted.agents)
    return parts, values


def _saying(terms: tuple[search.Term, ...], newest: int | None) -> Query:
    """The cards of the newest items whose text holds all the terms."""
    hits = "SELECT rowid AS item FROM item_text WHERE item_text MATCH ? ORDER BY rowid DESC LIMIT ?"
    sql = f"SELECT scoring.card FROM ({hits}) AS hit CROSS JOIN scoring ON scoring.item = hit.item"
    return Query(sql, (search.expression(terms), -1 if newest is None else newest))


def _said_by_story(terms: tuple[search.Term, ...]) -> Query:
    """The items whose text holds all the terms, for a story that is known."""
    sql = "SELECT 1 FROM item JOIN item_text ON item_text.rowid = item.id WHERE item_text MATCH ?"
    return Query(sql, (search.expression(terms),))


def _saying_slowly(terms: tuple[search.Term, ...]) -> Query:
    """The same where SQLite has no FTS5."""
    condition, values = search.like(terms)
    return Query(f"SELECT item.card FROM item JOIN scoring ON scoring.item = item.id WHERE {condition}", tuple(values))


def _linked(symbols: list[str], newest: int | None) -> Query:
    """The cards of the newest items that touch any of the symbols."""
    each = "SELECT card FROM (SELECT card FROM ticker WHERE symbol = ? ORDER BY first_seen_at DESC, item DESC LIMIT ?)"
    values = tuple(value for symbol in symbols for value in (symbol, -1 if newest is None else newest))
    return Query(" UNION ".join([each] * len(symbols)), values)


def _marks(values: Collection[Any]) -> str:
    return ", ".join("?" * len(values))
