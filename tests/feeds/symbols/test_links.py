"""Invented headlines and the companies that may be linked: the traps in both directions, each link with its reason."""

from __future__ import annotations

import pytest

from feeds.symbols.table import SymbolTable
from tests.feeds.symbols.link_cases import LINKS

TABLE = SymbolTable.load()


@pytest.mark.parametrize(("text", "symbols"), LINKS, ids=[text for text, _ in LINKS])
def test_what_is_linked_is_what_a_trader_would_link(text: str, symbols: str) -> None:
    found = [mention for mention in TABLE.mentions(text) if not mention.quoted]
    assert {mention.symbol for mention in found} == set(symbols.split())
    for mention in found:
        assert text[mention.start : mention.end] == mention.text
        assert mention.text.rstrip(".") in mention.reason


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("Dave stock soars on record quarter", "DAVE"),
        ("Icahn Enterprises cuts its payout", "IEP"),
        ("Tyson's profit falls on beef costs", "TSN"),
        ("Weis shares fall after holiday quarter", "WMK"),
    ],
)
def test_a_company_with_a_persons_name_is_linked_by_what_only_a_company_has(text: str, symbol: str) -> None:
    assert [mention.symbol for mention in TABLE.mentions(text)] == [symbol]


@pytest.mark.parametrize(
    ("text", "house"),
    [
        ("Goldman says oil could hit $100", "GS"),
        ("UBS expects the dollar to weaken", "UBS"),
        ("Morgan Stanley cuts Tesla to equal-weight", "MS"),
    ],
)
def test_a_house_that_speaks_of_others_is_quoted(text: str, house: str) -> None:
    assert [mention.quoted for mention in TABLE.mentions(text) if mention.symbol == house] == [True]


@pytest.mark.parametrize(
    ("text", "markets"),
    [
        ("$BTC reclaims its 200-day average", ["BTCUSD"]),
        ("$ETH and $BTC slide", ["ETHUSD", "BTCUSD"]),
        ("EURUSD slips below parity", ["EURUSD"]),
        ("Gold hits record as 10-year yield falls", ["GOLD", "US10Y"]),
        ("U.S. stocks slip", ["SPX"]),
        ("S&P 500 ends flat", ["SPX"]),
        ("New Zealand dollar jumps", ["NZDUSD"]),
        ("Dollar jumps", ["DXY"]),
        ("Germany's 10-year yield turns negative", []),
    ],
)
def test_what_is_no_company_is_a_market(text: str, markets: list[str]) -> None:
    assert [subject.symbol for subject in TABLE.subjects(text)] == markets
    assert TABLE.mentions(text) == ()


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("Traders love $aapl and $nvda", ["AAPL", "NVDA"]),
        ("$cash is king", []),
        ("$all in", []),
        ("Prize of 500$aapl", []),
    ],
)
def test_a_cash_tag_in_small_letters_is_a_symbol_and_no_word(text: str, symbols: list[str]) -> None:
    assert [mention.symbol for mention in TABLE.mentions(text)] == symbols


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("Delta orders 60 jets", False),
        ("Carnival orders three ships", False),
        ("Velda wins Delta orders", True),
        ("Boeing orders dry up for supplier Velda", True),
    ],
)
def test_who_orders_is_the_story_and_whose_orders_they_are_is_beside_it(text: str, beside: bool) -> None:
    assert [mention.beside for mention in TABLE.mentions(text)] == [beside]


def test_an_exchange_before_a_symbol_is_not_linked_itself() -> None:
    found = TABLE.mentions("Miner (ASX: BHP) and carrier (listed: NYSE: DAL) rise")
    assert [(mention.symbol, mention.how) for mention in found] == [("BHP", "exchange"), ("DAL", "exchange")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See MAERSK-B.CO today", ["MAERSK-B.CO"]),
        ("Up 12.5.L", []),
        ("Visit www.SAP.DE now", []),
        ("Buy VOD.London", []),
    ],
)
def test_a_foreign_symbol_stands_alone(text: str, found: list[str]) -> None:
    assert [mention.symbol for mention in TABLE.mentions(text) if mention.how == "exchange"] == found
