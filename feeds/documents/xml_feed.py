"""RSS, RDF and Atom documents that are well-formed, read in one pass of expat.

No document may declare entities or bring its own DTD. What stands after a cut is not an entry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html.entities import html5
from typing import Literal
from xml.parsers import expat

from feeds.documents.entries import RawEntry
from feeds.errors import Malformed, NotAFeed

Format = Literal["rss", "atom", "rdf", "json"]

_ATOM = ("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#")
_DUBLIN = ("http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/")
_CONTENT = "http://purl.org/rss/1.0/modules/content/"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_FEEDBURNER = "http://rssnamespace.org/feedburner/ext/1.0"
_RSS_FIELDS = frozenset(("title", "link", "guid", "description", "pubDate", "source"))
_ATOM_FIELDS = frozenset(
    ("title", "link", "id", "summary", "content", "published", "issued", "updated", "modified"),
)
_DUBLIN_FIELDS = frozenset(("date", "issued", "modified", "title", "description", "identifier"))
_WEB_PAGES = frozenset(("html", "head", "body", "div", "script"))
_CUT = frozenset(
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
    )
)
_SECOND_DOCUMENT = expat.errors.codes[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]

DECLARES = "refused: the document declares types or entities of its own"
CUT_OFF = "the document is cut off; the last entry waits for the next poll"


@dataclass(slots=True)
class Raw:
    """A document read but not yet cleaned."""

    format: Format
    title: str = ""
    entries: list[RawEntry] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


class NotWellFormed(Exception):
    """The document breaks the rules of XML in its middle; a more tolerant parser may read it."""


def read_xml(text: str, *, max_entries: int) -> Raw:
    """The entries of a document, at most the first `max_entries`.

    Raises NotAFeed for other documents, Malformed for a feed without content, NotWellFormed for broken XML.
    """
    reader = _Reader(max_entries)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.UseForeignDTD(True)
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.data
    parser.SkippedEntityHandler = reader.entity
    parser.StartDoctypeDeclHandler = _doctype
    parser.EntityDeclHandler = _refuse
    try:
        parser.Parse(text, True)
    except _EnoughError:
        reader.notices.append(f"only the first {max_entries} entries were read")
    except expat.ExpatError as error:
        if reader.root is None:
            raise NotAFeed("not a feed: the document is no XML") from None
        if error.code in _CUT:
            reader.notices.append(CUT_OFF)
        elif error.code == _SECOND_DOCUMENT:
            reader.notices.append("text after the end of the document was ignored")
        else:
            raise NotWellFormed(str(error)) from None
    return reader.result()


class _EnoughError(Exception):
    """As many entries as wanted."""


def _doctype(name: str, system_id: str | None, public_id: str | None, has_internal_subset: int) -> None:
    if name.casefold() == "html":
        raise NotAFeed("not a feed: a web page came instead")
    if has_internal_subset:
        raise Malformed(DECLARES)


def _refuse(*_: object) -> None:
    raise Malformed(DECLARES)


class _Reader:
    """Collects entries while expat walks the document.

    `capture` is the field whose text is being read and `captured_at` the depth of its element, so that markup inside a
    field (XHTML, unescaped HTML) adds its words and nothing else.
    """

    def __init__(self, max_entries: int) -> None:
        self.max_entries = max_entries
        self.root: Format | None = None
        self.has_channel = False
        self.title = ""
        self.entries: list[RawEntry] = []
        self.notices: list[str] = []
        self._depth = 0
        self._entry: RawEntry | None = None
        self._entry_depth = 0
        self._home = ""
        self._fields: dict[str, str] = {}
        self._capture: str | None = None
        self._captured_at = 0
        self._inside_source = False
        self._text: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._capture:
            self._text.append(" ")
            return
        space, _, local = name.rpartition(" ")
        if self._depth == 1:
            self._open(space, local)
        elif self._entry is None:
            self._outside(space, local, attributes)
        elif self._depth == self._entry_depth + 1:
            self._inside_source = local == "source" and space in _ATOM
            self._field(space, local, attributes)
        elif self._inside_source and local == "title":
            self._begin("outlet")

    def end(self, name: str) -> None:
        if self._capture and self._depth == self._captured_at:
            text = "".join(self._text).strip()
            if self._capture == "feed title":
                self.title = self.title or text
            elif text:
                self._fields.setdefault(self._capture, text)
            self._capture = None
        elif self._capture:
            self._text.append(" ")
        elif self._entry is not None and self._depth == self._entry_depth:
            self._finish(self._entry)
        self._depth -= 1

    def data(self, text: str) -> None:
        if self._capture:
            self._text.append(text)

    def entity(self, name: str, is_parameter: int) -> None:
        if self._capture and not is_parameter:
            self._text.append(html5.get(f"{name};", f"&{name};"))

    def result(self) -> Raw:
        if self.root is None:
            raise NotAFeed("not a feed: empty")
        if self.root == "rss" and not self.has_channel:
            raise Malformed("a feed without a channel: nothing in it")
        return Raw(self.root, self.title, self.entries, self.notices)

    def _open(self, space: str, local: str) -> None:
        if local.casefold() == "rss":
            self.root = "rss"
        elif local == "RDF" and space == _RDF:
            self.root = "rdf"
        elif local == "feed" and (space in _ATOM or not space):
            self.root = "atom"
        elif local.casefold() in _WEB_PAGES:
            raise NotAFeed("not a feed: a web page came instead")
        else:
            raise NotAFeed(f"not a feed: the document is a <{local[:40]}>")

    def _outside(self, space: str, local: str, attributes: dict[str, str]) -> None:
        if local == ("entry" if self.root == "atom" else "item"):
            if len(self.entries) >= self.max_entries:
                raise _EnoughError
            about = attributes.get(f"{_RDF} about", "")
            self._home = space
            self._entry = RawEntry(guid=about, links=[about] if about else [])
            self._entry_depth, self._fields = self._depth, {}
        elif local == "channel":
            self.has_channel = True
        elif local == "title" and self._depth == (2 if self.root == "atom" else 3) and not self.title:
            self._begin("feed title")

    def _field(self, space: str, local: str, attributes: dict[str, str]) -> None:
        if local == "link" and space in _ATOM and "href" in attributes:
            self._atom_link(attributes)
        elif space in _ATOM or space == self._home:
            if local == "guid" and attributes.get("isPermaLink", "true").casefold() == "false":
                self._begin("guid, no link")
            elif local in (_ATOM_FIELDS if self.root == "atom" or space in _ATOM else _RSS_FIELDS):
                self._begin(local)
        elif space in _DUBLIN and local in _DUBLIN_FIELDS:
            self._begin(f"dc:{local}")
        elif (space, local) in ((_CONTENT, "encoded"), (_FEEDBURNER, "origLink")):
            self._begin(local)

    def _atom_link(self, attributes: dict[str, str]) -> None:
        if self._entry is not None and attributes.get("rel", "alternate") == "alternate":
            is_page = "html" in attributes.get("type", "html")
            self._entry.links.insert(0 if is_page else len(self._entry.links), attributes["href"])

    def _begin(self, name: str) -> None:
        self._capture, self._captured_at, self._text = name, self._depth, []

    def _finish(self, entry: RawEntry) -> None:
        get = self._fields.get
        guid = get("guid", "")
        permalink = guid if guid[:4].casefold() == "http" else ""
        entry.guid = get("id") or guid or get("guid, no link") or entry.guid or get("dc:identifier", "")
        entry.links = [link for link in (get("origLink"), get("link"), *entry.links, permalink) if link]
        entry.title = get("title") or get("dc:title", "")
        entry.summary = _first(get, "summary", "description", "content", "encoded", "dc:description")
        entry.published = _first(get, "published", "issued", "pubDate", "dc:date", "dc:issued")
        entry.updated = _first(get, "updated", "modified", "dc:modified")
        entry.outlet = get("source") or get("outlet", "")
        self.entries.append(entry)
        self._entry, self._inside_source = None, False


def _first(get: Callable[[str, str], str], *names: str) -> str:
    return next((value for name in names if (value := get(name, ""))), "")
