"""What the model may cost at most, said before it is asked, and who holds the daily cap.

The worst case is a product of constants:

  calls per agent   (1 + extra questions + SPARE_CALLS) to draft + (1 + SPARE_CALLS) to revise
  calls per item    five agents
  USD per call      the input tokens at the dearest input price + OUTPUT_TOKENS at the output price
  searches per item 1 + extra questions, each a call of its own with the price of a search on top, where the service
                    searches the web for the agent that asks it

A spare call repeats an answer that was malformed or lost; a call the service refused is not charged and is repeated at
most ATTEMPTS - 1 times. Money is kept in whole nano-USD (1e-9 USD), so that sums are exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from agents.errors import AgentError
from agents.models import AGENT_NAMES, AgentName
from agents.specialists import SPECIALISTS

NANO = 1_000_000_000
"""Nano-USD in one USD."""
SPARE_CALLS = 1
"""Per stage: one repair of a malformed answer, or one repeat of a lost one."""
ATTEMPTS = 3
"""How often one call is put to a service that refuses it for now."""
OUTPUT_TOKENS = 2_000
"""The most a reply may hold, thinking included; sent as `max_tokens`."""
FIXED_BYTES = 11_000
"""The most the instructions, tools and the schema of one agent take."""
DATA_BYTES = 9_000
"""The most an item and its mandatory evidence take in a prompt."""
ANSWER_BYTES = 2_000
"""The most one further answer of a tool takes in a prompt."""
REPLY_BYTES = 8_000
"""The most of the model's own words that are sent back to it in one turn."""
SEARCH_NANO = 10_000_000
"""What one web search of Anthropic's costs besides its tokens, in nano-USD: 10 USD a thousand."""
SEARCH_BYTES = 3_000
"""The most the request for a search takes."""
SEARCH_TOKENS = 90_000
"""The most input tokens the pages of one search are reckoned at. The service states no bound; who sees one passed
searches no more."""
USUAL_SEARCH_TOKENS = 9_000
"""Input tokens that the ten pages of one search bring, by experience."""
USUAL_CALLS = 2
"""Calls an agent makes that asks nothing further and answers well."""
USUAL_INPUT_TOKENS, USUAL_OUTPUT_TOKENS = 2_200, 300
"""What such a call takes, by experience: only the worst case is a promise."""


class BudgetSpent(AgentError):
    """The reservation would pass the daily cap; nothing was reserved."""

    def __init__(self, spent_nano: int, cap_nano: int) -> None:
        super().__init__(f"today's model budget of {usd(cap_nano)} is spent or reserved")
        self.spent_nano = spent_nano
        self.cap_nano = cap_nano


class Ledger(Protocol):
    """Keeps what was reserved and spent, by day. Implemented by storage, shared by all programs of one user.

    A reservation that is never settled counts as spent: a killed process may have been charged.
    """

    async def reserve(self, nano: int, *, day: date, cap_nano: int) -> int:
        """Sets `nano` aside before a call and returns the reservation; raises BudgetSpent where the cap is passed."""
        ...

    async def settle(self, reservation: int, nano: int) -> None:
        """Replaces a reservation by what the call did cost; 0 where it was not charged."""
        ...

    async def spent(self, day: date) -> int:
        """What was spent and is reserved on `day`, in nano-USD."""
        ...


@dataclass(frozen=True, slots=True)
class Price:
    """Nano-USD per token, and per web search. 1 USD per million tokens is 1000."""

    input: int
    output: int
    cache_write: int
    cache_read: int
    search: int = SEARCH_NANO

    def ceiling(self, input_tokens: int, output_tokens: int, searches: int = 0) -> int:
        """The most a call of so many tokens and searches can cost, whatever the service's cache does."""
        dearest = max(self.input, self.cache_write, self.cache_read)
        return input_tokens * dearest + output_tokens * self.output + searches * self.search


@dataclass(frozen=True, slots=True)
class WorstCase:
    """An upper bound for one agent or one item. `nano` is None where a model has no known price."""

    calls: int
    input_tokens: int
    output_tokens: int
    nano: int | None
    searches: int = 0


def input_tokens(extra_calls: int) -> int:
    """The most tokens a request can hold after `extra_calls` answers: no tokenizer makes more than one of a byte."""
    turns = extra_calls + SPARE_CALLS
    return FIXED_BYTES + DATA_BYTES + extra_calls * ANSWER_BYTES + turns * REPLY_BYTES


def calls_per_agent(max_extra_calls: int) -> int:
    """The most calls one agent makes for one item."""
    return (1 + max_extra_calls + SPARE_CALLS) + (1 + SPARE_CALLS)


def searches_of(agent: AgentName, max_extra_calls: int) -> int:
    """The most web searches the service makes for `agent` on one item: the mandatory one and one a further question."""
    searching = next(one for one in SPECIALISTS if one.name == agent)
    return 1 + max_extra_calls if "web_search" in searching.tools else 0


def worst_agent(price: Price | None, max_extra_calls: int, searches: int = 0) -> WorstCase:
    """The bound for one agent on one item, with so many web searches of the service."""
    calls, most = calls_per_agent(max_extra_calls), input_tokens(max_extra_calls)
    found = SEARCH_BYTES + SEARCH_TOKENS
    nano: int | None = None
    if price is not None:
        nano = calls * price.ceiling(most, OUTPUT_TOKENS) + searches * price.ceiling(found, OUTPUT_TOKENS, 1)
    return WorstCase(
        calls + searches, calls * most + searches * found, (calls + searches) * OUTPUT_TOKENS, nano, searches
    )


def worst_item(prices: Mapping[AgentName, Price | None], max_extra_calls: int, *, searching: bool = False) -> WorstCase:
    """The bound for the five agents together; `prices` holds each agent's. `searching`: the web, too."""
    each = [
        worst_agent(prices[agent], max_extra_calls, searches_of(agent, max_extra_calls) if searching else 0)
        for agent in AGENT_NAMES
    ]
    costs = [one.nano for one in each if one.nano is not None]
    return WorstCase(
        calls=sum(one.calls for one in each),
        input_tokens=sum(one.input_tokens for one in each),
        output_tokens=sum(one.output_tokens for one in each),
        nano=sum(costs) if len(costs) == len(each) else None,
        searches=sum(one.searches for one in each),
    )


def usual_item(prices: Mapping[AgentName, Price | None]) -> int | None:
    """What an ordinary item costs, in nano-USD; None where a model has no known price. Experience, not a bound."""
    known = [price for agent in AGENT_NAMES if (price := prices[agent])]
    if len(known) < len(AGENT_NAMES):
        return None
    return sum(USUAL_CALLS * (USUAL_INPUT_TOKENS * price.input + USUAL_OUTPUT_TOKENS * price.output) for price in known)


def usual_search(price: Price) -> int:
    """What an ordinary web search costs, its tokens included, in nano-USD. Experience, not a bound."""
    return USUAL_SEARCH_TOKENS * price.input + USUAL_OUTPUT_TOKENS * price.output + price.search


def nano_usd(amount: float) -> int:
    """USD as nano-USD."""
    return round(amount * NANO)


def usd(nano: int) -> str:
    """Nano-USD for people: cents where that says enough, else as many places as show something."""
    value = nano / NANO
    if value == 0 or abs(value) >= 0.095:
        return f"${value:,.2f}"
    return f"${value:.4f}" if abs(value) >= 0.00095 else f"${value:.6f}"
