"""JSON that is not one object a line: arrays and objects over several lines, with every fault named by its place."""

from __future__ import annotations

import io

import pytest

from app.lines.contract import ItemInput
from app.lines.documents import looks_like_document, read_document
from app.lines.items import Broken, Given


def read(text: str | bytes) -> list[Given[ItemInput] | Broken]:
    return list(read_document(io.BytesIO(text.encode() if isinstance(text, str) else text), ItemInput))


@pytest.mark.parametrize(
    ("head", "document"),
    [
        (b'[{"title": "x"}]', True),
        (b'\xef\xbb\xbf\n [\n{"title": "x"}', True),
        (b'{\n  "title": "x"\n}', True),
        (b'{"title": "x"}\n{"title": "y"}', False),
        (b'{"title": "cut', False),
        (b"Nvidia falls", False),
        (b"", False),
    ],
)
def test_a_document_is_told_from_lines_by_its_beginning(head: bytes, document: bool) -> None:
    assert looks_like_document(head) is document


@pytest.mark.parametrize(
    "text",
    [
        '[{"title": "a"}, {"title": "b", "tickers": ["NVDA"]}]',
        '\ufeff[\n  {"title": "a"},\n  {"title": "b"}\n]\n',
        '{\n "title": "a"\n}\n{\n "title": "b"\n}\n',
        '{\n "title": "a"\n},\n[{"title": "b"}]',
    ],
)
def test_items_are_read_in_order_from_arrays_and_spread_objects(text: str) -> None:
    found = read(text)
    assert all(isinstance(one, Given) for one in found)
    assert [(one.number, one.item.title) for one in found if isinstance(one, Given)] == [(1, "a"), (2, "b")]


def test_a_fault_is_named_by_its_place_and_the_rest_is_read() -> None:
    first, second, third, last = read('[{"title": "a"}, 5, {"title": ""}, {"title": "d"}]')
    assert isinstance(first, Given)
    assert second == Broken(2, "not a JSON object with a title")
    assert third == Broken(3, "title is empty")
    assert isinstance(last, Given)
    assert last.number == 4


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[{"title": "a"},\n {"title": ]', "not JSON on line 2; nothing after it was read"),
        ("[" * 200_000, "not JSON; nothing after it was read"),
        (b'[{"title": "caf\xe9"}]', "not UTF-8 at byte 16"),
    ],
)
def test_what_cannot_be_read_is_said_once(text: str | bytes, reason: str) -> None:
    assert read(text) == [Broken(1, reason)]
    assert read("[]") == []
