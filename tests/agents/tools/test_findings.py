"""Findings: what was known when the item is judged, and which reports are of its own event."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from agents.models import EvidenceItem
from agents.tools.findings import SameStory, as_of, finding, known_then, marked
from agents.tools.subjects import plain_name
from feeds.models import Precision, Published, TimeDoubt
from tests.agents.builders import NOW, an_item
from tests.fakes.evidence import a_question

DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("published", "moment"),
    [
        (Published(NOW - timedelta(hours=3), "second", None), NOW),
        (Published(NOW - 3 * DAY, "second", None), NOW - 3 * DAY),
        (Published(NOW - 3 * DAY, "day", None), NOW - 2 * DAY),
        (Published(NOW - 3 * DAY, "second", TimeDoubt.ZONE_UNKNOWN), NOW),
        (Published(), NOW),
    ],
)
def test_an_old_item_is_judged_as_of_its_own_time(published: Published, moment: datetime) -> None:
    assert as_of(a_question(item=replace(an_item(), published=published))) == moment


def test_of_the_past_only_what_was_dated_and_known_counts() -> None:
    old = a_question(item=replace(an_item(), published=Published(NOW - 3 * DAY, "second", None)))
    items = [EvidenceItem("before", at=NOW - 4 * DAY), EvidenceItem("after", at=NOW - DAY), EvidenceItem("undated")]
    assert [item.text for item in known_then(items, old)] == ["before"]
    assert [item.text for item in known_then(items, a_question())] == ["before", "after", "undated"]


@pytest.mark.parametrize(
    ("title", "same"),
    [
        ("Chapter 11 filing by Lehman Brothers", True),
        ("Lehman Brothers seeks bankruptcy protection", True),
        ("Lehman Brothers opens an office in Tokyo", False),
        ("Circuit City files for Chapter 11 bankruptcy protection", False),
        ("It rains", False),
    ],
)
def test_a_report_of_the_same_event_is_told_from_one_on_the_same_company(title: str, same: bool) -> None:
    story = SameStory(an_item("Lehman Brothers files for Chapter 11 bankruptcy protection"))
    assert story.holds(title) is same


def test_repeats_and_the_item_itself_are_left_out_and_its_own_story_comes_first() -> None:
    question = a_question("Lehman Brothers files for bankruptcy")
    items = [
        finding("Lehman Brothers opens an office", source="A"),
        finding("Lehman Brothers files for bankruptcy protection", source="B"),
        finding("Lehman Brothers files for bankruptcy protection", source="B"),
        finding("itself", url=question.item.url, source="C"),
    ]
    found = marked(items, question)
    assert [(item.source, dict(item.values)["same_story"]) for item in found] == [("B", 1.0), ("A", 0.0)]


def test_text_is_cleaned_and_an_undated_finding_has_no_precision() -> None:
    item = finding("a\x1b[2Jb &amp; <b>c</b>", url="javascript:alert(1)", precision="second", markup=True)
    precision: Precision = "unknown"
    assert (item.text, item.url, item.precision) == ("ab & c", "", precision)


@pytest.mark.parametrize(
    ("registered", "plain"),
    [
        ("NVIDIA CORP", "Nvidia"),
        ("TOYOTA MOTOR CORP/", "Toyota Motor"),
        ("Apple Inc.", "Apple"),
        ("AT&T INC.", "AT&T"),
        ("BHP Group Ltd", "BHP"),
        ("3M CO", "3M"),
        ("", ""),
    ],
)
def test_a_registered_name_becomes_what_people_write(registered: str, plain: str) -> None:
    assert plain_name(registered) == plain
