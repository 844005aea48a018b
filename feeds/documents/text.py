"""Text from outside becomes plain, printable text here, once, before anything stores or shows it.

What is removed: whole terminal sequences, control characters, direction controls, invisible and tag characters,
piled-up combining marks, lone surrogates. What is kept: every real script, emoji with their joiners, brackets and
markup characters (the screen never parses text as markup).
"""

from __future__ import annotations

import html
import re
import unicodedata
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

_C0 = dict.fromkeys([*range(0x07), 0x08, *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F])
_SEQUENCE = re.compile(
    r"(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # OSC with its end
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*(?:\x1b\\|\x9c)"  # DCS, SOS, PM, APC with their end
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI
    r"|\x1b[ -/]*[0-~]?"  # any other escape, and the beginning of a string that never ends
)
_INVISIBLE = (
    *range(0x80, 0x85), *range(0x86, 0xA0),
    0x07, 0x1B, 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x200B, 0x200E, 0x200F,
    *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164, *range(0xFE00, 0xFE0E), 0xFEFF, 0xFFA0,
    *range(0xFFF0, 0xFFFC), 0xFFFE, 0xFFFF, *range(0x1D173, 0x1D17B), *range(0x1BCA0, 0x1BCA4),
    *range(0xE0000, 0xE1000), *range(0x0600, 0x0606), 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD,
    *range(0x13430, 0x13440),
)  # fmt: skip
_TABLE: dict[int, str | None] = {
    **dict.fromkeys(_INVISIBLE),
    **dict.fromkeys((0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029), "\n"),
    0x09: " ",
    0x2800: " ",
}
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]"
)
"""Those of `_TABLE` that Python calls printable."""
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
_JOINERS = re.compile("[\u200c\u200d\ufe0e\ufe0f]+")
_MARKS = 4
"""Combining marks kept on one letter; every living script needs fewer."""
_MANY_MARKS = re.compile(
    r"[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u0eff\u1ab0-\u1dff\u20d0-\u20ff\ua66f-\ua8ff\ufe20-\ufe2f]{5}"
)


def clean(text: str, *, limit: int, one_line: bool = True) -> str:
    """`text` as printable text of at most `limit` characters, ending in "…" where it was cut.

    Idempotent. With `one_line` every run of white space is one blank; without it lines stay, blank lines at most one.
    """
    if len(text) <= limit and text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    text = text[: limit * 8]
    if not (text.isascii() and text.isprintable()):
        text = _visible(text)
    if one_line:
        text = " ".join(text.split())
    else:
        lines = (" ".join(line.split()) for line in text.split("\n"))
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _visible(text: str) -> str:
    text = text.replace("\xa0", " ")
    if not text.isprintable():
        text = _SEQUENCE.sub("", text.translate(_C0))
        text = _PRIVATE.sub("\ufffd", _whole(text.replace("\r\n", "\n").translate(_TABLE)))
    elif _UNSEEN.search(text):
        text = text.translate(_TABLE)
    if text.isascii():
        return text
    text = _JOINERS.sub(_joiner, text)
    return _few_marks(text) if _MANY_MARKS.search(text) else text


