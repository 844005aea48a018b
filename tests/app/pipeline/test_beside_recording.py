"""What stands beside a recording: read strictly, cleaned at the door, and prices along recorded points."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from agents.prices import NoPrices, PriceSeries
from app.pipeline.beside_recording import RecordedPrices, read_beside

AT = datetime(2026, 9, 15, 14, 0, tzinfo=UTC)
ANSWER = {
    "item": "https://a.example/1",
    "tool": "cpi",
    "status": "ok",
    "source": "BLS",
    "findings": [
        {"text": "prices +2.7%", "at": "2026-09-15T12:30:00Z", "precision": "minute", "values": {"value": 2.7}}
    ],
    "raw": '{"a": 1}',
}


def test_an_answer_keeps_what_was_written_and_says_that_it_is_recorded() -> None:
    told = read_beside([json.dumps(ANSWER), ""])
    evidence = told.answers["https://a.example/1"]["cpi"]
    assert (evidence.status, evidence.source, evidence.raw) == ("ok", "recorded, BLS", '{"a": 1}')
    (finding,) = evidence.items
    assert (finding.text, finding.precision, dict(finding.values)) == ("prices +2.7%", "minute", {"value": 2.7})
    assert finding.at == AT - timedelta(minutes=90)


def test_an_agent_that_fails_is_read_with_its_cause() -> None:
    line = {"item": "x", "agent": "MacroMind", "cause": "timeout", "detail": "too late"}
    failure = read_beside([json.dumps(line)]).failures["x", "MacroMind"]
    assert (failure.cause, failure.detail) == ("timeout", "too late")


@pytest.mark.parametrize(
    "line",
    ["{", "[]", json.dumps({**ANSWER, "tool": "tarot"}), json.dumps({**ANSWER, "more": 1}), '{"item": "x"}'],
)
def test_what_is_neither_is_refused(line: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- of JSON or of pydantic, both mean the same here
        read_beside([line])


def test_outside_text_is_cleaned_and_an_address_that_is_none_is_left_out() -> None:
    line = {**ANSWER, "source": "B\x1b[31mLS", "url": "javascript:alert(1)", "raw": "a\x1b]0;x\x07b\nc"}
    evidence = read_beside([json.dumps(line)]).answers["https://a.example/1"]["cpi"]
    assert "\x1b" not in repr(evidence)
    assert evidence.url == ""
    assert "\n" in evidence.raw


async def test_prices_lie_on_the_lines_between_the_recorded_points_and_none_is_from_the_future() -> None:
    walk = {"NVDA": [["2026-09-15T14:10:00Z", 110.0], ["2026-09-15T14:00:00Z", 100.0]]}
    prices = RecordedPrices(read_beside([], json.dumps(walk)).prices)
    found = await prices.bars(
        "NVDA", AT - timedelta(hours=1), AT + timedelta(hours=1), "1m", now=AT + timedelta(minutes=4)
    )
    assert isinstance(found, PriceSeries)
    assert [bar.close for bar in found.bars] == [101.0, 102.0, 103.0, 104.0, 105.0]
    assert (found.bars[0].at, found.source) == (AT, "recorded")
    assert isinstance(await prices.bars("AMD", AT, AT, "1m", now=AT), NoPrices)
