"""The quick ways of the scan find what the plain search of every pattern finds, and give the same words."""

from __future__ import annotations

import re

import pytest

from agents.analysts.rules.events import FLASH, KINDS
from agents.analysts.rules.magnitude import _MOVE
from agents.analysts.rules.matters import MATTERS
from agents.analysts.rules.scan import Scan, Watched, watched
from tests.agents.analysts.rules.urgency_cases import ALERT, FYI, NOTE
from tests.agents.analysts.rules.urgency_cases import FLASH as RINGS

PATTERNS: tuple[Watched, ...] = (*(one.words for one in (*FLASH, *KINDS)), *(one.words for one in MATTERS), _MOVE)
HEADLINES = [*RINGS, *ALERT, *NOTE, *FYI]


@pytest.mark.parametrize("change", [str, str.upper, str.title], ids=["as written", "capitals", "title case"])
def test_a_pattern_that_ignores_case_gives_the_words_as_written(change: type[str]) -> None:
    found = 0
    for headline in map(change, HEADLINES):
        scan = Scan(headline)
        for pattern in PATTERNS:
            match = scan.search(pattern)
            if match is not None:
                plain = pattern.regex.search(headline)
                assert plain is not None
                assert match.span() == plain.span()
                assert match.group() in headline
                found += 1
    assert found > len(HEADLINES) / 2


def test_a_second_list_of_stems_hides_no_match() -> None:
    guarded = [pattern for pattern in PATTERNS if pattern.also]
    assert guarded
    hits = 0
    for headline in HEADLINES:
        for pattern in guarded:
            if pattern.regex.search(headline) and Scan(headline).search(Watched(pattern.regex, pattern.bit)):
                assert Scan(headline).search(pattern), headline
                hits += 1
    assert hits


def test_a_pattern_with_a_second_list_wants_one_of_each() -> None:
    pattern = watched(re.compile(r"profit.*plunges|sun", re.IGNORECASE), "profit sun", "plunge sun")
    assert Scan("Profit at Velda plunges").search(pattern)
    assert Scan("Sun shines").search(pattern)
    assert not Scan("Profit at Velda halves").search(pattern)


@pytest.mark.parametrize("text", ["PROFİT plunges", "profıt plunges", "ſhares plunge"])
def test_letters_with_two_small_forms_are_searched_as_they_stand(text: str) -> None:
    pattern = watched(re.compile(r"profit|shares", re.IGNORECASE), "plunge")
    plain = pattern.regex.search(text)
    found = Scan(text).search(pattern)
    assert (found and found.span()) == (plain and plain.span())
    assert found
