"""How far a model's word goes beyond what the rules read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.bounds import LIFT, MARGIN, Bounds, RulesView, hold, view_of
from agents.models import AGENT_NAMES, FlashEvent
from tests.agents.builders import a_link, an_assessment

VIEW = RulesView(0.45, -0.6, {"NVDA": "down"}, frozenset({"sanctions", "tariffs"}), frozenset({"sanctions"}))
CLEAN, ORDERED = Bounds(VIEW, ordered=False), Bounds(VIEW, ordered=True)


@pytest.mark.parametrize(
    ("bounds", "said", "counts"),
    [
        (CLEAN, 0.80, 0.80),
        (CLEAN, 1.00, 0.45 + LIFT),
        (CLEAN, 0.00, 0.00),
        (ORDERED, 0.60, 0.60),
        (ORDERED, 1.00, 0.45 + MARGIN),
        (Bounds(replace(VIEW, impact_score=0.1), ordered=True), 1.00, 0.1 + LIFT),
        (Bounds(replace(VIEW, impact_score=0.35), ordered=True), 1.00, 0.649),
        (ORDERED, 0.00, 0.45 - MARGIN),
    ],
)
def test_impact_is_held_and_says_so(bounds: Bounds, said: float, counts: float) -> None:
    held = hold(an_assessment(said), bounds, ())
    assert held.assessment.impact_score == pytest.approx(counts)
    assert bool(held.notes) == (said != pytest.approx(counts))


@pytest.mark.parametrize(
    ("bounds", "event", "counts"),
    [
        (CLEAN, "sanctions", True),
        (CLEAN, "tariffs", True),
        (CLEAN, "fraud", False),
        (ORDERED, "sanctions", True),
        (ORDERED, "tariffs", False),
    ],
)
def test_an_event_needs_words_that_code_recognises(bounds: Bounds, event: FlashEvent, counts: bool) -> None:
    held = hold(an_assessment(0.5, event=event), bounds, ())
    assert held.assessment.event_type == (event if counts else None)
    assert bool(held.notes) != counts


def test_where_the_text_gave_orders_only_named_tickers_are_linked_and_never_against_the_rules() -> None:
    given = an_assessment(0.5, links=[a_link("NVDA", 0.5), a_link("AMD", 0.5), a_link("TSLA", 1.0)], tone=0.9)
    held = hold(given, ORDERED, ("AMD",))
    assert [(one.symbol, one.direction) for one in held.assessment.tickers_linked] == [("NVDA", "down"), ("AMD", "up")]
    assert held.assessment.tone == -0.6
    assert any("TSLA not linked" in note for note in held.notes)


def test_without_orders_links_and_tone_are_the_models_own() -> None:
    given = an_assessment(0.5, links=[a_link("NVDA", 0.5), a_link("TSLA", 1.0)], tone=0.9)
    held = hold(given, CLEAN, ()).assessment
    assert [(one.symbol, one.direction, one.impact_score) for one in held.tickers_linked] == [
        ("NVDA", "up", 0.5),
        ("TSLA", "up", pytest.approx(0.45 + LIFT)),
    ]
    assert held.tone == 0.9


def test_what_is_within_its_bounds_is_the_same_object() -> None:
    given = an_assessment(0.5, links=[a_link("NVDA", 0.4, direction="down")], tone=-0.2)
    assert hold(given, CLEAN, ()).assessment is given
    assert hold(given, ORDERED, ()).assessment is given


def test_the_view_takes_the_loudest_agent_and_its_direction() -> None:
    quiet = an_assessment(0.2, links=[a_link("NVDA", 0.2, direction="up")], tone=0.3)
    loud = replace(an_assessment(0.9, links=[a_link("NVDA", 0.9, direction="down")]), tone=None)
    view = view_of([quiet, loud, quiet, quiet, quiet], frozenset({"fraud"}), frozenset())
    assert (view.impact_score, view.directions, view.tone) == (0.9, {"NVDA": "down"}, 0.3)
    with pytest.raises(ValueError, match="every agent"):
        view_of([quiet] * (len(AGENT_NAMES) - 1), frozenset(), frozenset())
