"""Letters that pass for others: styled ones are read, mixed alphabets are refused, and both are told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.symbols.disguise import plain_letters, warnings
from feeds.symbols.table import SymbolTable

TABLE = SymbolTable.load()

STYLED = (
    ("$\U0001d400\U0001d40c\U0001d403 halts trading", "AMD"),
    ("$\uff2d\uff33\uff26\uff34 halts trading", "MSFT"),
    ("\uff04\uff2d\uff33\uff26\uff34 halts trading", "MSFT"),
    ("$\u24d0\u24dc\u24e9\u24dd halts trading", "AMZN"),
    ("$\U0001d5e1\U0001d5e9\U0001d5d7\U0001d5d4 to the moon", "NVDA"),
)


@pytest.mark.parametrize(("text", "symbol"), STYLED)
def test_a_styled_cash_tag_is_read_and_told(text: str, symbol: str) -> None:
    (mention,) = TABLE.mentions(text)
    assert mention.symbol == symbol
    assert text[mention.start : mention.end] == mention.text
    assert "written as" in mention.reason
    assert mention.text in mention.reason
    (warning,) = warnings(text, TABLE.known)
    assert f"read as ${symbol}" in warning


@pytest.mark.parametrize(
    ("text", "alike"),
    [
        ("$\u0410APL halts trading", "$AAPL"),
        ("$\u039dVDA halts trading", "$NVDA"),
        ("$G\u041e\u041eG halts trading", "$GOOG"),
        ("$A\u0336M\u0336D\u0336 halts trading", "$AMD"),
        ("$C0ST halts trading", "$COST"),
        ("\u0410pple halts trading", '"Apple"'),
    ],
)
def test_mixed_alphabets_link_nothing_and_are_told(text: str, alike: str) -> None:
    assert TABLE.mentions(text) == ()
    (warning,) = warnings(text, TABLE.known)
    assert f"looks like {alike}" in warning


@pytest.mark.parametrize(
    "text",
    [
        "Nvidia beats forecasts",
        "$NVDA beats, $5bn buyback, $1B loan, $10M fine, $C note",
        "Zürich, Société Générale and Škoda",
        "TGF\u03b2 drug trial, \u03bcTorrent",
        "\u0420\u043e\u0441\u043d\u0435\u0444\u0442\u044c raises output",
        "\u05d8\u05d1\u05e2 TEVA",
        "\U0001d400\U0001d401\U0001d402 news",
        "CO\u2082 and m\u00b2",
    ],
)
def test_honest_text_is_not_warned_of(text: str) -> None:
    assert warnings(text, TABLE.known) == ()


@given(st.text(max_size=60))
def test_plain_letters_keep_every_offset(text: str) -> None:
    plain = plain_letters(text)
    assert len(plain) == len(text)
    assert plain_letters(plain) == plain
    assert all(a == b or a > "\u2400" for a, b in zip(text, plain, strict=True))


@given(st.text(max_size=60))
def test_any_text_can_be_looked_through(text: str) -> None:
    for line in warnings(f"${text} {text}", TABLE.known):
        assert line
