"""Amounts with their units, and the direction against expectation."""

from __future__ import annotations

import pytest

from agents.analysts.rules.magnitude import Unit, against_expectation, largest, magnitudes, move_of_name, price_move


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("shares fall 12%", "percent", 12.0),
        ("profit down 3.5 percent", "percent", 3.5),
        ("stock -4.2% premarket", "percent", -4.2),
        ("output fell 8 per cent", "percent", 8.0),
        ("raises rates by 50 basis points", "bp", 50.0),
        ("a 25bps cut", "bp", 25.0),
        ("half-point hike", "bp", 50.0),
        ("three-quarter percentage-point rise", "bp", 75.0),
        ("a $2.5 billion fine", "money", 2.5e9),
        ("EUR 40 mln", "money", 4e7),
        ("£1bn bid", "money", 1e9),
        ("US$300m", "money", 3e8),
        ("5 billion dollars", "money", 5e9),
        ("cut output by 2.2 million bpd", "barrels", 2.2e6),
        ("1 mb/d pipeline", "barrels", 1e6),
        ("800,000 b/d lost", "barrels", 8e5),
    ],
)
def test_an_amount_is_read_with_its_unit(text: str, unit: Unit, value: float) -> None:
    found = largest(magnitudes(text), unit)
    assert found is not None
    assert found.value == pytest.approx(value)
    assert found.quote.strip() in text


@pytest.mark.parametrize("text", ["no numbers here", "in 2026", "Model 3 recall", "five things to know"])
def test_a_number_without_a_unit_is_no_amount(text: str) -> None:
    assert magnitudes(text) == ()


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("EPS of $1.20 beats by $0.10", 1),
        ("revenue misses by $3M", -1),
        ("results top estimates", 1),
        ("profit tops estimates", 1),
        ("better-than-expected sales", 1),
        ("weaker than expected data", -1),
        ("Retail sales actual: 0.9% est 0.2%", 1),
        ("CPI at 8.1% vs 8.4% expected", -1),
        ("rates unchanged", 0),
    ],
)
def test_direction_against_expectation(text: str, direction: int) -> None:
    assert against_expectation(text)[0] == direction


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("Norwood shares plunge after results", True),
        ("Relief rally lifts banks", True),
        ("Velda slides as shares fall 4%", True),
        ("Norwood shares office space with rival", False),
        ("Bakery opens tenth shop", False),
    ],
)
def test_a_price_move_is_seen(text: str, *, moves: bool) -> None:
    assert bool(price_move(text)) is moves


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Velda soars 70% in New York", "soars 70%"),
        ("Velda plunges more than 40 percent after recall", "plunges more than 40 percent"),
        ("Velda sales rise 5%", ""),
        ("Velda drops 5% of staff", ""),
        ("Velda gains 3% stake in rival", ""),
        ("Velda soars", ""),
    ],
)
def test_a_move_of_the_name_itself_is_seen(text: str, words: str) -> None:
    assert move_of_name(text, len("Velda")) == words
