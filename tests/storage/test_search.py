"""Search: every word must be found, a symbol only whole, and nothing typed is a syntax error."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents.models import Urgency
from storage import search
from storage.cards import CardReader
from storage.database import Database
from storage.items import Items
from storage.models import CardFilter
from storage.search import Term, expression, terms
from storage.signals import Signals
from tests.storage.samples import NOW, WIRE, entry, signal

HEADLINES = {
    "chips": ("US widens export ban to 14 chipmakers", "Nvidia and AMD are named in the rule.", ("NVDA", "AMD")),
    "ford": ("Ford recalls 40,000 trucks", "A faulty brake hose is the reason.", ("F",)),
    "fed": ("Fed holds rates; Powell says patience is needed", "", ()),
    "cafe": ("Café Müller to list in Zürich", "", ("CAFE.SW",)),
    "tokyo": ("日本銀行が政策金利を引き上げ", "円は上昇した。", ("USDJPY",)),
    "seoul": ("삼성전자, 파업 시작", "", ("005930.KS",)),
    "berk": ("Berkshire buys AT&T stake", "100% of nothing_much", ("BRK.B", "T")),
}


async def fill(path: Path, *, full_text: bool | None = None) -> dict[int, str]:
    """A database of the headlines, each a scored card; names by card key."""
    names: dict[int, str] = {}
    async with Database.open(path, now=NOW, full_text=full_text) as database:
        items, signals = Items(database), Signals(database)
        for name, (title, summary, symbols) in HEADLINES.items():
            (item_id,) = (await items.ingest(WIRE, [entry(title, summary=summary)], now=NOW)).new
            saved = await signals.save(signal(item_id, Urgency.NOTE, tickers=symbols), alert=None)
            names[saved.card_key] = name
    return names


FOUND = [
    ("export ban", {"chips"}),
    ("ban export", {"chips"}),
    ('"export ban"', {"chips"}),
    ('"ban export"', set()),
    ('"export ban', {"chips"}),
    ("EXPORT", {"chips"}),
    ("chipm", {"chips"}),
    ("chip nvidia", set()),
    ("nvda", {"chips"}),
    ("NVD", set()),
    ("$NVDA", {"chips"}),
    ("$nvda", {"chips"}),
    ("$NVD", set()),
    ("F", {"ford"}),
    ("$F", {"ford"}),
    ("fo", {"ford"}),
    ("fed powell", {"fed"}),
    ("fed nvda", set()),
    ("nvda ban", {"chips"}),
    ("cafe muller", {"cafe"}),
    ("zürich", {"cafe"}),
    ("政策金利", {"tokyo"}),
    ("金利", {"tokyo"}),
    ("日銀", set()),
    ("上昇", {"tokyo"}),
    ("파업", {"seoul"}),
    ("BRK.B", {"berk"}),
    ("$BRK.B", {"berk"}),
    ("at&t", {"berk"}),
    ("harbour", set(HEADLINES)),
    ("40,000", {"ford"}),
    ("", set(HEADLINES)),
    ("   ", set(HEADLINES)),
    ('"', set(HEADLINES)),
    ("$", set(HEADLINES)),
    ("-", set(HEADLINES)),
    ("NOT", {"berk"}),
    ("NOT ", set()),
    ("title:fed", set()),
]


async def test_what_is_found(path: Path) -> None:
    names = await fill(path)
    with CardReader(path) as reader:
        found = {query: {names[key] for key in reader.order(CardFilter(text=query))} for query, _ in FOUND}
        limited = {query: {names[key] for key in reader.order(CardFilter(text=query), 50)} for query, _ in FOUND}
    assert found == dict(FOUND)
    assert limited == found


async def test_every_telling_of_a_story_leads_to_its_card(path: Path) -> None:
    async with Database.open(path, now=NOW) as database:
        items = Items(database)
        first = await items.ingest(WIRE, [entry("Nordia Steel halts its mill in Orlow")], now=NOW)
        second = await items.ingest(WIRE, [entry("Nordia Steel halts Orlow mill, furnace blamed")], now=NOW)
        assert first.cards == second.cards
        with CardReader(path) as reader:
            for query in ("furnace", "nordia", "its mill"):
                assert reader.order(CardFilter(text=query)) == list(first.cards)


HOSTILE = [
    '"',
    '""',
    '"""',
    "*",
    "a*",
    "a* b*",
    "^a",
    "a:b",
    "NEAR(a b)",
    "a AND",
    "OR",
    "(",
    ")",
    "a -b",
    "{a}",
    "+",
    "\\",
]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=40))
@example("a\x00b")
@example("\ud800")
@example('a"\x00"b')
@example("x" * 5_000)
@example("a " * 500)
@example("\u0300")
@example("½ ²")
def test_nothing_typed_is_a_syntax_error(text: str) -> None:
    wanted = terms(text)
    assert len(wanted) <= search.MAX_WORDS
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5(title, summary, source, tickers, prefix='2 3 4 5 6')")
        connection.execute("INSERT INTO t VALUES ('a', 'b', 'c', 'd')")
        if wanted:
            connection.execute("SELECT rowid FROM t WHERE t MATCH ?", (expression(wanted),)).fetchall()
        connection.execute("CREATE TABLE item (title, summary, source_name)")
        connection.execute("CREATE TABLE scoring (linked)")
        if wanted:
            condition, values = search.like(wanted)
            connection.execute(f"SELECT 1 FROM item, scoring WHERE {condition}", values).fetchall()


