"""Text at the door: nothing that drives a terminal passes, every real script does."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from feeds.documents.markup import read_markup
from feeds.documents.text import _plain_markup, clean, first_words, headline, html_to_text, safe_url

JOINERS = "\u200c\u200d"


def visible(text: str) -> bool:
    """Whether nothing in the text is a control, a direction mark, a surrogate or invisible."""
    return all(
        unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") or character in JOINERS
        for character in text
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("  two   blanks ", "two blanks"),
        ("tab\tnew\nline\r\nend", "tab new line end"),
        ("A\u2028B\u2029C\x85D", "A B C D"),
        ("title\x1b]0;PWNED\x07 end", "title end"),
        ("link\x1b]8;;http://evil.example/\x1b\\text\x1b]8;;\x1b\\", "linktext"),
        ("clip\x1b]52;c;cm0gLXJmIH4K\x1b\\board", "clipboard"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b\x00[2Jsplit", "split"),
        ("c1\x9b2J\x9d0;T\x9c end", "c1 end"),
        ("unended \x1b]0;stays", "unended 0;stays"),
        ("DCS\x1bPq#0~\x1b\\ end", "DCS end"),
        ("bell\x07\x07", "bell"),
        ("GRANTED \u202eDENIED\u202c", "GRANTED DENIED"),
        ("N\u200bV\ufeffD\u2061A\U000e0041", "NVDA"),
        ("N\u200cVDA", "NVDA"),
        ("soft\u00adhyphen", "softhyphen"),
        ("half \ud83d end", "half \ufffd end"),
        ("pair \ud83d\ude00", "pair \U0001f600"),
        ("private \ue000", "private \ufffd"),
        ("nbsp\xa0here", "nbsp here"),
        ("Z" + "\u0351" * 40, "Z" + "\u0351" * 4),
        ("\u05d8\u05d1\u05e2 TEVA", "\u05d8\u05d1\u05e2 TEVA"),
        ("日銀、利上げを決定", "日銀、利上げを決定"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
        ("\u2764\ufe0f 1\ufe0f\u20e3", "\u2764\ufe0f 1\ufe0f\u20e3"),
        ("\u2764\ufe0f\ufe0f\ufe0f", "\u2764\ufe0f"),
        ("[@click=app.quit]FREE[/] [/", "[@click=app.quit]FREE[/] [/"),
    ],
)
def test_clean(text: str, expected: str) -> None:
    assert clean(text, limit=100) == expected


@given(
    st.text(st.characters(), max_size=60) | st.text(st.sampled_from("\x1b\x9b\x9d[]0;mA\x07\\\u200d\ufe0f\u0301é \n"))
)
@example("\u200d\ufe0f\u0301")
@example("\ufe0f\u200d\U0001f468")
def test_clean_is_idempotent_and_lets_nothing_pass(text: str) -> None:
    for one_line in (True, False):
        once = clean(text, limit=40, one_line=one_line)
        assert len(once) <= 40
        assert visible(once.replace("\n", "") if not one_line else once)
        assert clean(once, limit=40, one_line=one_line) == once
        once.encode()


def test_no_control_and_no_format_character_passes() -> None:
    for code in range(0x110000):
        character = chr(code)
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            assert visible(clean(f"a{character}b", limit=9)), hex(code)


def test_a_cut_text_says_so() -> None:
    assert clean("word " * 100, limit=11) == "word word…"
    assert clean("a" * 200_000, limit=5) == "aaaa…"


def test_lines_stay_where_they_are_wanted() -> None:
    assert clean("a  b\r\n\r\n\n\nc\td ", limit=100, one_line=False) == "a b\n\nc d"


def test_no_hostile_text_passes(shared: Path) -> None:
    for name, field in (("terminal_escapes", "payload"), ("unicode_spoofs", "text"), ("markup", "text")):
        for line in (shared / f"hostile/{name}.jsonl").read_text().splitlines():
            row = json.loads(line)
            text = clean(row[field], limit=5000)
            assert visible(text), row["id"]
            if name == "terminal_escapes" and row["id"] != "long-osc":
                assert text.startswith("HEAD"), row["id"]
                assert text.endswith("TAIL"), row["id"]
            if name == "markup":
                assert text == " ".join(row["text"].split()), row["id"]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Q&A - ACME & Co.", "Q&A - ACME & Co."),
        ("AT&amp;T &#x27;wins&#x27; &lt;b&gt;deal&lt;/b&gt;", "AT&T 'wins' deal"),
        ("A free guide to <head> elements", "A free guide to <head> elements"),
        ("<b>Fed</b> <script>alert(1)</script> cuts", "Fed cuts"),
        ("one<br/>two", "one two"),
        ("a < b and 5 > 4", "a < b and 5 > 4"),
        ("&#27;]0;x&#7;ESC", "]0;xESC"),
        ("array[x[0]]> 5", "array[x[0]]> 5"),
        ('<a href="javascript:x">link</a>', "link"),
        ("AT&amp;amp;T", "AT&amp;T"),
    ],
)
def test_headline(title: str, expected: str) -> None:
    assert headline(title, limit=100) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("plain", "plain"),
        ("Fish &amp; chips", "Fish & chips"),
        ("<p>One</p><p>Two <b>bold</b>ly</p>", "One Two boldly"),
        ("&lt;p&gt;escaped twice&lt;/p&gt;", "escaped twice"),
        ("5 &lt; 6 and 7 &gt; 6", "5 < 6 and 7 > 6"),
        ("a<!-- hidden -->b", "ab"),
        ("<style>p{}</style>text<script>alert('<p>')</script>", "text"),
        ('<img alt="a > b">after', "after"),
        ("<p>never <b>closed", "never closed"),
        ("broken <tag", "broken <tag"),
        ("<table><tr><td>1</td><td>2</td></tr></table>", "1 2"),
        ("x&nbsp;y&hellip;", "x y…"),
    ],
)
def test_html_to_text(markup: str, expected: str) -> None:
    assert html_to_text(markup, limit=100) == expected


@given(
    st.lists(
        st.sampled_from(
            ["a", " b ", "<p>", "</p>", "<b>", "</b>", "<br/>", '<a href="x y">', "</a>", "&amp;", "<!--", "<x"]
        )
    ).map("".join)
)
def test_the_quick_way_through_markup_agrees_with_the_long_one(markup: str) -> None:
    plain = _plain_markup(markup)
    assert plain is None or clean(plain, limit=500) == clean(read_markup(markup), limit=500)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RULE 8.3 notice: ACME plc", "RULE 8.3 notice: ACME plc"),
        ("The first sentence says it all. The second does not.", "The first sentence says it all."),
        ("word " * 60, "word " * 18 + "word…"),
        ("x" * 300, "x" * 99 + "…"),
        ("", ""),
    ],
)
def test_first_words(text: str, expected: str) -> None:
    assert first_words(text) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://x.example/a?b=1", "https://x.example/a?b=1"),
        (" https://x.example/a\n", "https://x.example/a"),
        ("HTTPS://X.Example:8080/A", "https://x.example:8080/A"),
        ("/rel/path", "https://base.example/rel/path"),
        ("//other.example/x", "https://other.example/x"),
        ("https://x.example/a b\"'`<>", "https://x.example/a%20b%22'%60%3C%3E"),
        ("https://www.\u0455ec.gov/", "https://www.xn--ec-doc.gov/"),
        ("https://x.example/日本", "https://x.example/%E6%97%A5%E6%9C%AC"),
        ("http://[::1]:80/", "http://[::1]:80/"),
        ("javascript:alert(1)", ""),
        ("JaVaScRiPt:alert(1)", ""),
        ("java\nscript:alert(1)", ""),
        ("file:///etc/passwd", ""),
        ("data:text/html,x", ""),
        ("https://user:pw@x.example/", ""),
        ("https://www.sec.gov@evil.example/", ""),
        ("https://x.example/\x1b[2J", ""),
        ("https://x.example:0/", ""),
        ("https://x.example:99999/", ""),
        ("https://-x.example/", ""),
        ("https://[broken/", ""),
        ("https://x.example/" + "a" * 3000, ""),
        ("", ""),
    ],
)
def test_safe_url(url: str, expected: str) -> None:
    assert safe_url(url, "https://base.example/feed") == expected


def test_an_address_without_scheme_needs_a_base() -> None:
    assert safe_url("-new-window") == ""
    assert safe_url("evil.example") == ""


@given(st.text(max_size=40).map("https://x.example/".__add__) | st.text(max_size=40))
def test_a_safe_url_is_printable_and_stays_as_it_is(url: str) -> None:
    safe = safe_url(url)
    assert not safe or (safe.isascii() and safe.isprintable() and " " not in safe and safe.startswith("http"))
    assert safe_url(safe) == safe


def test_no_hostile_link_may_be_opened(shared: Path) -> None:
    for line in (shared / "hostile/urls.jsonl").read_text().splitlines():
        row = json.loads(line)
        safe = safe_url(row["url"])
        assert not (safe and row["id"].startswith("open-")), row["id"]
        assert not safe or (safe.isascii() and safe.isprintable() and safe[0] != "-" and " " not in safe), row["id"]
