"""A text in tokens."""

from __future__ import annotations

import pytest

from feeds.stories.tokens import tokenize


@pytest.mark.parametrize(
    "text", ["Fed cuts rates by ½ point", "CO² rules", "5 m² of floor", "① Rates", "Ⅷ", "٣ points"]
)
def test_numbers_that_are_no_digits_are_read(text: str) -> None:
    assert tokenize(text).tokens
