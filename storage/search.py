"""Full-text search: what a person typed as a safe FTS5 expression, and the index it is asked of.

Every word must be found; words in double quotes stand together; the last word may be unfinished; a leading $ asks for a
symbol. A symbol is only ever found whole. Nothing typed can be a syntax error.

The index holds no copy of the text, so an entry is taken out with the very words it was put in with. Chinese, Japanese
and Korean letters are indexed one by one, since no blank ends their words.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from storage.connection import ROWS_AT_ONCE, insert_rows, rows_among
from storage.encoding import Row, storable

MAX_WORDS: Final = 16
MAX_QUERY: Final = 300
_PREFIX_FROM: Final = 2

_CJK = re.compile(r"([\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\uff66-\uff9f])")
_TERM = re.compile(r'"([^"]*)"?|(\S+)')


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that must be found. `symbol` restricts it to tickers, `unfinished` lets the word go on."""

    text: str
    symbol: bool = False
    unfinished: bool = False


def terms(query: str) -> tuple[Term, ...]:
    """What a typed query asks for; empty where it holds no letter and no digit."""
    text = "".join(" " if ord(letter) < 32 or ord(letter) == 127 else letter for letter in storable(query[:MAX_QUERY]))
    found: list[Term] = []
    for match in _TERM.finditer(text):
        phrase, word = match.group(1), match.group(2)
        if phrase is not None:
            found.append(Term(phrase.strip()))
        else:
            word = word.replace('"', " ").strip()
            symbol = word.startswith("$")
            found.append(Term(word.lstrip("$"), symbol, unfinished=not symbol and match.end() == len(text)))
    return tuple(term for term in found if any(map(str.isalnum, term.text)))[:MAX_WORDS]


def expression(wanted: tuple[Term, ...]) -> str:
    """The FTS5 expression of some terms; each is quoted, so that it can only be words."""
    return " AND ".join(_clause(term) for term in wanted)


def _clause(term: Term) -> str:
    quoted = '"' + _spread(term.text).replace('"', '""').strip() + '"'
    if term.symbol:
        return f"tickers : {quoted}"
    if term.unfinished and len(term.text) >= _PREFIX_FROM:
        return f"({{title summary source}} : {quoted} * OR tickers : {quoted})"
    return quoted


def like(wanted: tuple[Term, ...]) -> tuple[str, list[str]]:
    """The same question without FTS5: a condition over `item` and `scoring` and its parameters. Slow, never wrong."""
    parts: list[str] = []
    values: list[str] = []
    for term in wanted:
        escaped = re.sub(r"([%_\\])", r"\\\1", term.text)
        whole = f"% {escaped} %"
        if term.symbol:
            parts.append(r"' ' || scoring.linked || ' ' LIKE ? ESCAPE '\'")
            values.append(whole)
        else:
            parts.append(
                r"(item.title || ' ' || item.summary || ' ' || item.source_name LIKE ? ESCAPE '\'"
                r" OR ' ' || scoring.linked || ' ' LIKE ? ESCAPE '\')"
            )
            values += [f"%{escaped}%", whole]
    return " AND ".join(parts), values


def available(connection: sqlite3.Connection) -> bool:
    """Whether this SQLite has FTS5."""
    (modules,) = connection.execute("SELECT count(*) FROM pragma_module_list WHERE name = 'fts5'").fetchone()
    return bool(modules)


def ready(connection: sqlite3.Connection) -> bool:
    """Whether the index can be asked: FTS5 is there, and nothing was written without it."""
    return available(connection) and _state(connection) == "whole"


def prepare(connection: sqlite3.Connection, wanted: bool | None) -> bool:
    """Makes the index, or makes it again after the database was written without FTS5. Returns whether there is one."""
    use = available(connection) if wanted is None else wanted
    if use and _state(connection) != "whole":
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DROP TABLE IF EXISTS item_text")
        connection.execute(
            "CREATE VIRTUAL TABLE item_text USING fts5(title, summary, source, tickers, content='', columnsize=0,"
            " prefix='2 3 4 5 6', tokenize='unicode61 remove_diacritics 2')"
        )
        connection.executemany(_ADD, map(_entry, connection.execute(f"{_WORDS} ORDER BY item.id")))
        connection.execute("DELETE FROM unindexed")
        _note(connection, "whole")
        connection.execute("COMMIT")
    elif not use and _state(connection) == "whole":
        _note(connection, "stale")
    return use


def fresh(connection: sqlite3.Connection, items: Sequence[int]) -> None:
    """Says that new items have no entry yet; see `outdated`."""
    insert_rows(connection, "INSERT INTO unindexed (item)", [(item,) for item in items])


def outdated(connection: sqlite3.Connection, items: Sequence[int]) -> None:
    """Says, before the words of items change, that their entries must be written again.

    The entries themselves are written by `catch_up`: whatever FTS5 has been told it writes out at the next savepoint,
    and doing that for each item would cost many times the rest.
    """
    for start in range(0, len(items), ROWS_AT_ONCE):
        some = items[start : start + ROWS_AT_ONCE]
        marks = ", ".join("?" * len(some))
        connection.execute(f"INSERT OR IGNORE INTO unindexed {_WORDS} WHERE item.id IN ({marks})", tuple(some))


def remove(connection: sqlite3.Connection, items: Sequence[int]) -> None:
    """Takes the entries of items out, before the items go; none of them may be waiting for `catch_up`."""
    connection.executemany(_REMOVE, map(_entry, rows_among(connection, f"{_WORDS} WHERE item.id IN ({{}})", items)))


def catch_up(connection: sqlite3.Connection) -> None:
    """Brings the index up to date; the last thing in each transaction."""
    old = connection.execute("SELECT item, title, summary, source, tickers FROM unindexed").fetchall()
    if not old:
        return
    connection.executemany(_REMOVE, [_entry(row) for row in old if row[1] is not None])
    new = connection.execute(f"{_WORDS} WHERE item.id IN (SELECT item FROM unindexed)").fetchall()
    connection.executemany(_ADD, [_entry(row) for row in new])
    connection.execute("DELETE FROM unindexed")


_WORDS: Final = (
    "SELECT item.id, item.title, item.summary, item.source_name, scoring.linked"
    " FROM item JOIN scoring ON scoring.item = item.id"
)
_ADD: Final = "INSERT INTO item_text (rowid, title, summary, source, tickers) VALUES (?, ?, ?, ?, ?)"
_REMOVE: Final = (
    "INSERT INTO item_text (item_text, rowid, title, summary, source, tickers) VALUES ('delete', ?, ?, ?, ?, ?)"
)


def _entry(row: Row) -> Row:
    item, title, summary, source, tickers = row
    return item, _spread(title), _spread(summary), _spread(source), tickers


def _spread(text: str) -> str:
    return text if text.isascii() else _CJK.sub(r" \1 ", text)


def _state(connection: sqlite3.Connection) -> str:
    row = connection.execute("SELECT value FROM fact WHERE name = 'text_index'").fetchone()
    return row[0] if row else ""


def _note(connection: sqlite3.Connection, state: str) -> None:
    connection.execute("INSERT OR REPLACE INTO fact (name, value) VALUES ('text_index', ?)", (state,))
