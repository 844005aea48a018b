"""What the pages say, as text."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import get_args

import pytest

from app.ui.line import plain, width
from app.ui.pages.contents import page
from app.ui.pages.page import (
    TABS,
    AgentPlace,
    EvidencePlace,
    MemberPlace,
    NumberName,
    NumberPlace,
    Place,
    Tab,
    TickerPlace,
    View,
)
from storage.models import CardDetail
from tests.app.ui.samples import DAY, NOW, card_detail, day

FLASH = card_detail(DAY[0], 1)
PLACES: list[Place | Tab] = [
    *TABS,
    *(NumberPlace(name) for name in get_args(NumberName)),
    AgentPlace("SignalScope"),
    AgentPlace("SentimentPulse"),
    EvidencePlace("SignalScope", "geo_events#1"),
    EvidencePlace("SignalScope", "gone#9"),
    TickerPlace("NVDA"),
    TickerPlace("GONE"),
    MemberPlace("item-1"),
    MemberPlace("gone"),
]


def _text(detail: CardDetail, place: Place | Tab, cells: int = 70) -> str:
    return "\n".join(plain(row.line).rstrip() for row in page(detail, place, View(cells, NOW, UTC)))


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_every_page_of_every_card_can_be_shown_at_any_width(place: Place | Tab) -> None:
    for detail in day():
        for cells in (20, 40, 66, 120):
            page(detail, place, View(cells, NOW, UTC))


@pytest.mark.parametrize("tab", ["overview", "agents"])
def test_running_text_stays_inside_the_page(tab: Tab) -> None:
    for detail in day():
        for row in page(detail, tab, View(66, NOW, UTC)):
            assert width(row.line) <= 66, plain(row.line)


def test_the_overview_says_the_rule_the_clocks_and_whose_number_it_is() -> None:
    text = _text(FLASH, "overview")
    for part in (
        "Federal Register · official and 6 more outlets",
        "published    18:00:44 UTC",
        "first seen   18:01:12 UTC  28 s later",
        "scored       18:01:20 UTC",
        "impact 0.91 ≥ 0.80 and export ban tagged by SignalScope, PolicyRadar",
        "reads as act by your rules · impact from 0.65, confidence from 0.60",
        "max of five: SignalScope",
        "SignalScope    0.72 → 0.91",
        "MacroMind      0.79 = 0.79",
        "NVDA      ▼ 0.86  direct  3 agents",
        "evidence 16  5 found · 5 empty · 4 down · 2 not set up",
        "story  7 reports, 7 independent outlets",
    ):
        assert part in text


def test_an_undated_item_says_so_and_shows_no_time_it_does_not_have() -> None:
    text = _text(card_detail(DAY[9], 10), "overview")
    assert "published    no time given  undated" in text


def test_an_agent_that_abstained_is_no_number() -> None:
    detail = card_detail(DAY[2], 3)
    assert "SentimentPulse abstained out of time" in _text(detail, "overview")
    page_text = _text(detail, AgentPlace("SentimentPulse"))
    assert "abstained: out of time" in page_text
    assert "It counts neither as low nor as neutral." in page_text


def test_a_degraded_signal_says_how_many_agents_it_rests_on() -> None:
    assert "degraded: only 2 of 5 agents succeeded" in _text(card_detail(DAY[7], 8), "overview")


def test_a_provisional_signal_says_whose_it_is() -> None:
    assert FLASH.signal is not None
    detail = replace(FLASH, signal=replace(FLASH.signal, provisional=True))
    assert "provisional by the rules, until the final score is in" in _text(detail, "overview")


def test_an_agent_shows_its_sum_its_critique_and_how_confidence_was_counted() -> None:
    text = _text(FLASH, AgentPlace("SignalScope"))
    for part in (
        "0.89 reported → 0.84 counted",
        "0.89 × (0.5 + 0.5 × 2 of 3 tools answered)",
        "  +0.86  what kind of event it is",
        "  −0.05  not yet confirmed elsewhere",
        "   0.91  sum",
        "! effective today",
        "● found       geo_events",
        "× down        web_search              429 too many requests",
    ):
        assert part in text


def test_evidence_keeps_empty_and_down_apart() -> None:
    assert "asked, and there is nothing" in _text(FLASH, EvidencePlace("SignalScope", "rss_search#1"))
    down = _text(FLASH, EvidencePlace("SignalScope", "web_search#1"))
    assert "could not be asked; this is not the same as no news" in down


def test_evidence_shows_times_as_exact_as_they_are_and_the_raw_answer() -> None:
    text = _text(FLASH, EvidencePlace("SignalScope", "geo_events#1"))
    assert "published 17:57 UTC" in text
    assert "in force from 29 Jan" in text
    assert "known to the day" in text
    assert '"results": [' in text


@pytest.mark.parametrize(
    ("place", "part"),
    [
        (NumberPlace("impact"), "0.91  ← the maximum"),
        (NumberPlace("confidence"), "0.84  4.20 ÷ 5"),
        (NumberPlace("agreement"), "0.76  1 − (0.91 − 0.67)"),
        (NumberPlace("tone"), "−0.60  × 0.84"),
        (NumberPlace("urgency"), "PolicyRadar     export ban"),
        (TickerPlace("NVDA"), "0.86  2.167 ÷ 2.52, the mean weighted by confidence"),
    ],
)
def test_a_number_opens_to_the_sum_that_makes_it(place: Place, part: str) -> None:
    assert part in _text(FLASH, place)


def test_an_unscored_card_is_no_low_score() -> None:
    detail = card_detail(DAY[11], 12)
    assert "scoring… the five agents are at work" in _text(detail, "overview")
    assert "there is no score yet" in _text(detail, NumberPlace("impact"))