async def test_hostile_queries_are_answered(path: Path) -> None:
    await fill(path)
    with CardReader(path) as reader:
        for text in HOSTILE:
            reader.order(CardFilter(text=text))
            reader.order(CardFilter(text=text), 10)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("fed rates", (Term("fed"), Term("rates", unfinished=True))),
        ("fed rates ", (Term("fed"), Term("rates"))),
        ('"fed rates"', (Term("fed rates"),)),
        ("$F cut", (Term("F", symbol=True), Term("cut", unfinished=True))),
        ("!!! ...", ()),
    ],
)
def test_how_a_query_is_read(query: str, wanted: tuple[Term, ...]) -> None:
    assert terms(query) == wanted


WITHOUT_FTS5 = {
    "export ban": {"chips"},
    "nvda": {"chips"},
    "$NVD": set(),
    "F": {"chips", "ford", "fed", "cafe"},
    "$F": {"ford"},
    "100%": {"berk"},
    "g_m": {"berk"},
    "金利": {"tokyo"},
    "nobody": set(),
    "\\": set(HEADLINES),
}


async def test_without_fts5_titles_are_searched_one_by_one(path: Path) -> None:
    names = await fill(path, full_text=False)
    with CardReader(path) as reader:
        found = {query: {names[key] for key in reader.order(CardFilter(text=query), 50)} for query in WITHOUT_FTS5}
        assert found["F"] >= {"ford"}
        assert {query: hits for query, hits in found.items() if query != "F"} == {
            query: hits for query, hits in WITHOUT_FTS5.items() if query != "F"
        }


@pytest.mark.parametrize("history", [(False, True), (True, False, True), (True, False)], ids=str)
async def test_an_index_that_missed_writes_is_not_trusted_and_is_made_again(
    path: Path, history: tuple[bool, ...]
) -> None:
    titles = ("Velkor names a new head", "Amberline recalls oats", "Tessaly opens a mine")
    for full_text, title in zip(history, titles, strict=False):
        async with Database.open(path, now=NOW, full_text=full_text) as database:
            await Items(database).ingest(WIRE, [entry(title)], now=NOW)
    with CardReader(path) as reader:
        for title in titles[: len(history)]:
            assert len(reader.order(CardFilter(text=title.split()[0]))) == 1


async def test_words_an_edit_took_away_are_not_found_any_more(path: Path) -> None:
    async with Database.open(path, now=NOW) as database:
        items = Items(database)
        (item_id,) = (await items.ingest(WIRE, [entry("Velkor sues Amberline over 3 patents", guid="g")], now=NOW)).new
        await Signals(database).save(signal(item_id, tickers=["VLK"]), alert=None)
        await items.ingest(WIRE, [entry("CORRECTED: Velkor sues Tessaly over 3 patents", guid="g")], now=NOW)
        with CardReader(path) as reader:
            found = [len(reader.order(CardFilter(text=text))) for text in ("amberline", "tessaly", "velkor", "$VLK")]
            assert found == [0, 1, 1, 1]
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO item_text (item_text) VALUES ('integrity-check')")
