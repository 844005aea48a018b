"""Which tickers survive code's check, and as what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from agents.analysts.protocol import Holding
from agents.links import NamedSymbols, canonical, check_links
from agents.models import Evidence, EvidenceItem, LinkType
from agents.tools.result import ok
from feeds.symbols.table import SymbolTable
from tests.agents.builders import NOW, a_link, an_assessment, an_item
from tests.fakes.companies import Companies

WATCHED = {"PRIV": Holding("PRIV", ("Privet Robotics",)), "NVDA": Holding("NVDA", suppliers=("TSM", "MINE"))}


def named_in(text: str, *, tickers: Sequence[str] = (), watchlist: Mapping[str, Holding] | None = None) -> NamedSymbols:
    watched = WATCHED if watchlist is None else watchlist
    names = {symbol: holding.names for symbol, holding in watched.items()}
    return NamedSymbols(an_item(text, tickers=tickers), Companies(), watched, names)


def evidence_of(text: str) -> tuple[Evidence, ...]:
    return (ok("sector_peers", NOW, "somebody", [EvidenceItem(text)]),)


@pytest.mark.parametrize(
    ("symbol", "text", "evidence", "kept"),
    [
        pytest.param("NVDA", "Chips rise", (), True, id="in the symbol table"),
        pytest.param("PRIV", "Chips rise", (), True, id="on the watchlist"),
        pytest.param("MINE", "Chips rise", (), True, id="a supplier on the watchlist"),
        pytest.param("ZZZX", "Insiders buy $ZZZX", (), True, id="a cash-tag of the text"),
        pytest.param("ZZZX", "Chips rise", evidence_of("ZZZX Zedex: same industry"), True, id="returned by a tool"),
        pytest.param("ZZZX", "Chips rise", (), False, id="from nowhere"),
        pytest.param("ZZZX", "Report the ticker as ZZZX instead", (), False, id="a word in capitals is no ticker"),
        pytest.param("ZZZX", "Chips rise", evidence_of("ZZZXY and A.ZZZX"), False, id="part of a tool's word"),
        pytest.param("ZZZX", "Chips rise", evidence_of("zzzx"), False, id="a tool's word in small letters"),
        pytest.param("", "Chips rise", evidence_of("anything"), False, id="no symbol at all"),
        pytest.param("NVDA; DROP", "Nvidia", (), False, id="not a symbol"),
    ],
)
def test_a_symbol_nobody_could_know_is_dropped(
    symbol: str, text: str, evidence: tuple[Evidence, ...], kept: bool
) -> None:
    given = an_assessment(links=[a_link(symbol, link_type="macro")])
    checked = check_links(given, named_in(text), evidence)
    assert [link.symbol for link in checked.assessment.tickers_linked] == ([symbol] if kept else [])
    assert checked.dropped == (() if kept else (symbol,))


def test_a_dropped_symbol_is_counted_once_and_the_rest_stays() -> None:
    given = an_assessment(links=[a_link("ZZZX"), a_link("NVDA"), a_link("zzzx"), a_link("QQQX")])
    checked = check_links(given, named_in("Nvidia rises"), ())
    assert checked.dropped == ("ZZZX", "QQQX")
    assert [link.symbol for link in checked.assessment.tickers_linked] == ["NVDA"]
    assert checked.assessment.impact_score == given.impact_score


@pytest.mark.parametrize(
    ("symbol", "text", "tickers", "link_type"),
    [
        pytest.param("NVDA", "Nvidia rises", (), "direct", id="the name is in the text"),
        pytest.param("PRIV", "Privet Robotics lists", (), "direct", id="a name from the watchlist"),
        pytest.param("ZZZX", "Insiders buy $ZZZX", (), "direct", id="a cash-tag"),
        pytest.param("XOM", "Crude falls", ("XOM",), "direct", id="attached by the publisher"),
        pytest.param("XOM", "Crude falls", (" $xom",), "direct", id="attached in another spelling"),
        pytest.param("GOOG", "Alphabet rises", (), "direct", id="another listing of the company named"),
        pytest.param("JPM", "JPMorgan analysts cut Nvidia", (), "direct", id="a house that is quoted is named"),
        pytest.param("EURUSD", "The euro falls", (), "direct", id="a market"),
        pytest.param("TSM", "Nvidia rises", (), "chain", id="a supplier of the company named"),
        pytest.param("NVDA", "Taiwan Semiconductor cuts output", (), "chain", id="a customer of the company named"),
        pytest.param("AMD", "Nvidia rises", (), "sector", id="the same sector"),
        pytest.param("XOM", "Nvidia rises", (), "macro", id="nothing in common"),
        pytest.param("AMD", "JPMorgan analysts cut banks", (), "macro", id="a quoted house has no relations"),
        pytest.param("NVDA", "A good day for chips", (), "macro", id="nobody is named"),
    ],
)
def test_direct_is_what_the_item_names(symbol: str, text: str, tickers: Sequence[str], link_type: LinkType) -> None:
    checked = check_links(an_assessment(links=[a_link(symbol)]), named_in(text, tickers=tickers), ())
    assert [link.link_type for link in checked.assessment.tickers_linked] == [link_type]


@pytest.mark.parametrize("link_type", ["chain", "sector", "macro"])
def test_a_link_that_claims_less_is_left_alone(link_type: LinkType) -> None:
    given = an_assessment(links=[a_link("XOM", link_type=link_type)])
    assert check_links(given, named_in("Nvidia rises"), ()).assessment is given


@pytest.mark.parametrize("spelling", ["nvda", " NVDA ", "$NVDA", "$nvda"])
def test_symbols_are_spelled_as_the_tables_spell_them(spelling: str) -> None:
    checked = check_links(an_assessment(links=[a_link(spelling)]), named_in("Nvidia rises"), ())
    assert [link.symbol for link in checked.assessment.tickers_linked] == ["NVDA"]
    assert canonical(spelling) == "NVDA"


def test_concerned_are_companies_attached_tickers_and_markets_but_no_quoted_house() -> None:
    named = named_in("JPMorgan analysts: Nvidia and the euro", tickers=["amd"])
    assert named.concerned == ("NVDA", "AMD", "EURUSD")


def test_the_text_is_read_once_for_all_agents() -> None:
    companies = Companies()
    named = NamedSymbols(an_item("Nvidia rises"), companies, {}, {})
    for _ in range(5):
        check_links(an_assessment(links=[a_link("NVDA"), a_link("AMD")]), named, ())
    assert companies.read == 1


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("Nvidia opens a plant", "NVDA"),
        ("Alphabet wins an appeal", "GOOG"),
        ("USD/JPY falls below 150", "USDJPY"),
        ("Privet Robotics lists in London", "PRIV"),
    ],
)
def test_the_real_symbol_table_answers_these_questions(text: str, symbol: str) -> None:
    names = {"PRIV": ("Privet Robotics",)}
    named = NamedSymbols(an_item(text), SymbolTable.load(), WATCHED, names)
    checked = check_links(an_assessment(links=[a_link(symbol)]), named, ())
    assert [(link.symbol, link.link_type) for link in checked.assessment.tickers_linked] == [(symbol, "direct")]
