"""The five specialists and the scale, held to the specification's own words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from agents.models import AGENT_NAMES, ToolName
from agents.specialists import ANTI_SUPPRESSION, CALIBRATION, SPECIALISTS, TABLE_ORDER


@pytest.fixture
def law(shared: Path) -> str:
    """The scoring specification as one line of text."""
    return " ".join((shared / "spec" / "scoring.md").read_text(encoding="utf-8").split())


def test_the_five_stand_in_table_order() -> None:
    assert tuple(specialist.name for specialist in SPECIALISTS) == AGENT_NAMES
    assert [TABLE_ORDER[name] for name in AGENT_NAMES] == [0, 1, 2, 3, 4]


def test_every_tool_belongs_to_exactly_one_specialist() -> None:
    asked = [tool for specialist in SPECIALISTS for tool in specialist.tools]
    assert sorted(asked) == sorted(get_args(ToolName))


def test_what_each_looks_for_and_must_ask_is_the_specifications_table(law: str) -> None:
    for specialist in SPECIALISTS:
        row = re.search(rf"\| {specialist.name} \| ([^|]*) \| ([^|]*) \|", law)
        assert row is not None
        assert row[1] == specialist.looks_for
        assert tuple(re.findall(r"`(\w+)`", row[2])) == specialist.tools


def test_the_calibration_stands_word_for_word(law: str) -> None:
    rows = re.findall(r"\| (\d\.\d\d - \d\.\d\d) \| ([^|]*) \|", law)
    assert tuple(rows) == CALIBRATION


def test_the_sentence_against_caution_stands_word_for_word(law: str) -> None:
    assert f'"{ANTI_SUPPRESSION}"' in law
