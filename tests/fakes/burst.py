"""Many items on few companies within a moment."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from agents.tools.protocol import Question
from tests.agents.builders import NOW, an_item

COMPANIES: Final = {
    "AAPL": "Apple",
    "MSFT": "Microsoft",
    "NVDA": "Nvidia",
    "AMZN": "Amazon",
    "GOOGL": "Alphabet",
    "META": "Meta Platforms",
    "TSLA": "Tesla",
    "JPM": "JPMorgan Chase",
    "V": "Visa",
    "XOM": "Exxon Mobil",
    "UNH": "UnitedHealth",
    "JNJ": "Johnson & Johnson",
    "WMT": "Walmart",
    "PG": "Procter & Gamble",
    "HD": "Home Depot",
    "CVX": "Chevron",
    "KO": "Coca-Cola",
    "PEP": "PepsiCo",
    "INTC": "Intel",
    "CSCO": "Cisco",
}


def burst_of(items: int) -> list[Question]:
    """A question for each of so many items, the companies in turn."""
    symbols = list(COMPANIES)
    return [
        Question(replace(an_item(f"{COMPANIES[symbol]} news number {number}"), id=f"i{number}"), (symbol,), None, NOW)
        for number in range(items)
        for symbol in (symbols[number % len(symbols)],)
    ]
