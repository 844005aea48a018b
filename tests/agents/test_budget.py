"""The worst case: a product of constants that no item can pass."""

from __future__ import annotations

import pytest

from agents.budget import (
    OUTPUT_TOKENS,
    Price,
    calls_per_agent,
    input_tokens,
    nano_usd,
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


@pytest.mark.parametrize(
    ("amount", "text"), [(0, "$0.00"), (5, "$5.00"), (0.42, "$0.42"), (0.0021, "$0.0021"), (0.000_05, "$0.000050")]
)
def test_money_for_people(amount: float, text: str) -> None:
    assert usd(nano_usd(amount)) == text
