"""Documents: every format is read, whole entries only, and what is no feed is named."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from feeds.errors import Malformed, NotAFeed, ParseError
from feeds.models import Entry, Published, TimeDoubt
from tests.feeds.documents.builders import GOOD, NOW, atom, parse, rss


def only(document: bytes | str) -> Entry:
    (entry,) = parse(document).entries
    return entry


def test_rss() -> None:
    feed = parse(
        rss(
            "<title>Acme cuts guidance</title><link>/a?b=1&amp;c=2</link><guid isPermaLink='false'> 7 </guid>"
            "<description>&lt;p&gt;Sales fell &lt;b&gt;3%&lt;/b&gt;.&lt;/p&gt;</description>"
            "<pubDate>Tue, 10 Mar 2026 12:00:00 EDT</pubDate>"
        )
    )
    assert (feed.title, feed.format, feed.notices) == ("Wire", "rss", ())
    assert feed.entries == (
        Entry(
            "7",
            "https://feed.example/a?b=1&c=2",
            "Acme cuts guidance",
            "Sales fell 3%.",
            Published(NOW.replace(hour=16, minute=0), "second", None),
        ),
    )


def test_atom_with_xhtml_and_several_links() -> None:
    entry = only(
        atom(
            "<id>urn:1</id>"
            "<title type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>Acme <b>cuts</b> it</div></title>"
            "<link rel='self' href='https://x.example/self'/><link rel='enclosure' href='https://x.example/mp3'/>"
            "<link href='javascript:alert(1)'/><link rel='alternate' type='text/html' href='/page'/>"
            "<updated>2026-03-10T16:00:00Z</updated><content type='html'>&lt;i&gt;Text&lt;/i&gt;</content>"
            "<source><title>Other wire</title></source>"
        )
    )
    assert (entry.guid, entry.title, entry.url) == ("urn:1", "Acme cuts it", "https://feed.example/page")
    assert (entry.summary, entry.outlet) == ("Text", "Other wire")
    assert entry.published == entry.updated == Published(NOW.replace(hour=16, minute=0), "second", None)


def test_rdf() -> None:
    feed = parse(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="c"><title>Wire</title></channel>'
        '<item rdf:about="https://x.example/1"><title>Acme</title><dc:date>2026-03-10T16:00+00:00</dc:date></item>'
        "</rdf:RDF>"
    )
    (entry,) = feed.entries
    assert (feed.format, feed.title) == ("rdf", "Wire")
    assert (entry.guid, entry.url) == ("https://x.example/1", "https://x.example/1")
    assert entry.published == Published(NOW.replace(hour=16, minute=0), "minute", None)


def test_a_search_feed_names_the_newsroom() -> None:
    named, other = parse(
        rss(
            "<title>Acme cuts guidance - Daily Wire</title><source url='https://w.example'>Daily Wire</source>"
            "<description>&lt;a href='x'&gt;Acme cuts guidance&lt;/a&gt;&amp;nbsp;Daily Wire</description>",
            "<title>Acme cuts guidance - analysts</title><source url='https://w.example'>Daily Wire</source>",
        )
    ).entries
    assert (named.title, named.outlet, named.summary) == ("Acme cuts guidance", "Daily Wire", "")
    assert other.title == "Acme cuts guidance - analysts"


@pytest.mark.parametrize(
    ("item", "guid", "url"),
    [
        ("<guid>0</guid><title>A</title>", "0", ""),
        ("<guid> </guid><title>A</title><link>/a</link>", "", "https://feed.example/a"),
        ("<guid isPermaLink='true'/><title>A</title><link>/a</link>", "", "https://feed.example/a"),
        ("<guid>https://x.example/1</guid><title>A</title>", "https://x.example/1", "https://x.example/1"),
        ("<guid isPermaLink='false'>https://x.example/1</guid><title>A</title>", "https://x.example/1", ""),
        ("<title>A</title><link>javascript:alert(1)</link>", "", ""),
        ("<title>A</title><link><![CDATA[https://x.example/1]]></link>", "", "https://x.example/1"),
    ],
)
def test_guid_and_link(item: str, guid: str, url: str) -> None:
    entry = only(rss(item))
    assert (entry.guid, entry.url) == (guid, url)


def test_long_guids_stay_apart() -> None:
    one, other = (only(rss(f"<title>A</title><guid>{'x' * 3000}{n}</guid>")).guid for n in range(2))
    assert one != other
    assert len(one) <= 500


def test_an_entry_without_title_shows_its_first_words() -> None:
    assert only(rss("<description>RULE 8.3 notice: ACME plc</description>")).title == "RULE 8.3 notice: ACME plc"
    assert only(rss("<link>https://x.example/1</link>")).title == "https://x.example/1"


def test_an_entry_that_says_nothing_is_left_out_and_counted() -> None:
    feed = parse(rss("", GOOD, "<pubDate>Tue, 10 Mar 2026 12:00:00 EDT</pubDate>"))
    assert [entry.guid for entry in feed.entries] == ["1"]
    assert feed.notices == ("2 empty entries left out",)


def test_undated_entries_get_no_time() -> None:
    assert only(rss(GOOD)).published == Published(None, "unknown", TimeDoubt.UNDATED)


@pytest.mark.parametrize(
    "cut", ["<item><title>two is cut</title><guid>2</g", "<item><title>two", "<item><![CDATA[tw", ""]
)
def test_a_cut_document_gives_whole_entries_only(cut: str) -> None:
    feed = parse(f"<rss><channel><item>{GOOD}</item>{cut}")
    assert [entry.guid for entry in feed.entries] == ["1"]
    assert "cut off" in feed.notices[-1]


def test_a_cut_document_that_is_also_broken_gives_whole_entries_only() -> None:
    feed = parse(f"<rss><channel><item>{GOOD}</item><item><title>R & D is cut</title><guid>2")
    assert [entry.guid for entry in feed.entries] == ["1"]
    assert "cut off" in feed.notices[-1]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("R & D", "R & D"),
        ("<![CDATA[x ]]> z]]>", None),
        ("A&#27;]0;x&#7;B", "AB"),
        ("\x1b]0;PWNED\x07A\x1b[2JB", "AB"),
        ("caf&nbsp;&eacute;", "caf é"),
        ("undefined &foo; entity", "undefined &foo; entity"),
    ],
)
def test_broken_titles_cost_no_other_entry(title: str, expected: str | None) -> None:
    first, second = parse(rss(f"<title>{title}</title><guid>1</guid>", "<title>ok</title><guid>2</guid>")).entries
    assert second.title == "ok"
    assert expected is None or first.title == expected


def test_a_second_document_in_the_same_body_is_ignored_and_said() -> None:
    feed = parse(rss(GOOD) + rss("<title>other</title>"))
    assert len(feed.entries) == 1
    assert "after the end" in feed.notices[0]


def test_more_entries_than_the_limit_are_cut_and_said() -> None:
    feed = parse(rss(*[f"<title>{n}</title>" for n in range(9)]), max_entries=4)
    assert [entry.title for entry in feed.entries] == ["0", "1", "2", "3"]
    assert feed.notices == ("only the first 4 entries were read",)


@pytest.mark.parametrize(
    ("body", "error", "says"),
    [
        (b"", NotAFeed, "empty"),
        (b" \n ", NotAFeed, "empty"),
        (b"http://127.0.0.1:1/feed", NotAFeed, "neither XML nor JSON"),
        (b"/etc/passwd", NotAFeed, "neither XML nor JSON"),
        (b"<!DOCTYPE html><html><head><title>Just a moment...</title>", NotAFeed, "web page"),
        (b"<html><body>challenge</body></html>", NotAFeed, "web page"),
        (b"<opml version='2.0'></opml>", NotAFeed, "<opml>"),
        (b"<rss version='2.0'></rss>", Malformed, "without a channel"),
        (b"\x1f\x8b\x08\x00binary", NotAFeed, "neither"),
        (b"<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><rss><channel/></rss>", Malformed, "entities"),
        (b"<!DOCTYPE r [<!ELEMENT r ANY>]><rss><channel/></rss>", Malformed, "types"),
        (b"<!DOCTYPE r [<!ENTITY a 'b'>]><rss><channel><item><title>x & y</title></item>", Malformed, "entities"),
    ],
)
def test_what_is_no_feed_is_named(body: bytes, error: type[ParseError], says: str) -> None:
    with pytest.raises(error, match=says) as raised:
        parse(body)
    assert type(raised.value) is error
    assert "\n" not in str(raised.value)


def test_a_document_type_that_names_a_file_opens_nothing() -> None:
    body = f'<!DOCTYPE rss PUBLIC "-//N//DTD RSS 0.91//EN" "file:///nowhere"><rss><channel><item>{GOOD}</item></channel></rss>'
    opened: list[str] = []
    sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
    assert only(body).guid == "1"
    assert not [name for name in opened if "nowhere" in name]


def test_every_hostile_feed_is_read_or_named(shared: Path) -> None:
    named: set[str] = set()
    for line in (shared / "hostile/feeds/MANIFEST.jsonl").read_text().splitlines():
        row = json.loads(line)
        body = (shared / "hostile/feeds" / row["file"]).read_bytes()
        try:
            feed = parse(body, content_type="")
        except ParseError:
            named.add(row["file"].partition("-")[0])
            continue
        assert feed.entries, row
        for entry in feed.entries:
            assert entry.title.isprintable(), row
            assert len(entry.title) <= 500
    assert named <= {"xml", "jf", "gz"}


def test_every_recorded_feed_is_read(shared: Path) -> None:
    recorded = [*(shared / "fixtures").glob("*.xml"), *(shared / "fixtures").glob("*.atom")]
    assert recorded
    for path in recorded:
        feed = parse(path.read_bytes(), content_type="")
        assert feed.entries, path.name
        assert not feed.notices, path.name
        assert all(entry.published.at for entry in feed.entries), path.name
