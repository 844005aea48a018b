"""An investigation that a model read: who read, what it cost, and every call word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.investigation.models import Bound, Coverage
from app.investigation.asking import Found
from app.ui.line import plain
from app.ui.line import width as cells_of
from app.ui.pages.investigation import answer_rows
from tests.agents.investigation.builders import a_sighting
from tests.app.ui.screens.test_investigation import Oracle, found, past, stage_with, view
from tests.app.ui.stage import NARROW, WIDE
from tests.storage.samples import model_call

READ = replace(model_call("c1"), agent="Narrative", stage="read", revision=1)
CALLS = (
    READ,
    replace(READ, agent="PrimarySource", cause="refusal", detail="the model refused", cost_nano=0),
    replace(READ, agent="Adjudicator", stage="adjudicate", revision=2, cached=True),
)


def read_by_claude() -> Found:
    answer = found().answer
    unread = Coverage("PrimarySource", "reading of PrimarySource by claude", "down", "refusal: the model refused")
    answer = replace(
        answer,
        case=replace(answer.case, engine="claude"),
        model="claude-haiku-5-5",
        bound=Bound(138, 1_664_000, 0.2665),
        used=Bound(13, 4_710, 0.000548),
        coverage=(*answer.coverage, unread),
    )
    return Found(answer, a_sighting(), CALLS)


def shown(cells: int = 120) -> str:
    return "\n".join(plain(row.line).rstrip() for row in answer_rows(read_by_claude(), view(cells)))


def test_engine_model_cost_and_calls_are_told() -> None:
    text = shown()
    assert "read by claude (claude-haiku-5-5) · 4,710 tokens · $0.0005" in text
    assert "13 of at most 138 calls, $0.27" in text
    assert "× down     reading of PrimarySource by claude: refusal: the model refused" in text
    assert "3 calls to the model" in text
    assert "● Narrative        1,230 in, 300 out · $0.000271 · 0.8 s" in text
    assert "× PrimarySource    refusal: the model refused" in text
    assert "● Adjudicator 2    from the cache" in text


def test_the_rules_have_no_cost_and_no_calls() -> None:
    text = "\n".join(plain(row.line) for row in answer_rows(found(), view(120)))
    assert "read by rules" in text
    assert "to the model" not in text
    assert "tokens" not in text


@pytest.mark.parametrize("cells", [76, 120, 156])
def test_every_row_fits_the_screen(cells: int) -> None:
    assert max(cells_of(row.line) for row in answer_rows(read_by_claude(), view(cells))) <= cells


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_call_opens_word_for_word_and_closes_again(size: tuple[int, int]) -> None:
    oracle = Oracle(answer=read_by_claude(), earlier=[past()])
    async with stage_with(oracle, size) as on:
        await on.press("I", "enter", "end")
        assert "3 calls to the model" in on.text()
        await on.press("enter")
        assert "adjudicate of Adjudicator" in on.text()
        await on.press("end")
        assert '{"type":"message"}' in on.text()
        await on.press("escape")
        assert "What moved USDJPY?" in on.text()
        await on.press("escape")
        assert "Investigations" in on.text()
