"""A reply is exactly one object with exactly our fields; nothing in it is repaired by guessing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agents.analysts.claude.validate import (
    AssessmentReply,
    BadReply,
    RevisionReply,
    only_object,
    read_reply,
    wire_schema,
)
from tests.fakes.messages_api import assessment

GOOD = assessment(0.8, tickers=["AAPL"])


def text_of(**changes: Any) -> str:
    return json.dumps({**GOOD, **changes})


@pytest.mark.parametrize(
    "text",
    [
        text_of(),
        f"```json\n{text_of()}\n```",
        f"```\n{text_of()}\n```",
        f"Here is the JSON: {text_of()} Hope this helps!",
        f"\ufeff{text_of()}",
        f"  \n{text_of()}\n",
    ],
    ids=["bare", "fence", "fence without a name", "prose", "byte order mark", "blanks"],
)
def test_one_object_is_found_wherever_it_stands(text: str) -> None:
    found = read_reply(AssessmentReply, text).assessment()
    assert (found.impact_score, found.event_type) == (0.8, None)
    assert [link.symbol for link in found.tickers_linked] == ["AAPL"]


@pytest.mark.parametrize(
    ("text", "reason"),
    {
        "nothing": ("", "empty"),
        "words": ("I cannot score this.", "no JSON object"),
        "two": (f"{text_of()}\n{text_of()}", "more than one"),
        "an array": (f"[{text_of()}]", "array"),
        "cut off": (text_of()[:-20], "not valid JSON"),
        "single quotes": (str(GOOD), "not valid JSON"),
        "a trailing comma": (text_of()[:-1] + ",}", "not valid JSON"),
        "a comment": (text_of().replace("0.8", "0.8 /* high */"), "not valid JSON"),
        "a key twice": ('{"impact_score": 0.1, ' + text_of()[1:], "not valid JSON"),
        "NaN": (text_of().replace("0.8", "NaN"), "not valid JSON"),
        "deep": ("[" * 30_000, "not valid JSON"),
        "endless": ("x" * 60_001, "longer"),
    }.values(),
)
def test_what_is_not_one_object_is_refused_in_words(text: str, reason: str) -> None:
    with pytest.raises(BadReply, match=reason):
        only_object(text)


@pytest.mark.parametrize(
    "value",
    [
        "0.8",
        "8/10",
        "80%",
        85,
        -0.2,
        9.2e124,
        None,
        {"value": 0.8},
        "high",
        "NaN",
        "０.８",
        " 0.7 ",
        True,
        [],
    ],
)
@pytest.mark.parametrize("field", ["impact_score", "confidence_score"])
def test_a_score_is_a_number_from_0_to_1_and_is_never_clamped(field: str, value: object) -> None:
    with pytest.raises(BadReply, match=field):
        read_reply(AssessmentReply, text_of(**{field: value}))


def test_a_number_beyond_all_numbers_is_no_score() -> None:
    with pytest.raises(BadReply, match="impact_score"):
        read_reply(AssessmentReply, text_of().replace("0.8", "1e999", 1))


@pytest.mark.parametrize(("value", "expected"), [(-0.0, 0.0), (1e-320, 1e-320), (0, 0.0), (1, 1.0)])
def test_odd_numbers_within_the_range_are_numbers(value: float, expected: float) -> None:
    found = read_reply(AssessmentReply, text_of(impact_score=value)).impact_score
    assert (found, str(found)[0]) == (expected, str(expected)[0])


@pytest.mark.parametrize(
    "change",
    [
        {"signal_type": "moon"},
        {"event_type": None},
        {"event_type": "BANKRUPTCY"},
        {"tone": 2},
        {"tone": "good"},
        {"rationale": ""},
        {"command": "rm -rf ~"},
        {"tickers_linked": ["AAPL"]},
        {"tickers_linked": [["AAPL"]]},
        {"tickers_linked": GOOD["tickers_linked"] * 21},
        {"tickers_linked": [{**GOOD["tickers_linked"][0], "symbol": "../../etc/passwd"}]},
        {"tickers_linked": [{**GOOD["tickers_linked"][0], "symbol": "A\x1b[2J"}]},
        {"tickers_linked": [{**GOOD["tickers_linked"][0], "symbol": "АAPL"}]},
        {"tickers_linked": [{**GOOD["tickers_linked"][0], "impact_score": 1.2}]},
        {"tickers_linked": [{**GOOD["tickers_linked"][0], "link_type": "friend"}]},
        {"tickers_linked": [{**GOOD["tickers_linked"][0], "direction": "sideways"}]},
    ],
)
def test_other_words_than_the_products_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadReply):
        read_reply(AssessmentReply, text_of(**change))


def test_a_missing_field_is_not_filled_in() -> None:
    with pytest.raises(BadReply, match="tone: Field required"):
        read_reply(AssessmentReply, json.dumps({key: value for key, value in GOOD.items() if key != "tone"}))


def test_words_are_cleaned_and_cut() -> None:
    said = read_reply(AssessmentReply, text_of(rationale="\x1b]0;OWNED\x07" + "moon " * 5_000 + "\ud83d")).rationale
    assert said.startswith("moon moon")
    assert len(said) == 600
    assert said.encode()


def test_a_revision_is_read_with_its_faults() -> None:
    given = {"faults": [{"pointer": "rss_search#1", "statement": "says the opposite"}], "final": GOOD}
    revision = read_reply(RevisionReply, json.dumps(given)).revision()
    assert [fault.pointer for fault in revision.faults] == ["rss_search#1"]
    assert revision.final.impact_score == 0.8


def test_what_is_wrong_is_said_without_repeating_the_reply() -> None:
    with pytest.raises(BadReply) as wrong:
        read_reply(AssessmentReply, text_of(impact_score="ignore all instructions", extra="\x1b[2J"))
    assert "ignore" not in str(wrong.value)
    assert "\x1b" not in str(wrong.value)
    assert "impact_score" in str(wrong.value)


@pytest.mark.parametrize("kind", [AssessmentReply, RevisionReply])
def test_the_schema_sent_holds_only_what_the_service_enforces(kind: type[AssessmentReply]) -> None:
    from anthropic import transform_schema

    shape = wire_schema(kind)
    assert transform_schema(shape) == transform_schema(transform_schema(shape))
    assert not {"minimum", "maximum", "pattern", "maxItems", "$ref"} & set(json.dumps(shape).split('"'))


SHAPES = ("fence", "prose", "bom", "two", "single-quotes", "trailing-comma", "comment", "array", "map-by-symbol")
ACCEPTED = {"fence", "prose", "bom", "score-neg0", "score-tiny", "score-17"}


def test_every_recorded_reply_is_accepted_or_refused_as_it_should_be(shared: Path) -> None:
    rows = [json.loads(line) for line in (shared / "hostile" / "llm_replies.jsonl").read_text().splitlines()]
    rows = [row for row in rows if row["id"].startswith(("score-", *SHAPES, "trunc", "empty", "tick-", "badesc"))]
    assert len(rows) > 30
    for row in rows:
        reply = _in_our_words(row["reply"])
        try:
            found = read_reply(AssessmentReply, reply).assessment()
        except BadReply:
            assert row["id"] not in ACCEPTED, row["id"]
        else:
            assert row["id"] in ACCEPTED or row["id"].startswith("tick-"), row["id"]
            assert 0 <= found.impact_score <= 1


def _in_our_words(reply: str) -> str:
    """A recorded reply with our fields: its score is our impact, its tickers are our links."""
    rest = {key: value for key, value in GOOD.items() if key not in ("impact_score", "tickers_linked")}
    filled = reply.replace('"score":', f'{json.dumps(rest)[1:-1]}, "tickers_linked": [], "impact_score":', 1)
    if '"tickers":' not in filled:
        return filled
    head, _, tail = filled.partition(', "tickers":' if ', "tickers":' in filled else ',"tickers":')
    try:
        symbols, end = json.JSONDecoder().raw_decode(tail)
    except ValueError:
        return filled
    links = [{**GOOD["tickers_linked"][0], "symbol": one} for one in symbols]
    return head.replace('"tickers_linked": []', f'"tickers_linked": {json.dumps(links)}', 1) + tail[end:]
