"""The text of HTML that is not plain: comments, hidden elements, broken tags."""

from __future__ import annotations

from html.parser import HTMLParser

from feeds.documents.text import HIDDEN, INLINE


def read_markup(text: str) -> str:
    """The text outside hidden elements, as the standard library's parser reads it."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return "".join(reader.parts)


class _Reader(HTMLParser):
    """Collects the text outside hidden elements; block elements separate words."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._hidden and tag in HIDDEN:
            self._hidden = tag
        if tag not in INLINE:
            self.parts.append(" ")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._hidden:
            self._hidden = ""
        if tag not in INLINE:
            self.parts.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)
