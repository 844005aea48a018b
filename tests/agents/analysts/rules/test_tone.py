"""Tone on finance's own scale."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.analysts.rules.tone import tone


@pytest.mark.parametrize(
    "text",
    [
        "Norwood profit rises",
        "Net loss narrowed to 2 million",
        "Operating costs fell",
        "Shares surge on strong demand",
        "Wins record order",
        "Operating profit was EUR 8.2 mn , compared to EUR 5.1 mn a year earlier",
        "Debt reduced sharply",
        "Broker upgrades Velda",
        "Drug approved",
        "Sales doubled",
    ],
)
def test_good_news_is_positive(text: str) -> None:
    assert tone(text)[0] > 0.15


@pytest.mark.parametrize(
    "text",
    [
        "Norwood profit falls",
        "Net loss widened",
        "Costs rose",
        "Shares plunge on weak demand",
        "Company warns of layoffs",
        "Operating profit was EUR 3.2 mn , compared to EUR 5.1 mn a year earlier",
        "Velda files for bankruptcy",
        "Broker downgrades Velda",
        "Bank fined over fraud",
        "Drug fails trial",
    ],
)
def test_bad_news_is_negative(text: str) -> None:
    assert tone(text)[0] < -0.15


@pytest.mark.parametrize(
    "text",
    ["The agreement covers maintenance", "Board meets on Tuesday", "The company is based in Oslo", "No comment"],
)
def test_dry_news_has_no_tone(text: str) -> None:
    assert abs(tone(text)[0]) <= 0.3


def test_the_words_that_made_it_come_along() -> None:
    assert tone("Norwood warns of fraud probe")[1][0] == "fraud"


@given(st.text(max_size=200))
def test_tone_stays_within_bounds(text: str) -> None:
    assert -1.0 <= tone(text)[0] <= 1.0
