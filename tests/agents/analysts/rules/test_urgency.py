"""The whole way from a headline to its urgency: what rings, what waits, what nobody needs to see."""

from __future__ import annotations

import asyncio
from functools import cache

import pytest

from agents.desk import Desk
from agents.models import Signal, Urgency
from feeds.symbols.table import SymbolTable
from tests.agents.analysts.rules.reading_of import NOW, analyst, item
from tests.agents.analysts.rules.urgency_by_kind import BY_KIND
from tests.agents.analysts.rules.urgency_by_style import BY_STYLE
from tests.agents.analysts.rules.urgency_by_trap import BY_TRAP
from tests.agents.analysts.rules.urgency_cases import ALERT, FLASH, FYI, NOTE, WRAPS

WANTED = {Urgency.FLASH: FLASH, Urgency.ALERT: ALERT, Urgency.NOTE: NOTE, Urgency.FYI: FYI}
ORDER = list(Urgency)
EXACT = 0.97
"""The share of the table that must have exactly the urgency a trader wants; the rest may be one class away."""


@cache
def signal(title: str, summary: str = "") -> Signal:
    symbols = SymbolTable.load()
    return asyncio.run(Desk(analyst(), {}, symbols, {}).judge(item(title, summary), now=NOW))


def distance(wanted: Urgency, title: str) -> int:
    """By how many classes the urgency of a headline misses."""
    given = signal(title).urgency
    assert given is not None
    return abs(ORDER.index(wanted) - ORDER.index(given))


CASES = [
    *((urgency, title) for urgency, titles in WANTED.items() for title in titles),
    *(case for table in (BY_KIND, BY_STYLE, BY_TRAP) for cases in table.values() for case in cases),
]


@pytest.mark.parametrize(("wanted", "title"), CASES)
def test_no_headline_is_two_classes_away(wanted: Urgency, title: str) -> None:
    assert distance(wanted, title) <= 1, signal(title).synthesis


def test_nearly_every_headline_has_the_urgency_a_trader_wants() -> None:
    wrong = [f"{wanted} -> {signal(title).urgency}: {title}" for wanted, title in CASES if distance(wanted, title)]
    assert len(wrong) <= (1 - EXACT) * len(CASES), "\n".join(wrong)


@pytest.mark.parametrize("title", WRAPS)
def test_markets_that_react_to_an_event_ring_no_bell(title: str) -> None:
    assert signal(title).urgency in (Urgency.NOTE, Urgency.FYI)
    assert signal(title).synthesis is not None


def test_the_table_is_large_and_says_nothing_twice() -> None:
    titles = [title for _, title in CASES]
    assert len(titles) >= 420
    assert len(set(titles)) == len(titles)
