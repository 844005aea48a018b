"""Only reports of the same event confirm or deny it."""

from __future__ import annotations

import pytest

from agents.models import Evidence, EvidenceItem
from tests.agents.analysts.rules.reading_of import NOW, judged

TITLE = "US imposes sanctions on Ostrava Shipping"


def news(*findings: tuple[str, float]) -> Evidence:
    items = tuple(
        EvidenceItem(text=text, source="Other Wire", at=NOW, values=(("same_story", same),)) for text, same in findings
    )
    return Evidence("rss_search#1", "rss_search", "ok", "Other Wire", NOW, items=items)


@pytest.mark.parametrize(
    "finding", [("Treasury acts against fleet", 1.0), ("Washington hits Ostrava with sanctions", 0.0)]
)
def test_other_outlets_confirm_with_their_evidence_id(finding: tuple[str, float]) -> None:
    draft, revision = judged("SignalScope", TITLE, evidence=(news(finding),))
    assert [fault.pointer for fault in revision.faults] == ["rss_search#1"]
    assert revision.final.confidence_score > draft.confidence_score
    assert revision.final.event_type == "sanctions"


def test_a_denial_of_the_same_event_clears_the_tag() -> None:
    _, revision = judged("SignalScope", TITLE, evidence=(news(("Treasury denies new sanctions", 1.0)),))
    assert revision.final.event_type is None


@pytest.mark.parametrize(
    "text",
    [
        "Treasury denies new sanctions",
        "Velda denies report of bankruptcy",
        "EU imposes sanctions on Belarus banks",
        "Ostrava Shipping opens an office",
    ],
)
def test_another_event_neither_confirms_nor_denies(text: str) -> None:
    draft, revision = judged("SignalScope", TITLE, evidence=(news((text, 0.0)),))
    assert revision.faults == ()
    assert revision.final == draft
