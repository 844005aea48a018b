"""A reader's answer: strict as a whole, and each entry alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.analysts.claude.validate import BadReply
from agents.investigation.claude.replies import (
    READINGS,
    adjudicator_schema,
    read_readings,
    read_second,
    reader_schema,
)
from tests.agents.investigation.claude.readers import question, reading, said, second

GOOD = reading(1, "policy_change/boj")


def text(value: Any) -> str:
    return json.dumps(value)


def test_a_good_answer_is_read_whole() -> None:
    found = read_readings(text(said(GOOD, questions=[question("news_search")])))
    (entry,), (asked,) = found.readings, found.questions
    assert (entry.record, entry.hypothesis, entry.effect, entry.states_act) == (
        1,
        "policy_change/boj",
        "supports",
        True,
    )
    assert (asked.source, asked.about, asked.days_before) == ("news_search", "rate decision", 3)
    assert found.refused == ()


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({**GOOD, "rank": "A"}, "'rank', which is not its to give"),
        ({**GOOD, "published_at": "2024-05-14T05:59:00Z"}, "'published_at', which is not its to give"),
        ({**GOOD, "certainty": "high"}, "'certainty', which is not its to give"),
        ({**GOOD, "cause_type": "aliens"}, "cause_type"),
        ({**GOOD, "record": "1"}, "record"),
        ({**GOOD, "record": 1.5}, "record"),
        ({**GOOD, "record": True}, "record"),
        ({**GOOD, "effect": "proves"}, "effect"),
        ({**GOOD, "states_act": "yes"}, "states_act"),
        ({name: value for name, value in GOOD.items() if name != "reason"}, "reason"),
        ("a reading", "entry"),
        (None, "entry"),
        ([GOOD], "entry"),
    ],
)
def test_a_bad_entry_is_dropped_and_the_others_stand(entry: Any, why: str) -> None:
    found = read_readings(text({"readings": [entry, GOOD], "questions": []}))
    assert [one.hypothesis for one in found.readings] == ["policy_change/boj"]
    (refused,) = found.refused
    assert refused.why.startswith("readings 1: ")
    assert why in refused.why


@pytest.mark.parametrize("name", ["verdict", "done", "certainty", "ranks"])
def test_what_is_not_its_to_give_is_dropped_and_said(name: str) -> None:
    found = read_readings(text({**said(GOOD), name: "high"}))
    assert len(found.readings) == 1
    assert [one.why for one in found.refused] == [f"the answer gives {name!r}, which is not its to give"]


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I think the Bank did it.",
        "[]",
        text({"readings": []}),
        text({"questions": []}),
        text({"readings": "none", "questions": []}),
        text(said(GOOD)) + text(said(GOOD)),
        text(said(GOOD))[:-9],
        '{"readings": [], "readings": [], "questions": []}',
    ],
)
def test_an_answer_that_is_no_such_object_is_no_answer(answer: str) -> None:
    with pytest.raises(BadReply):
        read_readings(answer)


@pytest.mark.parametrize(
    "change", [{"days_before": -1}, {"days_before": 31}, {"about": "x" * 401}, {"url": "https://evil.example"}]
)
def test_a_question_has_its_own_arguments_and_no_other(change: dict[str, Any]) -> None:
    found = read_readings(text(said(questions=[{**question("news_search"), **change}])))
    assert found.questions == ()
    assert len(found.refused) == 1


def test_more_readings_than_one_answer_may_hold_are_dropped() -> None:
    found = read_readings(text(said(*[GOOD] * (READINGS + 5))))
    assert len(found.readings) == READINGS
    assert [one.why for one in found.refused] == [f"5 readings beyond {READINGS}"]


def test_words_from_a_model_are_cleaned_and_cut() -> None:
    found = read_readings(text(said({**GOOD, "reason": "\x1b]0;x\x07" + "yes \ud800" + "w" * 400})))
    (entry,) = found.readings
    assert len(entry.reason) <= 200
    assert "\x1b" not in entry.reason


def test_a_second_reading_is_strict_in_the_same_way() -> None:
    against = {"evidence": 1, "hypothesis": "policy_change/boj", "reason": "a denial"}
    found = read_second(text({**second(refuting=[against, {**against, "rank": "A"}]), "certainty": "low"}))
    assert found.another_look is True
    assert [one.hypothesis for one in found.refuting] == ["policy_change/boj"]
    assert len(found.refused) == 2
    wrong: list[dict[str, Any]] = [{"refuting": []}, {"another_look": 1, "refuting": []}, {"another_look": True}]
    for bad in wrong:
        with pytest.raises(BadReply):
            read_second(text(bad))


@pytest.mark.parametrize("schema", [reader_schema(), adjudicator_schema()])
def test_the_schema_on_the_wire_is_closed_and_asks_for_every_field(schema: dict[str, Any]) -> None:
    def objects(node: Any) -> list[dict[str, Any]]:
        below = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        own = [node] if isinstance(node, dict) and node.get("type") == "object" else []
        return own + [found for one in below for found in objects(one)]

    found = objects(schema)
    assert len(found) >= 2
    for one in found:
        assert one["additionalProperties"] is False
        assert set(one["required"]) == set(one["properties"])
