"""Which alerts share a message."""

from __future__ import annotations

import pytest

from app.alerts.grouping import grouped
from storage.alerts import AlertDue
from tests.app.alerts.outboxes import due

CASES: dict[str, tuple[list[AlertDue], int | None, list[list[str]]]] = {
    "nothing": ([], 3, []),
    "a few go one by one": ([due("a"), due("b"), due("c")], 3, [["a"], ["b"], ["c"]]),
    "more are one digest": ([due(name) for name in "abcd"], 3, [["a", "b", "c", "d"]]),
    "never a digest": ([due(name) for name in "abcd"], None, [["a"], ["b"], ["c"], ["d"]]),
    "what was held comes together": (
        [due("a", held="snooze"), due("b"), due("c", held="snooze")],
        3,
        [["a", "c"], ["b"]],
    ),
    "one that was held": ([due("a", held="snooze")], 3, [["a"]]),
    "a repeat goes first and as it was": (
        [due("a"), due("b", unanswered=1, message="digest:x"), due("c", unanswered=1, message="digest:x")],
        3,
        [["b", "c"], ["a"]],
    ),
    "what failed often goes last": ([due("a", attempts=5), due("b")], 3, [["b"], ["a"]]),
}


@pytest.mark.parametrize(("waiting", "singles", "expected"), CASES.values(), ids=CASES.keys())
def test_groups(waiting: list[AlertDue], singles: int | None, expected: list[list[str]]) -> None:
    assert [list(group.keys) for group in grouped(waiting, singles=singles)] == expected


def test_a_message_has_the_key_of_its_alert_and_a_digest_one_that_is_the_same_again() -> None:
    assert grouped([due("a")], singles=3)[0].key == "a"
    first, second = (grouped([due("a"), due("b")], singles=1)[0].key for _ in range(2))
    assert first == second
    assert first.startswith("digest:")
    (repeat,) = grouped([due("a", unanswered=1, message="digest:x")], singles=3)
    assert (repeat.key, repeat.repeat) == ("digest:x", True)
