"""The calls to the model behind an agent's score, word for word."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC

import pytest

from agents.calls import ModelCall, Usage
from app.ui.line import plain, width
from app.ui.pages.contents import page, title
from app.ui.pages.page import AgentPlace, CallPlace, Place, View
from storage.models import CardDetail
from tests.app.ui.samples import DAY, NOW, card_detail

GOOD = ModelCall(
    item_id="item-1",
    revision=0,
    agent="SignalScope",
    stage="draft",
    model="claude-haiku-5-5",
    prompt_version="0123456789ab",
    fixed=json.dumps({"system": [{"type": "text", "text": "You judge news.\n\nAs told."}], "tools": []}),
    messages=json.dumps(
        [
            {"role": "user", "content": "<outside>\n{}\n</outside>"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "rss_search", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "[/b]"}]},
        ]
    ),
    reply='{"type":"message"}',
    started_at=NOW,
    elapsed_ms=812.0,
    request_id="req_1",
    usage=Usage(1_200, 300, 0, 900),
    cost_nano=271_450,
)
LOST = replace(GOOD, stage="revise", cause="refusal", detail="the model refused", reply="", cost_nano=None, attempts=3)
CACHED = replace(GOOD, stage="revise", cached=True, cost_nano=0)
DETAIL = replace(card_detail(DAY[0], 1), calls=(GOOD, LOST, CACHED, replace(GOOD, agent="MacroMind")))


def text(place: Place, detail: CardDetail = DETAIL, cells: int = 80) -> str:
    return "\n".join(plain(row.line).rstrip() for row in page(detail, place, View(cells, NOW, UTC)))


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ('{"usage": {"server_tool_use": {"web_search_requests": 1}}}', True),
        ('{"usage": {"server_tool_use": null}}', False),
        ('{"usage": 7}', False),
        ('{"usage": {"server_tool_use": {"web_search_re', False),
    ],
)
def test_a_search_of_the_web_is_told_with_its_call(reply: str, shown: bool) -> None:
    searched = replace(GOOD, stage="search", reply=reply, cost_nano=11_158_400)
    detail = replace(DETAIL, calls=(searched,))
    assert "● search  2,100 in" in text(AgentPlace("SignalScope"), detail)
    told = text(CallPlace("SignalScope", 0), detail)
    assert "search of SignalScope" in told
    assert "$0.011158" in told
    assert ("the web, 1 time" in told) is shown


def test_an_agent_lists_its_own_calls_and_each_opens() -> None:
    rows = page(DETAIL, AgentPlace("SignalScope"), View(80, NOW, UTC))
    assert [row.opens for row in rows if isinstance(row.opens, CallPlace)] == [
        CallPlace("SignalScope", number) for number in range(3)
    ]
    shown = text(AgentPlace("SignalScope"))
    assert "3 calls to the model" in shown
    assert "2,100 in, 300 out · $0.000271 · 0.8 s" in shown
    assert "refusal: the model refused" in shown
    assert "from the cache" in shown


def test_an_agent_of_the_rules_has_none() -> None:
    assert "to the model" not in text(AgentPlace("SignalScope"), replace(DETAIL, calls=()))


def test_a_call_shows_its_figures_and_both_sides_word_for_word() -> None:
    shown = text(CallPlace("SignalScope", 0))
    for words in (
        "claude-haiku-5-5  draft of SignalScope",
        "812 ms",
        "$0.000271",
        "900 read, 0 written",
        "req_1",
        "0123456789ab",
        "You judge news.",
        "<outside>",
        '"name": "rss_search"',
        '"content": "[/b]"',
        '{"type":"message"}',
    ):
        assert words in shown, words
    assert title(CallPlace("SignalScope", 0)) == "Call 1"


def test_a_call_without_an_answer_says_why_and_what_it_cost_is_not_guessed() -> None:
    shown = text(CallPlace("SignalScope", 1))
    assert "× refusal" in shown
    assert "unpriced" in shown
    assert "3 attempts" in shown
    assert "no answer came" in shown


def test_a_call_that_is_gone_says_so() -> None:
    assert "this call is gone" in text(CallPlace("SignalScope", 7))


@pytest.mark.parametrize("odd", ["", "not json", "[1, 2]", '{"system": 5}', "null"])
def test_whatever_was_kept_can_be_shown_at_any_width(odd: str) -> None:
    detail = replace(DETAIL, calls=(replace(GOOD, fixed=odd, messages=odd, reply=odd + "\x1b[2J" * 9),))
    for cells in (20, 40, 120):
        for row in page(detail, CallPlace("SignalScope", 0), View(cells, NOW, UTC)):
            assert "\x1b" not in plain(row.line)
            assert cells < 66 or width(row.line) <= cells
