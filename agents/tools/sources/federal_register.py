"""Federal Register: rules, notices and presidential documents of the United States, dated to the day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from agents.models import EvidenceItem
from agents.tools.asking.request import Reply, Request, address, rows
from agents.tools.findings import finding
from agents.tools.series import day
from feeds.documents.text import clean, safe_url

HOST: Final = "https://www.federalregister.gov"
_FIELDS: Final = ("title", "type", "abstract", "document_number", "html_url", "publication_date", "agencies")


def documents(*, term: str = "", agencies: Sequence[str] = (), since: date) -> Request:
    """The newest documents since a day that hold `term`, of these agencies where any are named."""
    pairs: list[tuple[str, object]] = [
        ("conditions[publication_date][gte]", since),
        ("order", "newest"),
        ("per_page", 20),
    ]
    if term:
        pairs.insert(0, ("conditions[term]", term))
    pairs += [("conditions[agencies][]", agency) for agency in agencies]
    pairs += [("fields[]", name) for name in _FIELDS]
    return Request("federal_register", address(f"{HOST}/api/v1/documents.json", pairs))


def named(term: str, since: date, until: date) -> Request:
    """The documents of a span of days that hold `term` as a phrase."""
    pairs: list[tuple[str, object]] = [
        ("conditions[term]", f'"{term}"'),
        ("conditions[publication_date][gte]", since),
        ("conditions[publication_date][lte]", until),
        ("order", "newest"),
        ("per_page", 20),
    ]
    pairs += [("fields[]", name) for name in _FIELDS]
    return Request("federal_register", address(f"{HOST}/api/v1/documents.json", pairs))


def presidential(since: date, until: date) -> Request:
    """The presidential documents of a span of days of publication, which is days after they were signed."""
    pairs: list[tuple[str, object]] = [
        ("conditions[type][]", "PRESDOCU"),
        ("conditions[publication_date][gte]", since),
        ("conditions[publication_date][lte]", until),
        ("order", "newest"),
        ("per_page", 100),
    ]
    pairs += [("fields[]", name) for name in (*_FIELDS, "signing_date")]
    return Request("federal_register", address(f"{HOST}/api/v1/documents.json", pairs))


@dataclass(frozen=True, slots=True)
class Signed:
    """A presidential document with the day it was signed and the day it was published."""

    title: str
    url: str
    signed: date
    published: date


def read_signed(reply: Reply) -> tuple[Signed, ...]:
    """The presidential documents that say when they were signed."""
    body = reply.json(dict)
    if body.get("count") == 0:
        return ()
    found = []
    for row in rows(body, "results"):
        signed, published = day(str(row.get("signing_date"))), day(str(row.get("publication_date")))
        if signed is not None and published is not None:
            title = clean(str(row.get("title") or row.get("document_number")), limit=200)
            found.append(Signed(title, safe_url(str(row.get("html_url") or "")), signed.date(), published.date()))
    return tuple(found)


def read(reply: Reply) -> tuple[EvidenceItem, ...]:
    """The documents as findings. A search without a hit has no `results` at all."""
    body = reply.json(dict)
    if body.get("count") == 0:
        return ()
    found = []
    for row in rows(body, "results"):
        agencies = [
            str(one.get("name") or one.get("raw_name")) for one in row.get("agencies") or () if isinstance(one, dict)
        ]
        text = f"{row.get('type') or 'Document'}: {row.get('title') or row.get('document_number')}"
        found.append(
            finding(
                text,
                url=str(row.get("html_url") or ""),
                source=f"Federal Register, {agencies[0]}" if agencies else "Federal Register",
                at=day(str(row.get("publication_date"))),
                precision="day",
            )
        )
    return tuple(found)
