"""What models cost: exact sums, the user's own prices first, and no price that is not known."""

from __future__ import annotations

import pytest

from agents.analysts.claude.prices import PRICES, PriceError, cost, price_table
from agents.budget import Price
from agents.calls import Usage


def test_a_price_of_one_dollar_per_million_is_a_thousand_nano_a_token() -> None:
    assert PRICES["claude-haiku-5-5"] == Price(100, 500, 125, 10)
    assert cost(PRICES["claude-haiku-5-5"], Usage(1_000_000, 0, 0, 0)) == 100_000_000


def test_every_kind_of_token_has_its_price() -> None:
    assert cost(Price(7, 5, 3, 2), Usage(1, 10, 100, 1_000)) == 7 + 50 + 300 + 2_000
    assert cost(None, Usage(1, 1, 1, 1)) is None


def test_a_search_costs_what_it_does_at_anthropic_unless_the_user_says_otherwise() -> None:
    table = price_table({"mine": {"input": 1, "output": 1, "search": 25.0}, "other": {"input": 1, "output": 1}})
    assert cost(table["mine"], Usage(), searches=2) == 2 * 25_000_000, "25 USD a thousand"
    assert (
        cost(table["other"], Usage(), searches=1) == cost(PRICES["claude-haiku-5-5"], Usage(), searches=1) == 10_000_000
    )


def test_the_users_prices_come_first_and_may_leave_the_cache_out() -> None:
    table = price_table({"mine": {"input": 0.4, "output": 2.0}, "claude-haiku-5-5": {"input": 1, "output": 1}})
    assert table["mine"] == Price(400, 2_000, 500, 400)
    assert table["claude-haiku-5-5"].input == 1_000
    assert table["claude-opus-5-5"] == PRICES["claude-opus-5-5"]
    assert "claude-nothing" not in table


@pytest.mark.parametrize(
    "parts", [{}, {"input": 1.0}, {"input": 1.0, "output": 1.0, "inptu": 1.0}, {"input": -1.0, "output": 1.0}]
)
def test_a_price_that_cannot_be_used_is_refused_in_words(parts: dict[str, float]) -> None:
    with pytest.raises(PriceError, match=r"claude\.prices\.mine"):
        price_table({"mine": parts})
