"""The process in which feeds are parsed, so that a document can cost no more than this process.

It is started by `feeds.documents.parse`, reads one request after another from standard input and answers on standard
output; when its parent goes away it ends. Requests and answers are JSON: nothing that comes out of here is ever
executed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from datetime import datetime
from typing import Any, BinaryIO

from feeds.documents.decode import decode
from feeds.documents.entries import build
from feeds.documents.json_feed import read_json
from feeds.documents.loose_feed import read_loose
from feeds.documents.text import clean
from feeds.documents.xml_feed import NotWellFormed, Raw, read_xml
from feeds.errors import Malformed, NotAFeed, ParseError, ParserKilled
from feeds.models import ParsedFeed, Published

_GRACE_S = 0.4
"""Seconds past the limit after which the worker ends itself; its parent is faster as long as there is one."""


def parse_document(
    body: bytes, content_type: str, *, base_url: str, now: datetime, max_entries: int = 500
) -> ParsedFeed:
    """The feed in `body`, in this process and without limits. Raises NotAFeed or Malformed."""
    decoded = decode(body, content_type)
    text = decoded.text
    if not text:
        raise NotAFeed("not a feed: empty")
    raw = _read(text, max_entries)
    entries, notices = build(raw.entries, base_url=base_url, now=now)
    said = tuple(dict.fromkeys((*decoded.notices, *raw.notices, *notices)))
    return ParsedFeed(clean(raw.title, limit=200), raw.format, entries, said)


def _read(text: str, max_entries: int) -> Raw:
    if text[0] in "{[":
        return read_json(text, max_entries=max_entries)
    if text[0] != "<":
        raise NotAFeed("not a feed: neither XML nor JSON")
    try:
        return read_xml(text, max_entries=max_entries)
    except NotWellFormed:
        return read_loose(text, max_entries=max_entries)


def to_json(feed: ParsedFeed) -> dict[str, Any]:
    """A parsed feed as plain JSON values; `feeds.documents.parse` reads it back."""
    return {
        "title": feed.title,
        "format": feed.format,
        "notices": feed.notices,
        "entries": [
            (e.guid, e.url, e.title, e.summary, _time(e.published), e.outlet, _time(e.updated)) for e in feed.entries
        ],
    }


def _time(published: Published) -> tuple[str | None, str, str | None]:
    return published.at.isoformat() if published.at else None, published.precision, published.doubt


def _answer(header: dict[str, Any], body: bytes) -> dict[str, Any]:
    try:
        feed = parse_document(
            body,
            header["content_type"],
            base_url=header["base_url"],
            now=datetime.fromisoformat(header["now"]),
            max_entries=header["max_entries"],
        )
    except ParseError as error:
        return {"error": type(error).__name__, "message": str(error)}
    except MemoryError:
        return {"error": ParserKilled.__name__, "message": "the document needs too much memory"}
    except Exception as error:  # noqa: BLE001 - a fault in a parser fails this document, not the worker
        return {"error": Malformed.__name__, "message": f"the parser failed: {type(error).__name__}"}
    return to_json(feed)


def _limit_memory(limit: int) -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        return  # a system without this limit still has the one of time


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until they end. A request that outlives its parent is ended by the alarm."""
    while len(size := requests.read(8)) == 8:
        header = json.loads(requests.read(int.from_bytes(size[:4], "big")))
        body = requests.read(int.from_bytes(size[4:], "big"))
        signal.setitimer(signal.ITIMER_REAL, header["timeout_s"] + _GRACE_S)
        answer = json.dumps(_answer(header, body), ensure_ascii=False, separators=(",", ":")).encode()
        signal.setitimer(signal.ITIMER_REAL, 0)
        answers.write(len(answer).to_bytes(4, "big") + answer)
        answers.flush()


def main() -> None:
    """Run as the worker: standard output belongs to the answers, whatever a library prints goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _limit_memory(int(sys.argv[1]))
    try:
        serve(sys.stdin.buffer, answers)
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    main()
