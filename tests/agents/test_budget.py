"""The worst case: a product of constants that no item can pass."""

from __future__ import annotations

import pytest

from agents.budget import (
    OUTPUT_TOKENS,
    SEARCH_BYTES,
    SEARCH_NANO,
    SEARCH_TOKENS,
    Price,
    calls_per_agent,
    input_tokens,
    nano_usd,
    searches_of,
    usd,
    usual_item,
    worst_agent,
    worst_item,
)
from agents.models import AGENT_NAMES, AgentName

HAIKU = Price(100, 500, 125, 10)


@pytest.mark.parametrize(("extra", "calls"), [(0, 4), (2, 6), (10, 14)])
def test_calls_are_one_and_the_questions_and_a_spare_to_draft_and_one_and_a_spare_to_revise(
    extra: int, calls: int
) -> None:
    assert calls_per_agent(extra) == calls


def test_the_bound_of_an_agent_is_calls_times_tokens_times_price() -> None:
    bound = worst_agent(HAIKU, 2)
    assert bound.nano == 6 * (input_tokens(2) * 125 + OUTPUT_TOKENS * 500)
    assert (bound.calls, bound.input_tokens, bound.output_tokens) == (6, 6 * input_tokens(2), 6 * OUTPUT_TOKENS)


def test_an_item_is_five_agents_each_at_its_own_price() -> None:
    prices: dict[AgentName, Price | None] = dict.fromkeys(AGENT_NAMES, HAIKU)
    prices["PolicyRadar"] = Price(2_000, 10_000, 2_500, 200)
    one, dear = worst_agent(HAIKU, 2).nano, worst_agent(prices["PolicyRadar"], 2).nano
    assert one is not None
    assert dear is not None
    assert worst_item(prices, 2).nano == 4 * one + dear


def test_one_unknown_price_makes_the_item_unpriced_and_not_free() -> None:
    prices: dict[AgentName, Price | None] = {**dict.fromkeys(AGENT_NAMES, HAIKU), "MacroMind": None}
    assert worst_item(prices, 2).nano is None
    assert usual_item(prices) is None


def test_the_dearest_way_to_be_charged_for_a_token_counts() -> None:
    assert Price(100, 0, 125, 10).ceiling(8, 3) == 1_000
    assert Price(100, 0, 90, 10).ceiling(8, 3) == 800


def test_a_search_is_a_call_of_its_own_with_its_price_on_top() -> None:
    plain, searching = worst_agent(HAIKU, 2), worst_agent(HAIKU, 2, searches=3)
    assert plain.nano is not None
    assert searching.nano == plain.nano + 3 * ((SEARCH_BYTES + SEARCH_TOKENS) * 125 + OUTPUT_TOKENS * 500 + SEARCH_NANO)
    assert (searching.calls - plain.calls, searching.searches) == (3, 3)
    assert searching.input_tokens - plain.input_tokens == 3 * (SEARCH_BYTES + SEARCH_TOKENS)


@pytest.mark.parametrize(("extra", "searches"), [(0, 1), (2, 3)])
def test_only_the_agent_whose_tool_searches_pays_for_it(extra: int, searches: int) -> None:
    prices: dict[AgentName, Price | None] = dict.fromkeys(AGENT_NAMES, HAIKU)
    assert {agent: searches_of(agent, extra) for agent in AGENT_NAMES} == {
        **dict.fromkeys(AGENT_NAMES, 0), "SignalScope": searches
    }  # fmt: skip
    assert worst_item(prices, extra, searching=True).searches == searches
    assert worst_item(prices, extra).searches == 0


def test_the_pages_of_a_search_stay_below_where_a_token_gets_dearer() -> None:
    assert SEARCH_BYTES + SEARCH_TOKENS < 100_000


@pytest.mark.parametrize(
    ("amount", "text"), [(0, "$0.00"), (5, "$5.00"), (0.42, "$0.42"), (0.0021, "$0.0021"), (0.000_05, "$0.000050")]
)
def test_money_for_people(amount: float, text: str) -> None:
    assert usd(nano_usd(amount)) == text
