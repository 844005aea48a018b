from __future__ import annotations

import pytest

from agents.investigation.models import CauseType
from agents.investigation.readings.company import read
from feeds.symbols.table import SymbolTable
from tests.agents.investigation.builders import a_case, a_record, an_anchor

TABLE = SymbolTable.load()
CASE = a_case("AAPL", "stock")


@pytest.mark.parametrize(
    ("title", "cause"),
    [
        ("Apple posts record quarter, shares jump", "earnings"),
        ("Apple cuts forecast for holiday quarter", "guidance"),
        ("Apple lowers its guidance", "guidance"),
        ("Apple to buy chip designer for $3 billion", "m_and_a"),
        ("Apple faces antitrust lawsuit over app store", "legal_regulatory"),
        ("Apple downgraded at Wells Fargo", "analyst_action"),
        ("Apple warns of shortages at suppliers", "supply_chain"),
        ("Apple hires a new head of design", "other"),
    ],
)
def test_the_kind_of_cause(title: str, cause: CauseType) -> None:
    found = read(a_record(title), CASE, TABLE, an_anchor("up", symbol="AAPL"))
    assert found is not None
    assert (found.cause_type, found.hypothesis, found.supports) == (cause, f"{cause}/aapl", True)


@pytest.mark.parametrize("title", ["Samsung posts record quarter", "Apple growers fear frost", "Stocks slide"])
def test_a_record_that_does_not_name_the_company_says_nothing(title: str) -> None:
    assert read(a_record(title), CASE, TABLE, an_anchor(symbol="AAPL")) is None


def test_a_symbol_the_publisher_attached_names_the_company() -> None:
    found = read(a_record("Quarterly results", tickers=["AAPL"]), CASE, TABLE, an_anchor(symbol="AAPL"))
    assert found is not None
    assert found.cause_type == "earnings"


def test_the_reaction_the_text_tells_of_speaks_for_or_against() -> None:
    title = "Apple shares tumble after warning on sales"
    down = read(a_record(title), CASE, TABLE, an_anchor("down", symbol="AAPL"))
    up = read(a_record(title), CASE, TABLE, an_anchor("up", symbol="AAPL"))
    assert down is not None
    assert (down.supports, down.linked) == (True, True)
    assert up is not None
    assert not up.supports


def test_a_mention_in_passing_and_an_opinion_are_no_act() -> None:
    passing = read(
        a_record("Wall Street slips on growth worries while chip makers and Apple decline"),
        CASE,
        TABLE,
        an_anchor("down", symbol="AAPL"),
    )
    opinion = read(a_record("Apple is a must-watch, says Cramer"), CASE, TABLE, an_anchor("down", symbol="AAPL"))
    assert passing is not None
    assert not passing.act
    assert opinion is not None
    assert not opinion.act


@pytest.mark.parametrize(
    "title",
    [
        "Trading in Apple halted, news pending",
        "Apple shares halted",
        "Apple halted, news pending",
        "Nasdaq halts trading in Apple",
        "Trading halt: Apple, LULD pause",
    ],
)
def test_a_halt_that_only_announces_news_is_no_cause(title: str) -> None:
    assert read(a_record(title), CASE, TABLE, an_anchor("up", symbol="AAPL")) is None


def test_a_halt_by_a_regulator_is_an_act() -> None:
    found = read(a_record("Trading in Apple suspended by the SEC"), CASE, TABLE, an_anchor("down", symbol="AAPL"))
    assert found is not None
