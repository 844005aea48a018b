"""Every score is a sum a reader can check."""

from __future__ import annotations

from math import fsum

from hypothesis import given
from hypothesis import strategies as st

from agents.analysts.rules.arithmetic import Sheet, rationale, total
from agents.models import Term


def test_the_rationale_reads_as_a_sum() -> None:
    sheet = Sheet()
    sheet.add("bankruptcy", 0.85)
    sheet.add("named holding", 0.05)
    sheet.add("unconfirmed", -0.08)
    assert rationale(sheet.closed()) == "0.82 = bankruptcy 0.85, named holding +0.05, unconfirmed -0.08"


def test_a_term_of_nothing_is_left_out() -> None:
    sheet = Sheet()
    sheet.add("nothing", 0.004)
    assert sheet.closed() == ()


def test_a_sum_above_one_is_held_with_a_term_that_says_so() -> None:
    sheet = Sheet()
    sheet.add("war", 0.9)
    sheet.add("oil", 0.3)
    assert sheet.closed()[-1] == Term("held to 0..1", -0.2)
    assert total(sheet.closed()) == 1.0


def test_a_sum_below_zero_is_held_with_a_term_that_says_so() -> None:
    sheet = Sheet()
    sheet.add("no company", 0.1)
    sheet.add("denied", -0.3)
    assert sheet.closed()[-1] == Term("held to 0..1", 0.2)
    assert total(sheet.closed()) == 0.0


def test_nothing_is_never_printed_as_less_than_nothing() -> None:
    sheet = Sheet()
    for amount in (0.12, 0.12, -0.18, -0.08, 0.02):
        sheet.add("a term", amount)
    assert rationale(sheet.closed()).startswith("0.00 = ")


def test_a_ceiling_is_a_term_with_its_reason() -> None:
    sheet = Sheet()
    sheet.add("earnings", 0.5)
    sheet.cap("announces a date only", 0.28)
    assert sheet.closed()[-1] == Term("announces a date only", -0.22)


def test_a_ceiling_above_the_sum_changes_nothing() -> None:
    sheet = Sheet()
    sheet.add("earnings", 0.2)
    sheet.cap("announces a date only", 0.28)
    assert total(sheet.closed()) == 0.2


@given(st.lists(st.floats(-2, 2), max_size=12))
def test_the_closed_terms_sum_exactly_to_a_score(amounts: list[float]) -> None:
    sheet = Sheet()
    for place, amount in enumerate(amounts):
        sheet.add(f"term {place}", amount)
    terms = sheet.closed()
    assert 0.0 <= total(terms) <= 1.0
    assert round(fsum(term.amount for term in terms), 2) == total(terms)
    assert all(round(term.amount, 2) == term.amount for term in terms)
