"""Federal Register: rules, notices and presidential documents of the United States, dated to the day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from agents.models import EvidenceItem
from agents.tools.findings import finding
from agents.tools.request import Reply, Request, address, rows
from agents.tools.series import day

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
