"""What the known models cost. A model that is not here has no known price, which is not a price of zero."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from agents.budget import SEARCH_NANO, Price
from agents.calls import Usage

AS_OF = "2026-11-24"
"""When this table was read from the service's price list."""

PRICES: Mapping[str, Price] = {
    "claude-haiku-5-5": Price(input=100, output=500, cache_write=125, cache_read=10),
    "claude-sonnet-5-5": Price(input=2_000, output=10_000, cache_write=2_500, cache_read=200),
    "claude-opus-5-5": Price(input=4_000, output=20_000, cache_write=5_000, cache_read=200),
}
"""By model. Prompts above 100,000 tokens cost more; none of ours comes near (`agents.budget.input_tokens`)."""

PARTS = ("input", "output", "cache_write", "cache_read", "search")


class PriceError(ValueError):
    """A configured price that cannot be used; the message says what is wanted."""


def price_table(configured: Mapping[str, Mapping[str, float]]) -> dict[str, Price]:
    """The known prices with the user's own on top, in USD per million tokens or thousand searches. Raises PriceError.

    Left out, a cache write costs 1.25 times and a cache read as much as an input token, and a search what it does at
    Anthropic.
    """
    return {**PRICES, **{model: _price(model, parts) for model, parts in configured.items()}}


def cost(price: Price | None, usage: Usage, searches: int = 0) -> int | None:
    """What the service charges for `usage` and web searches, in nano-USD; None without a price."""
    if price is None:
        return None
    return (
        usage.input_tokens * price.input
        + usage.output_tokens * price.output
        + usage.cache_write_tokens * price.cache_write
        + usage.cache_read_tokens * price.cache_read
        + searches * price.search
    )


def _price(model: str, parts: Mapping[str, float]) -> Price:
    unknown = sorted(set(parts) - set(PARTS))
    if unknown or not {"input", "output"} <= set(parts):
        raise PriceError(f"claude.prices.{model}: give input and output in USD per million tokens; known are {PARTS}")
    if any(not 0 <= value < 1e6 for value in parts.values()):
        raise PriceError(f"claude.prices.{model}: a price is a number of USD per million tokens, 0 or more")
    nano = {part: ceil(value * (1_000_000 if part == "search" else 1000)) for part, value in parts.items()}
    return Price(
        input=nano["input"],
        output=nano["output"],
        cache_write=nano.get("cache_write", ceil(nano["input"] * 1.25)),
        cache_read=nano.get("cache_read", nano["input"]),
        search=nano.get("search", SEARCH_NANO),
    )
