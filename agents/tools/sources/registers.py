"""Public registers that are asked by a company's name: Regulations.gov, data.gov.au and Wikidata."""

from __future__ import annotations

import re
from typing import Any, Final

from agents.models import EvidenceItem
from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request, address, rows
from agents.tools.findings import finding
from agents.tools.series import day
from feeds.documents.text import clean

BANNED: Final = "asic-banned-disqualified-org"
"""ASIC's register of banned and disqualified organisations, renewed weekly."""
_AU: Final = "https://data.gov.au/data/api/3/action"


def regulations(term: str, key: str) -> Request:
    """The newest documents of rule making that hold `term`."""
    params = {"filter[searchTerm]": term, "sort": "-postedDate", "page[size]": 10}
    url = address("https://api.regulations.gov/v4/documents", params)
    return Request("regulations_gov", url, secret_headers={"x-api-key": key})


def read_regulations(reply: Reply) -> tuple[EvidenceItem, ...]:
    """Documents, dated to the day they were posted."""
    found = []
    for row in rows(reply.json(dict), "data"):
        attributes = row.get("attributes")
        if isinstance(attributes, dict):
            found.append(
                finding(
                    f"{attributes.get('documentType') or 'Document'}: {attributes.get('title') or ''}",
                    url=f"https://www.regulations.gov/document/{row.get('id')}",
                    source=f"Regulations.gov, {attributes.get('agencyId') or 'agency not named'}",
                    at=day(str(attributes.get("postedDate"))),
                    precision="day",
                )
            )
    return tuple(found)


def package(name: str) -> Request:
    """What resources an Australian data set has."""
    return Request("data_gov_au", address(f"{_AU}/package_show", {"id": name}))


def read_package(reply: Reply) -> str:
    """The resource that can be searched."""
    for resource in rows(_result(reply), "resources"):
        if resource.get("datastore_active") and re.fullmatch(r"[0-9a-f-]{36}", str(resource.get("id"))):
            return str(resource["id"])
    raise NotAnAnswer("has no copy of this register that can be searched")


def register(resource: str, name: str) -> Request:
    """Entries that hold a name."""
    return Request("data_gov_au", address(f"{_AU}/datastore_search", {"resource_id": resource, "q": name, "limit": 5}))


def read_count(reply: Reply) -> int:
    """How many entries; who they are is left where it is, since they are persons and their reasons."""
    total = _result(reply).get("total")
    if not isinstance(total, int):
        raise NotAnAnswer("answered without a number of entries")
    return total


def _result(reply: Reply) -> dict[str, Any]:
    body = reply.json(dict)
    result = body.get("result")
    if not body.get("success") or not isinstance(result, dict):
        raise NotAnAnswer("answered that it failed")
    return result


def entity(name: str) -> Request:
    """What Wikidata calls a company."""
    params = {"action": "wbsearchentities", "search": name, "language": "en", "format": "json", "limit": 1}
    return Request("wikidata", address("https://www.wikidata.org/w/api.php", params))


def read_entity(reply: Reply) -> str:
    """The best entity's number ("Q182477"); "" where there is none."""
    found = rows(reply.json(dict), "search")
    identity = str(found[0].get("id")) if found else ""
    return identity if re.fullmatch(r"Q[0-9]{1,12}", identity) else ""


def relations(identity: str) -> Request:
    """Products, owners and daughters of an entity."""
    query = (
        "SELECT ?relation ?otherLabel WHERE { VALUES (?property ?relation) { (wdt:P1056 'makes') (wdt:P355 'owns')"
        f" (wdt:P749 'belongs to') }} wd:{identity} ?property ?other ."
        " SERVICE wikibase:label { bd:serviceParam wikibase:language 'en' . } } LIMIT 12"
    )
    return Request("wikidata", address("https://query.wikidata.org/sparql", {"format": "json", "query": query}))


def read_relations(reply: Reply) -> tuple[str, ...]:
    """Relations in words ("makes graphics card")."""
    found = []
    for row in rows(reply.json(dict), "results", "bindings"):
        words = [row.get(name, {}).get("value") for name in ("relation", "otherLabel")]
        if all(isinstance(word, str) and word for word in words):
            found.append(clean(" ".join(map(str, words)), limit=100))
    return tuple(found)
