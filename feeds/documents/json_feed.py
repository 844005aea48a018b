"""JSON Feed (https://jsonfeed.org/version/1.1), which the XML parsers do not read.

Wrong types are passed over one by one; of a key given twice the last counts; NaN and Infinity are no values.
"""

from __future__ import annotations

import json
from typing import Any

from feeds.documents.entries import RawEntry
from feeds.documents.xml_feed import Raw
from feeds.errors import Malformed, NotAFeed


def read_json(text: str, *, max_entries: int) -> Raw:
    """The entries of a document. Raises NotAFeed for other JSON, Malformed for text that is no JSON."""
    try:
        document = json.loads(text, parse_constant=lambda name: None)
    except RecursionError:
        raise Malformed("a JSON document nested too deep") from None
    except ValueError as error:
        raise Malformed(f"broken JSON: {str(error)[:120]}") from None
    if not isinstance(document, dict) or not isinstance(document.get("items"), list):
        raise NotAFeed("not a feed: JSON without a list of items")
    if "jsonfeed.org" not in _text(document.get("version")):
        raise NotAFeed("not a feed: JSON that is no JSON Feed")
    raw = Raw("json", _text(document.get("title")))
    items = document["items"]
    raw.entries = [_entry(item) for item in items[:max_entries] if isinstance(item, dict)]
    if odd := len(items[:max_entries]) - len(raw.entries):
        raw.notices.append(f"{odd} items that are no objects were left out")
    if len(items) > max_entries:
        raw.notices.append(f"only the first {max_entries} entries were read")
    return raw


def _entry(item: dict[str, Any]) -> RawEntry:
    plain = _text(item.get("content_text"))
    markup = _text(item.get("content_html"))
    summary = _text(item.get("summary")) or plain
    return RawEntry(
        guid=_text(item.get("id")),
        links=[link for key in ("url", "external_url") if (link := _text(item.get(key)))],
        title=_text(item.get("title")),
        summary=summary or markup,
        published=_text(item.get("date_published")),
        updated=_text(item.get("date_modified")),
        plain_text=bool(summary),
    )


def _text(value: object) -> str:
    """A string as it is, a number as its digits (an id may be one), anything else as nothing."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return ""
