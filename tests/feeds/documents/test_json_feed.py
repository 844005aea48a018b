"""JSON Feed: wrong types are passed over one by one, never the whole document."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.documents.json_feed import read_json
from feeds.documents.xml_feed import Raw
from feeds.errors import Malformed, NotAFeed
from feeds.models import Entry
from tests.feeds.documents.builders import NOW, parse

VERSION = "https://jsonfeed.org/version/1.1"


def read(*items: Any, **top: Any) -> Raw:
    return read_json(json.dumps({"version": VERSION, "title": "T", "items": items} | top), max_entries=500)


def entries(*items: Any) -> tuple[Entry, ...]:
    body = json.dumps({"version": VERSION, "title": "T", "items": items}).encode()
    return parse(body, content_type="application/feed+json").entries


def test_an_item() -> None:
    (entry,) = entries(
        {
            "id": "1",
            "url": "/a",
            "title": "Acme cuts guidance",
            "content_html": "<p>Sales &amp; profit fell.</p>",
            "date_published": "2026-03-10T12:00:00-04:00",
            "date_modified": "2026-03-10T17:00:00Z",
        }
    )
    assert (entry.guid, entry.url, entry.title) == ("1", "https://feed.example/a", "Acme cuts guidance")
    assert entry.summary == "Sales & profit fell."
    assert entry.published.at == NOW.replace(hour=16, minute=0)
    assert entry.updated.at == NOW.replace(hour=17, minute=0)


def test_plain_text_is_not_read_as_markup() -> None:
    (entry,) = entries({"id": "1", "content_text": "Why <head> matters: 1 < 2 &amp; 3"})
    assert entry.title == "Why <head> matters: 1 < 2 &amp; 3"


def test_odd_items_are_counted_and_the_others_kept() -> None:
    raw = read({"content_text": "a"}, {"id": 7}, {"id": None, "url": "https://x.example/3"}, None, "x", 5)
    assert [entry.guid for entry in raw.entries] == ["", "7", ""]
    assert raw.notices == ["3 items that are no objects were left out"]


def test_null_everywhere_leaves_the_item() -> None:
    (entry,) = entries({"id": "1", "title": None, "content_html": None, "date_published": None, "url": None})
    assert (entry.guid, entry.title) == ("1", "1")


def test_of_a_key_given_twice_the_last_counts() -> None:
    text = f'{{"version":"{VERSION}","items":[{{"id":"1","id":"2","title":"a","title":"b"}}]}}'
    (entry,) = read_json(text, max_entries=5).entries
    assert (entry.guid, entry.title) == ("2", "b")


def test_no_value_is_ever_nan() -> None:
    text = f'{{"version":"{VERSION}","items":[{{"id":NaN,"title":"x","date_published":-Infinity}}]}}'
    (entry,) = read_json(text, max_entries=5).entries
    assert (entry.guid, entry.published) == ("", "")


def test_lone_surrogates_and_controls_are_cleaned() -> None:
    (entry,) = entries({"id": "1", "title": "bad \ud83d\x00\x1b[2J end"})
    assert entry.title == "bad \ufffd end"


def test_more_than_the_limit_is_cut_and_said() -> None:
    raw = read_json(json.dumps({"version": VERSION, "items": [{"id": n} for n in range(9)]}), max_entries=4)
    assert len(raw.entries) == 4
    assert raw.notices == ["only the first 4 entries were read"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{"items": []}', NotAFeed),
        ('{"version": 1, "items": []}', NotAFeed),
        ('{"error": "not found"}', NotAFeed),
        ("[1, 2]", NotAFeed),
        ('{"version": "', Malformed),
        ("[" * 100_000, Malformed),
    ],
)
def test_other_json_is_no_feed(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        read_json(text, max_entries=5)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["id", "url", "title", "summary", "content_html", "date_published"]), values))
def test_whatever_an_item_holds_the_feed_is_read(item: dict[str, Any]) -> None:
    found = entries(item, {"id": "good", "title": "good"})
    assert found[-1].title == "good"