def _whole(text: str) -> str:
    """Surrogate pairs joined, lone halves replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _joiner(run: re.Match[str]) -> str:
    """What of a run of joiners and emoji selectors has a use: a selector, and a joiner in a script that joins."""
    before, after = run.string[run.start() - 1 : run.start()], run.string[run.end() : run.end() + 1]
    selector = run[0][0] if run[0][0] in "\ufe0e\ufe0f" else ""
    if not before > "\xff" or before.isspace():
        return selector if before and before in "#*0123456789©®" else ""
    joiner = next((character for character in run[0] if character in "\u200c\u200d"), "")
    return selector + (joiner if after > "\xff" and not after.isspace() else "")


def _few_marks(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks <= _MARKS:
            kept.append(character)
    return "".join(kept)


HIDDEN = frozenset(("script", "style", "template", "noscript", "iframe", "object", "svg", "head", "title"))
_INLINE = (
    "a|abbr|acronym|b|bdi|bdo|big|br|cite|code|del|dfn|div|em|font|h[1-6]|i|img|ins|kbd|li|mark|ol|p|q|s|samp|small|span|strike"
    "|strong|sub|sup|tt|u|ul|var|wbr|nobr|center"
)
_FORMATTING = re.compile(rf"</?(?:{_INLINE})(?:\s[^<>]{{0,2000}})?\s*/?>", re.IGNORECASE)
_BREAKING = re.compile(r"<(?:br|p|div|li|h[1-6])\b", re.IGNORECASE)
_ACTIVE = re.compile(r"<(script|style)\b[^<>]{0,2000}>.{0,20000}?</\1\s*>", re.IGNORECASE | re.DOTALL)
INLINE = frozenset(
    (
        "a",
        "abbr",
        "b",
        "big",
        "cite",
        "code",
        "em",
        "font",
        "i",
        "mark",
        "nobr",
        "q",
        "s",
        "small",
        "span",
        "strong",
        "u",
    )
)
_ELEMENT = re.compile(r"""</?([a-zA-Z][a-zA-Z0-9]*)(?:\s(?:[^<>"']|"[^"<>]*"|'[^'<>]*')*)?/?>""")
_NOT_PLAIN = re.compile(rf"<(?:[!?]|(?:{'|'.join(sorted(HIDDEN))}|textarea|plaintext|xmp)\b)", re.IGNORECASE)


def headline(text: str, *, limit: int) -> str:
    """A title as one plain line. `text` is the title after the XML or JSON layer was undone.

    The rule: character references that are still there are decoded once; then formatting elements (a closed list: b,
    em, a, br ...) and scripts are taken out, and everything else in angle brackets stays, because a headline may speak
    of a <head> element.
    """
    if "&" in text:
        text = html.unescape(text[: limit * 8])
    if "<" in text:
        text = _ACTIVE.sub(" ", text)
        text = _FORMATTING.sub(lambda tag: " " if _BREAKING.match(tag[0]) else "", text)
    return clean(text, limit=limit)


def html_to_text(text: str, *, limit: int) -> str:
    """The readable text of an HTML fragment on one line: references decoded, elements and hidden parts left out.

    A body that was escaped twice (no element, but elements appear once its references are decoded) is undone once more.
    """
    text = text[: limit * 8]
    if "<" not in text:
        if "&" not in text:
            return clean(text, limit=limit)
        decoded = html.unescape(text)
        if not _FORMATTING.search(decoded):
            return clean(decoded, limit=limit)
        text = decoded
    plain = _plain_markup(text)
    if plain is None:
        from feeds.documents.markup import (
            read_markup,  # here, because the HTML parser costs 20 ms and few texts need it
        )

        plain = read_markup(text)
    return clean(plain, limit=limit)


def _plain_markup(text: str) -> str | None:
    """What `markup` gives, at a tenth of its cost, for well-formed elements with nothing hidden; else None."""
    if _NOT_PLAIN.search(text):
        return None
    bare = _ELEMENT.sub(lambda tag: "" if tag[1].casefold() in INLINE else " ", text)
    return None if "<" in bare else html.unescape(bare)


def first_words(text: str) -> str:
    """A title for what has none: the first sentence of the text, at most 100 characters, cut between words."""
    line = clean(text, limit=1000)
    sentence = re.match(r".{20,100}?[.!?。！？](?=\s|$)", line)
    if sentence:
        return sentence[0]
    if len(line) <= 100:
        return line
    head = line[:99]
    return (head.rsplit(" ", 1)[0] if " " in head[50:] else head).rstrip(" ,;:") + "…"


_HOST = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.?|\[[0-9a-f:.]+\]")
_PLAIN_URL = re.compile(r"https?://(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}/[A-Za-z0-9/%:!$&*+,;=~._?-]*")
_URL_LIMIT = 2048


def safe_url(url: str, base: str = "") -> str:
    """`url`, resolved against `base`, as an address that may be opened: http or https, no credentials, printable ASCII.

    Anything else is "" (another scheme, a control character inside, an impossible host or port, over 2048 characters).
    """
    url = url.strip(" \t\r\n\f")
    if len(url) <= _URL_LIMIT and _PLAIN_URL.fullmatch(url):
        return url
    if not url or len(url) > _URL_LIMIT or any(ord(character) < 0x20 or character == "\x7f" for character in url):
        return ""
    try:
        parts = urlsplit(urljoin(base, url) if base else url)
        host, port = (parts.hostname or ""), parts.port
        host = host if host.isascii() else host.encode("idna").decode()
    except (ValueError, UnicodeError):
        return ""
    host = f"[{host}]" if ":" in host else host.casefold()
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or not _HOST.fullmatch(host) or port == 0:
        return ""
    path, query, fragment = (
        quote(clean(part, limit=_URL_LIMIT), safe="/%:@!$&'()*+,;=~-._?")
        for part in (parts.path, parts.query, parts.fragment)
    )
    netloc = host if port is None else f"{host}:{port}"
    safe = urlunsplit((parts.scheme, netloc, path, query, fragment))
    return safe if len(safe) <= _URL_LIMIT else ""
