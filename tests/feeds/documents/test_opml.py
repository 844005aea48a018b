"""Lists of feeds: what other readers write is read, what is written is read again, and hostile XML is refused."""

from __future__ import annotations

import pytest

from feeds.documents.opml import read_opml, write_opml
from feeds.errors import Malformed, NotAFeed
from feeds.models import Source, Tier

LIST = """<?xml version="1.0" encoding="UTF-8"?>
<opml version="1.1"><head><title>Mine</title></head><body>
<outline text="Markets"><outline text="Inner"><outline type="rss" text="Wire &amp; Co"
 xmlUrl="https://wire.example/rss?a=1&amp;b=2"/></outline></outline>
<outline title="Only a title" xmlurl=" https://two.example/atom "/>
<outline text="a folder"/>
</body></opml>"""


def test_feeds_are_found_in_folders_of_any_depth_in_the_order_of_the_list() -> None:
    found = [(one.name, one.url, one.place) for one in read_opml(LIST.encode())]
    assert found == [
        ("Wire & Co", "https://wire.example/rss?a=1&b=2", 1),
        ("Only a title", "https://two.example/atom", 2),
    ]


def test_what_is_written_is_read_again_whatever_the_names_hold() -> None:
    sources = [
        Source("a", 'Wire "North" & <South>', "https://wire.example/rss?a=1&b='2'", Tier.NEWSROOM, 60),
        Source("b", "日本の新聞", "https://two.example/", Tier.CROWD, 60),
    ]
    found = read_opml(write_opml(sources, "mine & yours").encode())
    assert [(one.name, one.url) for one in found] == [(one.name, one.url) for one in sources]


def test_other_encodings_are_read() -> None:
    text = LIST.replace("UTF-8", "windows-1252").replace("Inner", "Börse").replace("Wire &amp; Co", "Börse")
    assert read_opml(text.encode("cp1252"))[0].name == "Börse"


def test_names_are_cleaned_like_everything_from_outside() -> None:
    text = '<opml><body><outline text="Wi&#x202e;re\n two&#27;" xmlUrl="https://w.example/"/></body></opml>'
    with pytest.raises(Malformed):
        read_opml(text.encode())  # XML has no escape character
    assert read_opml(text.replace("&#27;", "").encode())[0].name == "Wire two"


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (b"", NotAFeed, "no XML"),
        (b"\x00\x01\x02", NotAFeed, "no XML"),
        (b"url,name\nhttps://a.example,A\n", NotAFeed, "no XML"),
        (b"<rss version='2.0'><channel/></rss>", NotAFeed, "begins with <rss>"),
        (b"<opml><body><outline xmlUrl='https://a.example/'>", Malformed, "broken XML after feed 1"),
        (b"<!DOCTYPE o [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><opml>&b;</opml>", Malformed, "declares"),
        (b"<!DOCTYPE opml SYSTEM 'file:///etc/passwd'><opml/>", Malformed, "declares"),
    ],
)
def test_what_is_no_list_is_refused_in_words(body: bytes, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        read_opml(body)


def test_ten_thousand_feeds_are_read() -> None:
    rows = "".join(f'<outline text="{n}" xmlUrl="https://h{n}.example/rss"/>\n' for n in range(10_000))
    assert len(read_opml(f"<opml><body>{rows}</body></opml>".encode())) == 10_000
