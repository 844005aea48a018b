"""Bytes become text before any parser guesses."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.documents.decode import decode

RUBLE = "Рубль падает"
UTF8 = RUBLE.encode()


def declared(encoding: str, text: str) -> bytes:
    return f'<?xml version="1.0" encoding="{encoding}"?><t>{text}</t>'.encode(encoding, "replace")


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        pytest.param(b"<t>plain</t>", "text/xml", "<t>plain</t>", id="ascii"),
        pytest.param(codecs.BOM_UTF8 + UTF8, "", RUBLE, id="byte order mark"),
        pytest.param(codecs.BOM_UTF16_LE + RUBLE.encode("utf-16-le"), "text/xml; charset=utf-8", RUBLE, id="utf-16"),
        pytest.param("<t>é</t>".encode("utf-16-be"), "", "<t>é</t>", id="utf-16 without mark"),
        pytest.param(codecs.BOM_UTF32_LE + RUBLE.encode("utf-32-le"), "", RUBLE, id="utf-32"),
        pytest.param(RUBLE.encode("cp1251"), "text/xml; charset=windows-1251", RUBLE, id="label"),
        pytest.param(declared("windows-1251", RUBLE), "", f"<t>{RUBLE}</t>", id="declaration"),
        pytest.param(b" \n " + declared("windows-1251", RUBLE), "", f"<t>{RUBLE}</t>", id="blank before declaration"),
        pytest.param(declared("gb2312", "央行降息"), "", "<t>央行降息</t>", id="gb2312"),
        pytest.param("<t>鎔</t>".encode("gb18030"), "text/xml; charset=gb2312", "<t>鎔</t>", id="gb18030"),
        pytest.param(declared("shift_jis", "トヨタ"), "", "<t>トヨタ</t>", id="shift_jis"),
        pytest.param("<t>café</t>".encode("latin-1"), "", "<t>café</t>", id="latin-1, not said"),
        pytest.param("“quoted” café".encode("cp1252"), "text/xml; charset=iso-8859-1", "“quoted” café", id="cp1252"),
        pytest.param("café über".encode("latin-1"), "text/xml; charset=utf-7", "café über", id="refused codec"),
        pytest.param("café über".encode("latin-1"), "text/xml; charset=x-none", "café über", id="unknown codec"),
        pytest.param(b"A\x0cB\x00C", "", "A BC", id="form feed and nul"),
        pytest.param(b"", "", "", id="empty"),
    ],
)
def test_decode(body: bytes, content_type: str, text: str) -> None:
    assert decode(body, content_type).text == text


@pytest.mark.parametrize("content_type", ["text/xml; charset=windows-1251", "text/xml"])
def test_valid_utf8_wins_over_a_label_that_lies(content_type: str) -> None:
    body = b'<?xml version="1.0" encoding="windows-1251"?>' + UTF8
    decoded = decode(body, content_type)
    assert decoded.text == RUBLE
    assert decoded.notices == ("labelled windows-1251, but the text is UTF-8",)


def test_a_few_bad_bytes_do_not_turn_the_rest_to_mojibake() -> None:
    decoded = decode(UTF8[:4] + b"\xff" + UTF8[4:], "text/xml; charset=utf-8")
    assert decoded.text.replace("\ufffd", "") == RUBLE
    assert decoded.notices == ("1 unreadable characters",)
    assert decode(b"<t>price \xff</t>", "text/xml; charset=utf-8").text == "<t>price \ufffd</t>"


def test_a_guess_is_said() -> None:
    assert "Windows-1252" in decode("<t>café</t>".encode("latin-1"), "").notices[-1]


@given(st.binary(max_size=200), st.sampled_from(["", "text/xml; charset=utf-8", "x; charset=gb2312", "charset=\xff"]))
def test_decode_never_fails(body: bytes, content_type: str) -> None:
    decode(body, content_type).text.encode("utf-8", "surrogatepass")
