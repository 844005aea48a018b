from __future__ import annotations

from dataclasses import replace

import pytest

from agents.investigation.models import Evidence
from agents.investigation.readings.reactions import refutation
from tests.agents.investigation.builders import HOUR, ONSET, a_sighting, an_evidence, bars


def test_a_public_act_read_without_a_move_did_not_start_one_hours_later() -> None:
    found = refutation([an_evidence("A", "background", when="13 12:00")], a_sighting())
    assert found is not None
    assert (found.rank, found.supports, found.collector) == ("B", False, "MarketStructure")
    assert "made no unusual move" in found.claim


def test_an_act_that_moved_the_price_the_other_way_is_refuted() -> None:
    given = list(bars())
    bar = given[40]
    given[40] = replace(bar, high=bar.high * 1.02, close=bar.close * 1.018)
    given[41] = replace(given[41], open=given[40].close, high=given[40].close, close=given[40].close * 0.9999)
    found = refutation([an_evidence("A", "background", when="13 10:00")], a_sighting(given=given))
    assert found is not None
    assert "moved the other way" in found.claim


def test_an_act_that_moved_the_price_its_way_stands() -> None:
    given = list(bars())
    bar = given[50]
    given[50] = replace(bar, low=bar.low * 0.98, close=bar.close * 0.982)
    assert refutation([an_evidence("C", "background", when="13 20:00")], a_sighting(given=given)) is None


@pytest.mark.parametrize(
    "evidence",
    [
        an_evidence("A", "overlap", when="14 06:10"),
        an_evidence("A", "lead", when="14 05:20"),
        an_evidence("A", "background", when="13 00:00", precision="day"),
        an_evidence("C", "background", when="13 12:00", act=False),
        an_evidence("D", "lag", when="14 09:00"),
    ],
    ids=["with the move", "just before it", "only a day", "a warning", "after it"],
)
def test_what_cannot_be_tested_is_not_refuted(evidence: Evidence) -> None:
    assert refutation([evidence], a_sighting()) is None


def test_one_act_that_came_with_the_move_keeps_a_hypothesis_whatever_was_read_before() -> None:
    early, late = an_evidence("A", "background", when="13 12:00"), an_evidence("C", "overlap", when="14 06:10")
    assert refutation([early, late], a_sighting()) is None
    lagging = an_evidence("D", "lag", when="14 09:00")
    assert refutation([early, lagging], a_sighting()) is not None


def test_while_the_market_is_shut_there_is_no_reaction_to_read() -> None:
    given = [bar for bar in bars() if not ONSET - 30 * HOUR <= bar.at < ONSET - 10 * HOUR]
    assert refutation([an_evidence("A", "background", when="13 12:00")], a_sighting(given=given)) is None
