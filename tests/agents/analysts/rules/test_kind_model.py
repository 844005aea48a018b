"""The word weights: shipped, readable, and shown."""

from __future__ import annotations

import pytest

from agents.analysts.rules.kind_model import CLASSES, features, kind
from agents.models import SIGNAL_TYPES, SignalType


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        ("Norwood Bank reports second quarter results", "earnings"),
        ("Velda completes acquisition of software startup", "m_and_a"),
        ("Inflation and consumer prices rise in the euro zone", "macro_event"),
        ("Fed officials signal another interest rate hike", "policy_change"),
        ("Judge rules in lawsuit against drugmaker", "policy_change"),
    ],
)
def test_a_plain_text_has_its_kind(text: str, signal: SignalType) -> None:
    found = kind(text)
    assert found.signal == signal
    assert found.words
    assert set(found.odds) <= set(SIGNAL_TYPES)
    assert max(found.odds.values()) == 0.0
    assert found.label in CLASSES


def test_features_are_words_and_pairs_without_links_and_tags() -> None:
    assert features("Velda's Q2 up 12% $VLD #stocks https://t.co/x") == [
        "velda", "q0", "up", "0", "%", "$x", "velda q0", "q0 up", "up 0", "0 %", "% $x",
    ]  # fmt: skip


def test_a_text_of_nothing_still_has_a_kind() -> None:
    assert kind("").words == ()
