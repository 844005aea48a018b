"""Only reports of the same event confirm or deny it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from agents.models import Evidence, EvidenceItem, ToolName
from feeds.models import Precision
from tests.agents.analysts.rules.reading_of import NOW, judged

TITLE = "US imposes sanctions on Ostrava Shipping"


def news(*findings: tuple[str, float]) -> Evidence:
    items = tuple(
        EvidenceItem(text=text, source="Other Wire", at=NOW, precision="second", values=(("same_story", same),))
        for text, same in findings
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


def reports(tool: ToolName, *told: tuple[str, str]) -> Evidence:
    """Reports of the item's own story, each with its outlet."""
    items = tuple(
        EvidenceItem(text, f"https://{place}.example/", outlet, NOW, "minute", values=(("same_story", 1.0),))
        for place, (outlet, text) in enumerate(told)
    )
    return Evidence(f"{tool}#1", tool, "ok", "Search", NOW, items=items)


def gained(*evidence: Evidence) -> float:
    draft, revision = judged("SignalScope", TITLE, evidence=evidence)
    return round(revision.final.confidence_score - draft.confidence_score, 2)


OTHER = ("Other Wire", "Washington acts against Ostrava fleet")
ANOTHER = ("Harbour Post", "Ostrava Shipping put on US list")


def test_an_outlet_counts_once_however_many_searches_find_it() -> None:
    """Two searches of the web mostly find the same reports."""
    one = gained(reports("rss_search", OTHER))
    assert one == 0.03
    assert gained(reports("rss_search", OTHER), reports("web_search", OTHER)) == one
    renamed = ("Other Wire Business", "Ostrava fleet sanctioned by Washington")
    assert gained(reports("rss_search", OTHER), reports("web_search", renamed)) == one
    assert gained(reports("rss_search", OTHER), reports("web_search", ANOTHER)) == 0.06


def test_a_copy_is_no_second_report() -> None:
    """A syndicated text is one report, wherever it stands; a copy of the item's own text is none."""
    copies = [(f"Paper {place}", OTHER[1]) for place in ("A", "B", "C")]
    assert gained(reports("rss_search", OTHER, *copies)) == 0.03
    assert gained(reports("rss_search", *((outlet, TITLE) for outlet, _ in copies))) == 0.0
    assert gained(reports("rss_search", ("Paper A", f"{TITLE} · same story"))) == 0.0


def test_a_search_that_names_no_outlet_is_none() -> None:
    assert (
        gained(reports("rss_search", ("Google News", OTHER[1])), reports("web_search", ("Bing News", ANOTHER[1])))
        == 0.0
    )


@pytest.mark.parametrize("outlet", ["The Wire", "Wire", "The Wire Business", "thewire.example", "www.wire.example"])
def test_an_outlet_does_not_confirm_itself(outlet: str) -> None:
    assert gained(reports("rss_search", (outlet, OTHER[1]))) == 0.0


@pytest.mark.parametrize(
    ("at", "precision", "counts"),
    [
        (NOW - timedelta(hours=30), "second", True),
        (NOW + timedelta(hours=3), "second", True),
        ((NOW - timedelta(days=2)).replace(hour=0, minute=0), "day", True),
        (NOW - timedelta(days=40), "second", False),
        (NOW - timedelta(days=3, hours=1), "second", False),
        (NOW.replace(day=1, hour=0), "month", False),
        (None, "unknown", False),
    ],
)
def test_a_report_confirms_in_the_days_of_the_event(at: datetime | None, precision: Precision, counts: bool) -> None:
    """Last year's sanctions read like today's."""
    told = reports("rss_search", OTHER)
    told = replace(told, items=tuple(replace(item, at=at, precision=precision) for item in told.items))
    assert (gained(told) > 0) is counts


def test_who_denies_the_charges_does_not_deny_that_there_are_some() -> None:
    title = "SEC charges Ostrava Shipping with fraud, US imposes sanctions on Ostrava Shipping"
    denial = ("Other Wire", "Ostrava Shipping denies wrongdoing after US sanctions")
    _, revision = judged("SignalScope", title, evidence=(reports("rss_search", denial),))
    assert "denied elsewhere" not in revision.final.rationale
