from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from app.ui.line import Span, cut, fit, left, plain, right, said, spread, width, wrap


@pytest.mark.parametrize(
    ("text", "cells", "shown"),
    [
        ("plain", 5, "plain"),
        ("plainly", 5, "plai…"),
        ("日本銀行", 8, "日本銀行"),
        ("日本銀行", 7, "日本銀…"),
        ("日本銀行", 6, "日本…"),
        ("anything", 1, "…"),
        ("anything", 0, ""),
        ("anything", -3, ""),
    ],
)
def test_text_is_cut_without_splitting_a_wide_character(text: str, cells: int, shown: str) -> None:
    assert fit(text, cells) == shown


@given(st.text(max_size=40), st.integers(0, 30))
def test_flush_text_takes_exactly_its_cells(text: str, cells: int) -> None:
    text = said(text)
    assert cell_len(left(text, cells)) == cells
    assert cell_len(right(text, cells)) == cells


@given(st.text(max_size=200), st.integers(2, 40))
def test_wrapped_text_stays_inside_and_loses_no_word(text: str, cells: int) -> None:
    text = said(text)
    lines = wrap(text, cells)
    assert all(cell_len(line) <= cells for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(st.text(max_size=300))
def test_what_is_said_is_printable_and_stays_as_it_is(text: str) -> None:
    once = said(text)
    assert once.isprintable()
    assert said(once) == once


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[bold]AAPL[/] up 5%", "[bold]AAPL[/] up 5%"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x9b31mb", "ab"),
        ("ACME \u202eevil", "ACME evil"),
        ("two\nlines\tand tab", "two lines and tab"),
        ("\u2764\ufe0f heart", "\u2764 heart"),
    ],
)
def test_outside_text_is_data(text: str, shown: str) -> None:
    assert said(text) == shown


def test_the_start_gives_way_to_the_end() -> None:
    line = spread((Span("a long beginning"),), (Span("9/9"),), 12)
    assert plain(line) == "a long…  9/9"
    assert width(line) == 12


@given(st.lists(st.text(max_size=12), max_size=5), st.integers(0, 40))
def test_a_cut_line_is_never_too_wide(texts: list[str], cells: int) -> None:
    assert width(cut(tuple(Span(said(text)) for text in texts), cells)) <= cells
