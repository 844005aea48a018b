"""Letters that pass for others. Crowd feeds write "$𝐀𝐌𝐃" for style and "$АAPL", with a Cyrillic letter, to deceive.

Styled letters (mathematical, full-width, circled) have one plain reading and are read as it. A word that mixes
alphabets has none: it is taken for nothing, and the reader is warned.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final

LOOK_ALIKES: Final = str.maketrans(
    "АВЕКМНОРСТУХІЈЅасеорухіјѕԁԛԝԌΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυϲ", "ABEKMHOPCTYXIJSaceopyxijsdqwGABEZHIKMNOPTYXaiknopuc"
)
"""Cyrillic and Greek letters that look like Latin ones, after Unicode's list of confusable characters (UTS #39)."""
_STYLED: Final = {
    code: plain
    for start, end in ((0xFF04, 0xFF5A), (0x1D400, 0x1D7FF), (0x2460, 0x24E9), (0x1F130, 0x1F169))
    for code in range(start, end + 1)
    if len(plain := unicodedata.normalize("NFKC", chr(code))) == 1 and plain.isascii()
}
_ANY_STYLED: Final = re.compile("[\uff04-\uff5a\U0001d400-\U0001d7ff\u2460-\u24e9\U0001f130-\U0001f169]")
_TAG: Final = re.compile(r"(?<![\w$])\$([^\W_][\w\u0300-\u036f]{0,11})(?:[.\-][A-Z]{1,3}\b)?")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_LATIN: Final = re.compile("[A-Za-z]")
_STRUCK: Final = re.compile("[\u0300-\u036f]")
_DIGITS: Final = str.maketrans("015", "OIS")
"""Digits that stand for letters: "$C0ST"."""


def plain_letters(text: str) -> str:
    """The text with every styled letter as the plain one; offsets stay."""
    return text.translate(_STYLED) if not text.isascii() and _ANY_STYLED.search(text) else text


def warnings(text: str, known: Callable[[str], bool]) -> tuple[str, ...]:
    """A line for each cash-tag and word that passes for another. `known` tells the symbols of the lists."""
    found = [*_of_tags(text, known)] if "$" in text or "\uff04" in text else []
    if not text.isascii():
        found += _of_words(text)
    return tuple(dict.fromkeys(found))


def _of_tags(text: str, known: Callable[[str], bool]) -> Iterator[str]:
    plain = plain_letters(text)
    for tag in _TAG.finditer(plain):
        written = text[tag.start() : tag.end()]
        symbol = tag[1].upper()
        if written != tag[0]:
            if known(symbol):
                yield f"{written} is written in styled letters and read as ${symbol}"
            continue
        alike = _STRUCK.sub("", symbol).translate(LOOK_ALIKES)
        if symbol[0].isalpha() and sum(map(str.isalpha, symbol)) > 1 and not known(alike):
            alike = alike.translate(_DIGITS)
        if alike != symbol and known(alike):
            yield f"{written} only looks like ${alike} and is not read as it"


def _of_words(text: str) -> Iterator[str]:
    for match in _WORD.finditer(text):
        word = match[0]
        if not word.isascii() and _LATIN.search(word) and text[match.start() - 1 : match.start()] != "$":
            alike = word.translate(LOOK_ALIKES)
            if alike != word and alike.isascii():
                yield f'"{word}" mixes alphabets and only looks like "{alike}"'
