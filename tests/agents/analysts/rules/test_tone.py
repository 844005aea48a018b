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
        "Velda reinstates dividend",
        "Velda leads risers",
        "ACME +3.1% premarket",
        "Velda bucks weak markets to see assets rise",
        "Fears ease at Velda",
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
        "Velda swings to loss on oil slump",
        "Strong dollar wipes out sales gains",
        "Doubts grow over capital plan",
        "Velda leads fallers",
        "ACME -4%",
        "Despite sales growth, Velda warns",
    ],
)
def test_bad_news_is_negative(text: str) -> None:
    assert tone(text)[0] < -0.15


@pytest.mark.parametrize(
    "text",
    [
        "The agreement covers maintenance",
        "Board meets on Tuesday",
        "The company is based in Oslo",
        "No comment",
        "Velda signs deal",
    ],
)
def test_dry_news_has_no_tone(text: str) -> None:
    assert abs(tone(text)[0]) <= 0.3


@pytest.mark.parametrize(
    ("milder", "stronger"),
    [
        ("Velda signs a deal", "Velda wins record order"),
        ("Despite sales growth rivals stay", "Sales growth"),
        ("Velda shares rise", "Velda shares surge"),
    ],
)
def test_what_little_is_said_shrinks_the_tone(milder: str, stronger: str) -> None:
    assert 0 < tone(milder)[0] < tone(stronger)[0]


def test_a_loss_that_narrows_and_a_slide_into_loss_are_told_apart() -> None:
    assert tone("Loss narrows")[0] > 0 > tone("Profit slides into loss")[0]


def test_a_move_in_the_next_statement_is_not_of_the_loss() -> None:
    assert tone("Velda posts loss on oil slump")[0] < tone("Velda posts loss")[0]


def test_the_words_that_made_it_come_along() -> None:
    assert tone("Norwood warns of fraud probe")[1][0] == "fraud"


@given(st.text(max_size=200))
def test_tone_stays_within_bounds(text: str) -> None:
    assert -1.0 <= tone(text)[0] <= 1.0


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("NVDA AMD everywhere: mentions up 900% in an hour", 0),
        ("Chatter about Velda rises", 0),
        ("Crowd messages rose from 400 to 4,000 in an hour; 78% of tagged posts are bearish", -1),
        ("Mentions up 900%; 78% of tagged posts are bullish", 1),
        ("Only 22% of tagged posts on Velda are bullish", -1),
        ("22% of posts are bearish", 1),
        ("Velda posts profit up 5%", 1),
    ],
)
def test_attention_is_no_side_and_the_side_of_a_crowd_is_that_of_its_majority(text: str, sign: int) -> None:
    value = tone(text)[0]
    assert (value > 0.15) - (value < -0.15) == sign
