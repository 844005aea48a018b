from __future__ import annotations

import io
import json
from datetime import datetime

import pytest

from app.errors import NothingScored
from app.lines.contract import ItemInput
from app.lines.items import LINE_LIMIT, Broken, Given, looks_like_lines, read_items, read_text, text_item, to_item
from feeds.models import TimeDoubt

GOOD = b'{"title": "Nvidia falls"}'

BROKEN = {
    "no JSON": (b"nonsense", "not JSON: expected"),
    "cut off": (b'{"title": "x', "not JSON: EOF"),
    "a list": (b"[1, 2]", "not a JSON object with a title"),
    "a number": (b"5", "not a JSON object with a title"),
    "no title": (b"{}", "title is missing"),
    "an empty title": (b'{"title": ""}', "title is empty"),
    "a title of blanks and invisible characters": (b'{"title": " \\u200b\\u202e "}', "title is empty"),
    "a number as title": (b'{"title": 5}', "title must be text"),
    "a list as title": (b'{"title": ["x"]}', "title must be text"),
    "null as title": (b'{"title": null}', "title must be text"),
    "a truth as time": (
        b'{"title": "x", "published_at": true}',
        "published_at must be a time as text or a finite number",
    ),
    "no number as time": (b'{"title": "x", "published_at": NaN}', "published_at must be"),
    "tickers as text": (b'{"title": "x", "tickers": "NVDA"}', "tickers must be a list of symbols"),
    "a fraction as id": (b'{"title": "x", "id": 1.5}', "id must be text"),
    "not UTF-8": (b'{"title": "caf\xe9 x"}', "not UTF-8 at byte 15"),
    "half a character": (b'{"title": "\\ud800"}', "not JSON"),
    "too deep": (b'{"title": ' + b"[" * 100_000, "not JSON"),
    "two values": (b'{"title": "x"} {"title": "y"}', "not JSON: trailing characters"),
}


def read(data: bytes) -> list[Given[ItemInput] | Broken]:
    return list(read_items(io.BytesIO(data), ItemInput))


@pytest.mark.parametrize(("line", "reason"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_line_is_named_and_the_rest_is_read(line: bytes, reason: str) -> None:
    first, broken, last = read(GOOD + b"\n" + line + b"\n" + GOOD)
    assert isinstance(first, Given)
    assert isinstance(broken, Broken)
    assert broken.number == 2
    assert broken.reason.startswith(reason)
    assert "\n" not in broken.reason
    assert isinstance(last, Given)
    assert last.number == 3


def test_a_line_past_the_limit_is_skipped_without_being_held() -> None:
    huge = b'{"title": "' + b"x" * (3 * LINE_LIMIT) + b'"}'
    first, broken, last = read(GOOD + b"\n" + huge + b"\n" + GOOD)
    assert isinstance(first, Given)
    assert broken == Broken(2, "longer than 1 MiB")
    assert isinstance(last, Given)
    assert last.number == 3
    assert read(huge) == [Broken(1, "longer than 1 MiB")]


def test_blank_lines_a_byte_order_mark_and_windows_ends_do_not_matter() -> None:
    lines = read(b"\xef\xbb\xbf" + GOOD + b"\r\n\r\n   \n" + GOOD)
    assert [(type(line), line.number) for line in lines] == [(Given, 1), (Given, 4)]


@pytest.mark.parametrize(
    ("head", "lines"),
    [
        (GOOD, True),
        (b"\xef\xbb\xbf" + GOOD, True),
        (b"broken\n" + GOOD, True),
        (b'\n\n  {"title"', True),
        (b'[{"title": "x"}]', True),
        (b"Nvidia falls {again}", False),
        (b"", False),
    ],
)
def test_json_lines_are_told_from_plain_text(head: bytes, lines: bool) -> None:
    assert looks_like_lines(head) is lines


def test_the_first_line_of_a_text_is_its_title() -> None:
    read_back = read_text(io.BytesIO(b"\n Nvidia falls \nAfter the ban.\nMore."), "f.txt")
    assert (read_back.title, read_back.summary) == ("Nvidia falls ", "After the ban.\nMore.")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"x" * (LINE_LIMIT + 1), "longer than 1 MiB"),
        (b"\xff\xfe\x00", "neither UTF-8 text nor JSON lines"),
        (b"  \n ", "the text is empty"),
    ],
)
def test_a_text_that_is_none_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(NothingScored, match=reason):
        read_text(io.BytesIO(data), "f")


def test_an_item_is_cleaned_and_never_dated_by_guess(now: datetime) -> None:
    given = ItemInput(
        title="Nvidia\x1b]0;pwned\x07 falls\n2%",
        url="javascript:alert(1)",
        source="Wire\u202e",
        tickers=["$nvda", "NVDA", " "],
    )
    item = to_item(given, now=now)
    assert item.title == "Nvidia falls 2%"
    assert (item.url, item.source_name, item.tickers) == ("", "Wire", ("NVDA",))
    assert (item.published.at, item.published.doubt) == (None, TimeDoubt.UNDATED)
    assert item.first_seen_at == now


def test_an_item_keeps_its_id_or_gets_one_from_its_content(now: datetime) -> None:
    assert to_item(ItemInput(title="x", id="mine"), now=now).id == "mine"
    assert to_item(ItemInput(title="x", id=7), now=now).id == "7"
    same = {to_item(ItemInput(title="x", summary="y"), now=now).id for _ in range(2)}
    assert len(same) == 1
    assert to_item(ItemInput(title="x", summary="z"), now=now).id not in same


@pytest.mark.parametrize("stamp", ["2026-03-10T14:30:00-04:00", "Tue, 10 Mar 2026 18:30:00 GMT", 1773167400])
def test_a_time_of_publication_is_read_in_every_form(now: datetime, stamp: str | int) -> None:
    item = to_item(ItemInput.model_validate(json.loads(json.dumps({"title": "x", "published_at": stamp}))), now=now)
    assert item.published.at == now


def test_text_item_refuses_nothing_but_blanks() -> None:
    assert text_item("x").title == "x"
    with pytest.raises(NothingScored):
        text_item(" \n\t")
