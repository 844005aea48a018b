"""Sanctions lists: who is on them. OFAC's SDN list as CSV without times, the UN's as XML with the day of listing.

A list says that a name is on it, not when that was news: only a name that was not in an earlier copy is new.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from typing import Final

from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request, address
from agents.tools.series import day
from feeds.documents.text import clean

OFAC: Final = "https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/sdn.csv"
UN: Final = "https://scsanctions.un.org/resources/xml/en/consolidated.xml"
LONGEST_NAME: Final = 8
"""Names are looked for as runs of at most so many words."""
_FEWEST_LETTERS: Final = 6
_NULL: Final = "-0-"
_LEGAL: Final = frozenset(
    (
        "ltd",
        "llc",
        "inc",
        "corp",
        "co",
        "company",
        "corporation",
        "limited",
        "pjsc",
        "jsc",
        "ojsc",
        "plc",
        "sa",
        "ag",
        "gmbh",
        "the",
    )
)
_WORD: Final = re.compile(r"[^\W_]+")
_LONGEST_ENTRY: Final = 20_000


@dataclass(frozen=True, slots=True)
class Listed:
    """One name on a list. `listed_at` is a day, None where the list does not say."""

    number: str
    name: str
    kind: str
    programs: str
    listed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SanctionsList:
    """A whole list, by the words of its names."""

    by_words: Mapping[tuple[str, ...], Listed]
    numbers: frozenset[str]

    def named_in(self, text: str, *, single: bool) -> tuple[Listed, ...]:
        """The listed names that stand in `text` as whole words, longest first at each place.

        Names of one word ("Horizon") count only with `single`: where a text is not on sanctions they are mere words.
        """
        words = [word.casefold() for word in _WORD.findall(text)]
        found: dict[str, Listed] = {}
        place = 0
        while place < len(words):
            for length in range(min(LONGEST_NAME, len(words) - place), 0 if single else 1, -1):
                listed = self.by_words.get(tuple(words[place : place + length]))
                if listed is not None:
                    found.setdefault(listed.number, listed)
                    place += length - 1
                    break
            place += 1
        return tuple(found.values())


def ofac() -> Request:
    """The SDN list, about five megabytes."""
    return Request("ofac", OFAC)


def read_ofac(reply: Reply) -> SanctionsList:
    """Twelve columns without a header; organisations, vessels and aircraft, no persons: their names are too common."""
    found = []
    for row in csv.reader(reply.text.splitlines()):
        if len(row) < 4 or not row[0].strip().isdigit():
            continue
        kind = row[2].strip().removeprefix(_NULL) or "entity"
        if kind != "individual":
            programs = row[3].replace("] [", ", ").strip(" []").removeprefix(_NULL)
            found.append(Listed(row[0].strip(), clean(row[1], limit=120), kind, clean(programs, limit=120)))
    if not found:
        raise NotAnAnswer("answered without a single name of its list")
    return _indexed(found)


def un() -> Request:
    """The consolidated list of the Security Council."""
    return Request("un_sanctions", UN)


def read_un(reply: Reply) -> SanctionsList:
    """Entities of the list; read by pattern, since nothing in such a file may be expanded."""
    if b"CONSOLIDATED_LIST" not in reply.body[:2_000]:
        raise NotAnAnswer("answered with something that is not its list")
    found = []
    for part in reply.body.split(b"<ENTITY>")[1:]:
        body = part[:_LONGEST_ENTRY].partition(b"</ENTITY>")[0]
        name = _un_field(body, "FIRST_NAME")
        if name:
            listed = day(_un_field(body, "LISTED_ON"))
            found.append(Listed(_un_field(body, "DATAID"), name, "entity", _un_field(body, "UN_LIST_TYPE"), listed))
    return _indexed(found)


def _un_field(body: bytes, name: str) -> str:
    found = body.partition(f"<{name}>".encode())[2].partition(f"</{name}>".encode())[0]
    return clean(unescape(found[:1_000].decode("utf-8", "replace")), limit=120)


def _indexed(listed: Iterable[Listed]) -> SanctionsList:
    by_words: dict[tuple[str, ...], Listed] = {}
    numbers = set()
    for one in listed:
        numbers.add(one.number)
        words = [word.casefold() for word in _WORD.findall(one.name)]
        while words and (words[-1] in _LEGAL or len(words[-1]) == 1):
            words.pop()
        if (
            0 < len(words) <= LONGEST_NAME
            and len("".join(words)) >= _FEWEST_LETTERS
            and (len(words) > 1 or one.kind == "entity")
        ):
            by_words.setdefault(tuple(words), one)
    return SanctionsList(by_words, frozenset(numbers))


def open_sanctions(name: str, key: str) -> Request:
    """One name searched over all lists, with the user's key."""
    url = address("https://api.opensanctions.org/search/default", {"q": name, "limit": 5})
    return Request("opensanctions", url, secret_headers={"authorization": f"ApiKey {key}"})


def read_open_sanctions(reply: Reply) -> tuple[Listed, ...]:
    """Hits that carry the topic of a sanction; `first_seen` is when the data set first held them, not a listing."""
    results = reply.json(dict).get("results")
    if not isinstance(results, list):
        raise NotAnAnswer("answered without results")
    found = []
    for row in results:
        properties = row.get("properties") if isinstance(row, dict) else None
        topics = properties.get("topics") if isinstance(properties, dict) else None
        if isinstance(topics, list) and "sanction" in topics:
            lists = ", ".join(str(name) for name in row.get("datasets") or ())
            found.append(
                Listed(str(row.get("id")), clean(str(row.get("caption")), limit=120), "entity", clean(lists, limit=120))
            )
    return tuple(found)
