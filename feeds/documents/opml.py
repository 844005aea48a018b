"""Lists of feeds as OPML 2.0, the form in which feed readers exchange them.

Only outlines with an address count; folders are passed through. No document may declare entities or bring its own DTD.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from feeds.documents.decode import decode
from feeds.documents.text import clean
from feeds.documents.xml_feed import DECLARES
from feeds.errors import Malformed, NotAFeed
from feeds.models import Source

NAME_LIMIT: Final = 100
URL_LIMIT: Final = 2_000


@dataclass(frozen=True, slots=True)
class Outline:
    """A feed of a list, as it stands there; the address is not checked. `place` among the feeds counts from 1."""

    name: str
    url: str
    place: int


def read_opml(body: bytes) -> list[Outline]:
    """The feeds of a list in its order. Raises NotAFeed for another document and Malformed for broken XML."""
    outlines: list[Outline] = []
    seen: list[str] = []
    parser = expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        if not seen and name.lower() != "opml":
            raise NotAFeed(f"not a list of feeds: it begins with <{clean(name, limit=40)}>, not <opml>")
        seen.append(name)
        given = {key.lower(): value for key, value in attributes.items()}
        url = given.get("xmlurl", "").strip()
        if name.lower() == "outline" and url:
            title = clean(given.get("text") or given.get("title") or "", limit=NAME_LIMIT)
            outlines.append(Outline(title, clean(url, limit=URL_LIMIT), len(outlines) + 1))

    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    try:
        parser.Parse(decode(body, "").text, True)
    except expat.ExpatError:
        if not seen:
            raise NotAFeed("not a list of feeds: the document is no XML") from None
        raise Malformed(f"broken XML after feed {len(outlines)}; nothing was taken from it") from None
    return outlines


def write_opml(sources: Iterable[Source], title: str) -> str:
    """A list of `sources` that `read_opml` and other readers take."""
    rows = "".join(
        f'    <outline type="rss" text={quoteattr(source.name)} title={quoteattr(source.name)}'
        f" xmlUrl={quoteattr(source.url)}/>\n"
        for source in sources
    )
    head = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">\n  <head><title>{escape(title)}</title></head>\n'
    )
    return f"{head}  <body>\n{rows}  </body>\n</opml>\n"


def _refuse(*_: object) -> None:
    raise Malformed(DECLARES)
