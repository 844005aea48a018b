"""The arrow beside each company: which way the item pushes it, in the eyes of somebody who holds it."""

from __future__ import annotations

import asyncio
from functools import cache

import pytest

from agents.desk import Desk
from agents.models import Direction, Signal
from feeds.symbols.table import SymbolTable
from tests.agents.analysts.rules.direction_by_kind import BY_KIND
from tests.agents.analysts.rules.direction_cases import TWO_SIDES
from tests.agents.analysts.rules.reading_of import NOW, analyst, item, judged

CASES = [*TWO_SIDES, *BY_KIND]
SIGNS: dict[str, Direction] = {"^": "up", "v": "down", "-": "unclear"}
RIGHT = 0.96
"""The share of the linked companies of the table whose arrow must be one a trader accepts."""
OPPOSITE = 0.01
"""The share that may point the wrong way; saying "unclear" is a smaller fault."""


@cache
def signal(title: str, summary: str = "") -> Signal:
    return asyncio.run(Desk(analyst(), {}, SymbolTable.load(), {}).judge(item(title, summary), now=NOW))


def arrows(title: str, summary: str = "") -> dict[str, Direction]:
    """The directions shown, by symbol."""
    synthesis = signal(title, summary).synthesis
    assert synthesis is not None
    return {link.symbol: link.direction for link in synthesis.tickers_linked}


def judgements() -> list[tuple[str, str, set[Direction], Direction]]:
    """Title, symbol, directions accepted and the one shown, for every company of the table that is linked."""
    found = []
    for title, summary, wanted in CASES:
        shown = arrows(title, summary)
        for symbol, signs in (part.split(":") for part in wanted.split()):
            if symbol in shown:
                found.append((title, symbol, {SIGNS[sign] for sign in signs}, shown[symbol]))
    return found


def test_nearly_every_arrow_is_right() -> None:
    found = judgements()
    wrong = [f"{symbol} {shown}: {title}" for title, symbol, wanted, shown in found if shown not in wanted]
    assert len(found) >= 440
    assert len(wrong) <= (1 - RIGHT) * len(found), "\n".join(wrong)


def test_hardly_an_arrow_points_the_wrong_way() -> None:
    found = judgements()
    opposite = [
        f"{symbol} {shown}: {title}"
        for title, symbol, wanted, shown in found
        if shown != "unclear" and shown not in wanted and "unclear" not in wanted
    ]
    assert len(opposite) <= OPPOSITE * len(found), "\n".join(opposite)


def test_the_table_is_large_and_says_nothing_twice() -> None:
    titles = [title for title, _, _ in CASES]
    assert len(titles) >= 350
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(
    ("title", "summary", "wanted"),
    [
        (
            "$NVDA $AMD everywhere: mentions up 900% in an hour",
            "78% of tagged posts are bearish",
            {"NVDA": "down", "AMD": "down"},
        ),
        (
            "Castellan Software confirms it has agreed to be acquired by Microsoft for $9.2 billion",
            "",
            {"MSFT": "unclear"},
        ),
        (
            "Tokyo Electron and ASML seen under pressure as US widens chip export curbs",
            "",
            {"8035.T": "down", "ASML": "down"},
        ),
        ("Apple sues Qualcomm over patent royalties", "", {"AAPL": "unclear", "QCOM": "down"}),
        ("AMD gains share from Intel in server chips", "", {"AMD": "up", "INTC": "down"}),
    ],
)
def test_each_side_has_its_own_arrow(title: str, summary: str, wanted: dict[str, Direction]) -> None:
    assert arrows(title, summary) == wanted


@pytest.mark.parametrize(
    ("title", "sign"),
    [
        ("SEC closes probe into Coinbase without action", 1),
        ("Costco gains at expense of Target", 1),
        ("Plug Power launches $280 million share offering", -1),
        ("AMC in talks with lenders about its debt", -1),
    ],
)
def test_the_tone_never_contradicts_the_arrow_of_the_company_it_is_about(title: str, sign: int) -> None:
    synthesis = signal(title).synthesis
    assert synthesis is not None
    assert synthesis.tone is not None
    assert synthesis.tone * sign >= 0.3


@pytest.mark.parametrize(
    ("title", "symbol", "reason"),
    [
        ("Microsoft to acquire Adobe for $180 billion", "MSFT", "the buyer"),
        ("Microsoft to acquire Adobe for $180 billion", "ADBE", "what is bid for"),
        ("Moderna sues Pfizer over vaccine patents", "PFE", "accused"),
        ("Nike shares fall despite profit beat", "NKE", "its shares fall"),
    ],
)
def test_a_link_says_what_the_company_is_there(title: str, symbol: str, reason: str) -> None:
    draft, _ = judged("SectorScan", title)
    assert next(link.reason for link in draft.tickers_linked if link.symbol == symbol).endswith(f", {reason}")


@pytest.mark.parametrize("title", ["Is Nvidia stock a buy after its big drop?", "Will Boeing ever recover?"])
def test_a_question_has_no_arrow(title: str) -> None:
    assert set(arrows(title).values()) == {"unclear"}
