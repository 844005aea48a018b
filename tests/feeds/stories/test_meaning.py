"""Edits: only those that change the meaning make a revision."""

from __future__ import annotations

import pytest

from feeds.stories.meaning import change_of, numbers, same_title
from tests.feeds.stories.memory import Memory, item, verdicts


@pytest.mark.parametrize(
    ("old", "new", "verdict", "change"),
    [
        ("Acme cuts guidance", "Acme cuts  guidance", "same", ""),
        ("Acme cuts guidance", "ACME cuts guidance.", "same", ""),
        ("Acme cuts guidence", "Acme cuts guidance", "same", ""),
        ("Acme cuts guidance", "UPDATE 2-Acme cuts guidance", "same", ""),
        ("Acme cuts guidance", "Acme cuts guidance (updated 10:30)", "same", ""),
        ("Acme cuts guidance", "Acme cuts the guidance", "same", ""),
        ("Acme cuts guidance", "Acme raises guidance", "changed", "corrected"),
        ("Acme sues Borealis", "Borealis sues Acme", "changed", "corrected"),
        ("Acme to pay $2 million", "Acme to pay $2 billion", "changed", "corrected"),
        ("Acme to pay $1,500", "Acme to pay $1500", "same", ""),
        ("CPI at 3.1%", "CPI at 3.2%", "changed", "corrected"),
        ("CPI at 3.1%", "CPI at 3.1 percent", "same", ""),
        ("Acme cuts guidance", "CORRECTED: Acme cuts guidance", "changed", "corrected"),
        ("Acme cuts guidance", "WITHDRAWN: Acme cuts guidance", "changed", "withdrawn"),
        ("Acme cuts guidance", "Acme cuts guidance (retracted)", "changed", "withdrawn"),
        ("Acme cuts guidance", "Acme withdraws guidance", "changed", "corrected"),
    ],
)
def test_an_edit_counts_when_it_changes_the_meaning(old: str, new: str, verdict: str, change: str) -> None:
    memory = Memory()
    memory.poll(item(old, guid="1"))
    decision = memory.poll(item(new, guid="1")).decisions[0]
    assert (decision.verdict, decision.change) == (verdict, change)
    assert verdicts(memory.poll(item(new, guid="1"))) == ["same"]


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("Sales fell 3%.", "Sales fell 3% .", "same"),
        ("Sales fell 3%.", "Sales dropped 3%.", "same"),
        ("Sales fell 3%.", "Sales fell 30%.", "changed"),
        ("Updated 2026-03-10 10:30. Sales fell 3%.", "Updated 2026-03-10 11:45. Sales fell 3%.", "same"),
        ("Sales fell 3%. 5 minutes ago, 2 comments", "Sales fell 3%. 3 hours ago, 14 comments", "same"),
        ("Sales fell 3%.", "This story has been withdrawn. Sales fell 3%.", "changed"),
    ],
)
def test_an_edit_of_the_text_counts_when_it_changes_a_number_or_withdraws(old: str, new: str, verdict: str) -> None:
    memory = Memory()
    memory.poll(item(guid="1", summary=old))
    assert verdicts(memory.poll(item(guid="1", summary=new))) == [verdict]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("up 3.1% to $2.5 billion", {"3.1%", "2.5b"}),
        ("25 basis points, 25bps, 25 bp", {"25bp"}),
        ("1,500 and 1500 and 1,5", {"1500", "1,5"}),
        ("5m shares, 5 million, 5 metres", {"5m", "5"}),
        ("at 10:30, 5 minutes ago", set()),
    ],
)
def test_numbers_are_written_one_way(text: str, found: set[str]) -> None:
    assert numbers(text) == found


@pytest.mark.parametrize(
    ("title", "change"),
    [
        ("CORRECTED-Acme cuts guidance", "corrected"),
        ("Correction: Acme cuts guidance", "corrected"),
        ("Acme cuts guidance (corrected)", "corrected"),
        ("RETRACTION: Acme", "withdrawn"),
        ("Acme retracts its forecast", ""),
        ("Stocks in correction territory", ""),
        ("Acme kills off its robot line", ""),
        ("Acme removes its chief", ""),
    ],
)
def test_what_a_title_says_of_itself(title: str, change: str) -> None:
    assert change_of(title, "") == change


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Acme guidance", "Acme guidence", True),
        ("Acme recieves order", "Acme receives order", True),
        ("Acme buys it", "Acme buy it", False),
        ("Acme closes plant", "Acme loses plant", False),
        ("Acme cuts", "Acme cuts jobs", False),
        ("Plan B", "Plan A", False),
    ],
)
def test_a_typing_error_is_one_letter_of_a_longer_word(one: str, other: str, same: bool) -> None:
    assert same_title(one, other) is same
    assert same_title(other, one) is same
