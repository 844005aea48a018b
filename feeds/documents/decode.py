"""From bytes to text before any parser sees them, because a parser that guesses makes mojibake without saying so.

The order: byte order mark, valid UTF-8 (it does not happen by accident), the label of the transport, the declaration in
the document, Windows-1252. UTF-8 with a few bad bytes stays UTF-8 with U+FFFD in their place.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LABEL = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_DECLARED = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]+)", re.IGNORECASE)
_DECLARATION = re.compile(r"\A\s*<\?xml\s[^>]{0,300}\?>")
_KNOWN = re.compile(
    r"utf-?(?:8|16|32)|us-ascii|ascii|latin|iso-?8859|iso-2022|windows-|cp\d|koi8|gb|hz|big5|euc|s(?:hift)?_?jis"
)
_MEANT = {
    "iso-8859-1": "cp1252",
    "latin-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "iso-8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "sjis": "cp932",
    "euc-kr": "cp949",
    "big5": "big5hkscs",
    "utf8": "utf-8",
    "utf-16": "utf-16-be",
}
"""What publishers mean by a name, where that is more than the name says (the reading of the WHATWG standard)."""

_FORBIDDEN = {code: None for code in range(0x20) if code not in (0x07, 0x09, 0x0A, 0x0D, 0x1B)} | {0x0B: " ", 0x0C: " "}


@dataclass(frozen=True, slots=True)
class Decoded:
    """The document as text, without byte order mark and XML declaration. `notices` say what was wrong, in words."""

    text: str
    notices: tuple[str, ...] = ()


def decode(body: bytes, content_type: str) -> Decoded:
    """The text of a document. Never fails: unreadable bytes become U+FFFD and a notice."""
    text, notices = _text(body, content_type)
    text = text.lstrip(" \t\r\n\x00\ufeff\x0b\x0c")
    if not text.isprintable():
        text = text.translate(_FORBIDDEN)
    return Decoded(_DECLARATION.sub("", text).lstrip(), notices)


def _text(body: bytes, content_type: str) -> tuple[str, tuple[str, ...]]:
    for mark, name in _MARKS:
        if body.startswith(mark):
            return _replaced(body[len(mark) :], name)
    if body[:2] in (b"<\0", b"\0<"):
        return _replaced(body, "utf-16-le" if body[:1] == b"<" else "utf-16-be")
    label = _LABEL.search(content_type)
    declared = _DECLARED.search(body[:1024])
    named = [name for name in (label[1] if label else "", declared[1].decode() if declared else "") if name]
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return _not_quite_utf8(body, [name.casefold() for name in named])
    foreign = next((name for name in named if not name.casefold().startswith("utf") and not body.isascii()), "")
    return text, (f"labelled {foreign}, but the text is UTF-8",) if foreign else ()


def _not_quite_utf8(body: bytes, named: list[str]) -> tuple[str, tuple[str, ...]]:
    text = body.decode(errors="replace")
    bad = text.count("\ufffd")
    good = sum(character > "\x7f" and character != "\ufffd" for character in text)
    says_utf8 = any(name in ("utf-8", "utf8") for name in named)
    if bad <= good / 4 or (says_utf8 and bad <= 2):
        return _replaced(body, "utf-8")
    for name in named:
        encoding = _MEANT.get(name, name)
        if _KNOWN.match(encoding) and not encoding.startswith("utf"):
            try:
                return _replaced(body, encoding)
            except LookupError:
                continue
    text, notices = _replaced(body, "cp1252")
    return text, (*notices, "the encoding is not named rightly; read as Windows-1252")


def _replaced(body: bytes, encoding: str) -> tuple[str, tuple[str, ...]]:
    text = body.decode(encoding, errors="replace")
    bad = text.count("\ufffd")
    return text, (f"{bad} unreadable characters",) if bad else ()
