"""One pass over the words decides which patterns are tried, and never hides one that its stems allow."""

from __future__ import annotations

import re

import pytest

from agents.analysts.rules.events import FLASH
from agents.analysts.rules.scan import Scan, scan_of, watched, word_list
from tests.agents.analysts.rules.test_events import HAPPENING

COLD_CALL = watched(r"(?i:\bcold[- ]call\w*)", ["cold call"])
SUES = word_list("sue sues investigat* short_of")
ANY = watched(re.compile("."), "=us sanction")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Broker stops cold calls", True),
        ("Broker stops cold-calling", True),
        ("Cold weather, calls for help", False),
        ("cold\ncall", False),
    ],
)
def test_a_stem_of_two_words_wants_both_one_after_the_other(text: str, *, found: bool) -> None:
    assert bool(Scan(text).search(COLD_CALL)) is found


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Bank sues rival", "sues"),
        ("Bank investigated", "investigated"),
        ("Profit falls short of hopes", "short of"),
        ("Pursued by wolves", ""),
        ("Suede shoes", ""),
        ("Shorts of summer", ""),
    ],
)
def test_a_word_list_matches_whole_words_and_stars(text: str, quote: str) -> None:
    match = Scan(text).search(SUES)
    assert (match.group() if match else "") == quote


@pytest.mark.parametrize(
    ("text", "tried"), [("US acts", True), ("Users act", False), ("Sanctioned", True), ("unsanctioned", False)]
)
def test_a_pattern_is_tried_only_where_a_stem_begins_a_word(text: str, *, tried: bool) -> None:
    assert bool(Scan(text).search(ANY)) is tried


def test_title_and_lead_are_searched_apart() -> None:
    scan = Scan("Bank opens branch\nA rival is named. It sues.")
    assert scan.search(SUES)
    assert not scan.in_lead(SUES)
    assert not scan.in_title(SUES)
    lead = Scan("Bank opens branch\nA rival sues it. More.")
    assert lead.in_lead(SUES)
    assert not lead.in_title(SUES)


def test_a_scan_of_a_scan_is_itself() -> None:
    scan = Scan("Bank sues")
    assert scan_of(scan) is scan
    assert scan_of("Bank sues").search(SUES)


@pytest.mark.parametrize("pattern", FLASH, ids=lambda pattern: str(pattern.event))
def test_the_stems_of_a_flash_event_hide_none_of_its_reports(pattern: object) -> None:
    for found in FLASH:
        if found is pattern and found.event:
            for title in HAPPENING[found.event]:
                assert Scan(title).search(found.words), title
